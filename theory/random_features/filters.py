"""Filters of Phi^T Phi: students of gradient flow and descent over training (`theory.spectral.filters`).

What a contour may leave out: the pole of 1/v, and that of the initial weights' G(z)/z where N > n, of those
that no sample sees. Without ridge they are one. Where the spectrum begins at 0, as at n = N, it is enclosed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.theory.random_features.edges import lower
from teacherstudent.theory.random_features.equation import at_zero, solve
from teacherstudent.theory.random_features.model import Model, Point
from teacherstudent.theory.spectral.filters import FilterOf, Matrix, descent_of, flow_of

Filter = FilterOf[Point]


def matrix_of(model: Model, lowest: Any = None) -> Matrix[Point]:
    """Phi^T Phi; lowest: its smallest eigenvalue other than zero where that is known, as of many models."""
    ridge = model.ridge
    lowest = lower(model) if lowest is None else lowest
    ends = [at_zero(model)] if np.any(lowest) else []
    poles = [(0.0 * ridge, end) for end in ends]
    if np.any(ridge):
        unseen = [(-ridge, end) for end in ends if np.any((model.init > 0) & (model.width > model.samples))]
        poles = [(0.0 * ridge, solve(model, np.asarray(ridge)[..., None])), *unseen]
    rows = (lambda which: partial(solve, model.rows(which))) if model.many else None
    return Matrix(lowest, ridge, model.u.shape[-1], partial(solve, model), poles, rows)


def flow(model: Model, times: np.ndarray) -> Iterator[tuple[np.ndarray, Filter]]:
    """Filters of gradient flow at those of the flow times, (T,), that are above 0."""
    return flow_of(matrix_of(model), times)


def descent(
    model: Model, steps: np.ndarray, learning_rate: float, upper_edge: float
) -> Iterator[tuple[np.ndarray, Filter]]:
    """Filters of gradient descent after those of the whole steps, (T,), that are above 0.

    The largest eigenvalue, upper_edge + ridge, must be below 2/learning_rate.
    """
    return descent_of(matrix_of(model), steps, learning_rate, upper_edge)
