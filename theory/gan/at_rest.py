"""Whether slowly moving points are at rest, from the change of their speeds with position."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SLOW = 1e-6
"""Speeds, in the same unit, from which on it is asked."""

FLAT = 1e-5
"""Rates, in units of the fastest, that differences of speeds do not tell from 0."""

STEP = 1e-6
"""Of the differences, in the same unit."""

LARGEST = 200
"""Coordinates up to which the matrix of rates is made."""


def rest(
    velocity: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    share: np.ndarray,
    free: np.ndarray,
    scale: float,
    still: float,
) -> float:
    """For how long places x, (N, d), stay where they are within `still` scales: 0 where that is not known.

    velocity: of all places. share, (N,): the flow is that of an energy whose slope at a place is -share x
    velocity, so rates are real. free, (N,): the others do not move. Where all rates are negative, what is
    left to go is the solution of a linear system. Along directions of rate 0, as a rotation of points round
    one target, the speed of now does not grow: places stay for as long as it takes to be noticed.
    """
    moving = np.where(free[:, None], velocity(x), 0.0)
    if not moving.any():
        return np.inf
    count = int(free.sum()) * x.shape[1]
    if abs(moving).max() > SLOW * scale or count > LARGEST:
        return 0.0
    rates, modes = np.linalg.eigh(_rates(velocity, x, share, free, STEP * scale))
    along = modes.T @ (np.sqrt(share[free])[:, None] * moving[free]).ravel()
    flat = abs(rates) <= FLAT * abs(rates).max()
    if (rates[~flat] > 0).any():
        return 0.0
    left = np.linalg.norm(along[~flat] / rates[~flat]) / np.sqrt(share[free].min())
    if left > still * scale:
        return 0.0
    creeping = np.linalg.norm(along[flat]) / np.sqrt(share[free].min())
    return float(still * scale / creeping) if creeping else np.inf


def _rates(
    velocity: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    share: np.ndarray,
    free: np.ndarray,
    step: float,
) -> np.ndarray:
    """d velocity/d x of the free places, (F d, F d), made symmetric by the roots of their shares."""
    columns = []
    for i in np.flatnonzero(free):
        for axis in range(x.shape[1]):
            up, down = x.copy(), x.copy()
            up[i, axis] += step
            down[i, axis] -= step
            columns.append(((velocity(up) - velocity(down))[free] / (2 * step)).ravel())
    root = np.repeat(np.sqrt(share[free]), x.shape[1])
    matrix = root[:, None] * np.array(columns).T / root
    return (matrix + matrix.T) / 2
