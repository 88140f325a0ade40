"""Integrals in panels: Gauss-Legendre rules between edges, many rows at once."""

from __future__ import annotations

import numpy as np

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def panels(edges: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights, (T, N), from low to high, (T, 1) each, between edges (T, B) in any order.

    What lies outside is left out; where high is below low the weights are 0.
    """
    edges = np.sort(np.clip(edges, low, np.maximum(low, high)), axis=1)
    half, middle = np.diff(edges) / 2, (edges[:, 1:] + edges[:, :-1]) / 2
    nodes = middle[..., None] + half[..., None] * _NODES
    weights = half[..., None] * _WEIGHTS
    count = half.shape[1] * _NODES.size
    return nodes.reshape(len(edges), count), weights.reshape(len(edges), count)
