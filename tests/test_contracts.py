"""The rooms stay apart, so that agreement of the two witnesses is evidence.

The contracts stand in pyproject.toml. Here they are run on the project, then on a copy of it
into which every import that they must forbid has been planted. Beside them stand the things that
imports cannot show: what a room takes from libraries, where routes point by name, and what is
loaded at run time.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from teacherstudent.house.catalogue import WITNESSES, announcements, problems
from tests import support
from tools.nested import FRONT, ROOT, rooms

ROOMS = (*rooms(), "api", "cli")
"""All that stands below the one name; the last two are the front door."""
BY_NAME = "importlib house.catalogue house.running"
DOOR = "api cli lessons benchmarks"
FORBIDDEN = {
    "house": f"problems optimisers theory sims paper_checks sweeps maps inverse figures {DOOR}",
    "problems": f"optimisers theory sims paper_checks sweeps maps inverse figures {DOOR} {BY_NAME}",
    "optimisers": f"problems theory sims paper_checks sweeps maps inverse figures {DOOR}",
    "theory": f"sims paper_checks sweeps maps inverse figures {DOOR} optimisers jax jaxlib optax {BY_NAME}",
    "sims": f"theory paper_checks sweeps maps inverse figures {DOOR} scipy sympy {BY_NAME}",
    "paper_checks": f"sweeps maps inverse figures {DOOR}",
    "sweeps": f"paper_checks maps inverse figures {DOOR}",
    "maps": f"problems theory sims inverse figures {DOOR} matplotlib",
    "inverse": f"problems theory sims figures {DOOR} matplotlib",
    "figures": DOOR,
    "api": "problems theory sims cli lessons benchmarks",
    "cli": "problems theory sims lessons benchmarks",
    "lessons": "house problems theory sims paper_checks sweeps maps inverse figures benchmarks",
    "benchmarks": "lessons",
}
SYSTEMS = {f"paper_checks.{problem.replace('-', '_')}" for problem in problems()}
FORBIDDEN_TO_PARTS = {
    "paper_checks.judging": " ".join(["problems theory sims paper_checks.ledger", *sorted(SYSTEMS)]),
    **{system: " ".join(sorted(SYSTEMS - {system})) for system in sorted(SYSTEMS)},
    "figures.kit": "problems theory sims figures.gallery",
}
"""What parts of a room may not import, beyond what the room may not."""
KITS = ("paper_checks.judging", "figures.kit")
"""Folders of tools that know no system."""
OFFENCES = [
    (importer, target)
    for importer, targets in {**FORBIDDEN, **FORBIDDEN_TO_PARTS}.items()
    for target in targets.split()
]


def named(target: str) -> str:
    """A room by the name that it is imported by; a library by its own."""
    return f"{FRONT}.{target}" if target.partition(".")[0] in ROOMS else target


def contracts(folder: Path) -> subprocess.CompletedProcess[str]:
    """Evaluate the contracts on the package in that folder, which has the project's file."""
    lint = "import sys, importlinter.cli as c; sys.exit(c.lint_imports(no_cache=True))"
    return support.python("-c", lint, cwd=folder, COLUMNS="500", PYTHONPATH=str(folder))


def planted(room: str, target: str) -> str:
    """The module of that room in which the forbidden import is planted."""
    return f"{FRONT}.{room}.offence_{target.replace('.', '_')}"


@pytest.fixture(scope="module")
def offending_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that commits every offence."""
    folder = tmp_path_factory.mktemp("offending")
    support.copy(ROOT / FRONT, folder / FRONT)
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    for room, target in OFFENCES:
        path = folder / planted(room, target).replace(".", "/")
        path.with_suffix(".py").write_text(f"import {named(target)}\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def findings(offending_project: Path) -> str:
    """What the contracts say of the copy that commits every offence."""
    return contracts(offending_project).stdout


def test_the_rooms_keep_their_contracts() -> None:
    outcome = contracts(ROOT)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_every_room_has_forbidden_imports() -> None:
    assert set(FORBIDDEN) == set(ROOMS)


@pytest.mark.parametrize(("room", "target"), OFFENCES)
def test_a_forbidden_import_is_caught(findings: str, room: str, target: str) -> None:
    assert f"{planted(room, target)} -> {named(target)} (l.1)" in findings


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module that a file imports anywhere, by its dotted name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def systems_in(kit: Path) -> set[str]:
    """Systems of its own room that a kit imports."""
    found = frozenset().union(*map(imported, kit.rglob("*.py")))
    systems = {path.name for path in kit.parent.iterdir() if path.is_dir() and path != kit}
    return {name for name in systems if any(f"{kit.parent.name}.{name}" in module for module in found)}


def libraries(folder: Path) -> set[str]:
    """Names of the libraries outside the standard one that a room imports anywhere."""
    found = {name.partition(".")[0] for path in folder.rglob("*.py") for name in imported(path)}
    return found - set(sys.stdlib_module_names) - {FRONT}


ARRAYS = {
    "house": {"h5py", "numpy", "pandas", "pyarrow", "xarray"},
    "problems": {"PIL", "numpy", "sklearn", "xarray"},
}


@pytest.mark.parametrize("room", ARRAYS)
def test_what_both_witnesses_stand_on_takes_only_arrays_from_libraries(room: str) -> None:
    """Of scikit-learn only its data sets; Pillow opens photographs, others read files."""
    assert libraries(ROOT / room) <= ARRAYS[room]
    named = {name for path in (ROOT / room).rglob("*.py") for name in imported(path)}
    assert {name for name in named if name.startswith("sklearn")} <= {"sklearn", "sklearn.datasets"}


def test_a_library_in_a_room_is_seen(offending_project: Path) -> None:
    assert {"jax", "jaxlib", "optax"} <= libraries(offending_project / FRONT / "theory")


@pytest.mark.parametrize("kit", KITS)
def test_a_kit_imports_no_system_of_its_room(kit: str) -> None:
    """No contract can name the systems: one more is added by creating files only."""
    assert systems_in(ROOT / kit.replace(".", "/")) == set()


def test_a_system_in_a_kit_is_seen(tmp_path: Path) -> None:
    kit, system = tmp_path / "figures" / "kit", tmp_path / "figures" / "multiscale"
    kit.mkdir(parents=True)
    system.mkdir()
    line = f"from {FRONT}.figures.multiscale.routes import answers\n"
    (kit / "offence.py").write_text(line, encoding="utf-8")
    assert systems_in(kit) == {"multiscale"}


@pytest.mark.parametrize("folder", [*rooms(), FRONT, "tests", "tools"])
def test_a_room_is_imported_below_the_one_name(folder: str) -> None:
    """Inside the repository `import theory` would find the folder; where the wheel is installed, nothing."""
    assert not libraries(ROOT / folder) & set(rooms())


@pytest.mark.parametrize("room", [room for room in rooms() if room not in ("lessons", "benchmarks")])
def test_a_room_below_the_front_door_does_not_ask_it(room: str) -> None:
    """The bare package exports the front door: no contract on its parts forbids that."""
    exported = {f"{FRONT}.{name}" for name in __import__(FRONT).__all__}
    asked = frozenset().union(*map(imported, (ROOT / room).rglob("*.py")))
    assert not exported & asked
    assert not any(f"import {FRONT}\n" in path.read_text("utf-8") for path in (ROOT / room).rglob("*.py"))


def said(path: Path) -> str:
    """A module's code without its docstrings, which may take a system as their example."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.unparse(tree)


def named_systems(text: str) -> set[str]:
    """The systems that a text names, by their id or as a module is called, not within a longer word."""
    return {
        name for name in problems() if re.search(rf"(?<![a-z]){name.replace('-', '[-_]')}(?![a-z])", text)
    }


def test_the_front_door_names_no_system() -> None:
    texts = {path: said(path) for path in (ROOT / FRONT).rglob("*.py")}
    texts |= {path: path.read_text(encoding="utf-8") for path in (ROOT / FRONT).rglob("*.j2")}
    assert {path: systems for path, text in texts.items() if (systems := named_systems(text))} == {}


def test_a_system_that_is_named_in_code_is_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Of starvation."""\nimport sims.linear_network\nid = "multiscale"\nbegan = 0\n', encoding="utf-8"
    )
    assert named_systems(said(module)) == {"linear-network", "multiscale"}


@pytest.mark.parametrize("room", WITNESSES)
def test_what_is_announced_points_into_the_room_that_announces_it(room: str) -> None:
    tables = [table for kind in ("ROUTES", "COUNTS", "TURNS") for table in announcements(room, kind)]
    entries = [each.entry for table in [*tables, announcements(room, "SPECTRUM")] for each in table]
    assert entries
    assert [entry for entry in entries if not entry.startswith(f"{FRONT}.{room}.")] == []


def test_no_string_stands_alone() -> None:
    """The second line of a text without brackets around it would be lost."""
    lost = []
    for path in (path for room in (*rooms(), FRONT) for path in (ROOT / room).rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.JoinedStr):
                line = text.splitlines()[node.lineno - 1].lstrip()
                lost += (
                    [f"{path}:{node.lineno}"] if line.startswith(('"', 'f"')) and '"""' not in line else []
                )
    assert lost == []


def test_no_module_binds_a_name_twice() -> None:
    """Functions would see the last value, also those that were written for the first."""
    twice = {}
    for path in (path for room in rooms() if room != "lessons" for path in (ROOT / room).rglob("*.py")):
        bound: list[str] = []
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                bound.append(node.name)
            elif isinstance(node, ast.Assign):
                names = [each for target in node.targets for each in ast.walk(target)]
                bound += [each.id for each in names if isinstance(each, ast.Name)]
        if again := {name for name in bound if bound.count(name) > 1}:
            twice[str(path)] = again
    assert twice == {}
