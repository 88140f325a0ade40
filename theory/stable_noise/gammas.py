"""Ratios of gamma functions whose arguments may be large and near each other.

Differences of ln Gamma would lose digits there. They are integrals of its slopes psi and psi', of which
nothing cancels; below `LARGE` the recursion Gamma(z + 1) = z Gamma(z) leads up to where slopes are smooth.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, polygamma

LARGE = 16
"""Argument from which `NODES` nodes integrate slopes over an interval of length 1 to all their digits."""

NODES = 16

_NODE, _WEIGHT = (each / 2 for each in np.polynomial.legendre.leggauss(NODES))
_PLACE = _NODE + 0.5


def log_ratio(z: np.ndarray, lower: float, unit: np.ndarray) -> np.ndarray:
    """ln[Gamma(z - lower) unit^lower/Gamma(z)], (T,): near 0 where `unit`, (T,), is near a large z.

    z > lower, 0 <= lower <= 1.
    """
    up, shift = _up(z)
    slope = digamma(up[:, None] - lower * _PLACE) - np.log(unit)[:, None]
    below = np.log1p(lower / (z[:, None] - lower + shift))
    return -lower * (slope @ _WEIGHT) + np.sum(np.where(up[:, None] > z[:, None], below, 0.0), axis=1)


def log_double_ratio(z: np.ndarray, upper: float, lower: float) -> np.ndarray:
    """ln[Gamma(z + upper - lower) Gamma(z)/(Gamma(z + upper) Gamma(z - lower))], (T,): never above 0.

    z > lower, 0 <= lower <= 1, 0 <= upper <= 1.
    """
    up, shift = _up(z)
    across = upper * _PLACE[:, None] - lower * _PLACE
    slopes = polygamma(1, up[:, None, None] + across)
    low = z[:, None] + shift
    below = np.log1p(-upper * lower / (low * (low + upper - lower)))
    summed = np.sum(np.where(up[:, None] > z[:, None], below, 0.0), axis=1)
    return summed - upper * lower * np.einsum("tij,i,j->t", slopes, _WEIGHT, _WEIGHT)


def _up(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Arguments from `LARGE` on, (T,), and the steps that lead there, (LARGE,)."""
    return np.where(z < LARGE, z + LARGE, z), np.arange(LARGE, dtype=float)
