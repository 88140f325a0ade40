"""The page that adds an algorithm keeps its word: two files add it to every source, and nothing else changes.

Its files are written into a copy, as those of the page that adds a system (tests/test_walkthrough.py).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.running import run as ask
from tests.test_contracts import contracts
from tests.test_walkthrough import copied, has_the_style_and_types_of_the_project, run, titled, write
from tools.nested import ROOT
from tools.site import answers
from tools.site.rooms import extended

PAGE = ROOT / "docs" / "how-to" / "add-an-algorithm.md"
NAME = "nesterov"
FILES = titled(PAGE.read_text("utf-8"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its tests with the two files."""
    return copied(tmp_path_factory.mktemp("copy"), FILES)


def test_two_files_give_numbers_that_were_computed_by_another_program(tmp_path: Path) -> None:
    """n = .8 d, strengths 4 and .1, a target of weight 1 in each mode, noise and start .5, step 1/edge."""
    assert set(FILES) == {f"theory/algorithms/{NAME}.py", f"sims/algorithms/{NAME}.py"}
    question = {
        "modes": ((6000, 4e-4, 2.4), (4000, 1e-5, 0.04)), "n": 8000, "noise": 0.5, "init": 0.5, "ridge": 0.02,
    }  # fmt: skip
    with extended(tmp_path):
        write(FILES, tmp_path)
        trained = {route.problem for route in catalogue.routes() if route.dynamics == NAME}
        assert trained == {each.id for each in catalogue.problems().values() if each.linear}
        found = ask("measured-spectrum", NAME, "asymptotic", [10, 30, 100], learning_rate=RATE, **question)
    assert NAME not in catalogue.algorithms()
    excess = [0.7464438068, 0.7407657474, 0.7714405950]
    np.testing.assert_allclose(found["generalisation_error"] - 0.25, excess, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found["training_error"][0], 0.0886019381, rtol=0, atol=2e-9)


RATE = 0.0894205795
"""As in tests/algorithms/test_sources.py: fitted there to one number of the heavy ball, by 2e-7."""


@pytest.mark.thorough
def test_its_commands_are_answered() -> None:
    page, _ = answers.answered("how-to/add-an-algorithm.md", PAGE.read_text("utf-8"))
    for route in ("asymptotic", "instance", "simulation"):
        assert f"\n{route},100.0," in page


@pytest.mark.thorough
def test_the_tests_of_every_algorithm_pass(copy: Path) -> None:
    hers = f"{NAME} or folder or announced or reaches"
    shared = (f"tests/test_{name}.py" for name in ("checks", "catalogue", "declared_accuracy"))
    for chosen, files in ((NAME, ["tests/algorithms"]), (hers, [*shared])):
        ran = run(copy, "pytest", "-q", "-rA", "-k", chosen, *files)
        assert ran.returncode == 0, ran.stdout[-3000:]
    assert f"[own-{NAME}-steps]" in ran.stdout


@pytest.mark.thorough
def test_its_checks_pass_slow_ones_too(copy: Path) -> None:
    for name in ("ms-{}-steps", "ms-{}-limit", "own-{}-limit", "rf-{}-limit", "rd-{}-width"):
        checked = run(copy, "teacherstudent", "check", name.format(NAME))
        assert checked.returncode == 0, checked.stdout


@pytest.mark.thorough
def test_contracts_style_and_types_are_those_of_the_project(copy: Path) -> None:
    kept = contracts(copy)
    assert kept.returncode == 0, kept.stdout
    has_the_style_and_types_of_the_project(copy, FILES)
