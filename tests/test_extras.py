"""The base installation: what works in it, and the line that says which extra is missing."""

from __future__ import annotations

import ast
import functools
import json
import pickle
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import teacherstudent as ts
from teacherstudent.house.extras import EXTRAS, SPELT, WHOLE, MissingExtra, importing_extra
from teacherstudent.house.memory_cache import Remembered
from tests.support import Said, python, refusal, say
from tools.nested import FRONT, ROOT, module_name, rooms

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
IMPORTED_AS = {"pillow": "PIL", **{name: library for library, name in SPELT.items()}}
OF_ANY = {library for libraries in EXTRAS.values() for library in libraries}


def libraries(stated: list[str]) -> set[str]:
    """The names by which what is stated in pyproject.toml is imported; of dask[distributed] both."""
    found = [Requirement(each) for each in stated]
    return {IMPORTED_AS.get(name, name) for each in found for name in (each.name, *each.extras)}


BASE = libraries(PROJECT["dependencies"])
STATED = {name: libraries(each) for name, each in PROJECT["optional-dependencies"].items() if name != "all"}


def test_the_extras_bring_what_is_declared() -> None:
    assert Requirement(*PROJECT["optional-dependencies"]["all"]).extras == EXTRAS.keys() == STATED.keys()
    assert all(STATED[extra] >= set(each) for extra, each in EXTRAS.items())
    assert set.union(*STATED.values()) - BASE == OF_ANY == OF_ANY - BASE


# Imports ------------------------------------------------------------------------------------------------


def imports(node: ast.AST, within: str = "module") -> Iterator[tuple[str, str]]:
    """Every module imported below a node, and whether at once, in a function or in `importing_extra`."""
    for each in ast.iter_child_nodes(node):
        inner = within
        if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING":
            each.body = []
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and within == "module":
            inner = "function"
        if isinstance(each, ast.With) and ast.unparse(each.items[0]).startswith("importing_extra("):
            inner = "needed"
        if isinstance(each, ast.Import):
            yield from ((alias.name, inner) for alias in each.names)
        elif isinstance(each, ast.ImportFrom) and not each.level:
            yield from ((f"{each.module}.{alias.name}", inner) for alias in each.names)
        yield from imports(each, inner)


FIRST = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)
PLUGIN = "teacherstudent.testing_systems"
"""What pytest alone imports."""

NEAR = [name.rpartition(".")[2] for name in WHOLE]


def wholly_of(module: str) -> str | None:
    """The extra that the module, or a room that holds it, is of as a whole."""
    return next((extra for name, extra in WHOLE.items() if f"{module}.".startswith(f"{name}.")), None)


def offences(code: str, module: str) -> set[str]:
    """Imports of what an installation may lack, not within `importing_extra`; and of what none brings."""
    own = wholly_of(module)
    allowed = (
        ({"pytest"} if module == PLUGIN else set())
        | BASE
        | (STATED[own] if own else set())
        | sys.stdlib_module_names
        | {FRONT}
    )
    if not (set(FIRST.findall(code)) - allowed or any(name in code for name in NEAR)):
        return set()  # most, without being parsed
    found = set()
    for name, within in imports(ast.parse(code)):
        top = name.partition(".")[0]
        of = wholly_of(name)
        foreign = top not in allowed and (top in OF_ANY or within == "module")
        if within != "needed" and (foreign or (of and of != own)):
            found.add(f"{module}: {name}")
    return found


def test_what_a_base_installation_lacks_is_imported_where_it_is_said() -> None:
    paths = [path for room in (*rooms(), FRONT) for path in (ROOT / room).rglob("*.py")]
    assert len(paths) > 900
    found = [offence for path in paths for offence in offences(path.read_text("utf-8"), module_name(path))]
    assert found == []


@pytest.mark.parametrize(
    ("code", "module", "seen"),
    [
        ("import sympy", "theory.a", True),
        ("import pyarrow", "house.a", True),
        ("def f():\n    from sklearn import datasets", "house.a", True),
        ("def f():\n    import pyarrow", "house.a", False),
        ("with importing_extra('this'):\n    import sklearn.svm", "house.a", False),
        ("if TYPE_CHECKING:\n    import sympy\nelse:\n    import sympy", "house.a", True),
        ("def f():\n    from teacherstudent.sweeps.cluster import on_cluster", "sweeps.a", True),
        ("from teacherstudent.sweeps import cluster", "sweeps.a", True),
        ("import dask", "sweeps.cluster", False),
        ("import dask", "lessons.modes", True),
        ("import numpy, sklearn", "lessons.kit.words", False),
    ],
)
def test_an_import_that_a_base_installation_lacks_is_seen(code: str, module: str, seen: bool) -> None:
    assert bool(offences(code, f"{FRONT}.{module}")) is seen


# What is said -------------------------------------------------------------------------------------------

FLOW = "multiscale --dynamics flow --route asymptotic --n 11 --d 10 --p 5"
SWEPT = f"sweep {FLOW} --kappa 1,5 --times 1,10"
SPECTRUM = "curve measured-spectrum --dynamics ridge --route asymptotic --n 9 --times 1"
LACKS = {
    f"{SPECTRUM} --features iris --targets iris": "data",
    "curve frozen-groups --dynamics descent --route optimum --times 10": "data",
    "curve residual-digits --dynamics descent --route kernel --times 10 --out a.csv": "data",
    "check own-rows-compared": "data",
    "figure own-digits --quick": "data",
    "check ms-risk-identity": "checks",
    "check os-digits": "checks",
    f"{SWEPT} --out swept.zarr": "cluster",
    f"{SWEPT} --out joined.nc --scheduler tcp://127.0.0.1:1": "cluster",
    "lesson modes": "lessons",
    "lesson modes --notebook modes.ipynb": "lessons",
    "lesson --pages pages": "lessons",
}


def lacking(said: Said, extra: str) -> None:
    """One line names the extra by the command that installs it."""
    lack = rf".+: this installation lacks \S+: pip install 'teacherstudent\[{extra}\]'"
    assert re.fullmatch(lack, line := refusal(said)), line


def hide(patch: pytest.MonkeyPatch) -> None:
    """As if no extra were installed, in this process."""
    for name in OF_ANY:
        patch.setitem(sys.modules, name, None)
    patch.delitem(sys.modules, "teacherstudent.sweeps.cluster", raising=False)
    for name, module in list(sys.modules.items()):  # what tests before this one have loaded
        if name.startswith(tuple(f"{FRONT}.{room}." for room in ("problems", "figures", "theory", "sims"))):
            for label, each in list(vars(module).items()):
                if isinstance(each, functools._lru_cache_wrapper):
                    each.cache_clear()
                elif isinstance(each, Remembered):
                    patch.setattr(module, label, Remembered())


@pytest.mark.parametrize("line", LACKS)
def test_what_is_missing_is_one_line(line: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch)
    lacking(say(*line.split()), LACKS[line])
    assert not [path for path in here.rglob("*") if path.is_file() and not path.name.endswith(".cells")]


def test_python_raises_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch)
    with pytest.raises(ImportError, match=r"pip install 'teacherstudent\[data\]'") as raised:
        ts.mine("diabetes", "diabetes", n=60)
    missing = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(missing, MissingExtra)
    assert (str(missing), missing.name, missing.extra) == (str(raised.value), "sklearn", "data")


def test_another_missing_library_is_no_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_library"), importing_extra("this"):
        import no_such_library  # noqa: F401


# What works ---------------------------------------------------------------------------------------------

WORKS = (
    "--help",
    "list routes --json",
    "list checks",
    "list figures",
    "list errata",
    "lesson",
    "curve residual-digits --help",
    "completion bash",
    f"curve {FLOW} --kappa 5 --times 1:10:3 --out theory.nc --plot theory.png",
    "curve multiscale --dynamics descent --route simulation --n 12 --d 10 --p 5 --times 1,2 --out a.nc",
    f"{SWEPT} --workers 2 --out swept.nc",
    "curve --from theory.nc --kappa 6 --settings asked.toml",
    "turns multiscale --n 110 --d 100 --p 70 --kappa 30",
    "onset multiscale --curve flow --n 110 --d 100 --p 70 --kappa 2:30",
    "map multiscale --x kappa=1:30 --y noise=.1:.3 --of descents --out map.png",
    "mine x.csv y.csv --n 20 --out page.png",
    f"{SPECTRUM} --features x.csv --targets y.csv",
    "check ms-penalty-exact",
    "figure ch4-fig1 --quick",
    "lesson modes --answer answer.py",
)
"""Run one after another in one folder."""

ASKED = """
import json, sys
from tests.support import say
json.dump([say(*line.split()) for line in sys.argv[1:]], sys.stdout)
"""
HIDE = "import os, sys\nsys.modules.update(dict.fromkeys(os.environ['HIDDEN'].split()))\n"


def installed_with(name: str) -> set[str]:
    """A distribution and what it brings with it, by their canonical names."""
    needs = [Requirement(each) for each in requires(name) or ()]
    brought = [each.name for each in needs if not each.marker or each.marker.evaluate({"extra": ""})]
    return {canonicalize_name(name)}.union(*map(installed_with, brought))


@pytest.mark.thorough
def test_a_base_installation_does_all_that_needs_no_extra(tmp_path: Path) -> None:
    base = {FRONT}.union(*(installed_with(Requirement(each).name) for each in PROJECT["dependencies"]))
    owners = packages_distributions().items()
    hidden = [name for name, of in owners if not base & set(map(canonicalize_name, of))]
    assert set(hidden) >= OF_ANY
    (folder := tmp_path / "folder").mkdir()
    (tmp_path / "sitecustomize.py").write_text(HIDE, encoding="utf-8")
    (folder / "answer.py").write_text("def answer(s1, s2, u0):\n    return 0.5\n", encoding="utf-8")
    rows = np.random.default_rng(0).standard_normal((80, 4))
    np.savetxt(folder / "x.csv", rows, delimiter=",")
    np.savetxt(folder / "y.csv", rows[:, 0] + rows[:, 1], delimiter=",")
    paths = f"{tmp_path}:{ROOT}"
    done = python("-c", ASKED, *WORKS, *LACKS, cwd=folder, HIDDEN=" ".join(hidden), PYTHONPATH=paths)
    assert done.returncode == 0, done.stderr
    said = [Said(*each) for each in json.loads(done.stdout)]
    for line, each in zip(WORKS, said, strict=False):
        assert each.status <= ("answer" in line), (line, each)
    for each, extra in zip(said[len(WORKS) :], LACKS.values(), strict=True):
        lacking(each, extra)
