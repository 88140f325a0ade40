"""Estimators of a tail index from sizes, given by their logarithms, each with its standard error.

All take independent sizes. Where a law only approaches a power of its size, those of hill and rank have a
bias that grows with `top`/number: choose `top` small where alpha is above 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BLOCK = 10
"""Vectors of a sum, in the estimator for stable laws: as published."""


class Estimate(NamedTuple):
    """A tail index and its standard error. Infinite where all sizes are equal: no tail is seen."""

    tail_index: float
    error: float


def hill(log_sizes: np.ndarray, top: int) -> Estimate:
    """(k - 1)/sum ln(X_i/X_{k+1}) over the k = `top` largest sizes; k at least 3.

    Without bias where these follow a power law exactly, with standard error alpha/sqrt(k - 2). Source: Hill
    1975, times (k - 1)/k.
    """
    tail = _largest(log_sizes, top + 1)
    over = float(np.sum(tail[:-1] - tail[-1]))
    index = (top - 1) / over if over > 0 else np.inf
    return Estimate(index, index / np.sqrt(top - 2))


def rank(log_sizes: np.ndarray, top: int) -> Estimate:
    """Minus the slope of ln(rank - 1/2) over ln size, by least squares on the `top` largest sizes.

    Standard error alpha sqrt(2/k); a bias of order (ln k/k)^2 is left of a power law. Source: Gabaix and
    Ibragimov 2011.
    """
    tail = _largest(log_sizes, top)
    sizes = tail - tail.mean()
    ranks = np.log(np.arange(1, top + 1) - 0.5)
    spread = float(sizes @ sizes)
    index = -float(sizes @ ranks) / spread if spread > 0 else np.inf
    return Estimate(index, index * np.sqrt(2 / top))


def stable(vectors: np.ndarray, scales: np.ndarray) -> Estimate:
    """ln m over what the mean ln |sum of m = 10 vectors| exceeds the mean ln |vector| by.

    vectors: (N, d), each to be multiplied by exp of its scale, (N,). Right where vectors are stable; else
    wrong on purpose, because this is the published estimator: sums of so few are not stable yet, and for
    nearly normal vectors it gives about 2, for any tails. NaN where sums are no larger than parts. Those
    beyond the last whole block are left out. Source: Mohammadi et al. 2015, Corollary 2.4.
    """
    blocks = len(vectors) // BLOCK
    parts = vectors[: blocks * BLOCK].reshape(blocks, BLOCK, -1)
    logs = scales[: blocks * BLOCK].reshape(blocks, BLOCK)
    highest = logs.max(axis=1)
    sums = np.sum(parts * np.exp(logs - highest[:, None])[..., None], axis=1)
    of_sums = highest + np.log(np.linalg.norm(sums, axis=-1))
    of_parts = np.mean(logs + np.log(np.linalg.norm(parts, axis=-1)), axis=1)
    inverse = (of_sums - of_parts) / np.log(BLOCK)
    mean = float(np.mean(inverse))
    index = 1 / mean if mean > 0 else np.nan
    return Estimate(index, index**2 * float(np.std(inverse, ddof=1)) / np.sqrt(blocks))


def _largest(log_sizes: np.ndarray, count: int) -> np.ndarray:
    """The largest, in decreasing order."""
    return np.sort(np.partition(log_sizes, -count)[-count:])[::-1]
