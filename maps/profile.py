"""Where a smooth curve over log time rises and falls, and how close it is to doing so otherwise.

All slopes are asked for at once: a hundred of them cost as much as two or three one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

PER_DECADE = 8
"""Points: as many as theory itself looks at first."""

CLOSER = 9
"""Points with which the slope's summit is looked at again where its sign is in doubt."""


@dataclass(frozen=True)
class Profile:
    """Signs and summits of a curve's slope.

    rising: of each run of equal sign, in order. turns: log times between which each change lies, (R - 1, 2).
    summits: log times of the slope's own extrema, (M,). flatness: for each the squared distance in log time
    of the two turns that a shift of the slope would make or unmake there, (M,).
    """

    rising: tuple[bool, ...]
    turns: np.ndarray
    summits: np.ndarray
    flatness: np.ndarray

    @property
    def nearness(self) -> float:
        """Of the nearest summit; infinite without any."""
        return float(np.min(self.flatness, initial=np.inf))


def profile(curve: Any) -> Profile:
    """The profile of a `SmoothCurve`. Raises `ArithmeticError` where the slope is not finite."""
    count = int((curve.high - curve.low) / np.log(10) * PER_DECADE) + 2
    points = np.linspace(curve.low, curve.high, count)
    slopes = _slopes(curve, points)
    at = _extrema(points, slopes)
    points, slopes, summits, flatness = _closer(curve, points, slopes, at)
    clear = curve.clear(points, slopes)
    points, rises = points[clear], slopes[clear] > 0
    changes = np.flatnonzero(rises[1:] != rises[:-1])
    runs = tuple(bool(each) for each in rises[np.append(changes, -1)]) if rises.size else ()
    turns = np.stack([points[changes], points[changes + 1]], axis=1)
    return Profile(runs, turns, summits, flatness)


def _slopes(curve: Any, points: np.ndarray) -> np.ndarray:
    slopes = curve.slope(points)
    if not np.all(np.isfinite(slopes)):
        raise ArithmeticError("the slope is not finite everywhere")
    return slopes


def _extrema(points: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Indices of the slope's own minima and maxima."""
    up = np.diff(slopes) > 0
    return np.flatnonzero(up[1:] != up[:-1]) + 1


def _closer(
    curve: Any, points: np.ndarray, slopes: np.ndarray, at: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """With more points around those extrema whose parabola does not tell their sign for certain."""
    summits, flatness = [], []
    more = [points]
    for i in at[curve.clear(points[at], slopes[at])] if at.size else at:
        before, here, after = slopes[i - 1 : i + 2]
        bend, tilt = before - 2 * here + after, (after - before) / 2
        height, step = here - tilt**2 / (2 * bend), points[1] - points[0]
        shift = -tilt / bend * step
        flat = abs(height / bend) * step**2
        if here * bend > 0 and abs(height) < 0.3 * abs(bend):  # it points towards zero, and comes close
            around = points[i] + shift + step * np.linspace(-0.5, 0.5, CLOSER)
            more.append(around)
        summits.append(points[i] + shift)
        flatness.append(flat)
    if len(more) > 1:
        extra = np.concatenate(more[1:])
        points = np.concatenate([points, extra])
        slopes = np.concatenate([slopes, _slopes(curve, extra)])
        order = np.argsort(points)
        points, slopes = points[order], slopes[order]
    return points, slopes, np.array(summits), np.array(flatness)
