r"""The one minimum of sum_k L(m_k) + |y|^2/2, m = X y + offset, by damped Newton, with a bound of its error.

L falls with slope -phi(m) and has curvature |phi'|, where |L'''| <= L'': the logistic loss, and e^-m. Then

    the Hessian H = 1 + X^T D X, D = |phi'|, changes at most by the factor e^(+-r) while margins move by r,

so that the fraction ln(1 + r)/r of a Newton step, r the largest change of a margin by all of it, always
lowers the sum, and converges quadratically near the end (Bach 2010, self-concordance). The same inequality
bounds how far the minimum is from where the iteration stopped.

H is never formed: with M = [D^1/2 X; 1] = Z R, H = R^T R. Columns, which may differ by many decades as
strengths do, are scaled to one length, and what is left is bounded by the condition of R.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import qr, solve_triangular

EPS = float(np.finfo(float).eps)

COLUMNS = 128
"""Columns of an inverse that are computed at a time: of a few thousand rows in less than half a second."""

MOST_STEPS = 500
"""Newton steps: strengths over 24 decades took less than 60."""

CLOSE = 1e-3
"""Change of margins below which a step squares it: one that does not shows rounding."""

MOST = 0.5
"""Decrement, times the largest leverage, up to which the bound holds: the minimum is near."""


class Falling(Protocol):
    """phi and -phi' at given margins."""

    def __call__(self, margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...


@dataclass(frozen=True)
class Root:
    """The minimum y, (r,), with margins, alpha = phi and D = |phi'| there, (n,), and 1/H, (r, r).

    rounding: that of 1/H (`inverse_curvature`). error: bound of |y - y*|, (r,). uncertain: bound of the
    margins' errors, (n,). These two are infinite where nothing is certified.
    """

    y: np.ndarray
    margins: np.ndarray
    alpha: np.ndarray
    slope: np.ndarray
    inverse: np.ndarray
    rounding: float
    error: np.ndarray
    uncertain: np.ndarray

    @property
    def converged(self) -> bool:
        """Whether the minimum is certified."""
        return bool(np.isfinite(self.error).all())


def inverse_curvature(X: np.ndarray, slope: np.ndarray) -> tuple[np.ndarray, float]:
    """1/H = 1/(1 + X^T diag(slope) X), (r, r), and a bound of its rounding.

    The bound is relative to the largest size that an entry can have, sqrt((1/H)_jj (1/H)_ii). Raises
    `ArithmeticError` where X or the slopes are not finite.
    """
    stacked = np.concatenate([np.sqrt(slope)[:, None] * X, np.eye(X.shape[1])])
    if not np.isfinite(stacked).all():
        raise ArithmeticError("a margin's matrix or its curvature is not finite")
    length = np.abs(stacked).max(axis=0)
    factor, pivots = qr(stacked / length, mode="r", pivoting=True)
    upper = factor[: len(pivots)]
    half = np.empty_like(upper)
    for first in range(0, len(pivots), COLUMNS):  # SciPy holds Python's lock during each
        some = slice(first, first + COLUMNS)
        half[pivots, some] = solve_triangular(upper, np.eye(len(pivots))[:, some])
    rounding = 8 * len(stacked) * EPS * np.linalg.norm(upper) * np.linalg.norm(half)
    half /= length[:, None]
    return np.asarray(half @ half.T), float(rounding)


def root(X: np.ndarray, offset: np.ndarray, falling: Falling) -> Root:
    """The minimum for X (n, r) and offset (n,), from y = 0."""
    y, before = np.zeros(X.shape[1]), np.inf
    for _ in range(MOST_STEPS):
        margins = X @ y + offset
        phi, slope = falling(margins)
        step = inverse_curvature(X, slope)[0] @ (X.T @ phi - y)
        longest = float(np.abs(X @ step).max(initial=0.0))
        if longest == 0 or (before < CLOSE and longest > before / 4):  # rounding is all that is left
            break
        before = longest
        fraction = np.log1p(longest) / longest
        while _fall(X, offset, falling, y + 2 * fraction * step) @ step > 0:  # convex: lower still
            fraction *= 2
        y = y + fraction * step
    return _certified(X, offset, falling, y)


def _fall(X: np.ndarray, offset: np.ndarray, falling: Falling, y: np.ndarray) -> np.ndarray:
    """Minus the gradient at y, (r,)."""
    return np.asarray(X.T @ falling(X @ y + offset)[0] - y)


def _certified(X: np.ndarray, offset: np.ndarray, falling: Falling, y: np.ndarray) -> Root:
    """What is known of the minimum from the gradient at y and from the rounding in it."""
    margins = X @ y + offset
    phi, slope = falling(margins)
    inverse, rounding = inverse_curvature(X, slope)
    fall = X.T @ phi - y
    rounded = EPS * (len(y) + 2) * (np.abs(X) @ np.abs(y) + np.abs(offset))  # of margins
    through = np.abs(inverse @ X.T)  # from phi to y
    of_phi = slope * rounded + 4 * EPS * phi
    of_sums = EPS * (len(phi) + 2) * (np.abs(X).T @ phi + np.abs(y))
    of_y = np.abs(inverse @ fall) + through @ of_phi + np.abs(inverse) @ of_sums
    decrement = np.sqrt(fall @ inverse @ fall) + np.sqrt(
        (np.abs(X).T @ of_phi + of_sums) @ np.abs(inverse) @ (np.abs(X).T @ of_phi + of_sums)
    )
    leverage = np.sqrt(np.max(np.sum((X @ inverse) * X, axis=1), initial=0.0))
    near = decrement * leverage
    if not (near < MOST and rounding < MOST):
        nothing = np.full_like(y, np.inf), np.full_like(phi, np.inf)
        return Root(y, margins, phi, slope, inverse, rounding, *nothing)
    change = near / (1 - near)  # of H, relatively, on the way to the minimum
    way = -np.log1p(-near) / leverage if leverage else decrement
    error = 2 * (of_y + np.sqrt(np.diag(inverse)) * change * way)
    uncertain = np.minimum(np.abs(X) @ error, 2 * leverage * way) + rounded
    direct = np.abs(fall) + of_sums + np.abs(X).T @ (of_phi + slope * np.expm1(uncertain))  # y* = X^T phi(m*)
    error = np.minimum(error, 2 * direct)
    return Root(y, margins, phi, slope, inverse, rounding, error, uncertain)
