"""Fixed points of maps of many numbers, real or complex: Anderson's acceleration of plain iteration.

Where iteration x -> f(x) approaches slowly, the last few steps show for which combination of the points the
step would vanish if f were linear (Anderson 1965). For linear f these are generalised minimal residuals.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

REMEMBERED = 6
"""Points that are combined: more hardly help, and become dependent."""

MOST = 400
"""Steps after which there is no hope."""

SMALL = 1e-3
"""Numbers smaller than this, beside the largest, count as so large: they may pass through zero."""


def fixed_point(
    step: Callable[[np.ndarray], np.ndarray], start: np.ndarray, close: float
) -> np.ndarray | None:
    """x with f(x) = x, (N,), or None where it is not found.

    close: the change of a number in a step, relative to its own size, that counts as none.
    """
    points: list[np.ndarray] = []
    changes: list[np.ndarray] = []
    x = start
    for _ in range(MOST):
        found = step(x)
        change = found - x
        if not np.all(np.isfinite(found)):
            return None
        size = np.abs(found)
        size = np.maximum(size, SMALL * size.max())
        if np.all(np.abs(change) <= close * size):
            return found
        points, changes = [*points, found][-REMEMBERED:], [*changes, change][-REMEMBERED:]
        x = found
        if len(points) > 1:
            turns = np.stack([change - each for each in changes[:-1]], axis=1) / size[:, None]
            weights, *_ = np.linalg.lstsq(turns, change / size, rcond=None)
            x = found - np.stack([found - each for each in points[:-1]], axis=1) @ weights
    return None
