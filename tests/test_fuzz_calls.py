"""Odd arguments to the public functions are refused by an `InputError`, whatever they are."""

from __future__ import annotations

import inspect
import itertools

import pytest

import teacherstudent
from tests.fuzzing_calls import ODD, Call, Calls, refusal_of

QUICK, ALL = 200, 1000
"""How many of the calls are tried: where tests are to be quick, and in all."""


@pytest.mark.parametrize(
    ("first", "last"), [(0, QUICK), pytest.param(QUICK, ALL, marks=pytest.mark.thorough)]
)
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
