"""The loss at late times, and the number of oscillating steps for large eta.

At late times w = u ln(t) + v. Here u is the weight of smallest norm with all margins at least 1; it is a sum
of rows a_i z_i with a_i > 0 (Soudry et al. 2018). A step changes w by eta mean_i exp(-z_i . w) z_i, which
must equal u/t. So each of these rows has exp(-z_i . w) = n a_i/(eta t). As sum a_i = |u|^2 = 1/margin^2, the
loss is 1/(margin^2 eta t).

As eta -> infinity, w/eta moves like the weights of the batch perceptron, and starts at half of the mean row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from teacherstudent.house.certainty import nan_where

from .problem import Separable


def margin(z: np.ndarray) -> float:
    """The largest margin of rows z (n, d) for a unit weight: the distance of their convex hull from 0."""
    weights, _ = nnls(np.vstack([z.T, np.ones(len(z))]), np.append(np.zeros(z.shape[1]), 1.0))
    return float(np.linalg.norm(weights @ z) / weights.sum())


def late(
    problem: Separable, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """The loss of each seed at the recorded times, (S, T); NaN before the first step."""
    margins = np.array([margin(problem.rows(seed)) for seed in seeds])[:, None]
    loss = 1 / (margins**2 * learning_rate * np.maximum(times, 1))
    return nan_where(np.broadcast_to(times < 1, loss.shape), "the late route begins at t = 1", {"loss": loss})


def oscillation(z: np.ndarray) -> int:
    """The number of steps of the batch perceptron until every row is classified correctly."""
    w, k = z.mean(axis=0) / 2, 1
    while (z @ w < 0).any():
        w, k = w + ((z @ w < 0) @ z) / len(z), k + 1
    return k
