"""Systems from outside are asked by each command and their faults told; no file that is read runs one."""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import teacherstudent as ts
from teacherstudent import testing_systems
from teacherstudent.api.new import KINDS
from teacherstudent.cli.command import COMPLETION
from teacherstudent.house import catalogue, outside
from teacherstudent.house.errors import InputError, OutsideError, RouteError
from teacherstudent.house.outside import announced
from teacherstudent.house.processes import _outcome
from teacherstudent.sweeps.store import Store
from tests.support import Said, python, refusal, say
from tests.test_sweeps_cluster import scheduler  # noqa: F401

CURVE = ("curve", "my-own", "--dynamics", "online", "--times", "0:4:3:lin")
THEORY = (*CURVE, "--route", "asymptotic")


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """No test leaves a system in use."""
    before = outside.named_systems()
    yield
    for system in set(outside.named_systems()) - set(before):
        catalogue.leave(system.folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A system, as it is written."""
    return ts.new("my-own", out=tmp_path / "mine")


def asked(folder: Path, *words: object) -> Said:
    """A command line about that folder."""
    return say(*words, "--system", folder)


def text(file: Path) -> str:
    """What is in a file."""
    return file.read_text(encoding="utf-8")


def put(file: Path, content: str) -> None:
    """Let a file have that content."""
    file.write_text(content, encoding="utf-8")


def edit(file: Path, old: str, new: str) -> None:
    """Change a text that is there."""
    before = text(file)
    assert old in before
    put(file, before.replace(old, new, 1))


# Asking -----------------------------------------------------------------------------------------------


def test_a_folder_is_named_before_the_command_or_behind_it(folder: Path) -> None:
    behind = asked(folder, *THEORY)
    assert behind.status == 0
    assert say("--system", folder, *THEORY).out == say(f"--system={folder}", *THEORY).out == behind.out
    assert behind.out.startswith("time,R,Q,generalisation_error\n0.0,0.0,1.0,0.5\n")
    assert "must be one of" in refusal(say(*THEORY)), "it is in use for one command line"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_answers_by_theory_without_the_files_of_the_simulation(kind: str, tmp_path: Path) -> None:
    folder = ts.new("my-own", kind=kind, out=tmp_path / "mine")
    with catalogue.using([folder]):
        dynamics = KINDS[kind]["dynamics"]
        answer = ts.curve("my-own", dynamics=dynamics, route="asymptotic", times=[1, 2])
        assert all(np.isfinite(values).all() for values in answer.data_vars.values())
        assert not [name for name in sys.modules if outside.__name__ in name and name.endswith(".sims")]


def test_environment_and_python_name_folders_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(outside.VARIABLE, os.pathsep.join([str(folder), ""]))
    catalogue.forget()
    assert say(*THEORY).status == 0
    monkeypatch.delenv(outside.VARIABLE)
    catalogue.leave(folder)
    assert ts.use(folder) == ts.use(str(folder)) == "my-own"
    assert say(*THEORY).status == 0


def test_lists_answers_and_settings_say_where_it_lives(folder: Path, tmp_path: Path) -> None:
    listed = json.loads(asked(folder, "list", "problems", "--json").out)
    assert [each["system"] for each in listed if each["system"]] == [str(folder)]
    assert refusal(asked(folder, "check", "my-own-limi")).endswith("did you mean my-own-limit?")
    out, settings = tmp_path / "answer.nc", tmp_path / "settings.toml"
    assert asked(folder, *THEORY, "--out", out, "--settings", settings).status == 0
    with xr.open_dataset(out) as answer:
        assert answer.attrs["system"] == str(folder)
        assert answer.attrs["system_digest"] == outside.sources.digest(folder)
        assert f"--system {folder}" in answer.attrs["command"]
    assert f'--system "{folder}"' in settings.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", [".toml", ".nc"])
def test_a_file_that_is_read_names_no_code(folder: Path, tmp_path: Path, suffix: str) -> None:
    """What is replayed without the folder is refused, with the option; with it, it is answered again."""
    kept = tmp_path / f"kept{suffix}"
    assert asked(folder, *THEORY, "--settings" if suffix == ".toml" else "--out", kept).status == 0
    edit(folder / "problem.py", "from dataclasses", "raise SystemExit('it was run')\nfrom dataclasses")
    assert "--system FOLDER" in refusal(say("curve", "--from", kept))
    edit(folder / "problem.py", "raise SystemExit('it was run')\n", "")
    assert asked(folder, "curve", "--from", kept).status == 0
    with pytest.raises(InputError, match="--system FOLDER"):
        ts.settings(kept)


def test_a_command_for_which_it_announces_nothing_says_so(folder: Path) -> None:
    said = refusal(asked(folder, "onset", "my-own"))
    assert said.endswith("my-own has no theory for this command")
    assert refusal(say("turns", "gan")).endswith("gan has no theory for this command")


def test_a_shell_completes_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def offered(*words: str) -> str:
        monkeypatch.setenv("COMP_WORDS", " ".join(["teacherstudent", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        return say().out

    monkeypatch.setenv(COMPLETION, "bash_complete")
    assert "my-own" in offered("--system", str(folder), "curve", "my")
    assert "--learning-rate" in offered("curve", "my-own", "--system", str(folder), "--lear")
    assert "my-own" not in offered("curve", "my", "--system", "nowhere")
    put(folder / "theory.py", "def (")
    assert "my-own" not in offered("curve", "my", "--system", str(folder))


def test_a_sweep_is_resumed_only_by_the_code_that_began_it(folder: Path, tmp_path: Path) -> None:
    sweep = ("sweep", *THEORY[1:], "--learning-rate", "1:2:2", "--out", tmp_path / "sweep.nc")
    assert asked(folder, *sweep).status == 0
    assert asked(folder, *sweep, "--resume").status == 0
    edit(folder / "theory.py", "TOLERANCE = 1e-10", "TOLERANCE = 1e-4")
    assert "its present code; the code has changed" in refusal(asked(folder, *sweep, "--resume"))


def test_a_store_of_nothing_but_the_digest_is_not_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        store.demand_code("my-own", "0")
    assert not (tmp_path / "store").exists()


def test_a_folder_whose_files_have_changed_is_read_anew(folder: Path) -> None:
    ts.use(folder)
    edit(folder / "problem.py", 'title="Hebb', 'title="New: Hebb')
    ts.use(folder)
    assert catalogue.find_problem("my-own").title.startswith("New")


@pytest.mark.thorough
@pytest.mark.usefixtures("_as_before")
def test_worker_processes_and_a_scheduler_know_it(folder: Path, scheduler: str) -> None:  # noqa: F811
    ts.use(folder)
    sweep = {"problem": "my-own", "dynamics": "online", "route": ["asymptotic", "simulation"]}
    sweep |= {"learning_rate": "0.5:1:3", "d": 20, "seeds": 3, "times": [1, 2]}
    here = ts.sweep(**sweep)
    for elsewhere in ({"workers": 2}, {"scheduler": scheduler}):
        np.testing.assert_allclose(ts.sweep(**sweep, **elsewhere).Q, here.Q, rtol=1e-12)
    job = outside.pickle.dumps(dict)
    assert outside.with_system(str(folder), outside.named_systems()[-1].digest, job) == {}
    with pytest.raises(InputError, match="the same files in that folder"):
        outside.with_system(str(folder), "another", job)


# Faults -----------------------------------------------------------------------------------------------

FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (lambda at: (at / "problem.py").unlink(), "which holds problem.py"),
    "syntax": (lambda at: put(at / "checks.py", "x = 1\ndef (\n"), "(checks.py, line 2: SyntaxError"),
    "not text": (lambda at: (at / "theory.py").write_bytes(b"\xff\x00"), "(theory.py"),
    "raises": (lambda at: put(at / "problem.py", "1\n1/0\n"), "line 2: ZeroDivisionError"),
    "leaves": (lambda at: put(at / "problem.py", "raise SystemExit(3)"), "line 1: SystemExit: 3"),
    "no problem": (lambda at: put(at / "problem.py", ""), "(problem.py: it has no PROBLEM)"),
    "no routes": (lambda at: edit(at / "problem.py", "ROUTES = (", "OTHERS = ("), "it has no ROUTES"),
    "other things": (lambda at: edit(at / "problem.py", "ROUTES = (", "ROUTES = (1,"), "ROUTES holds int"),
    "no file": (lambda at: (at / "theory.py").unlink(), "theory:online: there is no theory.py"),
    "no function": (
        lambda at: edit(at / "problem.py", '"theory:online"', '"theory:onlin"'),
        "theory:onlin: theory.py has no onlin",
    ),
    "no witness": (
        lambda at: edit(at / "problem.py", '"theory:online"', '"checks:CHECKS"'),
        "in neither theory.py nor sims.py",
    ),
    "other witness": (
        lambda at: edit(at / "problem.py", '"theory:online",', '"theory:online", batch="sims:online",'),
        "batch sims:online is not in the same file as theory:online",
    ),
    "no dynamics": (
        lambda at: edit(at / "problem.py", '"online",\n        "asym', '"onlin",\n        "asym'),
        "a route under onlin, which is no dynamics of my-own",
    ),
    "other id": (lambda at: edit(at / "problem.py", 'id="my-own"', 'id="mine"'), "of my-own, not of mine"),
    "no id": (lambda at: edit(at / "problem.py", 'id="my-own"', 'id="My Own"'), "must be lower-case letters"),
    "our name": (lambda at: edit(at / "problem.py", '"init"', '"times"'), "name times is already in use"),
    "an id of ours": (
        lambda at: put(at / "problem.py", text(at / "problem.py").replace("my-own", "gan")),
        "the id gan is also that of teacherstudent itself",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_folder_that_cannot_be_used_is_refused_in_a_line(folder: Path, fault: str) -> None:
    breaks, said = FAULTS[fault]
    breaks(folder)
    line = refusal(asked(folder, "list", "routes"))
    assert line.startswith(f"--system {folder}: must be ")
    assert said in line
    assert say("list", "routes").status == 0, "nothing is left of it"


def test_two_folders_with_one_id_are_refused_with_both_places(folder: Path, tmp_path: Path) -> None:
    other = ts.new("my-own", kind="linear", out=tmp_path / "other")
    line = refusal(say("--system", folder, "--system", other, "list"))
    assert str(other) in line
    assert f"is also that of {folder}" in line


def test_an_option_of_the_commands_own_is_refused(folder: Path) -> None:
    edit(folder / "problem.py", 'Parameter("init"', 'Parameter("show"')
    edit(folder / "problem.py", "init: float", "show: float")
    assert "show is already in use" in refusal(asked(folder, *THEORY))


@pytest.mark.parametrize(
    ("file", "old", "new", "words", "said"),
    [
        (
            "theory.py",
            "    field =",
            "    field = nothing\n    field =",
            THEORY,
            "NameError: name 'nothing'",
        ),
        (
            "theory.py",
            "import numpy as np",
            "import numpyy as np",
            THEORY,
            "'numpyy'; theory.py, line",
        ),
        (
            "sims.py",
            "import jax\n",
            "import jaxx\n",
            (*CURVE, "--route", "simulation"),
            "'jaxx'",
        ),
        ("theory.py", '"R": R, ', "", THEORY, "lacks R"),
        ("checks.py", "CHECKS = (", "1/0\nCHECKS = (", ("list", "checks"), "line "),
        ("checks.py", "CHECKS = (", "CHECKS = (1,", ("list", "checks"), "must be a tuple, each a Check"),
        ("checks.py", "effect=Contrast", "evidence=1, effect=Contrast", ("list", "checks"), "TypeError"),
        pytest.param(
            "checks.py",
            "* np.array",
            "/ 0 * np.array",
            ("check", "my-own-limit"),
            "line 19: ZeroDivisionError",
            marks=pytest.mark.thorough,
        ),
        ("figures.py", "FIGURES = (", "1/0\nFIGURES = (", ("list", "figures"), "ZeroDivisionError"),
        ("claims.toml", "[[claim]]", "[[claim]", ("list", "checks"), "claims.toml"),
    ],
)
def test_code_that_breaks_when_it_is_asked_is_told_with_its_line(
    folder: Path, file: str, old: str, new: str, words: tuple[str, ...], said: str
) -> None:
    edit(folder / file, old, new)
    line = refusal(asked(folder, *words))
    assert said in line
    assert file in line or "lacks" in line


def test_an_error_in_another_process_is_told_with_its_line(folder: Path) -> None:
    edit(folder / "figures.py", "    seeds, numbers =", "    1 / 0\n    seeds, numbers =")
    ts.use(folder)
    job = pickle.dumps(partial(ts.figure, "my-own-curves", quick=True))
    went_well, error = pickle.loads(_outcome(job))
    assert not went_well
    assert isinstance(error, OutsideError)
    assert str(error) == f"{folder / 'figures.py'}, line 20: ZeroDivisionError: division by zero"


def test_only_options_with_a_folder_are_read(folder: Path) -> None:
    assert "--system (missing)" in refusal(say("list", "--system"))
    assert "--system nowhere: must be the folder of a system" in refusal(say("list", "--system", "nowhere"))
    assert refusal(asked(folder, "curve", "my-onw")).endswith("did you mean my-own?")


# Independence -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("theory.py", "import jax.numpy as jnp", "import of jax.numpy, which theory may not use"),
        ("theory.py", "from . import sims", "sims, which theory may not use"),
        ("theory.py", "from .sims import online as there", "sims.online, which theory may not use"),
        ("theory.py", "import sims", "import of sims, which theory"),
        ("theory.py", "from .helper import both", "sims.online, which theory may not use"),
        ("theory.py", "import importlib", "import of importlib"),
        ("theory.py", "from my_own import sims", "import of my_own.sims, which theory"),
        ("theory.py", "import teacherstudent as ts", "import of teacherstudent, which theory"),
        ("theory.py", "from teacherstudent.sims import arrays", "import of teacherstudent.sims.arrays"),
        ("theory.py", "__import__('jax')", "__import__, which theory"),
        ("theory.py", "run = exec", "exec, which theory"),
        ("theory.py", "import sys; sys.modules['jax']", "sys.modules, which theory"),
        ("theory.py", "from sys import modules", "import of sys.modules, which theory"),
        ("theory.py", "from teacherstudent.house.files import importlib", "house.files.importlib"),
        ("sims.py", "from scipy import linalg", "import of scipy.linalg, which sims may not use"),
        ("sims.py", "from .theory import online as there", "theory.online, which sims may not use"),
        ("sims.py", "from teacherstudent.house.running import run", "house.running.run, which sims"),
        ("problem.py", "from . import theory", "theory, which problem may not use"),
    ],
)
def test_a_witness_that_knows_the_other_is_refused(folder: Path, file: str, line: str, said: str) -> None:
    put(folder / "helper.py", "def both():\n    from .sims import online\n")
    before = text(folder / file)
    put(folder / file, f"{before}\n\ndef late():\n    {line}\n")
    refused = refusal(asked(folder, "check", "my-own-limit"))
    assert said in refused
    if file == "theory.py" and "exec" in line:  # nor does the file that runs before both
        put(folder / file, before)
        put(folder / "__init__.py", "from .sims import online\n")
        said = "(__init__.py, line 1: import of .sims.online"
        assert said in refusal(asked(folder, "check", "my-own-limit"))
    place = ("helper.py", 2) if "helper" in line else (file, len(before.splitlines()) + 4)
    assert f"({place[0]}, line {place[1]}: " in refused


def test_systems_that_are_written_are_independent(tmp_path: Path) -> None:
    for kind in KINDS:
        ts.use(ts.new(f"own-{kind}", kind=kind, out=tmp_path / kind))
    for each in catalogue.from_outside():
        outside_tests = dict(testing_systems.tests_of(each))
        outside_tests["witnesses are independent"]()
        outside_tests["claims and checks agree"]()


# Packages ---------------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Path]]:
    """Puts a package on the path that announces a module as a system."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(name: str, module: str) -> Path:
        told = tmp_path / f"{name}-1.5.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Name: {name}\nVersion: 1.5\n", encoding="utf-8")
        (told / "entry_points.txt").write_text(f"[{outside.GROUP}]\n{name} = {module}\n", encoding="utf-8")
        announced._installed.cache_clear()
        catalogue.forget()
        return tmp_path / module

    yield install
    monkeypatch.undo()
    announced._installed.cache_clear()
    catalogue.forget()
    for name in [each for each in sys.modules if each.partition(".")[0] in ("mine", "broken")]:
        del sys.modules[name]


def test_a_package_is_found_and_a_broken_one_does_not_spoil_the_others(
    folder: Path, installed: Callable[[str, str], Path]
) -> None:
    assert installed("my-package", "mine") == folder
    (installed("bad", "broken")).mkdir()
    put(folder.parent / "broken" / "problem.py", "1/0")
    installed("worse", "nowhere")
    said = say(*THEORY)
    assert said.status == 0
    assert said.err.count("warning: left out: ") == 2
    assert "broken (of bad 1.5): must be" in said.err
    assert "names no package nowhere" in said.err
    again = say("list", "problems", "--json")
    assert again.err == "", "it is said once"
    assert str(folder) in again.out
    answer = ts.curve("my-own", dynamics="online", route="asymptotic", times=[1])
    assert answer.attrs["system_version"] == "1.5"
    assert asked(folder, *THEORY).out == say(*THEORY).out, "one folder, named in two ways"
    line = refusal(asked(ts.new("other", out=folder.parent / "other"), "curve", "my-onw"))
    assert line.endswith("did you mean my-own?")


def test_a_folder_with_the_id_of_a_package_is_refused(
    folder: Path, tmp_path: Path, installed: Callable[[str, str], Path]
) -> None:
    installed("my-package", "mine")
    folder.rename(tmp_path / "away")
    (tmp_path / "away").rename(folder)
    announced._installed.cache_clear()
    catalogue.forget()
    other = tmp_path / "copy"
    other.mkdir()
    for path in folder.glob("*.py"):
        (other / path.name).write_bytes(path.read_bytes())
    assert "is also that of mine (of my-package 1.5)" in refusal(asked(other, "list"))


# New --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("My",), "NAME My: must be lower-case letters"),
        (("../x",), "NAME ../x: must be lower-case letters"),
        (("a" * 41,), "at most 40"),
        (("gan",), "an id that no system uses yet"),
        (("mine", "--kind", "linea"), "did you mean linear?"),
        (("mine", "--out", "{full}"), "nothing is overwritten"),
        (("mine", "--out", "{full}/file"), "nothing is overwritten"),
        ((), "NAME"),
    ],
)
def test_a_name_or_a_folder_that_will_not_do_is_refused(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert said in refusal(say("new", *(each.format(full=tmp_path) for each in words)))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_next_command_is_told(tmp_path: Path) -> None:
    said = say("new", "mine", "--out", tmp_path / "mine")
    assert said.out == f"{tmp_path / 'mine'}\n"
    tried = f"teacherstudent --system {tmp_path / 'mine'} check mine-limit"
    assert said.err == f"wrote a system into {tmp_path / 'mine'}; to try it: {tried}\n"


# The plugin of pytest --------------------------------------------------------------------------------

WRONG = {
    "claims and checks agree": ("claims.toml", 'check = "my-own-limit"', 'check = "another"'),
    "examples ask for every observable": (
        "problem.py",
        "observables=(",
        'observables=(Observable("more", "m", "1", "more"),',
    ),
    "gives what it declares": ("theory.py", '{"R": R, "Q": Q', '{"R": R, "Q": -Q'),
    "is put to the test by a check": ("checks.py", "CHECKS = (", "CHECKS = OTHERS = ()\n("),
    "answers a time alone as among others": ("theory.py", "R, Q = np", "R, Q = times[-1] * np"),
    "witnesses are independent": ("theory.py", "import numpy as np", "import jax\nimport numpy as np"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_hold_for_every_system_is_noticed(folder: Path, name: str) -> None:
    def failing() -> list[str]:
        found = []
        catalogue.use(folder)
        (own,) = catalogue.from_outside()
        for each, work in testing_systems.tests_of(own):
            if each.startswith(name) and "simulation" not in each:
                try:
                    work()
                except (AssertionError, InputError, RouteError):
                    found.append(each)
        return found

    assert failing() == []
    edit(folder / WRONG[name][0], *WRONG[name][1:])
    assert len(failing()) == 1


ERRORS = {
    "order-parameters": ("[learning_rate * field, 2 *", "[learning_rate * field, 2.2 *"),
    "linear": ("noise=problem.noise**2", "noise=problem.noise"),
    "fixed-point": ("square - 4 * s**2", "square - 3.5 * s**2"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_pytest_in_the_folder_passes_until_the_theory_is_wrong(kind: str, tmp_path: Path) -> None:
    folder = ts.new("my-own", kind=kind, out=tmp_path / "mine")
    passed = python("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
    assert passed.returncode == 0, passed.stdout
    edit(folder / "theory.py", *ERRORS[kind])
    failed = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "limit", cwd=folder)
    assert failed.returncode == 1, failed.stdout
    assert "agrees, and wrong claims do not[my-own-limit]" in failed.stdout


# What theory may announce besides routes ----------------------------------------------------------------

MORE = """
from teacherstudent.house.declarations import Count, Spectrum, Turns, Window

COUNTS = (Count("my-own", "Q", "theory:count", "jumps", "as learning_rate grows"),)
TURNS = (Turns("my-own", "Q", "theory:turns", "online", "Q", "norm", "nowhere", route="asymptotic"),)
SPECTRUM = Spectrum("my-own", "theory:spectrum", "nowhere")
"""
FUNCTIONS = """
from types import SimpleNamespace


def count(instance, name):
    return int(instance.init > 2)


def turns(instance, name):
    return [SimpleNamespace(time=instance.init, value=1.0, is_minimum=True)]


def spectrum(instance, eigenvalues):
    one = np.ones(1)
    return {"eigenvalue": one, "density": one, "share_below": one, "band_edge": np.ones((1, 2)), "zeros": 0.0,
            "alpha": 1.0}
"""


def test_counts_turns_and_spectra_are_found(folder: Path) -> None:
    for file, more in ((folder / "problem.py", MORE), (folder / "theory.py", FUNCTIONS)):
        put(file, text(file) + more)
    ts.use(folder)
    assert ts.turns("my-own", init=3.0).time.values.tolist() == [3.0]
    assert ts.spectrum("my-own").attrs["system"] == str(folder)
    assert ts.onset("my-own", init="0.5:8").value == pytest.approx(2.0, rel=1e-5)
