"""What students are trained on, from drawn randomness. Conventions: `problems.measured_spectrum`.

Where the intercept is trained, rows and labels are centred by the means of the training rows. That is the
intercept without ridge that is best for any weights; after training it follows from these.

Axes: S draws, P rows of the pool, n training rows, q features (of a kernel, the n training rows), c outputs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import Draws, rows_of, teacher_of
from teacherstudent.sims.linear_students.forms import TrainingSets


class Means(NamedTuple):
    """By which training rows are centred: inputs, (S, 1, q), of a kernel those of its columns, and labels,
    (S, 1, c)."""

    inputs: np.ndarray
    labels: np.ndarray

    def intercepts(self, i: int, weights: np.ndarray) -> np.ndarray:
        """Of draw i's students (T, c, q), (T, 1, c)."""
        return self.labels[i] - self.inputs[i] @ weights.swapaxes(1, 2)


def centred_sets(problem: MeasuredSpectrum, draws: Draws) -> tuple[TrainingSets, Means | None]:
    """The drawn training sets, centred by their own means where the intercept is trained, and these means."""
    sets = training_sets(problem, draws)
    if problem.intercept != "trained":
        return sets, None
    means = Means(*(each.mean(axis=1, keepdims=True) for each in (sets.inputs, sets.labels)))
    inputs = sets.inputs if problem.measured else sets.inputs.copy()  # rows of a pool are copies
    inputs -= means.inputs
    if sets.kernel:  # products of centred features
        inputs -= inputs.mean(axis=2, keepdims=True)
    return sets._replace(inputs=inputs, labels=sets.labels - means.labels), means


def training_sets(problem: MeasuredSpectrum, draws: Draws) -> TrainingSets:
    """The drawn training sets, as they are drawn."""
    if draws.inputs is not None:
        inputs, labels, kernel = draws.inputs, draws.inputs @ teacher_of(problem), False
    else:
        rows = rows_of(problem)
        labels, kernel = _drawn(rows.targets, draws), rows.gram is not None
        if rows.gram is not None:
            inputs = _kernels(rows.gram, draws)
        else:
            assert rows.features is not None
            inputs = _drawn(rows.features, draws)
    return TrainingSets(inputs, labels + draws.noise, draws.initial if problem.init else None, kernel)


def _drawn(values: np.ndarray, draws: Draws) -> np.ndarray:
    """Of values of all rows (P, ...), those of the training rows, (S, n, ...)."""
    if draws.mixtures is not None:
        return draws.mixtures @ values / np.sqrt(len(values))
    return values[draws.chosen]


def _kernels(gram: np.ndarray, draws: Draws) -> np.ndarray:
    """The kernel of training rows with each other, (S, n, n), from that of all rows."""
    if draws.mixtures is not None:
        return np.stack([mixture @ gram @ mixture.T / len(gram) for mixture in draws.mixtures])
    assert draws.chosen is not None
    return np.stack([gram[np.ix_(chosen, chosen)] for chosen in draws.chosen])
