"""The page that adds a system keeps its word: files alone add it, and every rule of the project holds for it.

Its files are written into a copy of the package. There the tests of all systems, the import contracts,
style and types are run on them. The site's own build runs the commands of the page: tests/test_site.py.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import checks, claims, inconsistencies
from tests import support
from tests.test_contracts import contracts
from tools.nested import FRONT, ROOT
from tools.site.rooms import extended

PAGE = ROOT / "docs" / "how-to" / "add-a-system.md"
SYSTEM = "online-perceptron"
FOLDER = SYSTEM.replace("-", "_")


def titled(text: str) -> dict[str, str]:
    """The files that a page writes, by their path."""
    return dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', text, re.MULTILINE | re.DOTALL))


FILES = titled(PAGE.read_text("utf-8"))
LEDGER = tomllib.loads(FILES["paper_checks/papers/notes.toml"])["claim"]
PROVEN = {claim["check"] for claim in LEDGER if "check" in claim}


def place(name: str) -> str:
    """Where a file of the repository lies in the copy: tests beside the package, all else within it."""
    return name if name.startswith("tests/") else f"{FRONT}/{name}"


def write(files: dict[str, str], folder: Path) -> None:
    """Create files that do not exist."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)


def run(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module in that folder, whose package is imported before any other."""
    return support.python("-m", module, *arguments, cwd=folder, PYTHONPATH=str(folder))


def copied(folder: Path, files: dict[str, str]) -> Path:
    """The package and its tests in that folder, with a page's files added and nothing changed."""
    support.copy(ROOT / FRONT, folder / FRONT)
    support.copy(ROOT / "tests", folder / "tests")
    support.copy(ROOT / "tools", folder / "tools")
    for name in ("pyproject.toml", "CITATION.cff"):
        shutil.copyfile(ROOT / name, folder / name)
    write({place(name): text for name, text in files.items()}, folder)
    return folder


def has_the_style_and_types_of_the_project(folder: Path, files: dict[str, str]) -> None:
    """Asserts it of a page's files in a copy."""
    placed = [place(name) for name in files if name.endswith(".py")]
    for command in ("check", "format --diff"):
        ruff = run(folder, "ruff", *command.split(), "--no-cache", *placed)
        assert ruff.returncode == 0, ruff.stdout + ruff.stderr
    typed = [name for name in placed if name.startswith(FRONT)]
    mypy = run(folder, "mypy", "--cache-dir", str(folder / "types"), *typed)
    assert mypy.returncode == 0, mypy.stdout + mypy.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the system of this page."""
    return copied(tmp_path_factory.mktemp("copy"), FILES)


def test_the_page_fills_every_room_of_a_system() -> None:
    rooms = {Path(name).parts[0] for name in FILES}
    assert rooms == {"problems", "theory", "sims", "paper_checks", "figures", "tests"}


@pytest.mark.thorough
def test_its_own_tests_and_those_of_every_system_pass(copy: Path) -> None:
    shared = [
        f"tests/{name}.py"
        for name in (
            "test_catalogue",
            "test_catalogue_refusals",
            "test_checks",
            "test_papers",
            "test_declared_accuracy",
            "test_figures",
        )
    ]
    every = "spelled_out or folder or functions"  # what is asked of all systems at once
    hers = f"{SYSTEM} or {FOLDER} or {every}"
    ran = run(copy, "pytest", "-q", "-rA", "-k", hers, f"tests/{FOLDER}", *shared)
    assert ran.returncode == 0, ran.stdout[-3000:]
    for name in (*PROVEN, f"{SYSTEM}-curves"):
        assert f"[{name}]" in ran.stdout


@pytest.mark.thorough
def test_the_contracts_hold_and_a_simulation_that_imports_the_theory_is_refused(copy: Path) -> None:
    kept = contracts(copy)
    assert kept.returncode == 0, kept.stdout
    theory, cheat = f"{FRONT}.theory.{FOLDER}.order_parameters", copy / FRONT / "sims" / FOLDER / "cheat.py"
    cheat.write_text(f"import {theory}\n", encoding="utf-8")
    broken = contracts(copy)
    cheat.unlink()
    assert broken.returncode != 0
    assert f"{FRONT}.sims.{FOLDER}.cheat -> {theory} (l.1)" in broken.stdout


@pytest.mark.thorough
def test_style_and_types_are_those_of_the_project(copy: Path) -> None:
    has_the_style_and_types_of_the_project(copy, FILES)


def test_its_ledger_and_its_checks_agree(tmp_path: Path) -> None:
    with extended(tmp_path):
        write(FILES, tmp_path)
        own = claims(tmp_path / "paper_checks" / "papers")
        added = {name: check for name, check in checks().items() if check.problem == SYSTEM}
        assert set(added) == PROVEN
        assert inconsistencies(own, added) == []
        assert inconsistencies([], added) != []  # its claims are not listed


def test_a_system_belongs_to_the_rooms_until_its_page_ends(tmp_path: Path) -> None:
    before = catalogue.problems()
    with extended(tmp_path):
        write(FILES, tmp_path)
        assert SYSTEM in catalogue.problems()
        assert set(checks()) >= PROVEN
        assert f"{SYSTEM}-curves" in figures()
    assert catalogue.problems() == before
    assert not PROVEN & set(checks())
    assert f"{SYSTEM}-curves" not in figures()
    assert not [name for name in sys.modules if f".{FOLDER}" in name]
