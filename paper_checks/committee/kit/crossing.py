"""When units specialise: how much more each looks at its own unit of the teacher, and when it passes 1/2."""

from __future__ import annotations

import numpy as np

HALF = 0.5


def specialisation(R: np.ndarray) -> np.ndarray:
    """Mean of R_ii less mean of R_ij, i != j, from R (..., K, K)."""
    K = R.shape[-1]
    own = np.trace(R, axis1=-2, axis2=-1)
    return np.asarray(own / K - (R.sum(axis=(-2, -1)) - own) / (K * (K - 1)))


def crossings(times: np.ndarray, values: np.ndarray, level: float = HALF) -> np.ndarray:
    """First times at which values (..., T) pass the level, between times along a line; NaN where never."""
    above = values > level
    at = np.argmax(above, axis=-1)
    before = np.maximum(at - 1, 0)
    low, high = (np.take_along_axis(values, each[..., None], -1)[..., 0] for each in (before, at))
    share = (level - low) / np.where(high > low, high - low, 1.0)
    found = times[before] + share * (times[at] - times[before])
    return np.where(above.any(axis=-1), found, np.nan)
