"""The toy problem as a fixture, and an environment in which no test depends on an earlier run."""

from __future__ import annotations

import gc
import inspect
import os
import random
import signal
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from teacherstudent.house import catalogue
from teacherstudent.house.provenance import noting_anew
from tests.support import TOY, StubRoute, _drawn, _grown, _modes

os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"  # no test depends on what an earlier run left behind

# A source distribution lacks the links and the history that these tests are about.
if not (Path(__file__).parent.parent / ".path").exists():
    collect_ignore = ["test_contracts.py", "test_documents.py", "test_release.py", "test_wheel.py"]

# Most tests run a new program once and briefly: to compile it well takes longer than to run it. So it is
# compiled without optimisation, here and in the processes that tests start. What is set already stays:
# `JAX_DISABLE_MOST_OPTIMIZATIONS=0 XLA_FLAGS= pytest` tests the programs that users run (`make test-hard`).
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
XLA_FLAGS = ["--xla_cpu_parallel_codegen_split_count=1"]
if (0, 5) <= tuple(int(part) for part in version("jaxlib").split(".")[:2]) < (0, 12):
    XLA_FLAGS += ["--xla_cpu_use_fusion_emitters=false"]  # XLA ends a process at a flag that it does not know
os.environ.setdefault("XLA_FLAGS", " ".join(XLA_FLAGS))

# What runs in the background or under nohup ignores these signals, and hands that down to what tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

more = os.environ.pop("MORE_XLA_FLAGS", "")  # of tools/processors.py
os.environ["XLA_FLAGS"] = f"{os.environ['XLA_FLAGS']} {more}".strip()  # XLA takes a space for a file's name

# marimo asks for frames when a lesson is imported: the lines of source around them take a second of CPU each.
inspect.stack.__defaults__ = (0,)

settings.register_profile("forgetful", database=None)  # nor on whether the checkout can be written to
settings.load_profile("forgetful")


LONG = {
    *("catalogue", "checks", "company", "compilation", "figures", "fuzz", "interruption"),
    *("lessons", "memory", "settings", "site", "walkthrough", "walkthrough_algorithm"),
}
"""Files of long tests: they begin first, so that no core waits for one at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="run files, and tests within them, in any order"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """What collection makes stays: no time goes into a search for garbage in it."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


def file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long files come first, each still in its order; or all in an order drawn from a seed."""
    seed = config.getoption("shuffle")
    if seed is None:
        items.sort(key=lambda item: file_of(item)[len("tests/test_") : -len(".py")] not in LONG)
    else:  # files stay whole: their tests share results
        files = sorted({file_of(each) for each in items})
        random.Random(seed).shuffle(files)
        random.Random(seed).shuffle(items)
        items.sort(key=lambda item: files.index(file_of(item)))


@pytest.fixture(scope="session", autouse=True)
def state_of_their_own(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[None]:
    """Tracebacks of faults, which the command line keeps for a user, lie in a temporary folder.

    So do numbers of figures, where several processes share out the tests of one run.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        if hasattr(pytestconfig, "workerinput"):  # one process of several, whose folders lie side by side
            patch.setattr("tests.drawing.SHARED", tmp_path_factory.getbasetemp().parent)
        yield


@pytest.fixture(autouse=True)
def notes_of_their_own() -> Iterator[None]:
    """What one test was told another is told, too."""
    with noting_anew():
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """The toy problem beside the real ones; call it to add a route: `toy(name, answer)`."""
    problems, routes = dict(catalogue.problems()), list(catalogue.routes())
    problems["toy"] = TOY
    monkeypatch.setattr(catalogue, "problems", lambda: problems)
    monkeypatch.setattr(catalogue, "routes", lambda: tuple(routes))

    def add(
        name: str,
        answer: Callable[..., Any],
        sampled: bool = False,
        dynamics: str = "path",
        gives: tuple[str, ...] = ("growth",),
        **more: Any,
    ) -> None:
        meaning = f"the {name} route"
        routes.append(
            StubRoute(
                "toy", dynamics, name, "", meaning, "nowhere", sampled, gives=gives, answer=answer, **more
            )
        )

    add("grown", _grown)
    add("modes", _modes, gives=())
    add("drawn", _drawn, sampled=True)
    add("stepped", _grown, dynamics="steps")
    return add
