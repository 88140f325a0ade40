r"""The pool's formula corrected row by row: for measured rows, whose leverages differ.

The limit of `asymptotic` knows spectrum and target's share only: it treats the rows as if they were rotated
at random, so that each has the same leverage. Of measured rows some lie far out, and there the residual is
often large too. With U the left singular vectors of the pool, c = U^T y, s = dof/P and delta = n/P,

    l_i(z)     = sum_k U_ik^2 (1 - h_k)                      leverage of row i, of mean s
    e_i(z)     = (y_i - sum_k U_ik (1 - h_k) c_k)/(1 - l_i)  its error, itself left out
    l2_i(z,z') = sum_k U_ik^2 (1 - h_k)(1 - h'_k)            what the draw of other rows adds to it
    chi_i(z)   = l_i P/(q z (1 - l_i))                       what training on it takes from its error

    K_test  = mean e e' + mean(e e' l2)/mean l2 [(1 - s)(1 - s')/D - 1]
    K_train = the same with e e'/((1 + chi)(1 + chi')) in place of e e'

with the divisor D of the pool's formula, which this is where all leverages are equal. Label noise and a random
start add their means to each e e': sigma^2 (1 - l - l' + l2) and init^2 (v v'/z z') P sum_k U_ik^2 lambda_k
h_k h'_k, over (1 - l)(1 - l').
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import rows_of
from teacherstudent.theory.measured_spectrum import points
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.points import Points

Arrays = dict[str, np.ndarray]

BLOCK = 2**17
"""Numbers in an array of rows and pairs of points."""


@dataclass(frozen=True)
class Pool:
    """All rows in the basis of their features: vectors U, (P, K), squares U_ik^2, eigenvalues, (K,), the target
    along each, (c, K), and off all of them, (c, P), and 1 - sum_k U_ik^2, (P,)."""

    vectors: np.ndarray
    squares: np.ndarray
    eigenvalues: np.ndarray
    along: np.ndarray
    off: np.ndarray
    gap: np.ndarray


@dataclass(frozen=True)
class Seen:
    """The rows at points (J,): h and 1 - h, (K, J), and of each row 1 - l, (P, J), errors e, (c, P, J), and
    1 + chi, (P, J)."""

    h: np.ndarray
    learned: np.ndarray
    left_out: np.ndarray
    errors: np.ndarray
    taken: np.ndarray


class Pairs(NamedTuple):
    """Pairs of points, or of one and another's conjugate, (N,) each."""

    one: np.ndarray
    other: np.ndarray
    mirrored: bool

    def mates(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values at points (..., J) as those of one and of the other, (..., N) each."""
        others = values[..., self.other]
        return values[..., self.one], np.conj(others) if self.mirrored else others

    def product(self, values: np.ndarray) -> np.ndarray:
        one, other = self.mates(values)
        return one * other


def flow(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Gradient flow at times s >= 0, (T,). Raises `InputError` unless rows are drawn from a pool."""
    _demand_pool(problem)
    return _answered(problem, points.flow(problem, times))


def descent(problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,). Raises `InputError` as `flow`, and where it diverges."""
    _demand_pool(problem)
    return _answered(problem, points.descent(problem, times, learning_rate))


def ridge(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Ridge regression at ridge + 1/time, times > 0, (T,). Raises `InputError` as `flow`."""
    _demand_pool(problem)
    return _answered(problem, points.ridge(problem, times))


def _demand_pool(problem: MeasuredSpectrum) -> None:
    if problem.sampling != "pool":
        raise InputError("sampling", problem.sampling, "pool on this route, which goes by real rows")


def pool(problem: MeasuredSpectrum) -> Pool:
    """The rows of a problem that draws from a pool, decomposed."""
    data, rows = decomposition(problem), rows_of(problem)
    assert data.vectors is not None and data.along is not None  # as of all measured rows
    squares = data.vectors**2
    return Pool(
        data.vectors,
        squares,
        data.eigenvalues,
        data.along.T,
        (rows.targets - data.vectors @ data.along).T,
        np.maximum(1 - squares.sum(axis=1), 0.0),
    )


def at(rows: Pool, z: np.ndarray, q: np.ndarray) -> Seen:
    """Leverages and errors of all rows at points, (J,)."""
    strength = np.multiply.outer(rows.eigenvalues, q)
    h = 1 / (1 + strength)
    learned = strength * h
    left_out = rows.gap[:, None] + _times(rows.squares, h)  # 1 - l: a difference keeps no digit near l = 1
    errors = [_times(rows.vectors, along[:, None] * h) for along in rows.along] + rows.off[..., None]
    chi = _times(rows.squares, learned) * len(rows.vectors) / (q * z * left_out)
    return Seen(h, learned, left_out, errors / left_out, 1 + chi)


def _times(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """A real matrix times a complex one, which BLAS would copy to complex."""
    both = np.ascontiguousarray(points, dtype=complex).view(float)
    return (matrix @ both).view(complex)


def _answered(problem: MeasuredSpectrum, asked: Sequence[Points]) -> Arrays:
    rows = pool(problem)
    found = np.array([_at_time(problem, rows, where) for where in asked]).reshape(-1, 2).T
    lost = np.array([not where.certain for where in asked], dtype=bool)
    answer = {"generalisation_error": found[0], "training_error": found[1]}
    return nan_where(lost, "leverage route: no certified root", answer)


def _at_time(problem: MeasuredSpectrum, rows: Pool, where: Points) -> np.ndarray:
    """Test and training error at one time, (2,): the sum of K over all pairs of points and conjugates."""
    seen, total = at(rows, where.z, where.q), np.zeros(2)
    one, other = np.triu_indices(where.z.size)
    twice = np.where(one == other, 2, 4)  # with the conjugate of both; with one and other exchanged
    step = max(1, BLOCK // len(rows.vectors))
    for first in range(0, one.size, step):
        part = slice(first, first + step)
        for mirrored in (False, True):
            pairs = Pairs(one[part], other[part], mirrored)
            kernels = _kernels(problem, rows, seen, pairs, pairs.product(where.started))
            total += np.real(kernels @ (twice[part] * pairs.product(where.weights)))
    return total


def _kernels(
    problem: MeasuredSpectrum, rows: Pool, seen: Seen, pairs: Pairs, started: np.ndarray
) -> np.ndarray:
    """K of test and training error at pairs of points, (2, N). started: v v'/(z z') of each."""
    count, outputs = len(rows.vectors), len(rows.along)
    learned = pairs.product(seen.learned)
    shared = np.sum(learned, axis=0) / count
    spread = _times(rows.squares, learned)  # l2
    apart = pairs.product(seen.left_out)
    errors = sum(pairs.product(each) for each in seen.errors)
    if problem.noise:  # 1 - l - l' + l2
        one, other = pairs.mates(seen.left_out)
        errors = errors + outputs * problem.noise**2 * (one + other - 1 + spread) / apart
    if problem.init:
        begun = _times(rows.squares, rows.eigenvalues[:, None] * pairs.product(seen.h))
        errors = errors + outputs * problem.init**2 * count * started * begun / apart
    s, mate = pairs.mates(np.sum(seen.learned, axis=0) / count)
    left = count / problem.n - 1
    divisor = (1 - s) * (1 - mate) - left * (shared - s * mate)  # D
    drawn = left * (1 - s * mate / shared) / divisor  # [(1 - s)(1 - s')/D - 1]/mean l2
    errors = errors * (1 + spread * drawn)
    return np.stack([errors.mean(axis=0), (errors / pairs.product(seen.taken)).mean(axis=0)])
