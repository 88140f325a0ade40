"""Nothing is compiled twice: not for other values, not for other draws, not by the next process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import jax
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.domains import Number, OrWord
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.running import run
from teacherstudent.sims import compilation
from tests.roundings import unrounded
from tests.support import python
from tools.nested import ROOT

SIMULATIONS = [route for route in catalogue.routes() if route.entry.startswith("teacherstudent.sims.")]
OF_SYSTEMS = [*{route.problem: route for route in SIMULATIONS}.values()][::3]
"""Of every third system one simulation; the others are asked by the thorough tests."""


@contextmanager
def compilations() -> Iterator[list[float]]:
    """A list that grows by one entry, its seconds, with each program compiled inside the block."""
    seconds: list[float] = []
    LISTENING.append(seconds)
    try:
        yield seconds
    finally:
        LISTENING.remove(seconds)


LISTENING: list[list[float]] = []
"""What grows now. JAX 0.5 cannot take a listener away again, so one listens throughout."""


def _listen(event: str, duration: float, **_: object) -> None:
    if event == "/jax/core/compile/backend_compile_duration":
        for each in LISTENING:
            each.append(duration)


jax.monitoring.register_event_duration_secs_listener(_listen)


def two_values(parameter: Parameter) -> tuple[float, float] | None:
    """Two values of a real parameter, neither of them 0; None where the default is no number."""
    domain, first = parameter.domain, parameter.default
    if not isinstance(domain, (Number, OrWord)) or not isinstance(first, float):
        return None
    first = first or 0.01
    for second in (first / 2, 2 * first):
        with suppress(ValueError):
            return first, domain.check(second)
    return None


def two_questions(route: Route) -> Iterator[dict]:
    """The same shapes twice: every real parameter, every time and every seed differ.

    Where time counts examples, the last one is a size and stays. Of a route with an example of its own, which
    may allow no other parameters, only times and seeds differ.
    """
    problem = catalogue.find_problem(route.problem)
    known = (*problem.parameters, *problem.on_clock(route.dynamics).options, *route.options)
    pairs = {each.name: two_values(each) for each in known}
    last = 20.0 if problem.on_clock(route.dynamics).time.unit.startswith("examples") else 30.0
    for i, times in enumerate(([1.0, 3.0, 20.0], [2.0, 5.0, last])):
        values = dict(route.example) or {name: pair[i] for name, pair in pairs.items() if pair}
        seeds = {"seeds": [2 * i, 2 * i + 1]} if route.sampled else {}
        yield {"times": times, **seeds, **values}


def ask(route: Route, question: dict) -> None:
    run(route.problem, route.dynamics, route.name, **question)


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
@pytest.mark.parametrize(
    "route",
    [
        pytest.param(each, id=each.id, marks=() if each in OF_SYSTEMS else pytest.mark.thorough)
        for each in SIMULATIONS
    ],
)
def test_other_values_times_and_seeds_of_a_shape_do_not_recompile(route: Route) -> None:
    first, second = two_questions(route)
    assert all(value != second[name] for name, value in first.items() if name not in route.example)
    ask(route, first)
    with compilations() as again:
        ask(route, second)
    assert again == []


def test_another_shape_is_seen_to_compile() -> None:
    route = catalogue.find_route(catalogue.find_problem("multiscale"), "ridge", "simulation")
    with compilations() as seconds:
        for samples in (7, 8):
            ask(route, {"times": [1.0], "seeds": [0, 1], "n": samples, "d": 3, "p": 1})
    assert len(seconds) >= 2


# On disk ----------------------------------------------------------------------------------------

SCRIPT = """
import json, sys, time
import jax
hits = []
jax.monitoring.register_event_listener(lambda event, **_: hits.append(event))
from teacherstudent.house.running import run
answer = run("multiscale", "langevin", "simulation", [5.0], seeds=[int(sys.argv[1])], n=7, d=3, p=1)
print(json.dumps([hits.count("/jax/compilation_cache/cache_hits"), float(answer.R[0, 0])]))
"""


def in_another_process(seed: int, **environment: str) -> tuple[int, float]:
    """Programs read from the disk, and the R of that seed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, str(seed)],
        cwd=ROOT, env={**kept, **environment}, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stderr == ""
    hits, value = json.loads(done.stdout)
    return hits, value


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="names the cache folder as Linux does")
@pytest.mark.skipif(jax.__version_info__ < compilation.QUIET_SINCE, reason="this JAX complains as it reads")
def test_the_next_process_reads_what_the_last_one_compiled(tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"}
    none, first = in_another_process(0, **environment)
    assert none == 0
    assert list((tmp_path / "teacherstudent").rglob("jit__trajectories-*"))
    some, second = in_another_process(0, **environment)
    assert some >= 1
    assert second == first


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """JAX's settings as a user has them before the first import, and an empty folder for caches."""
    known = {name: getattr(jax.config, name) for name in SETTINGS}
    jax.config.update("jax_enable_compilation_cache", True)
    monkeypatch.setattr(compilation, "user_cache_path", lambda _: tmp_path / "user")
    monkeypatch.setattr(compilation, "QUIET_SINCE", (0,))
    yield tmp_path / "user" / "compiled"
    for name, value in known.items():
        jax.config.update(name, value)


SETTINGS = (
    "jax_enable_compilation_cache",
    "jax_compilation_cache_dir",
    "jax_persistent_cache_min_compile_time_secs",
)


def test_a_simulation_in_single_precision_is_refused() -> None:
    add = compilation.compiled(lambda x: x + 1)
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(InputError, match="JAX_ENABLE_X64 False: must be True, because simul"):
            add(1.0)
    finally:
        jax.config.update("jax_enable_x64", True)
    assert unrounded(add(1.0), 2)


ON_TWO_DEVICES = """
import jax
from teacherstudent.sims.compilation import compiled
def add(x): return x + 1
with jax.default_device(jax.devices()[1]):
    for on_cpu in (False, True):
        print(*(device.id for device in compiled(add, on_cpu=on_cpu)(1.0).devices()))
"""


def test_what_is_to_run_on_the_cpu_does_so_whatever_device_is_the_default() -> None:
    """Of two virtual devices the first stands for the CPU."""
    said = python("-c", ON_TWO_DEVICES, XLA_FLAGS="--xla_force_host_platform_device_count=2")
    assert said.stdout.split() == ["1", "0"], said.stderr


def test_on_a_gpu_whole_loops_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The CPU's compiler takes the options too, and leaves them alone."""
    chosen: list[object] = []
    jit = jax.jit
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    monkeypatch.setattr(jax, "jit", lambda f, **options: chosen.append(options) or jit(f))
    for version in ((0, 10, 2), compilation.GRAPHS_SINCE):
        monkeypatch.setattr(jax, "__version_info__", version)
        for on_cpu in (False, True):
            assert unrounded(compilation.compiled(lambda x: x + 1, on_cpu=on_cpu)(1.0), 2)
    assert chosen == [{}, {}, {"compiler_options": compilation.GRAPHS}, {}]


def test_programs_are_kept_in_a_private_folder_of_the_user(settings: Path) -> None:
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir == str(settings)
    assert settings.stat().st_mode & 0o077 == 0


def test_the_switches_of_jax_are_obeyed(settings: Path, tmp_path: Path) -> None:
    jax.config.update("jax_compilation_cache_dir", str(tmp_path / "chosen"))
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir == str(tmp_path / "chosen")
    jax.config.update("jax_compilation_cache_dir", None)
    jax.config.update("jax_enable_compilation_cache", False)
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir is None


def test_a_folder_that_cannot_be_made_or_written_costs_nothing(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.parent.write_text("a file where the folder should be", encoding="utf-8")
    compilation.keep_programs()
    settings.parent.unlink()
    monkeypatch.setattr(os, "access", lambda *_: False)  # a test may run as root, who may write anywhere
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir is None


@pytest.mark.skipif(os.name == "nt", reason="the system has no such modes")
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_nothing_is_kept_where_others_can_write(
    settings: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who can write there could have any program of his run."""
    monkeypatch.setattr(compilation, "_shared", lambda group: True)
    settings.mkdir(parents=True)
    settings.chmod(mode)
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir is None


@pytest.mark.skipif(os.name == "nt", reason="the system has no such modes")
def test_nor_in_a_folder_that_the_user_chose(settings: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o700)
    jax.config.update("jax_compilation_cache_dir", str(shared / "compiled"))
    shared.chmod(0o777)
    with pytest.warns(compilation.UnsafeFolderWarning, match=r"^JAX_COMPILATION_CACHE_DIR .*compiled: must"):
        compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir is None


@pytest.mark.skipif(os.name == "nt", reason="the system has no such modes")
def test_nor_behind_a_link_that_others_can_turn(settings: Path, tmp_path: Path) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    own.mkdir(mode=0o700)
    shared.mkdir()
    (shared / "link").symlink_to(own)
    assert not compilation.others_can_write(shared / "link")
    shared.chmod(0o777)
    assert compilation.others_can_write(shared / "link")
    assert not compilation.others_can_write(own)


@pytest.mark.skipif(os.name == "nt", reason="the system has no such modes")
@pytest.mark.parametrize("shared", [False, True])
def test_folders_are_made_private_whatever_the_umask(
    settings: Path, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    """Many systems give each user a group of his own, and a umask that lets it write."""
    monkeypatch.setattr(compilation, "_shared", lambda group: shared)
    before = os.umask(0o002)
    try:
        compilation.keep_programs()
        assert jax.config.jax_compilation_cache_dir == str(settings)
        settings.parent.chmod(0o775)  # as another program may have made it
        assert compilation.others_can_write(settings) == shared
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="the system has no such modes")
def test_a_sticky_folder_above_is_no_danger(settings: Path) -> None:
    settings.parent.mkdir(mode=0o700)
    settings.parent.parent.chmod(0o1777)
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir == str(settings)


def test_versions_that_complain_of_what_they_read_keep_nothing(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "QUIET_SINCE", (99,))
    compilation.keep_programs()
    assert jax.config.jax_compilation_cache_dir is None


def test_the_oldest_programs_go_first(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "MOST", 4)
    settings.mkdir(parents=True)
    for age in range(5):
        program = settings / f"jit_{age}-cache"
        program.touch()
        os.utime(program, (1e9 - age, 1e9 - age))
    compilation.keep_programs()
    assert sorted(path.name for path in settings.iterdir()) == ["jit_0-cache", "jit_1-cache"]
