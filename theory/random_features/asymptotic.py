"""The exact limit n, N, d -> infinity: students of each algorithm that works on all examples.

The cost does not depend on n, N or d. Where a root is not certified the answer is NaN, with a warning: never
a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.declarations import Algorithm
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.random_features import errors, parts
from teacherstudent.theory.random_features.edges import upper
from teacherstudent.theory.random_features.errors import Errors
from teacherstudent.theory.random_features.filters import matrix_of
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.random_features.parts import Parts
from teacherstudent.theory.spectral.limits import Limit, certain, made, measured

Arrays = dict[str, np.ndarray]


def trained(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    algorithm: Algorithm,
    observable: Sequence[str] | None = None,
    **options: Any,
) -> Arrays:
    """Students at times, (T,), on the clock of the algorithm; options: its own.

    A learning rate "auto" is 1/upper edge of the limiting spectrum of Phi^T Phi. Raises `InputError` where
    the largest eigenvalue makes weights grow.
    """
    model = Model.of(problem)
    limit = Limit(problem.ridge, partial(matrix_of, model), partial(upper, model))
    measures = [errors, parts] if observable else [errors]
    whole, *split = measured(model, made(algorithm, limit, times, options), times.size, measures)
    return _answer(model, whole, split[0] if split else None)


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
    return certain(answer, found.converged)


def __getattr__(name: str) -> Callable[..., Arrays]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
