"""Approximate routes are off by the order that they state, in each observable: a wrong factor has order 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house.running import run
from teacherstudent.problems.scale_invariant import PROBLEM
from teacherstudent.theory.scale_invariant import edge

RATES = np.array([0.1, 0.05, 0.025])


@pytest.mark.parametrize("loss", ["correlation", "squared-correlation"])
@pytest.mark.parametrize(("route", "ridge", "order"), [("second-order", 0.0, 2), ("adagradg", 0.02, 3)])
def test_an_approximate_route_is_off_by_its_order(loss: str, route: str, ridge: float, order: int) -> None:
    """At radius 2, where a factor of the radius shows. The next order bends the slope by the rate or two."""
    question: dict[str, Any] = {"loss": loss, "ridge": ridge, "angle0": 1.4, "radius0": 2.0}

    def gaps(rate: float) -> list[float]:
        steps = np.rint(np.array([1, 4]) / rate)
        exact, answer = (
            run("scale-invariant", "descent", name, steps, learning_rate=rate, **question)
            for name in ("theory", route)
        )
        return [float(abs(answer[name] / exact[name] - 1).max()) for name in exact.data_vars]

    slopes = np.diff(np.log([gaps(rate) for rate in RATES]), axis=0) / np.diff(np.log(RATES))[:, None]
    assert np.all(np.abs(slopes - order) <= 2 * RATES[:-1, None])


def test_descent_may_start_on_the_edge() -> None:
    """eta/((1 - eta lambda) r^2) = 1, the edge of 1 - m^2, at the first step and at the teacher."""
    on_it: dict[str, Any] = {"loss": "squared-correlation", "learning_rate": 0.5, "ridge": 1.0, "angle0": 0.0}
    assert edge.steps_to_edge(PROBLEM.instance(**on_it)) == 0
