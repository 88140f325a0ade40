"""Equations of the boundaries of a family of smooth curves: where two turns meet, where two minima are equal.

A curve's slope S over x = log time vanishes at its turns. Two of them meet where S = 0 and dS/dx = 0 (a
fold); three meet in a cusp, where the fold has no direction on the map. One alone goes where S = 0 at the end. The numbers that are solved for
are the place and log times in units of `SPAN`.
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

STEP = 2e-2
"""Of the slope's difference in log time. A fold is missed by its fourth power, the slope there being flat."""


def fold(curve_at: CurveAt) -> Equations:
    """S = 0 and dS/dx = 0 at (u, v, x/SPAN), by the tilt, which vanishes with S and is large where S is tiny."""

    def equations(at: np.ndarray) -> np.ndarray:
        x, curve = at[2] * SPAN, curve_at((at[0], at[1]))
        if not curve.low <= x <= curve.high:
            raise ArithmeticError("beyond the times at which the curve turns")
        before, here, after = curve.tilt(np.array([x - STEP, x, x + STEP]))
        return np.array([here, (after - before) / (2 * STEP)])

    return equations


def escape(curve_at: CurveAt) -> Equations:
    """S = 0 at the end, to which a turn escapes, at (u, v)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve = curve_at((at[0], at[1]))
        return np.asarray(curve.tilt(np.array([curve.high])))

    return equations


def equal(curve_at: CurveAt) -> Equations:
    """S = 0 at two turns, and the same value at both, at (u, v, x/SPAN, x'/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve, x = curve_at((at[0], at[1])), at[2:] * SPAN
        one, other = curve.value(x)
        return np.array([*curve.slope(x), one - other])

    return equations


def equal_to_end(curve_at: CurveAt) -> Equations:
    """S = 0 at a turn, and the same value there as at the end, at (u, v, x/SPAN)."""

    def equations(at: np.ndarray) -> np.ndarray:
        curve, x = curve_at((at[0], at[1])), at[2:] * SPAN
        turn, end = curve.value(np.append(x, curve.high))
        return np.array([*curve.slope(x), turn - end])

    return equations
