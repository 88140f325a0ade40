"""New rows from the population: Gaussian, with the second moments of the pool or of a law.

In coordinates in which features are uncorrelated a row is x_j = s_j g_j for any number of columns, and a
target is a linear function of them plus a rest.

Axes: P rows, p columns, m coordinates, c outputs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.memory_cache import Remembered
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import key_of, law_of, rows_of, teacher_of


@dataclass(frozen=True)
class Population:
    """Features and targets of a row: x = strengths g and y = g teacher + h rest, with g, h ~ N(0, 1)."""

    strengths: np.ndarray
    """(m,)"""
    teacher: np.ndarray
    """(m, c)"""
    rest: np.ndarray
    """what no linear function of the features expresses, (c, c)"""
    directions: np.ndarray | None
    """of a coordinate in the space of features, (m, p); None where they are the features, or a kernel's"""

    def start(self, initial: np.ndarray | None, draws: int) -> np.ndarray:
        """Coordinates (S, m, c) of the weights at time 0, (S, p, c), or of a kernel's, which are zero."""
        if initial is None:
            return np.zeros((draws, *self.teacher.shape))
        return initial if self.directions is None else self.directions @ initial


_POPULATIONS: Remembered[Population] = Remembered()


def population(problem: MeasuredSpectrum) -> Population:
    """That of the pool, decomposed once while it is remembered, or of a law."""
    if problem.measured:
        return _POPULATIONS.get(key_of(problem), lambda: _of_rows(problem))
    counts, values, _ = law_of(problem)
    strengths = np.sqrt(np.repeat(values, counts.astype(int)))
    return Population(strengths, strengths[:, None] * teacher_of(problem), np.zeros((1, 1)), None)


def _of_rows(problem: MeasuredSpectrum) -> Population:
    rows = rows_of(problem)
    unit = 1 / np.sqrt(len(rows.targets))
    targets, directions = rows.targets * unit, None
    if rows.features is not None:
        factors, strengths, directions = np.linalg.svd(rows.features * unit, full_matrices=False)
    else:
        assert rows.gram is not None
        powers, factors = np.linalg.eigh(rows.gram * unit**2)
        strengths = np.sqrt(np.maximum(powers, 0.0))
    teacher = factors.T @ targets
    return Population(
        strengths, teacher, np.asarray(np.linalg.qr(targets - factors @ teacher, mode="r")), directions
    )
