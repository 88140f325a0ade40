"""Kernels of rows: Gaussian, the neural tangent kernel of a ReLU network, or a given one; centred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.house.tables import Table

if TYPE_CHECKING:
    import numpy as np


def matrix(
    features: Table | None, gram: Table | None, kernel: str, width: float | str | None, depth: int | None
) -> np.ndarray:
    """The kernel of all rows with all rows, (P, P), before centring."""
    import numpy as np

    if gram is not None:
        return gram.values.astype(float)
    x = features.values.astype(float)
    inner = x @ x.T
    if kernel == "ntk":
        return tangent(inner, depth)
    square = np.diagonal(inner)
    distances = np.maximum(square[:, None] + square - 2 * inner, 0.0)
    if width == "auto":
        width = float(np.sqrt(np.median(distances[np.triu_indices(len(x), 1)])))
    return np.exp(-distances / (2 * width**2))


def tangent(inner: np.ndarray, depth: int) -> np.ndarray:
    """Neural tangent kernel of a fully connected ReLU network without biases, weights of variance 2/fan-in.

    inner: x.x' of all rows. Arc-cosine recursion (Jacot et al. 2018; Cho and Saul 2009): with kappa_0 and
    kappa_1 of the cosine, Sigma -> |.||.'| kappa_1, Theta -> Theta kappa_0 + Sigma.
    """
    import numpy as np

    covariance = inner / 1.0
    norms = np.sqrt(np.diagonal(inner))
    scale = np.outer(norms, norms)
    found = covariance
    for _ in range(depth):
        cosine = np.clip(np.divide(covariance, scale, out=np.ones_like(scale), where=scale > 0), -1, 1)
        angle = np.arccos(cosine)
        derivative = (np.pi - angle) / np.pi
        covariance = scale * (np.sin(angle) + (np.pi - angle) * cosine) / np.pi
        found = found * derivative + covariance
    return found


def centred(kernel: np.ndarray) -> np.ndarray:
    """That of features minus their mean over all rows."""
    rows = kernel.mean(axis=0)
    return kernel - rows - rows[:, None] + rows.mean()
