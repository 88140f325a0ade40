"""Means over chi variables: nodes in r = sqrt(X), X ~ chi2_nu, where every density has a width near 1/sqrt 2.

In r the density r^(nu-1) e^(-r^2/2) is smooth at 0 for every whole nu, and no nu makes it narrow. Nodes are
those of Gauss and Legendre on panels; next to a point where the function is singular those of the tanh-sinh
rule, which crowd there.
"""

from __future__ import annotations

from functools import cache

import numpy as np

MARGIN = 6.5
"""How far beyond a peak nodes go: e^(-MARGIN^2) is 5e-19."""

PANEL, ORDER = 2.0, 18
"""Length of a panel and nodes on it."""

STEP, REACH = 0.0625, 3.25
"""Step and half range of the tanh-sinh rule: its nodes come to 1e-17 of the length from the ends."""

SERIES = 0.2
"""Up to here ln(1+z) - z is told by its series."""


@cache
def _legendre() -> tuple[np.ndarray, np.ndarray]:
    """Nodes on (0, 1) and weights."""
    x, w = np.polynomial.legendre.leggauss(ORDER)
    return (1 + x) / 2, w / 2


@cache
def _double_exponential() -> tuple[np.ndarray, np.ndarray]:
    """Distances in (0, 1) from an end at which a function may be singular, exact close to it, and weights."""
    t = STEP * np.arange(-round(REACH / STEP), round(REACH / STEP) + 1)
    lift = np.pi * np.sinh(t)
    near = 1 / (1 + np.exp(-lift))
    return near, STEP * np.pi * np.cosh(t) * near / (1 + np.exp(lift))


def nodes(low: float, high: float, singular: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Distances from `singular` (from 0 where that is None) of nodes on (low, high), and weights, (N,) each.

    A singular point outside of the interval is left out.
    """
    start = 0.0 if singular is None else singular
    low, high = low - start, high - start
    if singular is None or not low <= 0 <= high:
        return _panels(low, high)
    parts = []
    for side, length in ((-1.0, -low), (1.0, high)):
        if length > 0:
            close = min(PANEL, length)
            distances, weights = _double_exponential()
            parts.append((side * close * distances, close * weights))
            if length > close:
                distances, weights = _panels(close, length)
                parts.append((side * distances, weights))
    found, masses = zip(*parts, strict=True)
    return np.concatenate(found), np.concatenate(masses)


def _panels(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    edges = np.linspace(low, high, 1 + int(np.ceil((high - low) / PANEL)))
    x, w = _legendre()
    lengths = np.diff(edges)[:, None]
    return (edges[:-1, None] + lengths * x).ravel(), (lengths * w).ravel()


def log_density(nu: float, r: np.ndarray) -> np.ndarray:
    """Of r = sqrt(X), X ~ chi2_nu, up to a number that does not depend on r > 0.

    About sqrt(nu), relative to it, so that nothing cancels where nu is large.
    """
    mean = np.sqrt(nu)
    z = (r - mean) / mean
    y = z / (2 + z)
    terms = np.polynomial.polynomial.polyval(y**2, 1 / np.arange(3, 19, 2))
    short = np.abs(z) < SERIES
    beyond = np.where(short, -z * y + 2 * y**3 * terms, np.log(np.where(short, mean, r) / mean) - z)
    found: np.ndarray = nu * (beyond - z**2 / 2) - (beyond + z)
    return found
