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

with the divisor D of the pool's formula, which this is where all leverages are equal. Label noise and a
random start add their means to each e e': sigma^2 (1 - l - l' + l2) and init^2 (v v'/z z') P sum_k U_ik^2
lambda_k h_k h'_k, over (1 - l)(1 - l').

A trained intercept is one more vector, the constant one, of which all is learned and along which no target
lies: it adds 1/P to l and l2, and 1 - 1/n^2 multiplies K_test (`task`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.house.progressing import doing_part
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import rows_of
from teacherstudent.theory.measured_spectrum import error_rate
from teacherstudent.theory.measured_spectrum.asymptotic import rate
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.needs import BLOCK, hold_rows
from teacherstudent.theory.measured_spectrum.smooth_sums import SmoothSums, panels_of, smooth_sums
from teacherstudent.theory.measured_spectrum.task import row_correction, task_of, training_share
from teacherstudent.theory.resolvents import Resolvent, resolvent
from teacherstudent.theory.spectral import filters
from teacherstudent.theory.spectral.filters import Filter
from teacherstudent.theory.spectral.tasks import Task

Arrays = dict[str, np.ndarray]

MOST_POINTS = {"ridge": 1, "flow": 13, "descent": 100}
"""Points of one time, at most; of a descent they are most where steps are few."""

TINY = 1e-100
"""What stands for 0 where only ratios of it matter."""

SINGLED_OUT = 1e-12
"""A row with less than this of it off all modes is one of their own: the rest is rounding."""


@dataclass(frozen=True)
class Pool:
    """All rows in the basis of their features: vectors U, (P, K); ready for sums over modes, squares U_ik^2
    and, of each output, U_ik c_k (aligned); eigenvalues, (K,); the target along each, c_k, (c, K), and off
    all of them, (c, P); and 1 - sum_k U_ik^2, (P,). constant: what an intercept that is trained adds to each
    leverage, 1/P, or 0; gap is without it."""

    vectors: np.ndarray
    squares: SmoothSums
    aligned: tuple[SmoothSums, ...]
    eigenvalues: np.ndarray
    along: np.ndarray
    off: np.ndarray
    gap: np.ndarray
    constant: float


class Weighted(NamedTuple):
    """Points of one time, (J,), and weights: a residual is 2 Re sum_j residual_j (residual at z_j), where the
    start enters by started_j."""

    at: Resolvent
    residual: np.ndarray
    started: np.ndarray


@dataclass(frozen=True)
class Seen:
    """The rows at points (J,): h and 1 - h, (K, J), and of each row 1 - l, (P, J), errors e, (c, P, J), and
    1/(1 + chi), (P, J)."""

    h: np.ndarray
    learned: np.ndarray
    left_out: np.ndarray
    errors: np.ndarray
    kept: np.ndarray


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
    task = _task(problem, "flow")
    return _answered(problem, task, times, _by_time(filters.flow(task, times)))


def descent(problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Gradient descent after steps k >= 0, (T,). Raises `InputError` as `flow`, and where it diverges."""
    task = _task(problem, "descent")
    eta, edge = rate(task, learning_rate)
    return _answered(problem, task, times, _by_time(filters.descent(task, times, eta, edge)))


def ridge(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Ridge regression at ridge + 1/time, times > 0, (T,). Raises `InputError` as `flow`."""
    task = _task(problem, "ridge")
    half, nothing = np.array([0.5]), np.zeros(1)  # one real point, and itself in place of its conjugate
    each = (
        (place, Weighted(resolvent(task.spectrum, np.array([z])), half, nothing))
        for place, z in enumerate(problem.ridge + 1 / times)
    )
    return _answered(problem, task, times, each)


def _task(problem: MeasuredSpectrum, dynamics: str) -> Task:
    if problem.sampling != "pool":
        raise InputError("sampling", problem.sampling, "pool on this route, which uses the measured rows")
    hold_rows(problem, MOST_POINTS[dynamics])
    return task_of(problem)


def _by_time(pieces: Iterable[tuple[np.ndarray, Filter]]) -> Iterator[tuple[int, Weighted]]:
    for where, by in pieces:
        for row, place in enumerate(where):
            one = by.at_times(slice(row, row + 1))
            at = Resolvent(*(each[0] for each in vars(one.at).values()))
            yield int(place), Weighted(at, one.over_v[0], one.over_z[0])


def _answered(
    problem: MeasuredSpectrum, task: Task, times: np.ndarray, asked: Iterable[tuple[int, Weighted]]
) -> Arrays:
    """At time 0, where nothing is asked, the initial student's."""
    rows = pool(problem)
    start = task.power.sum() + task.start.sum() + task.noise
    found = np.array([[start], [training_share(problem) * start]]) * np.ones(times.size)
    lost = np.zeros(times.size, dtype=bool)
    wrong = error_rate.untrained(problem, rows.squares @ rows.eigenvalues * problem.rows, times)
    with doing_part(f"leverages of {problem.rows:,} rows, n = {problem.n:,}"):
        for place, where in asked:
            found[:, place], law = at_time(problem, rows, where)
            lost[place] = not where.at.converged.all()
            if law is not None:
                wrong[place] = np.nan if lost[place] else error_rate.rate(problem, law)
    answer = {"generalisation_error": found[0], "training_error": found[1]}
    if error_rate.named(problem):
        answer["error_rate"] = wrong
    return nan_where(lost, "leverage route: no certified root", answer)


def pool(problem: MeasuredSpectrum, which: slice = slice(None)) -> Pool:
    """The rows, or some of them, of a problem that draws from a pool, decomposed."""
    data, rows = decomposition(problem), rows_of(problem)
    assert data.vectors is not None  # as of all measured rows
    assert data.along is not None
    vectors, panels = data.vectors[which], panels_of(data.eigenvalues) if which == slice(None) else ()
    squares = vectors**2
    constant = 1 / problem.rows if problem.intercept == "trained" else 0.0
    gap = 1 - constant - squares.sum(axis=1)
    some = gap > SINGLED_OUT
    off = (rows.targets[which] - vectors @ data.along).T
    aligned = tuple(smooth_sums(vectors, along, panels, len(data.along.T)) for along in data.along.T)
    sums = smooth_sums(squares, np.ones(data.eigenvalues.size), panels)
    return Pool(vectors, sums, aligned, data.eigenvalues, data.along.T, some * off, some * gap, constant)


def at(rows: Pool, where: Resolvent) -> Seen:
    """Leverages and errors of all rows at points, (J,)."""
    k = rows.eigenvalues.size  # the resolvent has one more, of eigenvalue 0
    h, learned = where.h[:, :k].T, where.learned[:, :k].T
    h = np.where(h == 0, TINY * rows.eigenvalues[-1] / rows.eigenvalues[:, None], h)  # the limit of large q
    left_out = rows.gap[:, None] + _times(rows.squares, h)  # 1 - l: a difference keeps no digit near l = 1
    errors = [_times(each, h) for each in rows.aligned] + rows.off[..., None]
    own = where.qz * left_out  # z q P in the notation above is P times the resolvent's
    shared = own + _times(rows.squares, learned) + rows.constant
    kept = np.divide(own, shared, out=np.ones_like(shared), where=shared != 0)  # at z = 0: a row of zeros
    return Seen(h, learned, left_out, errors / left_out, kept)


def _times(matrix: SmoothSums, points: np.ndarray) -> np.ndarray:
    return matrix @ points.astype(complex, copy=False)


def at_time(
    problem: MeasuredSpectrum, rows: Pool, where: Weighted
) -> tuple[np.ndarray, error_rate.Outputs | None]:
    """Test and training error at one time, (2,): the sum of K over all pairs of points and conjugates; and of
    classes the outputs of each row."""
    seen, total = at(rows, where.at), np.zeros(2)
    law = None
    if error_rate.named(problem):
        learned = 2 * (seen.learned @ where.residual).real
        shares = error_rate.shares(problem, rows.vectors, learned, rows.constant)
        law = error_rate.Outputs.of(problem, seen.errors, where.residual, shares)
    one, other = np.triu_indices(where.residual.size)
    twice = np.where(one == other, 2, 4)  # with the conjugate of both; with one and other exchanged
    step = max(1, BLOCK // len(rows.vectors))
    for first in range(0, one.size, step):
        part = slice(first, first + step)
        for mirrored in (False, True):
            pairs = Pairs(one[part], other[part], mirrored)
            residual, started = pairs.product(where.residual), pairs.product(where.started)
            weights = twice[part] * residual, twice[part] * started
            total += np.real(_summed(problem, rows, seen, pairs, *weights, law)).sum(axis=1)
    return total, law


def alone(problem: MeasuredSpectrum, rows: Pool, where: Resolvent) -> np.ndarray:
    """Test and training error of ridge regression at real points, (2, T), also of ridges below 0; NaN where a
    row's own leverage is 1 or more, or what is drawn has no finite variance."""
    found = np.full((2, where.z.size), np.nan)
    step = max(1, BLOCK // len(rows.vectors))
    for first in range(0, where.z.size, step):
        part = slice(first, first + step)
        some = Resolvent(*(each[part] for each in vars(where).values()))
        each, ones = np.arange(some.z.size), np.ones(some.z.size)
        seen = at(rows, some)
        one_by_one = _summed(problem, rows, seen, Pairs(each, each, False), ones, 0 * ones, None).real
        legal = (seen.left_out.real > 0).all(axis=0) & (one_by_one[0] > 0)
        found[:, part] = np.where(legal, one_by_one, np.nan)
    return found


def _summed(
    problem: MeasuredSpectrum,
    rows: Pool,
    seen: Seen,
    pairs: Pairs,
    residual: np.ndarray,
    started: np.ndarray,
    law: error_rate.Outputs | None,
) -> np.ndarray:
    """K of test and training error, (2, N), of pairs with these weights, (N,); adds what outputs vary."""
    count, outputs = len(rows.vectors), len(rows.along)
    learned = pairs.product(seen.learned)
    shared = np.sum(learned, axis=0) / count + rows.constant
    spread = _times(rows.squares, learned) + rows.constant  # l2
    apart = pairs.product(seen.left_out)
    errors, own = residual * sum(pairs.product(each) for each in seen.errors), np.zeros((1, 1))
    if problem.noise:  # 1 - l - l' + l2, to all its digits
        unseen = rows.gap[:, None] + _times(rows.squares, pairs.product(seen.h))
        own = own + residual * problem.noise**2 * unseen / apart
    if problem.init:
        begun = _times(rows.squares, rows.eigenvalues[:, None] * pairs.product(seen.h))
        own = own + started * (problem.init**2 * count) * begun / apart
    errors += outputs * own
    s, mate = pairs.mates(np.sum(seen.learned, axis=0) / count + rows.constant)
    left = count / problem.n - 1
    divisor = (1 - s) * (1 - mate) - left * (shared - s * mate)  # D
    drawn = left * (1 - s * mate / shared) / divisor  # [(1 - s)(1 - s')/D - 1]/mean l2
    if law is not None:
        law.add(pairs, seen.errors, residual, own, spread, drawn)
    errors *= 1 + spread * drawn
    kept = errors * pairs.product(seen.kept)
    return np.array([row_correction(problem) * errors.sum(axis=0), kept.sum(axis=0)]) / count
