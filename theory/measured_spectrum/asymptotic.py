"""The exact limit of many rows and modes at fixed ratios: gradient flow, gradient descent, ridge regression.

Two curves of the data matter: the spectrum, and the target's power in it. A trained intercept is taken as
`task` says. Where a root is not certified the answer is NaN, with a warning. Where n is the rank of a pool or
one less, the training error is near 0 and keeps seven digits of its own, not ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.extras import asked
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.parameters import SCATTERED
from teacherstudent.theory.measured_spectrum import scatter
from teacherstudent.theory.measured_spectrum.task import task_of, training_share
from teacherstudent.theory.spectral import compression, errors, filters
from teacherstudent.theory.spectral.errors import Errors
from teacherstudent.theory.spectral.tasks import Task

Arrays = dict[str, np.ndarray]


def flow(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    return _answer(problem, compression.over_training(task_of(problem), times, filters.flow))


def descent(problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,).

    learning_rate: "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError` where
    the largest eigenvalue makes descent diverge.
    """
    task = task_of(problem)
    eta, edge = rate(task, learning_rate)
    pieces = partial(filters.descent, learning_rate=eta, upper_edge=edge)
    return _answer(problem, compression.over_training(task, times, pieces))


def rate(task: Task, learning_rate: float | str) -> tuple[float, float]:
    """The learning rate, and the upper edge of the spectrum. Raises `InputError` as `descent` does."""
    edge = task.spectrum.upper_edge()
    return in_the_limit(learning_rate, edge, task.ridge), edge


def ridge(problem: MeasuredSpectrum, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,).

    Raises `InputError` for the scatter between training sets that a pool's other rows test.
    """
    if observable and problem.sampling != "population":
        raise InputError("observable", observable[0], "absent for --sampling pool: rows must be Gaussian")
    ridges = problem.ridge + 1 / times
    answer = _answer(problem, errors.at_ridge(task_of(problem), ridges))
    names = asked(SCATTERED, {"observable": observable})
    return answer | {name: scatter.at_ridge(problem, ridges) for name in names}


def _answer(problem: MeasuredSpectrum, found: Errors) -> Arrays:
    training = training_share(problem) * found.training
    answer = {"generalisation_error": found.test, "training_error": training}
    return dict(nan_where(~found.converged, "asymptotic route: no certified root", answer))
