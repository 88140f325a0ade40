"""Smooth curves over x = log time: where one rises and falls, and the boundaries of a family of them.

A curve's slope S vanishes at its turns. Two of them meet where S = 0 and dS/dx = 0 (a fold), and three in a
cusp, where the fold stands still on the map. One alone goes where S = 0 at the end. Two minima, or one and
the end, take turns in being the lowest where they are equal. The numbers that are solved for are the place
and log times in units of `SPAN`. Slopes are taken as shares of their parts, which vanish with them and are
not small where little is left to happen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.maps.continuation import Equations
from teacherstudent.maps.plane import Place

CurveAt = Callable[[Place], Any]
"""From a place to the `SmoothCurve` there; raises `ArithmeticError` where there is none."""

SPAN = 20.0
"""Log times from end to end, about: as long as an axis."""


def _motion(curve: Any, x: np.ndarray) -> Any:
    if not np.all((curve.low <= x) & (x <= curve.high)):
        raise ArithmeticError("later than all times at which the curve turns")
    return curve.at(x)


def fold_equations(curve_at: CurveAt) -> Equations:
    """S = 0 and dS/dx = 0 at (u, v, x/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        motion = _motion(curve_at((at[0], at[1])), at[2:] * SPAN)
        return np.concatenate([motion.slope, motion.bend]) / motion.size[0]

    return equations


def escape_equations(curve_at: CurveAt, last: bool = True) -> Equations:
    """S = 0 at the last point, or at the first, to which a turn escapes, at (u, v)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve = curve_at((at[0], at[1]))
        motion = curve.at(np.array([curve.high if last else curve.low]))
        return np.asarray(motion.slope / motion.size)

    return equations


def equal_minima_equations(curve_at: CurveAt) -> Equations:
    """S = 0 at two turns, and the same value at both, at (u, v, x/SPAN, x'/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        motion = _motion(curve_at((at[0], at[1])), at[2:] * SPAN)
        one, other = motion.value
        return np.array([*(motion.slope / motion.size), (one - other) / abs(one)])

    return equations


def equal_to_end(curve_at: CurveAt, less: float) -> Equations:
    """S = 0 at a turn, and a value there that is less than the end's by that share, at (u, v, x/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve = curve_at((at[0], at[1]))
        motion = _motion(curve, np.append(at[2:] * SPAN, curve.high))
        turn, end = motion.value
        return np.array([motion.slope[0] / motion.size[0], (turn - end) / abs(end) + less])

    return equations


def turning_at(curve_at: CurveAt, x: float) -> Equations:
    """S = 0 at a given log time, at (u, v)."""

    def equations(at: np.ndarray) -> np.ndarray:
        motion = _motion(curve_at((at[0], at[1])), np.array([x]))
        return np.asarray(motion.slope / motion.size)

    return equations


def turn_equation(curve_at: CurveAt, when: Callable[[Place], float]) -> Equations:
    """S = 0 at the log time of the place itself, at (u, v)."""

    def equations(at: np.ndarray) -> np.ndarray:
        place = float(at[0]), float(at[1])
        motion = _motion(curve_at(place), np.array([when(place)]))
        return np.asarray(motion.slope / motion.size)

    return equations


def below_end(curve_at: CurveAt, gain: float) -> Equations:
    """S = 0 at a turn, and a value there that is lower than the end's by so much, at (u, v, x/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve = curve_at((at[0], at[1]))
        motion = _motion(curve, np.append(at[2:] * SPAN, curve.high))
        turn, end = motion.value
        return np.array([motion.slope[0] / motion.size[0], (end - turn) / gain - 1])

    return equations


PER_DECADE = 8
"""Points, asked for at once: as many as theory itself looks at first."""

SECANTS = 2
"""Steps towards the slope's own extrema: the first misses by the square of the points' distance."""


@dataclass(frozen=True)
class Profile:
    """Signs of a curve's slope and the summits at which they may change.

    rising: of each run of equal sign, in order. minima: brackets in log time of the curve's minima, (M, 2).
    summits: log times of the slope's own extrema, (J,). tilts: there, the slope as a share of its parts,
    (J,). nearness: the least of the tilts' magnitudes and of those at the ends of what is certain.
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
