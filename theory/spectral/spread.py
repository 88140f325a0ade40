r"""How much the test error of ridge regression differs between data sets of n rows.

Add h times the test error to the loss: the least of |y - X w|^2 + ridge |w|^2 + h test(w) has the slope test
in h, so that the covariance of two such minima gives the variance of the test error:

    Cov(h1, h2) = 2 (m1 m2/n) |S_12|^2/(1 - m1 m2 df2_12/(n N1 N2)),   Var test = d^2 Cov/dh1 dh2 at h = 0,

with N = ridge/kappa = n - df1, m = N - h, and kappa(h) from (N - h)(1 + df1/N) = n. For a_k =
lambda_k/(lambda_k + kappa): df1 = sum m_k a_k, df2_12 = sum m_k a_k a'_k, and S_12, a matrix of outputs, is
sum_k theta_k theta_k^T lambda_k (1 - a_k)(1 - a'_k) plus the covariance of what no feature expresses and of
the label noise. At h = 0 the slope of N is n/(n - df2), that of log kappa -n/(N (n - df2)).

The rows and what they do not express are taken to be Gaussian; other kurtosis adds what is not known here.
It is the leading order: the standard deviation falls like 1/sqrt(d), what is left out like 1/d. Without ridge
the standard deviation of noise that is fitted is that of 1/chi^2 with |n - d| + 1 degrees: a share of about
2.5/|n - d| is left out, and at |n - d| <= 3 it is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.theory.resolvents import Spectrum

NEAR, NEAREST = 12, 4
"""|n - d| below which the leading order is too far off without ridge: with label noise, and without."""


@dataclass(frozen=True)
class Mixed:
    """A symmetric function f(x1, x2) where x1 = x2, for products and quotients: its value, its derivative in
    one variable, and its mixed derivative in both, arrays of one shape."""

    value: np.ndarray
    slope: np.ndarray
    mixed: np.ndarray

    def __mul__(self, other: Mixed) -> Mixed:
        crossed = self.mixed * other.value + 2 * self.slope * other.slope + self.value * other.mixed
        return Mixed(self.value * other.value, self.slope * other.value + self.value * other.slope, crossed)

    def plus(self, constant: np.ndarray | float) -> Mixed:
        """The function and a constant."""
        return Mixed(self.value + constant, self.slope, self.mixed)

    def scaled(self, factor: np.ndarray | float) -> Mixed:
        """`factor` times the function."""
        return Mixed(factor * self.value, factor * self.slope, factor * self.mixed)

    def unit(self) -> float:
        """A power of 2 near the largest value: of tiny or huge values float64 does not hold the squares."""
        return float(2.0 ** np.frexp(np.abs(self.value).max())[1])

    def along(self, rate: np.ndarray) -> Mixed:
        """The same function of t1 and t2, where both variables change by `rate` as t does."""
        return Mixed(self.value, rate * self.slope, rate**2 * self.mixed)

    def inverse(self) -> Mixed:
        """1/f."""
        one = 1 / self.value
        return Mixed(one, -self.slope * one**2, (2 * self.slope**2 * one - self.mixed) * one**2)

    def over_outputs(self) -> Mixed:
        """The same with two axes more, for a matrix of outputs."""
        return Mixed(*(each[..., None, None] for each in vars(self).values()))

    def square_sum(self) -> Mixed:
        """Sum of squares over the last two axes."""
        squares = self * self
        return Mixed(*(each.sum(axis=(-2, -1)) for each in vars(squares).values()))


def product_of(factor: np.ndarray, slope: np.ndarray) -> Mixed:
    """f(x1) f(x2), from f and its derivative."""
    return Mixed(factor**2, factor * slope, slope**2)


def outer_sums(weights: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """sum_k weight_k vector_k vector_k^T for weights (T, K) and vectors (K, c): (T, c, c)."""
    return np.stack([vectors.T @ (each[:, None] * vectors) for each in weights])


def variance(n: float, kept: np.ndarray, df2: Mixed, shared: Mixed) -> np.ndarray:
    """Variance of the test error between data sets of n rows, (T,).

    kept: N = n - df1, (T,). df2: sum m a a', (T,), and shared: S, (T, c, c), as functions of two log kappa.
    """
    left = n - df2.value
    moved = -n / (kept * left)  # d log kappa/dh
    overlap = (product_of(np.ones_like(kept), -1 / kept) * df2.along(moved)).scaled(-1 / n)
    amplified = overlap.plus(1.0).inverse()
    scale = product_of(kept, df2.value / left).scaled(2 / n)  # m, and dm/dh = dN/dh - 1
    squares = shared.along(moved[:, None, None]).square_sum()
    least = squares.slope**2 / squares.value  # by Cauchy and Schwarz, which an estimate may break
    squares = Mixed(squares.value, squares.slope, np.maximum(squares.mixed, least))
    found: np.ndarray = (scale * squares * amplified).mixed
    return found


def without_heavy_tails(
    values: np.ndarray, spectrum: Spectrum, ridge: np.ndarray, noise: float
) -> np.ndarray:
    """The values, (T,), with NaN where few rows more or less than features, and a ridge below the smallest
    eigenvalue, leave the spread to the tail of the draws."""
    known = spectrum.strengths > 0
    n, rank = spectrum.samples, float(spectrum.features[known].sum())
    smallest = spectrum.strengths[known].min(initial=np.inf) / spectrum.features.sum()
    least = smallest * ((np.sqrt(n) - np.sqrt(rank)) ** 2 + 1 / max(n, rank))
    lost = (abs(n - rank) < (NEAR if noise else NEAREST)) & (ridge < least)
    reason = (
        f"asymptotic route: with {n:g} rows for {rank:g} features and such a small ridge, a few draws "
        "dominate the standard deviation, so its leading order is inaccurate"
    )
    return nan_where(lost, reason, values)
