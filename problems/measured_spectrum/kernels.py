"""Kernels of rows: Gaussian, the neural tangent kernel of a ReLU network, or a given one; then centred.

Axes: P rows, p columns. Matrices (P, P) are changed in place and temporary ones are made by blocks of rows,
so that little more than one is held.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np

BLOCK = 2**20
"""Numbers of a temporary matrix."""


def gaussian(x: np.ndarray, width: float | Literal["auto"]) -> tuple[np.ndarray, float]:
    """exp(-|x - x'|^2/(2 width^2)) of all rows x (P, p), (P, P), and the width.

    auto: the median distance of two rows.
    """
    import numpy as np

    x = x - x.mean(axis=0)  # distances keep their digits where all rows are far from the origin
    square = np.sum(x**2, axis=1)
    found = x @ x.T
    found *= -2
    found += square
    found += square[:, None]
    np.maximum(found, 0.0, out=found)
    np.fill_diagonal(found, 0.0)
    length = median_distance(found) if width == "auto" else float(width)
    found /= -2 * length**2
    return np.exp(found, out=found), length


def median_distance(squares: np.ndarray) -> float:
    """Of two rows, from squared distances of all, (P, P); where most are equal, of those that differ."""
    import numpy as np

    pairs = np.concatenate([row[i + 1 :] for i, row in enumerate(squares)])
    np.sqrt(pairs, out=pairs)
    return float(np.median(pairs) or np.median(pairs[pairs > 0]))


def tangent(x: np.ndarray, depth: int) -> np.ndarray:
    r"""Neural tangent kernel of rows x (P, p) for a fully connected ReLU network, infinitely wide, (P, P).

    `depth` hidden layers, no biases, weights N(0, 2/fan-in) in every layer, all layers trained
    (Jacot et al. 2018; the parametrisation of neural_tangents with W_std^2 = 2). With the arc-cosine
    functions (Cho and Saul 2009) of the angle a between two rows, kappa_0 = (pi - a)/pi and
    kappa_1 = (sin a + (pi - a) cos a)/pi, from Sigma = Theta = 2 x.x'/p each hidden layer makes
    Sigma -> |.||.'| kappa_1, where |.|^2 = 2 |x|^2/p stays, and Theta -> Theta kappa_0 + Sigma.
    So Theta(x, x) = (depth + 1) 2 |x|^2/p.
    """
    import numpy as np

    found = x @ x.T
    found *= 2 / x.shape[1]
    norms = np.sqrt(np.diagonal(found))
    for some in _blocks(len(found)):
        scale = np.outer(norms[some], norms)
        covariance, theta = found[some].copy(), found[some]  # the latter is written to
        for _ in range(depth):
            cosine = np.divide(covariance, scale, out=np.zeros_like(scale), where=scale > 0)
            cosine[np.arange(len(cosine)), np.arange(len(found))[some]] = 1.0
            angle = np.arccos(np.clip(cosine, -1, 1, out=cosine))
            covariance = scale * (np.sin(angle) + (np.pi - angle) * cosine) / np.pi
            theta *= (np.pi - angle) / np.pi
            theta += covariance
    return found


def centred(kernel: np.ndarray) -> np.ndarray:
    """The kernel of features minus their mean over all rows; in place, (P, P)."""
    rows = kernel.mean(axis=0)
    whole = rows.mean()
    kernel -= rows
    kernel -= rows[:, None]
    kernel += whole
    return kernel


def _blocks(rows: int) -> Iterator[slice]:
    step = max(1, BLOCK // rows)
    return (slice(first, first + step) for first in range(0, rows, step))
