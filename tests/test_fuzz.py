"""Odd command lines, odd calls and damaged files are answered or refused in one line."""

from __future__ import annotations

import inspect
import itertools

import pytest

import teacherstudent
from teacherstudent.cli.command import command_names
from tests.fuzzing import Lines, objection
from tests.fuzzing_calls import ODD, Call, Calls, refusal_of
from tests.fuzzing_files import KINDS, Files, complaint, placed


def tried(quick: int, every: int) -> pytest.MarkDecorator:
    """How many are tried: where tests are to be quick, and in all; `tools.fuzz` tries more."""
    parts = [(0, quick), pytest.param(quick, every, marks=pytest.mark.thorough)]
    return pytest.mark.parametrize(("first", "last"), parts)


@tried(150, 1000)
@pytest.mark.usefixtures("here")
def test_odd_command_lines_are_answered_or_refused_in_one_line(first: int, last: int) -> None:
    lines = list(itertools.islice(Lines(0), first, last))
    assert {line[0] for line in lines if line} >= set(command_names())
    found = {" ".join(line): wrong for line in lines if (wrong := objection(line))}
    assert not found


@tried(200, 1000)
def test_odd_calls_are_answered_or_refused(first: int, last: int) -> None:
    calls = list(itertools.islice(Calls(0), first, last))
    functions = {name for name in teacherstudent.__all__ if inspect.isfunction(getattr(teacherstudent, name))}
    assert {call.name for call in calls} == functions
    found = {str(call): wrong for call in calls if (wrong := refusal_of(call))}
    assert not found


@pytest.mark.parametrize("option", ["problem", "times", "seeds", "kappa"])
def test_every_odd_value_is_answered_or_refused_wherever_it_stands(option: str) -> None:
    question = dict(
        problem="multiscale", dynamics="flow", route="asymptotic", times=[1.0, 2.0], n=5, d=4, p=2
    )
    found = {}
    for make in ODD:
        call = Call("curve", {**question, option: make()})
        if wrong := refusal_of(call):
            found[str(call)] = wrong
    assert not found


@tried(150, 4000)
@pytest.mark.usefixtures("here")
def test_damaged_files_are_read_or_refused(first: int, last: int) -> None:
    files = list(itertools.islice(Files(0), first, last))
    assert {each.kind for each in files} == {*KINDS}
    found = {f"{number}: {each}": wrong for number, each in enumerate(files) if (wrong := complaint(each))}
    assert not found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("here")
def test_an_undamaged_file_is_read(kind: str) -> None:
    """Else nothing would be shown by refusing it."""
    assert not KINDS[kind].read(placed(kind, KINDS[kind].make())) or kind != "settings"
