"""A ratio of whole counts that no counts have is rounded, and whoever asked is told so."""

from __future__ import annotations

from typing import Any

import pytest

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.provenance import note
from teacherstudent.house.rounding import changed, told
from tests.support import say

FLOW = ("multiscale", "--dynamics", "flow", "--route", "asymptotic", "--times", "1,2")
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "multiscale": (
        {"alpha": 1.234567, "d": 100},
        "alpha = 1.234567 is rounded to 1.23, since counts are whole",
    ),
    "random-features": (
        {"psi1": 1.26, "psi2": 0.5, "d": 40},
        "psi1 = 1.26 is rounded to 1.25, since counts are whole",
    ),
    "spurious-groups": (
        {"minority": 0.2, "n": 13},
        "minority = 0.2 is rounded to 0.230769, since counts are whole",
    ),
}


@pytest.mark.parametrize("problem", catalogue.problems().values(), ids=lambda each: each.id)
def test_what_an_instance_has_otherwise_is_told_of_every_problem(problem: Problem) -> None:
    names = {each.name for each in problem.parameters}
    used = problem.realised(problem.instance())
    assert set(used) <= names
    assert bool(used) == (problem.id in ASKED)
    assert told([changed(problem, used, problem.instance())]) == ""
    if problem.id in ASKED:
        values, line = ASKED[problem.id]
        assert told([changed(problem, values, problem.instance(**values))]) == line


def test_of_several_the_largest_change_is_told() -> None:
    assert told([{"a": (1.0, 1.1)}, {"a": (2.0, 2.1), "b": (1.0, 0.5)}, {}]) == (
        "a = 1 is rounded to 1.1, since counts are whole; b = 1 is rounded to 0.5, since counts are whole"
    )


@pytest.mark.parametrize(
    ("command", "alpha", "line"),
    [
        ("curve", "1.234567", ASKED["multiscale"][1]),
        ("sweep", "1,1.234567", ASKED["multiscale"][1]),
        ("curve", "1.23", ""),
    ],
)
def test_a_rounded_value_is_noted_once_and_stands_with_the_answer(
    command: str, alpha: str, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    out = () if command == "sweep" else ("--out", "-")
    said = say(command, *FLOW, "--alpha", alpha, *out)
    assert (said.status, said.err) == (0, f"note: {line}\n" if line else "")
    caplog.clear()
    asked = {"dynamics": "flow", "route": "asymptotic", "times": "1,2"}
    answer = getattr(teacherstudent, command)("multiscale", alpha=alpha, **asked)
    assert answer.attrs["rounded"] == line
    assert caplog.messages == ([line] if line else [])


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"problem": "multiscale", "dynamics": "flow", "alpha": 1.234567, "d": 100}, ASKED["multiscale"][1]),
        (
            {"problem": "committee", "dynamics": "online", "overlap": 0.0},
            "no overlap at step 0: where units are alike the limit stays at the plateau for ever",
        ),
    ],
    ids=["rounded", "remark"],
)
def test_python_notes_once_what_every_command_notes(
    asked: dict[str, Any], line: str, caplog: pytest.LogCaptureFixture
) -> None:
    for time in (1, 2, 3):
        answer = teacherstudent.curve(route="asymptotic", times=[time], **asked)
        assert line in (answer.attrs["rounded"], answer.attrs["remarks"])
    assert caplog.messages == [line]
    options = [f"--{name}={value}" for name, value in asked.items() if name != "problem"]
    for _ in range(2):
        said = say("curve", asked["problem"], "--route=asymptotic", "--times=1", "--out=-", *options)
        assert (said.status, said.err) == (0, f"note: {line}\n")
    caplog.clear()
    teacherstudent.curve(route="asymptotic", times=[4], **asked)
    assert caplog.messages == []


def test_another_problem_or_value_is_another_note(caplog: pytest.LogCaptureFixture) -> None:
    for problem, text in (("one", "a"), ("one", "b"), ("other", "a"), ("one", "a"), ("one", "")):
        note(problem, text)
    assert caplog.messages == ["a", "b", "a"]


def test_turns_and_an_onset_tell_it_too() -> None:
    for asked in (("turns", "--kappa", "30"), ("onset", "--kappa", "2:30", "--accuracy", "0.1")):
        name, *more = asked
        said = say(name, "multiscale", "--alpha", "1.10001", "--p", "70", *more)
        assert (said.status, said.err) == (
            0,
            "note: alpha = 1.10001 is rounded to 1.1, since counts are whole\n",
        )
