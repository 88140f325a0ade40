r"""The error rate of students of classes: how often another output than the class's is the largest.

Over draws of the training rows the outputs of a row that was not drawn are taken for normal. Their means are
one minus its mean error for its class, and minus its mean error for any other. Only differences of outputs
matter, so all of this is said in *contrasts*, each output but the last less the last, m = c - 1 of them.

`leverage` gives the errors e_i of each row, itself left out, and a fluctuation for all rows together, which
they share in proportion to l2_i. Rows of one class fluctuate equally, and a row fluctuates most with similar
rows, so each class k has a separate part: in the notation there, with W_ij = (sum_k U_ik U_jk (1 - h_k))^2
and the share w_ik of sum_(j != i) W_ij that rows j of class k have,

    Cov_i = B sum_k l2_i w_ik [sum_(j in k) e_j e'_j^T l2_j]/[sum_j w_jk l2_j],
    B = [(1 - s)(1 - s')/D - 1]/mean l2,

so that the mean of its trace is that of the route's own squared error. `per_row` has the fluctuation of each
row, (V_i - psi_i psi_i'^T)/(d_i d_i'), with V_i and psi_i psi_i'^T as matrices between contrasts. Label noise
and a random start fluctuate independently in each output.

The rate is the mean over rows of one minus P(all differences between the class's output and others > 0):
a normal orthant of m dimensions. One dimension is Phi. More are integrated one after another (Genz 1992), the
last exactly, over `POINTS` fixed points of a lattice that all rows share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import rows_of
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

if TYPE_CHECKING:
    from teacherstudent.theory.measured_spectrum.leverage import Pairs

POINTS = 64
"""Of the lattice: an error of 1e-3 in the rate at most, as measured up to ten classes; of two classes
none."""

TOGETHER = 2**18
"""Numbers in an array of rows and points."""

NEIGHBOURS = 1000
"""Rows of all classes together that stand for all others when it is told which a row fluctuates with."""

NOTHING = 1e-14
"""A variance below this share of its row's largest, or what is left of it once others are known, is none."""

ZERO = 1e-24
"""Squares of a row beside those of the largest one that are rounding."""

CERTAIN = 5.0
"""Standard deviations above 0 from which a variable counts as positive: 3 of 10 million draws are not."""

NONE = np.empty((0, 2, 0))


@dataclass
class Outputs:
    """Contrasts of each row's outputs over draws: means (m, P), and covariances (P, m, m), which are added up
    from pairs of points; noise: the variance of the label noise of an output; shares: of each class w, and
    which rows are of it, (c, 2, P)."""

    means: np.ndarray
    covariances: np.ndarray
    noise: float
    shares: np.ndarray

    @classmethod
    def of(
        cls, problem: MeasuredSpectrum, errors: np.ndarray, weights: np.ndarray, shares: np.ndarray = NONE
    ) -> Outputs:
        """Without a variance: of mean errors (c, P, J) at points, whose sum with these weights (J,) they
        are."""
        means = _contrasts(_targets(problem) - 2 * (errors @ weights).real)
        m, count = means.shape
        return cls(means, np.zeros((count, m, m)), problem.noise**2, shares)

    def add(
        self,
        pairs: Pairs,
        errors: np.ndarray,
        residual: np.ndarray,
        own: np.ndarray,
        spread: np.ndarray,
        drawn: np.ndarray,
    ) -> None:
        """The fluctuations of `leverage` at pairs (N,), of residuals' weights: own, (P, N), is the variance
        of each output, test noise included, with errors (c, P, J); spread: l2, (P, N); drawn: the bracket
        over mean l2, (N,)."""
        m, count = self.means.shape
        errors, (above, below) = _contrasts(errors), np.triu_indices(m)
        for share, members in self.shares:
            some = np.flatnonzero(members)
            by, among = spread[some], errors[:, some]
            summed = np.empty((residual.size, m, m), dtype=complex)
            for place, weight in enumerate(residual):
                other = among[..., pairs.other[place]]
                other = np.conj(other) if pairs.mirrored else other
                summed[place] = weight * ((among[..., pairs.one[place]] * by[:, place]) @ other.T)
            summed += np.sum(own[some] * by, axis=0)[:, None, None] * _independent(m) if own.any() else 0
            mine = share[:, None] * spread
            summed *= (drawn / mine.sum(axis=0))[:, None, None]
            half = (summed[:, above, below] + summed[:, below, above]) / 2
            total = mine.real @ half.real - mine.imag @ half.imag
            self.covariances[:, above, below] += total
            self.covariances[:, below, above] = self.covariances[:, above, below]
        each = np.real(own - residual * self.noise).sum(axis=1)
        self.covariances += np.broadcast_to(each, count)[:, None, None] * _independent(m)

    def add_by_rows(
        self,
        errors: tuple[np.ndarray, np.ndarray],
        weight: complex,
        own: np.ndarray,
        left: np.ndarray,
        acting: np.ndarray,
    ) -> None:
        """The fluctuations of `per_row` at one pair of points: psi and psi', (P, c), of a weight; own, (P,),
        the source of each output, test noise included; left: d d', (P,); acting: W tau, (P, P)."""
        one, other = (_contrasts(each.T) for each in errors)
        m = len(one)
        products = weight * np.einsum("ap,bp->pab", one, other)
        sources = products + own[:, None, None] * _independent(m)
        whole = np.linalg.solve(np.eye(len(acting)) - acting, sources.reshape(-1, m * m)).reshape(-1, m, m)
        fluctuating = (whole - products) / left[:, None, None] - weight * self.noise * _independent(m)
        self.covariances += fluctuating.real


def named(problem: MeasuredSpectrum) -> bool:
    """Whether the targets are classes: then a route that goes by rows gives the error rate."""
    return problem.task == "classification"


def untrained(problem: MeasuredSpectrum, squares: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The rate of the initial student, (T,): of all rows, of squares |phi_i|^2, (P,). Of no classes NaN."""
    if not named(problem):
        return np.full(times.size, np.nan)
    means = np.repeat(_contrasts(rows_of(problem).means)[:, None], problem.rows, axis=1)
    spread = problem.init**2 * squares[:, None, None] * _independent(len(means))
    if problem.intercept == "trained":  # the mean of n of the other rows
        labels, others = _contrasts(_targets(problem)), problem.rows - 1
        means = (problem.rows * means - labels) / others
        spread = spread + (1 / problem.n - 1 / others) * np.cov(labels).reshape(len(means), len(means))
    return np.full(times.size, rate(problem, Outputs(means, spread, 0.0, NONE)))


def rate(problem: MeasuredSpectrum, law: Outputs) -> float:
    """The error rate of such outputs, on average over rows."""
    classes = rows_of(problem).classes
    assert classes is not None
    m, right = len(law.means), np.zeros(problem.rows)
    covariances = (law.covariances + law.covariances.transpose(0, 2, 1)) / 2
    means, data = law.means.copy(), decomposition(problem)
    assert data.vectors is not None  # as of all measured rows
    squares = data.vectors**2 @ data.eigenvalues
    if problem.intercept != "trained":  # rows of zeros: their outputs are equal, not nearly equal
        still = squares <= ZERO * squares.max()
        means[:, still] = _contrasts(rows_of(problem).means)[:, None]
        covariances[still] = 0.0
    for each in range(m + 1):
        turn = -np.eye(m)  # from contrasts to the class's output less all others
        turn[:, each : each + 1] = 1.0
        some = classes == each
        right[some] = orthant((turn @ means[:, some]).T, turn @ covariances[some] @ turn.T)
    return float(np.clip(1 - right.mean(), 0.0, 1.0))


def shares(
    problem: MeasuredSpectrum, vectors: np.ndarray, learned: np.ndarray, constant: float
) -> np.ndarray:
    """w and which rows are of each class, (c, 2, P): of vectors U, (P, K), and what is learned of each, (K,);
    constant: what a trained intercept adds between any two rows.

    Of many rows of a class some, evenly spaced, stand for all.
    """
    classes = rows_of(problem).classes
    assert classes is not None
    members = np.arange(problem.outputs)[:, None] == classes
    near = np.empty(members.shape)
    step = max(1, TOGETHER // NEIGHBOURS)
    for each, some in zip(near, members, strict=True):
        known = np.flatnonzero(some)
        known = known[:: -(-known.size * problem.outputs // NEIGHBOURS)]
        acting = (learned * vectors[known]).T
        for first in range(0, problem.rows, step):
            rows = slice(first, first + step)
            between = (vectors[rows] @ acting + constant) ** 2
            between *= np.arange(problem.rows)[rows, None] != known
            each[rows] = between.sum(axis=1) * (some.sum() / known.size)
    whole = near.sum(axis=0)
    even = np.broadcast_to(members.mean(axis=1, keepdims=True), near.shape)
    return np.stack([np.divide(near, whole, out=even.copy(), where=whole > 0), members], axis=1)


def _targets(problem: MeasuredSpectrum) -> np.ndarray:
    """1 for the class of each row, else 0, (c, P)."""
    return np.eye(problem.outputs)[:, rows_of(problem).classes]


def _contrasts(outputs: np.ndarray) -> np.ndarray:
    """All but the last along the first axis less the last: (c, ...) to (m, ...)."""
    return outputs[:-1] - outputs[-1]


def _independent(m: int) -> np.ndarray:
    """Covariance of m contrasts of outputs that are independent, of variance 1, (m, m)."""
    return np.eye(m) + 1.0


def orthant(means: np.ndarray, covariances: np.ndarray) -> np.ndarray:
    """P(all of m normal variables > 0), (P,), of means (P, m) and covariances (P, m, m).

    Where no variable has a variance it is certain: 0, or 1 over one more than how many are equal to 0.
    """
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    sure = np.all(variances <= 0, axis=1)
    found = np.all(means >= 0, axis=1) / (1.0 + np.sum(means == 0, axis=1))
    close = means < CERTAIN * np.sqrt(np.maximum(variances, 0))
    unsure, points = np.flatnonzero(~sure), lattice(means.shape[1] - 1)
    unsure = unsure[np.argsort(close[unsure].sum(axis=1))]  # together those with as many that matter
    step = max(1, TOGETHER // len(points))
    for first in range(0, unsure.size, step):
        some = unsure[first : first + step]
        found[some] = _integrated(means[some], covariances[some], points)
    return found


def _integrated(means: np.ndarray, covariances: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The same, (P,), where something is uncertain, over points (N, m - 1): hardest variables first."""
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    floor = NOTHING * variances.max(axis=1)
    scaled = means / np.sqrt(np.maximum(variances, floor[:, None]))
    order, matter = np.argsort(scaled, axis=1), int(np.max(np.sum(scaled < CERTAIN, axis=1)))
    means = np.take_along_axis(means, order, axis=1)
    left = np.take_along_axis(np.take_along_axis(covariances, order[:, :, None], 1), order[:, None, :], 2)
    total = np.ones((len(means), len(points)))
    given = np.repeat(means.T[:, :, None], len(points), axis=2)  # means, given the variables before
    for k in range(matter):
        certain = left[:, k, k] <= floor
        deviation = np.sqrt(np.where(certain, 1.0, left[:, k, k]))
        chance = np.where(certain[:, None], np.heaviside(given[k], 0.5), ndtr(given[k] / deviation[:, None]))
        total *= chance
        if k + 1 < matter:
            drawn = -ndtri(np.maximum(points[:, k] * chance, np.finfo(float).tiny))
            slope = np.where(certain[:, None], 0.0, left[:, :, k]) / deviation[:, None]
            for later in range(k + 1, matter):
                given[later] += slope[:, later, None] * drawn
            left = left - slope[:, :, None] * slope[:, None, :]
    return total.mean(axis=1)


@cache
def lattice(dimension: int) -> np.ndarray:
    """Points of Richtmyer's lattice in (0, 1), folded to be periodic, (N, dimension); one of dimension 0."""
    if not dimension:
        return np.zeros((1, 0))
    primes = [p for p in range(2, 20 + 12 * dimension) if all(p % q for q in range(2, int(p**0.5) + 1))]
    turns = np.arange(1, POINTS + 1)[:, None] * np.sqrt(primes[:dimension])
    return np.abs(2 * ((turns + 0.5) % 1) - 1)
