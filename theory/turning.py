"""Where a smooth curve over time turns, however briefly: extrema, descents, and when they appear.

A curve is given by its value and slope over x = log time. Two extrema that have just been born
lie arbitrarily close together; so the extrema of the slope itself are refined first, and its
sign is read there as well as on the grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from teacherstudent.house.boundaries import bracket

Sampled = Callable[[np.ndarray], np.ndarray]

POINTS_PER_DECADE = 8


@dataclass(frozen=True)
class Curve:
    """Value and slope d value/d log time over log time, on [low, high]; outside it is flat.

    error: of the slope, relative to the value at the same place. A slope below that is neither up nor down.
    """

    value: Sampled
    slope: Sampled
    low: float
    high: float
    error: float

    def clear(self, points: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """Where the sign of the slopes is certain."""
        return np.abs(slopes) > self.error * np.abs(self.value(points))


@dataclass(frozen=True)
class Extremum:
    """A minimum or maximum of a curve over time."""

    time: float
    value: float
    is_minimum: bool


def extrema(curve: Curve) -> tuple[Extremum, ...]:
    """Every minimum and maximum inside the range, in order of time, to 1e-10 in log time.

    Raises `ArithmeticError` where the range or the slope is not finite: nothing can be said then.
    """
    if not curve.low < curve.high or not np.isfinite(curve.high - curve.low):
        raise ArithmeticError("the times at which the curve may turn overflow")
    points = grid(curve)
    slopes = curve.slope(points)
    if not np.all(np.isfinite(slopes)):
        raise ArithmeticError("the slope is not finite everywhere")
    points, slopes = _with_summits(curve, points, slopes)
    clear = curve.clear(points, slopes)
    points, rising = points[clear], slopes[clear] > 0
    found = []
    for i in np.flatnonzero(rising[1:] != rising[:-1]):
        at = optimize.brentq(lambda x: curve.slope(np.array([x]))[0], points[i], points[i + 1], xtol=1e-10)
        value = curve.value(np.array([at]))[0]
        found.append(Extremum(float(np.exp(at)), float(value), bool(rising[i + 1])))
    return tuple(found)


def grid(curve: Curve) -> np.ndarray:
    """Points in log time, from end to end, at which the curve is first looked at, (X,)."""
    count = int((curve.high - curve.low) / np.log(10) * POINTS_PER_DECADE) + 2
    return np.linspace(curve.low, curve.high, count)


def _with_summits(curve: Curve, points: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add the slope's own extrema that point towards zero: there a change of sign may hide."""
    inner = slopes[1:-1]
    towards = np.where(inner < 0, 1.0, -1.0)
    summit = (towards * inner > towards * slopes[:-2]) & (towards * inner > towards * slopes[2:])
    summit &= curve.clear(points[1:-1], inner)
    extra = []
    for i in np.flatnonzero(summit) + 1:
        sign = -1.0 if slopes[i] < 0 else 1.0
        extra.append(
            optimize.minimize_scalar(
                lambda x, sign=sign: sign * curve.slope(np.array([x]))[0],
                bounds=(points[i - 1], points[i + 1]),
                method="bounded",
                options={"xatol": 1e-8},
            ).x
        )
    if not extra:
        return points, slopes
    points = np.concatenate([points, extra])
    slopes = np.concatenate([slopes, curve.slope(np.array(extra))])
    order = np.argsort(points)
    return points[order], slopes[order]


def descents(curve: Curve) -> int:
    """How often a curve that starts by falling descends: once, and again after each maximum."""
    return 1 + sum(not each.is_minimum for each in extrema(curve))


def boundary(count: Callable[[float], int], low: float, high: float, accuracy: float) -> float:
    """Where a count changes between `low` and `high`: the middle of its `bracket`."""
    return sum(bracket(count, low, high, accuracy)) / 2
