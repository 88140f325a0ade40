"""What students of any source answer under any algorithm: a source draws and measures, this trains.

Axes: S draws, T recorded times, n training rows, q features (of a kernel, the n training rows), c outputs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from teacherstudent.house import step_sizes
from teacherstudent.house.schedules import Schedule
from teacherstudent.sims.algorithms import Step, descent
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students import sgd
from teacherstudent.sims.linear_students.descent import paced, rates, students
from teacherstudent.sims.linear_students.forms import Form, TrainingSets, smaller
from teacherstudent.sims.linear_students.ridge import minimisers

Train = Callable[["Source"], np.ndarray]
"""From what is drawn to weights, or coefficients of a kernel, at each recorded time, (S, T, c, q)."""

NOISY = "learning_rate {}: stochastic gradient descent diverges"


class Source(ABC):
    """The training sets of a question, drawn, and what is measured of their students."""

    ridge: float
    penalty: float = 0.0
    """of outputs"""

    @cached_property
    @abstractmethod
    def sets(self) -> TrainingSets:
        """What the students of each draw are trained on, and from where."""

    @cached_property
    def form(self) -> Form:
        """In which coordinates they descend."""
        return smaller(self.sets)

    @abstractmethod
    def measured(self, weights: np.ndarray, train: Train) -> dict[str, np.ndarray]:
        """The observables, (S, T, ...), of weights, (S, T, c, q). `train` also trains on other causes."""


def descended(
    source: Source,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"] | Schedule,
    how: Step = descent.STEP,
    precision: str = "float64",
    **options: float,
) -> dict[str, np.ndarray]:
    """The observables along descent on all examples. `times` are whole steps; step 0 is the initial student.

    `learning_rate` is in units of 1/curvature, "auto" 1/largest eigenvalue of each draw (`house.step_sizes`),
    or a schedule, of which each step is taken. Where descent leaves its range (it diverges, or outlasts
    `sims.step_limits.LONGEST`) the observables are NaN, with an `UnconvergedWarning`.
    """
    rate, reason = rates(source.form, learning_rate, source.ridge, source.penalty, how, options)
    more: dict[str, Any] = {"how": how, "options": options, "precision": precision}
    lost = np.zeros(len(times), dtype=bool)
    if isinstance(learning_rate, Schedule):
        more["pace"], lost = paced(source.form, times, learning_rate, source.ridge, source.penalty)

    def train(source: Source) -> np.ndarray:
        found = students(source.form, times, rate, source.ridge, source.penalty, **more)
        found[:, lost] = np.nan
        return found

    return answered(source, train, reason)


def solved(source: Source, times: np.ndarray) -> dict[str, np.ndarray]:
    """The observables of the minimiser of the summed loss, which forgets its first weights.

    The effective ridge is the problem's + 1/time; times are positive. Where the normal equations are too
    close to singular (`sims.normal_equations`) the observables are NaN, with an `UnconvergedWarning`.
    """
    ridges = source.ridge + 1 / np.asarray(times)
    return answered(
        source,
        lambda source: minimisers(source.sets, ridges, source.penalty),
        f"times up to {np.max(times):g}: the normal equations are singular",
    )


def on_batches(
    source: Source,
    times: np.ndarray,
    *,
    n: int,
    learning_rate: float | Literal["auto"],
    batch: int,
    data: str,
    seeds: Sequence[int],
    law: Callable[[Any], sgd.BatchSampler | None] = lambda _: None,
    curvatures: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """The observables along descent on batches (`problems.batches`). `times` are whole steps.

    Where every example is new, law: from a source to that of its examples. curvatures: eigenvalues of the
    second moments that a step size is taken from, where these are not the drawn rows', (m,). Where a student
    leaves the range of float64 the observables are NaN, with an `UnconvergedWarning`.
    """
    if curvatures is None:
        form = source.form
        largest, trace = form.curvature(), form.trace()
    else:
        largest, trace = np.full(len(seeds), n * curvatures.max()), n * curvatures.sum()
    reason = ""
    if learning_rate == "auto":
        rate = step_sizes.of_batches(largest, trace, batch, source.ridge, source.penalty)
    else:
        rate, reason = step_sizes.of_draws(learning_rate, largest, source.ridge, source.penalty)
    how = sgd.rule(len(seeds), rate, n, batch, source.ridge, source.penalty)

    def train(source: Source) -> np.ndarray:
        sets = source.sets
        examples = law(source) or sgd.Examples(sets.inputs, sets.labels, sets.kernel)
        start = sets.initial
        if start is None:
            start = np.zeros((len(seeds), sets.inputs.shape[-1], sets.labels.shape[-1]))
        found = sgd.train_on_batches(examples, start, how, times, seeds, batch=batch, data=data)
        return found.swapaxes(-1, -2)

    return answered(source, train, reason or NOISY.format(learning_rate))


def answered(source: Source, train: Train, reason: str) -> dict[str, np.ndarray]:
    """The observables of students that are trained so; NaN where they are not finite, for that reason."""
    return nan_where_not_finite(source.measured(train(source), train), reason)
