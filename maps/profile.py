"""Where a smooth curve over log time rises and falls, and how close it is to doing so otherwise.

All times are asked for at once: a hundred of them cost as much as two or three one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

PER_DECADE = 8
"""Points: as many as theory itself looks at first."""

SECANTS = 2
"""Steps towards the slope's own extrema: the first misses by the square of the points' distance."""


@dataclass(frozen=True)
class Profile:
    """Signs of a curve's slope and the summits at which they may change.

    rising: of each run of equal sign, in order. minima: brackets in log time of the curve's minima, (M, 2).
    summits: log times of the slope's own extrema, (J,). tilts: there, the slope as a share of its parts, (J,).
    nearness: the least of the tilts' magnitudes and of those at the ends of what is certain.
    """

    rising: tuple[bool, ...]
    minima: np.ndarray
    summits: np.ndarray
    tilts: np.ndarray
    nearness: float


def profile(curve: Any) -> Profile:
    """The profile of a `SmoothCurve`. Raises `ArithmeticError` where the slope is not finite."""
    count = int((curve.high - curve.low) / np.log(10) * PER_DECADE) + 2
    points = np.linspace(curve.low, curve.high, count)
    motion = _finite(curve, points)
    summits = _summits(curve, points, motion)
    inner = _finite(curve, summits) if summits.size else None
    points = np.concatenate([points, summits])
    slopes = np.concatenate([motion.slope, inner.slope]) if inner else motion.slope
    clear = np.concatenate([motion.clear, inner.clear]) if inner else motion.clear
    sizes = np.concatenate([motion.size, inner.size]) if inner else motion.size
    order = np.argsort(points)
    order = order[clear[order]]
    points, rises, tilts = points[order], slopes[order] > 0, slopes[order] / sizes[order]
    changes = np.flatnonzero(rises[1:] != rises[:-1])
    runs = tuple(bool(each) for each in rises[np.append(changes, -1)]) if rises.size else ()
    minima = changes[rises[changes + 1]] if changes.size else changes
    critical = tilts[order >= count]
    ends = tilts[[0, -1]] if tilts.size else tilts
    return Profile(
        runs,
        np.stack([points[minima], points[minima + 1]], axis=1),
        points[order >= count],
        critical,
        float(np.min(np.abs(np.append(critical, ends)), initial=np.inf)),
    )


def _finite(curve: Any, points: np.ndarray) -> Any:
    motion = curve.at(points)
    if not np.all(np.isfinite(motion.slope) & np.isfinite(motion.bend)):
        raise ArithmeticError("the slope is not finite everywhere")
    return motion


def _summits(curve: Any, points: np.ndarray, motion: Any) -> np.ndarray:
    """Log times of the slope's extrema beside slopes that are certain: where the bend changes its sign."""
    up = motion.bend > 0
    where = np.flatnonzero((up[1:] != up[:-1]) & (motion.clear[1:] | motion.clear[:-1]))
    low, high = points[where], points[where + 1]
    before, after = motion.bend[where], motion.bend[where + 1]
    for _ in range(SECANTS if where.size else 0):
        at = low + (high - low) * before / (before - after)
        here = _finite(curve, at).bend
        same = (here > 0) == (before > 0)
        low, before = np.where(same, at, low), np.where(same, here, before)
        high, after = np.where(same, high, at), np.where(same, after, here)
    return low + (high - low) * before / (before - after) if where.size else low
