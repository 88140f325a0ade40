"""Quantities as text, and as functions of points: against the curves that they are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.catalogue import find_problem
from teacherstudent.house.errors import InputError
from teacherstudent.inverse.objective import Objective, objective
from teacherstudent.inverse.quantity import quantity

PROBLEM = find_problem("multiscale")


def ask(text: str, *searched: str, **more: Any) -> Objective:
    values = more.pop("values", {})
    return objective(PROBLEM, quantity(text, PROBLEM), searched, values=values, **more)


def test_arithmetic_is_that_of_the_terms() -> None:
    read = quantity("(min(excess_risk) - 2 * R@3) / -excess_risk:ridge/asymptotic@end + .5e1", PROBLEM)
    least, r, end = read.terms
    assert (least.fold, r.moment, end.moment, end.dynamics, end.route) == (
        "min", 3.0, "end", "ridge", "asymptotic",
    )  # fmt: skip
    value, size = read.evaluate({least: 7.0, r: 2.0, end: -4.0})
    np.testing.assert_allclose((value, size), (3 / 4 + 5, 11 / 4 + 3 / 4), rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exces_risk@end", "did you mean excess_risk"),
        ("excess_risk:asymptotc@end", "did you mean asymptotic"),
        ("excess_risk:asymptotic-R", "a minus sign needs spaces"),
        ("excess_risk:flw/asymptotic", "did you mean flow"),
        ("excess_risk@soon", "NAME@TIME"),
        ("min(excess_risk@3)", "without @TIME"),
        ("__import__('os').system('ls')", "not __import__"),
        ("excess_risk ** 2", "combined by"),
        ("excess_risk < 2", "combined by"),
        ("excess_risk(3)", "combined by"),
        ("(" * 240 + "R" + ")" * 240, "combined by"),
        ("", "combined by"),
    ],
)
def test_what_is_no_quantity_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=r"--where|--dynamics") as refused:
        quantity(text, PROBLEM)
    assert said in str(refused.value)


def test_values_are_those_of_the_curves() -> None:
    asked = ask("training_error / excess_risk@end", "time", "kappa", times={"flow": (1.0, 50.0)})
    found = asked([{"time": 3, "kappa": 20}, {"time": 9, "kappa": 20}, {"time": 3, "kappa": 30}])
    for value, (time, kappa) in zip(found, [(3, 20), (9, 20), (3, 30)], strict=True):
        question = dict(dynamics="flow", route="asymptotic", kappa=kappa, observable="training")
        curve = ts.curve("multiscale", times=[time, 50], **question)
        expected = float(curve.training_error[0] / curve.excess_risk[1])
        np.testing.assert_allclose(value.value, expected, rtol=1e-12)
        assert value.draws is None
        assert math.isnan(value.stderr)
        assert 0 < value.rounding < 1e-9 * abs(value.value)


def test_draws_are_the_same_at_every_point_and_their_error_is_that_of_the_mean() -> None:
    setting = dict(dynamics="flow", route="instance", values=dict(n=12, d=10, p=5), seeds=range(8))
    one, other = ask("excess_risk@10", "kappa", **setting)([{"kappa": 3}, {"kappa": 3.01}])
    mean = ts.curve(
        "multiscale", dynamics="flow", route="instance", seeds=8, kappa=3, n=12, d=10, p=5, times=[10]
    )
    np.testing.assert_allclose(one.value, mean.excess_risk[0], rtol=1e-12)
    np.testing.assert_allclose(one.stderr, mean.excess_risk_stderr[0], rtol=1e-9)
    assert np.std(other.draws - one.draws) < 0.1 * np.std(one.draws)


def test_whole_numbers_are_rounded_and_points_that_are_refused_have_a_reason() -> None:
    found = ask("excess_risk@10", "n")([{"n": 20.4}, {"n": 20}, {"n": 0}])
    assert found[0] is found[1]
    assert math.isnan(found[2].value)
    assert "--n 0" in found[2].reason
