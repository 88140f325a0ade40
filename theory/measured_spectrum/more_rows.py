r"""New rows from where the measured ones came: test errors for any n, where the measured rows determine them.

In the limit of many rows the test error depends on n in one place only. With kappa = ridge/(n - df1),

    test = S/(1 - df2/n),  S(kappa, kappa') = sum theta_k^2 lambda_k (1 - a_k)(1 - a'_k) + noise,

where a_k = lambda_k/(lambda_k + kappa), df1 = sum m_k a_k, df2 = sum m_k a_k a'_k. These are functions of
kappa, not of n. N measured rows determine them at each ridge z > 0. With c the eigenvalues of X^T X, h = z/(c
+ z) for all N modes (h = 1 for eigenvalue 0), and the residuals e of ridge regression,

    G = sum h = N - df1,  M(z, z') = sum h h',  Q(z, z') = e.e',
    kappa = z/G,  1 - df2/N = G G'/(N M),  S = Q/M.

The last is generalised cross-validation at two points. The prediction for n rows at ridge r is

    test = n Q/((n - N) M + G G')   at the z that solves   z + (n - N) kappa(z) = r,

and for gradient flow a sum over pairs of complex z. Of the three sums only Q fluctuates at the leading order.
For Gaussian rows two minima of the loss have the covariance 2 Q^2/M, and the training error is (1 - z d/dz)
of the minimum: this gives the standard error. With a trained intercept N - 1 and n - 1 take the places of N
and n, and the mean of the n rows multiplies the error by 1 + 1/n. Errors are squared, without the half, and
means over data sets of n rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np
import scipy

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory.measured_spectrum import leverage, spread_between_sets
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.spectral.filters import twice, whole
from teacherstudent.theory.spectral.spread import Mixed, outer_sums, product_of, variance

Arrays = dict[str, np.ndarray]

FITTED = 0.65
"""df1/N at the matched ridge beyond which predictions were 18 to 23 % too low on real rows, as measured."""

OPENING, STEP, NODES = 0.6, 0.05, 86
"""Of the hyperbola on which flow is integrated: its angle, and midpoints up to where e^v is 1e-20."""

CERTIFIED = 1e-9
"""Residual of a matched point, relative to it or to its ridge."""

SMALL = 1e-12
"""A variance that is rounding, beside the square of what varies."""

TOGETHER = 32
"""Ridges whose errors of all rows are held at once."""


class Counts(NamedTuple):
    """Degrees of freedom of the measured rows, N, and of those trained on, n, and a factor of the error."""

    pool: float
    trained: float
    factor: float


def counts_of(problem: MeasuredSpectrum) -> Counts:
    """Centring takes one of N, training an intercept one of n: it adds 1/n of the error."""
    lost = int(problem.intercept == "trained")
    return Counts(problem.rows - int(problem.intercept != "none"), problem.n - lost, 1 + lost / problem.n)


@dataclass(frozen=True)
class Pool:
    """The measured rows at ridges z, and the prediction for n other rows.

    values: c, (K,). zeros: N - K. targets: sum_i U_ik y_i, (K, c); beyond: products of what lies off all U,
    summed over rows, (c, c).
    """

    problem: MeasuredSpectrum
    counts: Counts
    values: np.ndarray
    zeros: float
    targets: np.ndarray
    beyond: np.ndarray

    def missed(self, z: np.ndarray) -> np.ndarray:
        """h at points z of any shape, (..., K)."""
        found: np.ndarray = z[..., None] / (self.values + z[..., None])
        return found

    def left(self, z: np.ndarray) -> np.ndarray:
        """G at points z of any shape."""
        found: np.ndarray = self.zeros + self.missed(z).sum(axis=-1)
        return found

    def ridge_at(self, z: np.ndarray) -> np.ndarray:
        """The ridge for n rows that is matched by the pool's z, of any shape."""
        return z + (self.counts.trained - self.counts.pool) * z / self.left(z)

    def test(self, both: np.ndarray, squares: np.ndarray, residuals: np.ndarray) -> np.ndarray:
        """The test error from M, G G' and Q, of any shape."""
        n, noise = self.counts.trained, self.problem.outputs * self.problem.noise**2
        kept = (n - self.counts.pool) * both + squares
        found: np.ndarray = self.counts.factor * n * (residuals + noise * both) / kept
        return found

    def rows_left_out(self, z: np.ndarray) -> Iterator[np.ndarray]:
        """G e_i/P at points (J,), e_i the error of row i, left out: (P, J) by output. Summed over rows their
        products estimate Q."""
        rows, h, count = leverage.pool(self.problem), self.missed(z).T, self.problem.rows
        centre = (count - self.counts.pool) / count - rows.constant
        kept = np.maximum(rows.gap - centre, 0.0)[:, None] + rows.squares @ h
        for along, off in zip(rows.aligned, rows.off, strict=True):
            yield (off[:, None] + along @ h) * (self.left(z) / count) / kept

    def edge(self) -> float:
        """The least z at which predictions are trusted, where df1/N is `FITTED`; 0 if it never is."""
        least = (1 - FITTED) * self.counts.pool
        if self.zeros >= least:
            return 0.0
        return _increasing(lambda z: float(self.left(np.array(z))), least, float(np.median(self.values)))

    def matched(self, ridge: float) -> float:
        """z where `ridge_at` is that ridge, which must not be below that of `edge`."""
        return _increasing(lambda z: float(self.ridge_at(np.array(z))), ridge, ridge)


def pool_of(problem: MeasuredSpectrum) -> Pool:
    """The measured rows of a problem that asks about new ones. Raises `InputError`."""
    if problem.sampling != "new-rows":
        raise InputError("sampling", problem.sampling, "new-rows on this route")
    rows, counts, values = problem.rows, counts_of(problem), decomposition(problem).eigenvalues
    along, beyond = spread_between_sets.targets_of(problem, noise=0.0)
    zeros = max(counts.pool - values.size, 0.0)
    return Pool(problem, counts, rows * values, zeros, along * rows**0.5, beyond * rows)


def ridge(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Ridge regression on n new rows at ridge + 1/time, times > 0, (T,).

    NaN, with the reason, at ridges that the pool cannot predict. Raises `InputError` if these are all.
    """
    pool, ridges = pool_of(problem), problem.ridge + 1 / times
    lost, why = _beyond(pool, ridges)
    z = np.array([pool.matched(each) for each in np.where(lost, ridges.max(), ridges)])
    answer = nan_where(lost, why, at_ridge(pool, z))
    for name in ("generalisation_error_stderr", "generalisation_error_scatter"):
        unknown = np.isnan(answer[name]) & ~lost
        reason = "extrapolation route: the rows are so few or so uneven that a variance is below 0"
        answer |= nan_where(unknown, reason, {name: answer[name]})
    return answer


def _beyond(pool: Pool, ridges: np.ndarray) -> tuple[np.ndarray, str]:
    """Of which ridges the pool does not tell, (T,), and why. Raises `InputError` where it tells of none."""
    edge = np.array(pool.edge())
    least = float(pool.ridge_at(edge))
    lost: np.ndarray = ridges < least
    if not lost.any():
        return lost, ""
    n, counts, top = pool.problem.n, pool.counts, float(ridges.max())
    digit = 10.0 ** (floor(log10(least)) - 3)
    why = (
        f"--ridge + 1/time at least {digit * ceil(least / digit):g}: below this value the "
        f"{pool.problem.rows} measured rows are fitted too closely for a prediction (df1/N > {FITTED:g})"
    )
    if not pool.zeros and counts.trained > counts.pool:
        reach = (counts.trained - counts.pool) / np.sum(1 / pool.values)
        why += f", and below {reach:.4g} no ridge on them is equivalent"
    if lost.all():
        most = counts.pool + (top - edge) * pool.left(edge) / edge + n - counts.trained
        raise InputError("n", n, f"at most {floor(most)} at ridge {top:g}, or {why}")
    return lost, f"extrapolation route: n = {n:g} needs {why}"


def at_ridge(pool: Pool, z: np.ndarray) -> Arrays:
    """Predictions of ridge regression at the pool's ridges z, (T,) each."""
    both, left, products = sums_at(pool, z)
    test, stderr = with_error(pool, both, left, products)
    blocks = np.array_split(z, -(-z.size // TOGETHER))
    alone = [sum(np.sum(each**2, axis=0) for each in pool.rows_left_out(some)) for some in blocks]
    return {
        "generalisation_error": test,
        "generalisation_error_stderr": stderr,
        "generalisation_error_leave_one_out": pool.test(both.value, left.value, np.concatenate(alone)),
        "generalisation_error_scatter": _scatter(pool, both, left, products),
    }


def sums_at(pool: Pool, z: np.ndarray) -> tuple[Mixed, Mixed, Mixed]:
    """M and G G', (T,), and Q, (T, c, c), as functions of two log z."""
    h = pool.missed(z)
    slope = h * (1 - h)
    weights = (h**2, h * slope, slope**2)
    counted = [each.sum(axis=-1) for each in weights]
    spread = [outer_sums(each, pool.targets) for each in weights]
    left = product_of(pool.left(z), slope.sum(axis=-1))
    return Mixed(*counted).plus(pool.zeros), left, Mixed(*spread).plus(pool.beyond)


def with_error(pool: Pool, both: Mixed, left: Mixed, products: Mixed) -> tuple[np.ndarray, np.ndarray]:
    """The test error and its standard error, (T,) each: that of the training error, in proportion."""
    trace = np.trace(products.value, axis1=-2, axis2=-1)
    test = pool.test(both.value, left.value, trace)
    silent = test - pool.test(both.value, left.value, 0.0 * trace)  # without noise that is added
    minima = (products.square_sum() * both.inverse()).scaled(2.0)
    training = _root(minima.value - 2 * minima.slope + minima.mixed, minima.value)
    return test, silent * training / np.where(trace > 0, trace, 1.0)


def _scatter(pool: Pool, both: Mixed, left: Mixed, products: Mixed) -> np.ndarray:
    """Standard deviation of the test error between data sets of n rows, (T,), with the pool's sums."""
    n, g = pool.counts.trained, np.sqrt(left.value)
    rate = g / both.value  # d log z/d log kappa
    df2 = (left * both.inverse()).scaled(-1.0).plus(pool.counts.pool).along(rate)
    noise = pool.problem.noise**2 * np.eye(pool.problem.outputs)
    shared = (products * both.inverse().over_outputs()).plus(noise).along(rate[:, None, None])
    unit = shared.unit()
    shared = shared.scaled(1 / unit)
    found = variance(n, n - pool.counts.pool + g, df2, shared)
    return pool.counts.factor * unit * _root(found, np.trace(shared.value, axis1=-2, axis2=-1) ** 2)


def _root(variance: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Standard deviations; NaN where an estimated variance is below 0 by more than rounding beside `size`."""
    found: np.ndarray = np.sqrt(np.where(variance < -SMALL * size, np.nan, np.maximum(variance, 0.0)))
    return found


def flow(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Gradient flow on n new rows at times s >= 0, (T,). Its standard error is not known.

    NaN, with the reason, at times that the pool cannot predict: where it cannot for the ridge 1/s. Raises
    `InputError` if these are all.
    """
    if problem.init:
        raise InputError("init", problem.init, "0 on this route")
    pool = pool_of(problem)
    some = np.flatnonzero(times > 0)
    lost = np.zeros(times.size, dtype=bool)
    lost[some], why = _beyond(pool, problem.ridge + 1 / times[some])
    start = np.trace(pool.targets.T @ pool.targets + pool.beyond)
    size = np.array(pool.counts.pool)  # M of a student that has learned nothing
    found = np.full((2, times.size), pool.test(size, size**2, start))
    v, weights = hyperbola()
    uncertain = np.zeros(times.size, dtype=bool)
    for place in np.flatnonzero(~lost & (times > 0)):
        z, certified = _followed(pool, problem.ridge + v / times[place], problem.ridge + 1 / times[place])
        found[:, place], uncertain[place] = _summed(pool, z, weights), not certified
    names = ("generalisation_error", "generalisation_error_leave_one_out")
    answer = nan_where(lost, why, dict(zip(names, found, strict=True)))
    answer = nan_where(uncertain, "extrapolation route: no certified root", answer)
    below = np.min(list(answer.values()), axis=0) < 0
    return nan_where(below, "extrapolation route: the estimated error is below 0", answer)


def hyperbola() -> tuple[np.ndarray, np.ndarray]:
    """Points v of the upper half of a curve through 1 that opens to the left, (J,), and their weights in the
    integral of e^v/v dv/(2 pi i)."""
    turned, size = 1j * STEP * (np.arange(NODES) + 0.5) - OPENING, 1 - np.sin(OPENING)
    v = (1 + np.sin(turned)) / size
    return v, STEP / (2 * np.pi) * np.exp(v) * np.cos(turned) / (size * v)


def _followed(pool: Pool, ridges: np.ndarray, crossing: float) -> tuple[np.ndarray, bool]:
    """The z that are matched by complex ridges along a curve that begins at a real one, (J,), and whether all
    are certified: solutions on the same side of the real axis."""
    more = pool.counts.trained - pool.counts.pool
    z, found = np.array(pool.matched(crossing), dtype=complex), np.empty_like(ridges)
    for place, ridge in enumerate(ridges):
        for _ in range(5):
            h = pool.missed(z)
            left, both = pool.zeros + h.sum(), pool.zeros + (h * h).sum()
            z = z - (z + more * z / left - ridge) / (1 + more * both / left**2)
        found[place] = z
    off = np.abs(pool.ridge_at(found) - ridges) <= CERTIFIED * np.maximum(np.abs(ridges), np.abs(found))
    return found, bool(np.all(off & (found.imag > 0)))


def _summed(pool: Pool, z: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Test errors by cross-validation and by leave-one-out, (2,), of points and weights (J,)."""
    h, left = pool.missed(z), pool.left(z)
    mates = whole(h[None])[0].T
    both, squares = pool.zeros + h @ mates, left[:, None] * whole(left[None])[0]
    power = np.sum(pool.targets**2, axis=1)
    gcv = (power * h) @ mates + np.trace(pool.beyond)
    alone = sum(each.T @ whole(each.T[None])[0].T for each in pool.rows_left_out(z))
    kernels = [pool.test(both, squares, each)[None] for each in (gcv, alone)]
    return np.array([twice(weights[None], each, weights[None])[0] for each in kernels])


def _increasing(function: Callable[[float], float], value: float, start: float) -> float:
    """Where an increasing function of positive numbers has that value."""
    low = high = start
    while function(low) > value:
        low /= 16
    while function(high) < value:
        high *= 16
    if low == high:
        return start
    found = scipy.optimize.brentq(
        lambda x: function(np.exp(x)) - value, np.log(low), np.log(high), xtol=1e-15, maxiter=500
    )
    return float(np.exp(found))
