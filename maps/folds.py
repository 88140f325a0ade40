"""Equations of the boundaries of a family of smooth curves over x = log time.

A curve's slope S vanishes at its turns. Two of them meet where S = 0 and dS/dx = 0 (a fold), and three in a
cusp, where the fold stands still on the map. One alone goes where S = 0 at the end. Two minima, or one and
the end, take turns in being the lowest where they are equal. The numbers that are solved for are the place
and log times in units of `SPAN`. Slopes are taken as shares of their parts, which vanish with them and are
not small where little is left to happen.
"""

from __future__ import annotations

from collections.abc import Callable
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
        raise ArithmeticError("beyond the times at which the curve turns")
    return curve.at(x)


def fold(curve_at: CurveAt) -> Equations:
    """S = 0 and dS/dx = 0 at (u, v, x/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        motion = _motion(curve_at((at[0], at[1])), at[2:] * SPAN)
        return np.concatenate([motion.slope, motion.bend]) / motion.size[0]

    return equations


def escape(curve_at: CurveAt, last: bool = True) -> Equations:
    """S = 0 at the last point, or at the first, to which a turn escapes, at (u, v)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve = curve_at((at[0], at[1]))
        motion = curve.at(np.array([curve.high if last else curve.low]))
        return np.asarray(motion.slope / motion.size)

    return equations


def equal(curve_at: CurveAt) -> Equations:
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


def turn(curve_at: CurveAt, when: Callable[[Place], float]) -> Equations:
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
