"""The exact limit n, N, d -> infinity: gradient flow, gradient descent and ridge regression.

The cost does not depend on n, N or d. Where a root is not certified the answer is NaN, with a warning: never
a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory.random_features import errors, filters, parts
from teacherstudent.theory.random_features.edges import upper
from teacherstudent.theory.random_features.errors import Errors
from teacherstudent.theory.random_features.model import Model, Point
from teacherstudent.theory.random_features.parts import Parts
from teacherstudent.theory.spectral.filters import Pieces, overwritten

Arrays = dict[str, np.ndarray]


def flow(problem: RandomFeatures, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    model = Model.of(problem)
    return _trained(model, times.size, filters.flow(model, times), observable)


def descent(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,).

    learning_rate: "auto" is 1/upper edge of the limiting spectrum of Phi^T Phi. Raises `InputError` where the
    largest eigenvalue makes descent diverge.
    """
    model = Model.of(problem)
    edge = upper(model)
    eta = in_the_limit(learning_rate, edge, model.ridge)
    return _trained(model, times.size, filters.descent(model, times, eta, edge), observable)


def ridge(problem: RandomFeatures, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    model, effective = Model.of(problem), problem.ridge + 1 / times
    split = parts.at_ridge(model, effective) if observable else None
    return _answer(model, errors.at_ridge(model, effective), split)


def _trained(model: Model, count: int, pieces: Pieces[Point], observable: Sequence[str] | None) -> Arrays:
    """All times: the untrained student, overwritten wherever a filter has an answer."""
    whole = errors.untrained(model, count)
    split = parts.untrained(model, count) if observable else None
    for piece in pieces:
        overwritten(whole, [piece], partial(errors.filtered, model))
        if split is not None:
            overwritten(split, [piece], partial(parts.filtered, model))
    return _answer(model, whole, split)


def _answer(model: Model, found: Errors, split: Parts | None) -> Arrays:
    answer = {
        "R": found.R,
        "Q": found.Q,
        "excess_risk": found.excess,
        "generalisation_error": 2 * found.excess + model.noise,
        "training_error": found.training,
    }
    if split is not None:
        answer |= {name: values for name, values in vars(split).items() if name != "converged"}
    return dict(nan_where(~found.converged, "asymptotic route: no certified root", answer))
