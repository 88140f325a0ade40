"""Turning points of a smooth curve over time: extrema, descents, and when they appear.

A curve is given by its value and its first two derivatives over x = log time. Two extrema that have just
been born lie arbitrarily close together; so the extrema of the slope itself, where its derivative is zero,
are solved first, and its sign is read there as well as on the grid.

The number of extrema changes with a parameter where one of the slope's extrema passes through zero, which
bears two turns, or where the sign of the slope at the end of the curve changes, because a turn moves beyond
the end. How far it is from either is its `nearness`: continuous in every parameter, and zero on such
boundaries only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import elementwise

from teacherstudent.house.bisection import bracket_change

Sampled = Callable[[np.ndarray], np.ndarray]

POINTS_PER_DECADE = 8

ACCURACY = 1e-10
"""Of the log times of turns."""


@dataclass(frozen=True)
class Motion:
    """Value, slope and bend, d value/d log time and its own, at some log times, (T,).

    size: the slope's parts without their signs, so that slope/size is 1 or -1 where nothing cancels.
    error: what the slope is known to. A slope below that is neither up nor down.
    """

    value: np.ndarray
    slope: np.ndarray
    bend: np.ndarray
    size: np.ndarray
    error: np.ndarray

    @property
    def clear(self) -> np.ndarray:
        """Where the sign of the slope is certain."""
        return np.abs(self.slope) > self.error

    def times(self, factor: float) -> Motion:
        """That of so many times the curve."""
        return Motion(*(factor * each for each in vars(self).values()))

    def above(self, floor: float) -> Motion:
        """That of a curve so much higher."""
        return replace(self, value=self.value + floor)


@dataclass(frozen=True)
class Curve:
    """A curve over log time on [low, high]; outside it is flat."""

    at: Callable[[np.ndarray], Motion]
    low: float
    high: float

    def value(self, points: np.ndarray) -> np.ndarray:
        """The curve at log times, (T,)."""
        return self.at(points).value

    def slope(self, points: np.ndarray) -> np.ndarray:
        """Its derivative by log time, (T,)."""
        return self.at(points).slope

    def tilt(self, points: np.ndarray) -> np.ndarray:
        """The slope as a share of its parts' size, (T,): from -1 to 1, however little is left to happen."""
        motion = self.at(points)
        return motion.slope / motion.size

    def clear(self, points: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """Where the sign of these slopes is certain, (T,)."""
        return np.abs(slopes) > self.at(points).error


@dataclass(frozen=True)
class Extremum:
    """A minimum or maximum of a curve over time."""

    time: float
    value: float
    is_minimum: bool


@dataclass(frozen=True)
class Shape:
    """How a curve runs: its turns in order of time, and how near it is to having more or fewer.

    falls: whether it starts by falling, as far as the sign of its slope is ever certain.
    nearness: the least |slope|/size among the slope's own extrema and the two ends of what is certain.
    """

    turns: tuple[Extremum, ...]
    nearness: float
    falls: bool


def shape(curve: Curve) -> Shape:
    """Every minimum and maximum inside the range, to `ACCURACY` in log time, and the nearness.

    Raises `ArithmeticError` where the range or the slope is not finite: nothing can be said then.
    """
    if not curve.low < curve.high or not np.isfinite(curve.high - curve.low):
        raise ArithmeticError("the times of possible turning points overflow")
    points = grid(curve)
    motion = curve.at(points)
    if not np.all(np.isfinite(motion.slope) & np.isfinite(motion.bend)):
        raise ArithmeticError("the slope is not finite everywhere")
    summits = _summits(curve, points, motion)
    inner = curve.at(summits)
    points, slope = np.concatenate([points, summits]), np.concatenate([motion.slope, inner.slope])
    size, clear = np.concatenate([motion.size, inner.size]), np.concatenate([motion.clear, inner.clear])
    order = np.argsort(points)
    order = order[clear[order]]
    rising = slope[order] > 0
    turns = _turns(curve, points[order], rising)
    share = np.abs(slope[order] / size[order])
    critical = (order >= points.size - summits.size) | np.isin(np.arange(order.size), (0, order.size - 1))
    return Shape(turns, float(share[critical].min(initial=np.inf)), bool(rising.size and not rising[0]))


def extrema(curve: Curve) -> tuple[Extremum, ...]:
    """The turns of its `shape`."""
    return shape(curve).turns


def grid(curve: Curve) -> np.ndarray:
    """Points in log time, from end to end, at which the curve is first looked at, (X,)."""
    count = int((curve.high - curve.low) / np.log(10) * POINTS_PER_DECADE) + 2
    return np.linspace(curve.low, curve.high, count)


def flattest(curve: Curve) -> float:
    """The time before its first turn at which a curve falls least for its parts.

    Raises `ValueError` where its slope has no extremum there.
    """
    points = grid(curve)
    summits = _summits(curve, points, curve.at(points))
    turns = extrema(curve)
    summits = summits[summits < (np.log(turns[0].time) if turns else np.inf)]
    if not summits.size:
        raise ValueError("it has no plateau")
    return float(np.exp(summits[np.argmin(np.abs(curve.tilt(summits)))]))


def _summits(curve: Curve, points: np.ndarray, motion: Motion) -> np.ndarray:
    """The slope's own extrema beside slopes that are certain: a change of sign may hide between two."""
    rising = motion.bend > 0
    where = np.flatnonzero((rising[1:] != rising[:-1]) & (motion.clear[1:] | motion.clear[:-1]))
    return _zeros(lambda x: curve.at(x).bend, points[where], points[where + 1], 1e-8)


def _turns(curve: Curve, points: np.ndarray, rising: np.ndarray) -> tuple[Extremum, ...]:
    where = np.flatnonzero(rising[1:] != rising[:-1])
    found = _zeros(curve.slope, points[where], points[where + 1], ACCURACY)
    return tuple(
        Extremum(float(time), float(value), bool(minimum))
        for time, value, minimum in zip(np.exp(found), curve.value(found), rising[where + 1], strict=True)
    )


def _zeros(of: Sampled, low: np.ndarray, high: np.ndarray, accuracy: float) -> np.ndarray:
    """Where a function changes its sign in each bracket, (B,), all at once."""
    if not low.size:
        return low
    return elementwise.find_root(of, (low, high), tolerances={"xatol": accuracy, "fatol": 0.0}).x


def descents(curve: Curve) -> int:
    """How often a curve descends: at once where it starts by falling, and again after each maximum."""
    found = shape(curve)
    return int(found.falls) + sum(not each.is_minimum for each in found.turns)


def boundary(count: Callable[[float], int], low: float, high: float, accuracy: float) -> float:
    """Where a count changes between `low` and `high`: the middle of its `bracket`."""
    return sum(bracket_change(count, low, high, accuracy)) / 2
