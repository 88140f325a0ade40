"""What lessons are taught with: exercises in code tell right from wrong, and say which mistake was made."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import teacherstudent as ts
from teacherstudent.api import lesson as lesson_module
from teacherstudent.api.teaching import Exercise, function, teaching
from teacherstudent.house.errors import InputError
from tests.support import refusal, say

TAUGHT = [name for name, each in lesson_module.lessons().items() if each.title.startswith("Lesson ")]


def exercise(name: str) -> Exercise:
    """The exercise in code of a lesson."""
    found = teaching(name).exercise
    assert found
    return found


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_says_what_it_is_for_and_asks_before_it_shows(name: str) -> None:
    of = teaching(name)
    assert 3 <= len(of.goals) <= 5
    assert of.prerequisites
    assert 10 <= of.minutes <= 120
    assert of.think_first
    assert 2 <= len(of.think_first.answers) <= 5
    assert 1 <= of.think_first.right <= len(of.think_first.answers)
    assert of.think_first.because.strip()


@pytest.mark.parametrize("name", TAUGHT)
def test_the_solution_passes_and_every_mistake_is_told_by_name(name: str) -> None:
    of = exercise(name)
    assert ts.mark(name, function(of.solution)).right
    assert len(of.mistake) >= 2
    for each in of.mistake:
        marked = ts.mark(name, function(each.code))
        assert not marked.right
        assert marked.says.endswith(each.says)


@pytest.mark.parametrize("name", TAUGHT)
def test_a_mistake_is_never_taken_for_right_by_chance(name: str) -> None:
    of = exercise(name)
    solution = function(of.solution)
    asked = of.questions(10_000)
    for each in of.mistake:
        wrong = function(each.code)
        same = [q for q in asked if abs(wrong(**q) - solution(**q)) <= 10 * of.accuracy * abs(solution(**q))]
        assert same == []


@pytest.mark.parametrize("name", TAUGHT)
def test_the_code_that_a_reader_starts_from_is_no_answer(name: str) -> None:
    assert not ts.mark(name, function(exercise(name).starter)).right


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_shows_all_that_it_is_taught_with(name: str) -> None:
    source = lesson_module.lessons()[name].path.read_text("utf-8")
    places = [
        re.search(rf'kit\.{part}\(\s*"{name}"[,)]', source).start()  # type: ignore[union-attr]
        for part in ("opening", "think_first", "exercises", "onwards")
    ]
    assert places == sorted(places)
    assert places[1] < source.index("kit.picture(")


def test_what_is_no_answer_is_told_in_one_line() -> None:
    assert "raises ZeroDivisionError" in ts.mark("modes", lambda **asked: 1 / 0).says
    assert "gives str, not a number" in ts.mark("modes", lambda **asked: "x").says  # type: ignore[arg-type, return-value]
    assert not ts.mark("modes", lambda **asked: float("nan")).right
    assert "gives int, not a number" in ts.mark("modes", lambda **asked: 10**400).says
    assert "raises SystemExit" in ts.mark("modes", lambda **asked: sys.exit(0)).says
    with pytest.raises(InputError, match="must be a function"):
        ts.mark("modes", 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a lesson with an exercise in code"):
        ts.mark("explorer", abs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "more", [("--pages", "folder"), ("--notebook", "mine.ipynb"), ("--port", "2718"), ("--no-browser",)]
)
def test_an_answer_is_marked_and_nothing_else_done(tmp_path: Path, more: tuple[str, ...]) -> None:
    said = say("lesson", "modes", "--answer", tmp_path / "mine.py", *more)
    assert "exclude each other" in refusal(said)
    assert list(tmp_path.iterdir()) == []
