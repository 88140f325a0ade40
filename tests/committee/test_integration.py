"""A path is followed where explicit steps are short, and one that breaks by its growth says how it grows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from teacherstudent.problems.committee import PROBLEM
from teacherstudent.theory.committee import integration, ode

BRIEF = integration.Patience(1e-10, 1_000)


def power_and_decay(y: np.ndarray) -> np.ndarray:
    """Slopes of x = (1 + t)^(1/3), and of z = x + e^-t."""
    slope = 1 / (3 * y[0] ** 2)
    return np.array([slope, slope - (y[1] - y[0])])


def test_implicit_steps_follow_a_known_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integration, "EXPLICIT", 0.0)
    times = np.array([0.0, 1.0, 1e2, 1e4])
    found, status = integration.followed(
        power_and_decay,
        np.array([1.0, 2.0]),
        times,
        integration.Patience(1e-10, 3_000),
        np.zeros(2, dtype=bool),
    )
    x = (1 + times) ** (1 / 3)
    exact = np.stack([x, x + np.exp(-times)], axis=1)
    assert status.why == ""
    assert np.max(np.abs(found - exact) / x[:, None]) < integration.ACCURACY


@pytest.mark.thorough
def test_weights_that_grow_as_a_power_of_time_are_followed_far() -> None:
    """In one go, and begun again on the way, with other steps."""
    problem = PROBLEM.instance(width=3, teacher_width=3, learning_rate=2.25, overlap=0.0)
    whole = ode.solve(problem, np.array([1e4, 1e6]))
    middle = ode.State(whole.R[0], whole.Q[0], whole.second_layer[0])
    rest = ode.solve(problem, np.array([1e6 - 1e4]), middle)
    largest = whole.Q[1, 0, 0]
    assert largest > 10 * whole.Q[0, 0, 0] > 1000
    for one, other in ((whole.R[1], rest.R[0]), (whole.Q[1], rest.Q[0])):
        assert np.max(np.abs(one - other)) < 2 * integration.ACCURACY * largest


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (lambda y: y, "training diverges, its overlaps have grown"),
        (lambda y: y**2, "training diverges, its overlaps have grown"),
        (lambda y: 1 / y, "the weights grow ever more slowly, their overlaps have grown"),
    ],
    ids=["exponential", "finite time", "power"],
)
def test_a_path_that_breaks_says_how_it_grows(field: Callable[[np.ndarray], np.ndarray], why: str) -> None:
    _, status = integration.followed(field, np.array([1.0]), np.array([1e12]), BRIEF, np.zeros(1, dtype=bool))
    assert status.why.startswith(f"no certain state from time 1e+12 on: {why}")
