"""Where a decision surface changes sign, and what that says of its margin and its shape."""

from __future__ import annotations

import numpy as np

STRIP = 1.0
"""Half-width of the strip |x1| <= STRIP in which a boundary's shape is measured: where the data are."""


def crossings(surface: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Points (B, 2) at which rows of the surface change sign, by linear interpolation.

    `surface` (G, G) holds logits over x1 (rows) and x0 (columns), both on the increasing `grid`.
    """
    left, right = surface[:, :-1], surface[:, 1:]
    row, column = np.nonzero((left < 0) != (right < 0))
    before, after = left[row, column], right[row, column]
    x0 = grid[column] + np.diff(grid)[column] * before / (before - after)
    return np.column_stack([x0, grid[row]])


def smallest_margin(
    surface: np.ndarray, grid: np.ndarray, inputs: np.ndarray, logit_margins: np.ndarray
) -> float:
    """Smallest distance of an example to the boundary, negative for examples on the wrong side.

    `inputs` (n, 2), `logit_margins` y*yhat (n,). Infinite where the surface never changes sign.
    The boundary is sampled once a grid line in both directions: at spacing h a distance r is
    too long by at most h^2/(8 r).
    """
    points = np.concatenate([crossings(surface, grid), crossings(surface.T, grid)[:, ::-1]])
    offsets = inputs[:, None, :] - points
    distances = np.min(np.linalg.norm(offsets, axis=-1), axis=1, initial=np.inf)
    return float(np.min(np.where(logit_margins > 0, distances, -distances)))


def bend(surface: np.ndarray, grid: np.ndarray) -> float:
    """Standard deviation of the boundary's x0 over |x1| <= `STRIP`: 0 for a straight line along x1.

    NaN where no boundary crosses the strip.
    """
    points = crossings(surface, grid)
    inside = points[np.abs(points[:, 1]) <= STRIP, 0]
    return float(np.std(inside)) if inside.size else float("nan")
