"""The loss at late times, and how long the largest steps oscillate.

Late, w = u ln(t) + v, where u is the weight of least norm with all margins at least 1, a sum of rows a_i z_i
with a_i > 0 (Soudry et al. 2018). A step changes w by eta mean_i exp(-z_i . w) z_i, and by u/t: so each such
row has exp(-z_i . w) = n a_i/(eta t). As sum a_i = |u|^2 = 1/margin^2, the loss is 1/(margin^2 eta t).

As eta -> infinity, w/eta moves as in the batch perceptron, from half of the mean row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from teacherstudent.house.certainty import nan_where

from .problem import Separable


def margin(z: np.ndarray) -> float:
    """The largest margin of rows z (n, d) by a unit weight: how far their convex hull is from 0."""
    weights, _ = nnls(np.vstack([z.T, np.ones(len(z))]), np.append(np.zeros(z.shape[1]), 1.0))
    return float(np.linalg.norm(weights @ z) / weights.sum())


def late(
    problem: Separable, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """The loss, (S, T)."""
    margins = np.array([margin(problem.rows(seed)) for seed in seeds])[:, None]
    loss = 1 / (margins**2 * learning_rate * np.maximum(times, 1))
    return nan_where(np.broadcast_to(times < 1, loss.shape), "late begins after a step", {"loss": loss})


def oscillation(z: np.ndarray) -> int:
    """The steps of the batch perceptron until no row is wrong."""
    w, k = z.mean(axis=0) / 2, 1
    while (z @ w < 0).any():
        w, k = w + ((z @ w < 0) @ z) / len(z), k + 1
    return k
