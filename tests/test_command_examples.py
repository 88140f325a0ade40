"""A refusal of an incomplete command ends with a complete one, which runs."""

from __future__ import annotations

import shlex

import pytest

from teacherstudent.cli.command import COMMANDS
from teacherstudent.house import catalogue
from tests.support import refusal, say

COMMANDS_OF_PROBLEMS = ("curve", "sweep", "map", "onset", "solve", "best")
INCOMPLETE = [
    f"{command} {problem}"
    for command in COMMANDS_OF_PROBLEMS
    for problem in COMMANDS.load(command).names()  # type: ignore[attr-defined]
]
ALL_DRAW = {
    problem: "every route draws"
    for problem in catalogue.problems()
    if all(each.sampled for each in catalogue.routes() if each.problem == problem)
}
NO_MAP = {*ALL_DRAW, *(each.problem for each in catalogue.routes() if each.slow_to_map)}


def example(typed: str) -> list[str]:
    """The words of the command that the refusal of an incomplete one ends with."""
    line = refusal(say(*shlex.split(typed)))
    start, found, words = line.partition("for example: teacherstudent ")
    assert found
    assert "(missing)" in start
    return shlex.split(words)


@pytest.mark.parametrize("typed", INCOMPLETE)
def test_an_incomplete_command_is_answered_by_one_that_can_be_read(typed: str) -> None:
    command, problem = typed.split()
    if command == "map" and problem in NO_MAP:
        return
    words = example(typed)
    assert words[:2] == [command, problem]
    read = COMMANDS.load(command).load(problem).make_context(problem, words[2:])  # type: ignore[attr-defined]
    assert not [each for each in read.command.params if each.required and not read.params[str(each.name)]]


QUICK = [
    typed
    for typed in INCOMPLETE
    if typed.startswith(("curve", "onset", "sweep multi", "solve multi", "best multi"))
    and typed.split()[1] not in ALL_DRAW
]


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
@pytest.mark.parametrize("typed", QUICK)
def test_that_command_runs(typed: str) -> None:
    assert say(*example(typed)).status == 0


def test_it_keeps_what_was_typed_and_adds_what_lacks() -> None:
    assert example("curve multiscale --kappa 10 --dynamics flow") == [
        *shlex.split("curve multiscale --kappa 10 --dynamics flow"),
        *shlex.split("--route asymptotic"),
    ]
    assert example("sweep multiscale --kappa 3")[:5] == shlex.split("sweep multiscale --kappa 3 --dynamics")

    assert "--dynamics" not in example("map multiscale --of descents")
    assert "time=" not in "".join(example("map multiscale --of excess_risk@100"))


def test_everything_that_lacks_is_named_at_once() -> None:
    line = refusal(say("sweep", "multiscale"))
    assert [line.count(f"{each} (missing)") for each in ("--dynamics", "--route", "a grid")] == [1, 1, 1]
    for typed in ("mine", "judge", "new", "check", "figure", "compare", "select spurious-groups"):
        assert example(typed)[0] == typed.split()[0]
