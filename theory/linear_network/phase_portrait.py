"""The plane of one mode's amplitudes (a, b): pezeshki2022 Fig. 3 right."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def velocity(a: ArrayLike, b: ArrayLike, s: float) -> tuple[np.ndarray, np.ndarray]:
    """tau (a', b') at each point: Eqs. 2.2.15-2.2.16."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return b * (s - a * b), a * (s - a * b)


def hyperbola(c: float, along: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Points (a, b) of one branch of a^2 - b^2 = c: the right one for c > 0, else the upper one.

    `along` is the coordinate in which the branch is a graph: b for c > 0, else a.
    """
    along = np.asarray(along, dtype=float)
    other = np.sqrt(along**2 + abs(c))
    return (other, along) if c > 0 else (along, other)


def solutions(s: float, a: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Points (a, b) with ab = s, a nonzero: where learning ends."""
    a = np.asarray(a, dtype=float)
    return a, s / a
