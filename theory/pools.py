r"""Edges of the spectrum of C = X^T X for rows drawn without replacement from a finite pool.

mu (K,) sums to 1 over the P rows, strengths v (K,) hold the pool's zero eigenvalues too, alpha = n/P. With
x = 1/q and r_k = 1/(x + v_k), the equation of `theory.resolvents` reads at z = -lambda

    lambda = (1 - alpha)/sum_k mu_k r_k - x,

and is stationary where (1 - alpha) sum_k mu_k r_k^2 = (sum_k mu_k r_k)^2: once on either side of the bulk.
A strength with more than P - n features keeps some of them in every draw: that atom is then the edge.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def upper_edge(mu: np.ndarray, v: np.ndarray, alpha: float) -> float:
    """Largest eigenvalue in the limit."""

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


def lower_edge(mu: np.ndarray, v: np.ndarray, alpha: float, beyond: float) -> float:
    """Smallest eigenvalue other than zero in the limit; 0 where n is the rank. beyond: (n - rank)/P."""
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
