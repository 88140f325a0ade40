"""The two curves of a problem's data: eigenvalues with multiplicities, and the target's power in each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.memory_cache import Remembered
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import key_of, law_of, rows_of
from teacherstudent.theory.singular import decompose_rows, eigen

RANK = 1e-10
"""Eigenvalues of a kernel below this share of the largest are rounding. The target's part in them is
residual, which shows at times beyond 1e10/(n lambda_1)."""
ROUNDING = 8 * float(np.finfo(float).eps)
"""Residual of one row, relative to its target, that is rounding: learning all else would amplify it."""


@dataclass(frozen=True)
class Decomposition:
    """The spectrum of rows, and how their targets lie in it.

    eigenvalues: lambda_k of the covariance, decreasing, (K,); counts: their multiplicities m_k, (K,); power:
    the target's in each, theta_k^2 lambda_k summed over outputs, (K,); residual: what of it no feature
    expresses (a mean square, summed over outputs); outputs: their number. Of measured rows, vectors: the
    left singular vectors, (P, K), and along: the target along them, (K, c).
    """

    eigenvalues: np.ndarray
    counts: np.ndarray
    power: np.ndarray
    residual: float
    outputs: int
    vectors: np.ndarray | None = None
    along: np.ndarray | None = None


def decomposition(problem: MeasuredSpectrum) -> Decomposition:
    """Those of the problem's rows, or of its law."""
    if not problem.measured:
        counts, values, powers = law_of(problem)
        return Decomposition(values, counts, powers, 0.0, 1)
    return _DECOMPOSITIONS.get(key_of(problem), lambda: _of_rows(problem))


_DECOMPOSITIONS: Remembered[Decomposition] = Remembered()


def _of_rows(problem: MeasuredSpectrum) -> Decomposition:
    rows = rows_of(problem)
    count, outputs = rows.targets.shape
    most = count - (problem.intercept != "none")  # one more is rounding, beside means far above the spread
    if rows.features is not None:
        vectors, singular, _ = decompose_rows(rows.features)
        values, vectors = singular[:most] ** 2 / count, vectors[:, :most]
    else:
        assert rows.gram is not None
        values, vectors = eigen(rows.gram)
        values, vectors = values[::-1] / count, vectors[:, ::-1]
        rank = min(int(np.count_nonzero(values > RANK * values[0])), most)
        values, vectors = values[:rank], vectors[:, :rank]
    along = vectors.T @ rows.targets
    power = np.sum(along**2, axis=1) / count
    whole = float(np.sum(rows.targets**2) / count)
    residual = whole - float(power.sum())
    residual = residual if residual > ROUNDING * np.sqrt(count) * whole else 0.0
    return Decomposition(values, np.ones_like(values), power, residual, outputs, vectors, along)
