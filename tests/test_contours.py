"""Contours hold the digits of p(A) however small it is, and say what they leave out of a pole."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.theory import contours
from teacherstudent.theory.contours import Contour
from tests.roundings import unrounded

RELATIVE = 1e-9
SLOWEST = 0.05
EIGENVALUES = np.array([1.0, 1.7, 30.0]) * SLOWEST
"""From the slowest, on which the contour is drawn close, upwards."""


def summed(contour: Contour, over: np.ndarray, eigenvalues: np.ndarray) -> np.ndarray:
    """The contour's sum of weights over each of A + v, (T, A)."""
    return 2 * (over[..., None] / (eigenvalues + contour.nodes[..., None])).sum(axis=1).real


def assert_functions_of(contour: Contour, propagator: np.ndarray, eigenvalues: np.ndarray) -> None:
    """p, and M = p + (1 - p)/A of a ridge 1 as the pole v = 0 adds it, to RELATIVE of the largest p."""
    size = np.abs(propagator).max(axis=1, keepdims=True)
    kept = summed(contour, contour.weights, eigenvalues)
    assert np.all(np.abs(kept - propagator) <= RELATIVE * size)
    inner = summed(contour, contour.weights / contour.nodes, eigenvalues)
    outside = contour.outside(0.0)[:, None] / eigenvalues
    learned = (1 - propagator) / eigenvalues
    assert np.all(np.abs(inner + outside - learned) <= RELATIVE * np.maximum(size, learned))


def test_flow_keeps_its_digits_from_first_to_last() -> None:
    times = np.array([1e-3, 1.0, 30.0, 60.0, 70.0, 100.0, 1e3, 6e3])
    assert_functions_of(contours.flow(times, SLOWEST), np.exp(-times[:, None] * EIGENVALUES), EIGENVALUES)


@pytest.mark.parametrize("share", [0.3, 1.0, 1.3, 1.9])
def test_descent_keeps_its_digits_on_circles_and_spirals(share: float) -> None:
    """Learning rates at which all eigenvalues of 1 - eta A are positive, and at which some are negative."""
    rate = share / EIGENVALUES.max()
    steps = np.array([1.0, 2, 7, 24, 25, 60, 400, 4000])
    groups = contours.descent(steps, rate, 1 - share, rate * EIGENVALUES.min())
    assert sorted(np.concatenate([where for where, _ in groups])) == list(range(steps.size))
    for where, contour in groups:
        propagator = (1 - rate * EIGENVALUES) ** steps[where][:, None]
        assert_functions_of(contour, propagator, EIGENVALUES)


@pytest.mark.parametrize("steps", [10.0, 200.0])
def test_all_eigenvalues_beyond_one_over_the_rate(steps: float) -> None:
    """No mode is left on the positive side: what a contour there would enclose is nothing."""
    rate = 1.8 / EIGENVALUES.max()
    close = EIGENVALUES.max() * np.array([0.9, 1.0])
    ((_, contour),) = contours.descent(np.array([steps]), rate, 1 - 1.8, rate * close.min())
    assert_functions_of(contour, ((1 - rate * close) ** steps)[None], close)


def test_what_is_gone_is_zero_and_its_pole_is_whole() -> None:
    for contour in (
        contours.flow(np.array([1e9]), SLOWEST),
        contours.descent(np.array([1e9]), 0.5, 0.2, 0.5 * SLOWEST)[0][1],
        contours.descent(np.array([100.0]), 1.0, 0.0, 1.0)[0][1],
    ):
        assert not contour.weights.any()
        assert unrounded(contour.outside(0.0), 1)
        assert np.all(np.isfinite(contour.nodes))


def test_a_rate_and_a_time_whose_product_is_no_number_leave_nothing() -> None:
    contour = contours.flow(np.array([1e-300, 1e300]), 1e300)
    assert np.isfinite(contour.nodes).all()
    assert not contour.weights[1].any()
    np.testing.assert_allclose(contour.outside(-1e300), [0.0, 0.0], atol=1e-12)
