"""Stochastic gradient descent given the drawn rows, noise and start: exact over batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.step_sizes import of_batches, of_draws
from teacherstudent.problems.batches import demand_batches
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.theory.algorithms.descent import ALGORITHM as DESCENT
from teacherstudent.theory.measured_spectrum.instance import Arrays, Student, observables_of_rule, student_of
from teacherstudent.theory.rules import Trained
from teacherstudent.theory.spectral import batches, redrawn


@dataclass(frozen=True)
class Drawn:
    """The `redrawn.Residuals` of one draw."""

    student: Student

    def moments(self, p: np.ndarray, missed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Squares of each row, (n,), and products in the basis U, (R, R)."""
        along = missed[:, None] * self.student.labels - p[:, None] * self.student.starting
        rows = self.student.left @ along + self.student.beyond
        return (rows * rows).sum(axis=1), along @ along.T


def sgd(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    batch: int,
    data: str,
    seeds: Sequence[int],
) -> Arrays:
    """After whole steps k >= 0, (T,): generalisation and training error, (S, T) each.

    "auto" is that of each draw. Raises `InputError` for data of which no draw decides (fresh ones), for
    reshuffled data unless a batch has all of them, and for more steps than can be taken.
    """
    demand_batches(problem.n, batch, data)
    batches.demand_redrawn(problem.n, batch, data)
    modes = min(problem.n, problem.columns or problem.n)
    redrawn.demand_affordable(times[-1] if batch < problem.n else 0, problem.n, modes)
    draws = draw(problem, seeds)
    students = [student_of(problem, draws, i)[0] for i in range(len(seeds))]
    largest, trace = np.array([(max(each.values, default=0.0), sum(each.values)) for each in students]).T
    if isinstance(learning_rate, str):
        rates, reason = of_batches(largest, trace, batch, problem.ridge), ""
    else:
        rates, reason = of_draws(learning_rate, largest, problem.ridge)
    each = [
        _one(problem, student, times, float(rate), batch)
        for student, rate in zip(students, rates, strict=True)
    ]
    found = {name: np.stack([one[name] for one in each]) for name in each[0]}
    return nan_where_not_finite(found, reason or redrawn.DIVERGES)


def _one(problem: MeasuredSpectrum, student: Student, times: np.ndarray, rate: float, batch: int) -> Arrays:
    """Both errors of one draw, (T,)."""
    c = student.values
    rule = Trained(DESCENT, problem.ridge, learning_rate=rate)
    mean = observables_of_rule(problem, student, None, rule, times)
    overlap = student.weight * (student.basis.T @ student.basis)
    with np.errstate(over="ignore", invalid="ignore"):  # of a rate that diverges
        steps = redrawn.covariances(student.left, c, Drawn(student), times, rate, batch, problem.ridge)
        found = [(np.sum(overlap * V), c @ np.diagonal(V) / problem.n) for V in steps]
        test, seen = np.transpose(found)
        return {
            "generalisation_error": mean["generalisation_error"] + test,
            "training_error": mean["training_error"] + seen,
        }
