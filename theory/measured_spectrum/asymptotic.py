"""The exact limit of many rows and modes at fixed ratios, of each algorithm that works on all rows.

Two curves of the data matter: the spectrum, and the target's power in it. A trained intercept is taken as
`task` says. Where a root is not certified the answer is NaN, with a warning. Where n is the rank of a pool or
one less, the training error is near 0 and has seven correct digits, not ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.errors import InputError
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.extras import asked
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.parameters import SCATTERED
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.measured_spectrum import spread_between_sets
from teacherstudent.theory.measured_spectrum.task import task_of, training_share
from teacherstudent.theory.resolvents import Resolvent
from teacherstudent.theory.spectral import compression, errors, limits
from teacherstudent.theory.spectral.filters import Pieces
from teacherstudent.theory.spectral.tasks import Task

Arrays = dict[str, np.ndarray]


def trained(problem: MeasuredSpectrum, times: np.ndarray, *, algorithm: Algorithm, **options: Any) -> Arrays:
    """Students at times, (T,), on the clock of the algorithm; options: its own.

    A learning rate "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError` where the
    largest eigenvalue makes weights grow.
    """
    task = task_of(problem)

    def pieces(of: Task, some: np.ndarray) -> Pieces[Resolvent]:
        found = limits.made(algorithm, limits.of_task(of), some, options)
        assert not isinstance(found, limits.Ridges)
        return found

    found = compression.over_training(task, times, pieces)
    training = training_share(problem) * found.training
    answer = {"generalisation_error": found.test, "training_error": training}
    return limits.certain(answer, found.converged)


def rate(task: Task, learning_rate: float | str) -> tuple[float, float]:
    """The learning rate, and the upper edge of the spectrum. Raises `InputError` as `descent` does."""
    edge = task.spectrum.upper_edge()
    return in_the_limit(learning_rate, edge, task.ridge), edge


def ridge(problem: MeasuredSpectrum, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,).

    Raises `InputError` for the scatter between training sets that a pool's other rows test.
    """
    if observable and problem.sampling != "population":
        raise InputError("observable", observable[0], "left out for --sampling pool: rows must be Gaussian")
    ridges = problem.ridge + 1 / times
    found = errors.at_ridge(task_of(problem), ridges)
    training = training_share(problem) * found.training
    answer = {"generalisation_error": found.test, "training_error": training}
    names = asked(SCATTERED, {"observable": observable})
    answer = limits.certain(answer, found.converged)
    return answer | {name: spread_between_sets.at_ridge(problem, ridges) for name in names}


def __getattr__(name: str) -> Callable[..., Arrays]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
