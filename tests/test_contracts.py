"""The rooms stay apart, so that agreement of the two witnesses is evidence.

The contracts stand in pyproject.toml. Here they are run on the project, then on a copy of it
into which every import that they must forbid has been planted. Beside them stand the three
things that imports cannot show: what a room takes from libraries, where routes point by name,
and what is loaded at run time.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from house.catalogue import WITNESSES, announced

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    "house",
    "problems",
    "optimisers",
    "theory",
    "sims",
    "paper_checks",
    "sweeps",
    "figures",
    "teacherstudent",
    "lessons",
    "benchmarks",
)

BY_NAME = "importlib house.catalogue house.running"
TOP = "lessons benchmarks"
FORBIDDEN = {
    "house": f"problems optimisers theory sims paper_checks sweeps figures teacherstudent {TOP}",
    "problems": f"optimisers theory sims paper_checks sweeps figures teacherstudent {TOP} {BY_NAME}",
    "optimisers": f"problems theory sims paper_checks sweeps figures teacherstudent {TOP}",
    "theory": f"sims paper_checks sweeps figures teacherstudent {TOP} optimisers jax jaxlib optax {BY_NAME}",
    "sims": f"theory paper_checks sweeps figures teacherstudent {TOP} scipy sympy {BY_NAME}",
    "paper_checks": f"sweeps figures teacherstudent {TOP}",
    "sweeps": f"paper_checks figures teacherstudent {TOP}",
    "figures": f"teacherstudent {TOP}",
    "teacherstudent": TOP,
    "lessons": "house problems theory sims paper_checks sweeps figures benchmarks",
    "benchmarks": "lessons",
}
OFFENCES = [(room, target) for room, targets in FORBIDDEN.items() for target in targets.split()]


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter of its own that imports the rooms of that folder."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def contracts(folder: Path) -> subprocess.CompletedProcess[str]:
    """Evaluate the contracts of that folder on the rooms of that folder."""
    return python("import sys, importlinter.cli as c; sys.exit(c.lint_imports(no_cache=True))", folder)


def planted(room: str, target: str) -> str:
    """The module of that room in which the forbidden import is planted."""
    return f"{room}.offence_{target.replace('.', '_')}"


@pytest.fixture(scope="module")
def offending_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that commits every offence."""
    folder = tmp_path_factory.mktemp("offending")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    for room, target in OFFENCES:
        path = folder / planted(room, target).replace(".", "/")
        path.with_suffix(".py").write_text(f"import {target}\n")
    return folder


@pytest.fixture(scope="module")
def findings(offending_project: Path) -> str:
    """What the contracts say of the copy that commits every offence."""
    return contracts(offending_project).stdout


def test_the_rooms_keep_their_contracts() -> None:
    outcome = contracts(ROOT)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.mark.parametrize(("room", "target"), OFFENCES)
def test_a_forbidden_import_is_caught(findings: str, room: str, target: str) -> None:
    assert f"{planted(room, target)} -> {target} (l.1)" in findings


def libraries(folder: Path) -> set[str]:
    """Names of the libraries outside the standard one that a room imports anywhere."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - set(ROOMS)


@pytest.mark.parametrize("room", ["house", "problems"])
def test_what_both_witnesses_stand_on_takes_only_arrays_from_libraries(room: str) -> None:
    assert libraries(ROOT / room) <= {"numpy", "xarray"}


def test_a_library_in_a_room_is_seen(offending_project: Path) -> None:
    assert {"jax", "jaxlib", "optax"} <= libraries(offending_project / "theory")


@pytest.mark.parametrize("room", WITNESSES)
def test_routes_point_into_the_room_that_announces_them(room: str) -> None:
    strays = [
        route.id
        for table in announced(room, "ROUTES")
        for route in table
        if not route.entry.startswith(f"{room}.")
    ]
    assert strays == []


def loaded(code: str) -> set[str]:
    """Top-level names of what an interpreter has loaded after running that code."""
    outcome = python(f"import sys\n{code}\nprint('loaded', *sys.modules)", ROOT)
    assert outcome.returncode == 0, outcome.stderr
    return {name.split(".")[0] for name in outcome.stdout.rpartition("loaded ")[2].split()}


def test_theory_loads_no_simulator_at_run_time() -> None:
    walk = "import theory, pkgutil, importlib\n" + (
        "for m in pkgutil.walk_packages(theory.__path__, 'theory.'): importlib.import_module(m.name)"
    )
    assert not {"jax", "jaxlib", "sims"} & loaded(walk)


def test_listing_problems_and_routes_loads_no_array_library() -> None:
    listing = "import house.catalogue as c; c.problems(); c.routes()"
    assert not {"numpy", "scipy", "xarray", "jax", "matplotlib"} & loaded(listing)
