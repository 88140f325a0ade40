r"""Edges of the spectrum of C = X^T X in the limit, for samples of a population and of a finite pool.

mu (K,) sums to 1, strengths v (K,), alpha = n/d, as in `theory.resolvents`. With x = 1/q its equation gives
lambda = -z as a function of real x, and the edges are where that is stationary on either side of the bulk.

For rows drawn without replacement from a pool of P = d, whose zero eigenvalues are among the strengths, and
with r_k = 1/(x + v_k), that function is

    lambda = (1 - alpha)/sum_k mu_k r_k - x,

stationary where (1 - alpha) sum_k mu_k r_k^2 = (sum_k mu_k r_k)^2. A strength with more than P - n features
keeps some of them in every draw: that atom is then the edge.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

NEWTON_STEPS = 200

TINIEST = 1e-140
"""A spectrum that comes closer to zero than this counts as reaching it: squares stay above all underflow."""


def upper(mu: np.ndarray, v: np.ndarray, alpha: np.ndarray | float) -> np.ndarray:
    """Largest eigenvalue of samples of a population, (...), of mu and v, (..., K), and alpha, (...).

    lambda = max(v) (1 + x) (alpha + sum mu s/(x + 1 - s)), s = v/max(v), at the x > 0 with
    sum mu (s/(x + 1 - s))^2 = alpha. The sum's power -1/2 is concave in x and rises: Newton's method cannot
    overshoot.
    """
    most = v.max(axis=-1, keepdims=True)
    s, alpha = v / most, np.asarray(alpha)[..., None]

    def summed(each: np.ndarray) -> np.ndarray:
        return np.asarray((mu * each).sum(axis=-1, keepdims=True))

    x = np.sqrt(summed(v == most) / alpha)  # where these terms alone are alpha
    for _ in range(NEWTON_STEPS):
        apart = x + (1 - s)
        each = (s / apart) ** 2
        total = summed(each)
        excess = total / alpha - 1
        step = total / summed(each / apart) * excess / (1 + np.sqrt(1 + excess))
        x = x + step
        if np.all(np.abs(step) <= 1e-14 * x):
            break
    return np.asarray((most * (1 + x) * (alpha + summed(s / (x + (1 - s)))))[..., 0])


def lower(mu: np.ndarray, v: np.ndarray, alpha: np.ndarray | float, beyond: np.ndarray | float) -> np.ndarray:
    """Smallest eigenvalue other than zero of samples of a population, (...), of mu and v > 0, (..., K), and
    of alpha and beyond = (n - rank)/d, (...).

    lambda = sum mu v (x/(x + v))^2 at the largest x with sum mu (v/(x + v))^2 = alpha. The sum's
    power -1/2 is concave in x and rises: Newton's method cannot overshoot.
    """
    alpha, beyond = np.asarray(alpha)[..., None], np.asarray(beyond)[..., None]
    least = v.min(axis=-1, keepdims=True)
    seen = least >= TINIEST
    v, least = np.where(seen, v, 1.0), np.where(seen, least, 1.0)

    def summed(each: np.ndarray) -> np.ndarray:
        return np.asarray((mu * each).sum(axis=-1, keepdims=True))

    x = least * (np.sqrt(summed(v == least) / alpha) - 1)  # where these terms alone are alpha
    for _ in range(NEWTON_STEPS):
        share = v / (x + v)
        total = summed(share**2)
        left = -beyond - x * summed((x + 2 * v) / (x + v) ** 2)  # the same, by what is left of n - d
        excess = np.where(alpha < 0.5, total - alpha, left) / alpha
        step = total / summed(share**2 / (x + v)) * excess / (1 + np.sqrt(1 + excess))
        x = x + step
        if np.all(np.abs(step) <= 1e-14 * np.abs(x)):
            break
    return np.asarray(np.where(seen, summed(v * (x / (x + v)) ** 2), 0.0)[..., 0])


def pool_upper(mu: np.ndarray, v: np.ndarray, alpha: float) -> float:
    """Largest eigenvalue of rows of a pool."""

    def tilt(y: float) -> float:
        """Variance of a = v/(X - v) over the pool, less what it is at the edge; x = -X = -max(v)/y."""
        a = _learned(v, y)
        mean = mu @ a
        return float(mu @ (a - mean) ** 2 - alpha / (1 - alpha) * (1 + mean) ** 2)

    top = np.nextafter(1.0, 0.0)
    y = _root(tilt, 0.0, top) if tilt(top) > 0 else top
    mean = mu @ _learned(v, y)
    return float(v.max() / y * (alpha + mean) / (1 + mean))


def _learned(v: np.ndarray, y: float) -> np.ndarray:
    share = y * v / v.max()
    return share / (1 - share)


def pool_lower(mu: np.ndarray, v: np.ndarray, alpha: float, beyond: float) -> float:
    """Smallest eigenvalue other than zero of rows of a pool, 0 where n is the rank; beyond: (n - rank)/P."""
    null, some = float(mu[v == 0].sum()), v > 0
    mu, v = mu[some], v[some]
    if not null:
        return _lowest_of_full_rank(mu, v, alpha)
    if not beyond:
        return 0.0

    def tilt(x: float) -> float:
        """(1 - alpha) sum mu r^2 - (sum mu r)^2 by x^2, in which the zeros' own terms are whole numbers."""
        h = x / (x + v)
        once = mu @ h
        return float((1 - alpha) * (mu @ h**2) - once * (once + 2 * null) - null * beyond)

    if beyond > 0:  # from where sum mu r = 0: further left the equation has another meaning
        turn = _root(lambda x: null + float(mu @ (x / (x + v))), -np.nextafter(1.0, 0.0) * v.min(), 0.0)
        x = _root(tilt, turn, 0.0)
    else:
        x = _root(tilt, 0.0, _beyond(tilt, v.max()))
    once = mu @ (x / (x + v))
    return float(x * (-beyond - once) / (null + once))


def _lowest_of_full_rank(mu: np.ndarray, v: np.ndarray, alpha: float) -> float:
    """The lower edge where the pool has no zeros: beside its weakest strength, in distances y from that."""
    weakest = v.min()

    def tilt(y: float) -> float:
        near = y / (y + (v - weakest)) if y else (v == weakest) * 1.0
        return float((1 - alpha) * (mu @ near**2) - (mu @ near) ** 2)

    if tilt(0.0) <= 0:
        return float(weakest)
    y = _root(tilt, 0.0, _beyond(tilt, v.max()))
    return float((1 - alpha) / (mu @ (1 / (y + (v - weakest)))) + weakest - y)


def _beyond(tilt: Callable[[float], float], x: float) -> float:
    """A place at or above x where the tilt is no longer positive."""
    while tilt(x) > 0:
        x *= 2
    return x


def _root(of: Callable[[float], float], low: float, high: float) -> float:
    from scipy import optimize  # slow to import

    return float(optimize.brentq(of, low, high, xtol=1e-300, rtol=1e-15, maxiter=500))
