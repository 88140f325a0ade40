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

import numpy as np

from teacherstudent.maps.continuation import Equations
from teacherstudent.maps.curves import Curves, CurvesAt, Moved
from teacherstudent.maps.plane import Place

SPAN = 20.0
"""Log times from end to end, about: as long as an axis."""

Times = Callable[[Curves, np.ndarray], np.ndarray]
"""From curves and numbers, (m, P), to the log times at which equations look at each of the curves, (N, P)."""


def _equations(curves_at: CurvesAt, times: Times, of: Callable[[Moved], list[np.ndarray]]) -> Equations:
    """From the motions of the curves at numbers, (N, P), to what is zero, (P,) each."""

    def equations(at: np.ndarray) -> np.ndarray:
        each = at.reshape(len(at), -1)
        curves = curves_at([(float(u), float(v)) for u, v in each[:2].T])
        motion = curves.at(np.arange(each.shape[1]), times(curves, each))
        return np.array(of(motion)).reshape(len(at) - 1, *at.shape[1:])

    return equations


def _solved(_: Curves, at: np.ndarray) -> np.ndarray:
    """The times that are solved for."""
    return at[2:] * SPAN


def _solved_and_end(curves: Curves, at: np.ndarray) -> np.ndarray:
    return np.concatenate([at[2:] * SPAN, curves.high[None]])


def fold_equations(curves_at: CurvesAt) -> Equations:
    """S = 0 and dS/dx = 0 at (u, v, x/SPAN)."""
    return _equations(curves_at, _solved, lambda at: [at.slope[0] / at.size[0], at.bend[0] / at.size[0]])


def escape_equations(curves_at: CurvesAt, last: bool = True) -> Equations:
    """S = 0 at the last point, or at the first, to which a turn escapes, at (u, v)."""
    return _equations(
        curves_at,
        lambda curves, _: (curves.high if last else curves.low)[None],
        lambda at: [at.slope[0] / at.size[0]],
    )


def equal_minima_equations(curves_at: CurvesAt) -> Equations:
    """S = 0 at two turns, and the same value at both, at (u, v, x/SPAN, x'/SPAN)."""

    def of(at: Moved) -> list[np.ndarray]:
        one, other = at.value
        return [*(at.slope / at.size), (one - other) / np.abs(one)]

    return _equations(curves_at, _solved, of)


def equal_to_end(curves_at: CurvesAt, less: float) -> Equations:
    """S = 0 at a turn, and a value there that is less than the end's by that share, at (u, v, x/SPAN)."""

    def of(at: Moved) -> list[np.ndarray]:
        turn, end = at.value
        return [at.slope[0] / at.size[0], (turn - end) / np.abs(end) + less]

    return _equations(curves_at, _solved_and_end, of)


def turn_equation(curves_at: CurvesAt, when: Callable[[Place], float]) -> Equations:
    """S = 0 at the log time of the place itself, at (u, v)."""
    return _equations(
        curves_at,
        lambda _, at: np.array([[when((float(u), float(v))) for u, v in at.T]]),
        lambda at: [at.slope[0] / at.size[0]],
    )


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


def profiles(curves: Curves) -> list[Profile | ArithmeticError]:
    """The profile of each curve, or why there is none: its slope has to be finite."""
    count = len(curves.low)
    with np.errstate(invalid="ignore"):
        sizes = np.nan_to_num((curves.high - curves.low) / np.log(10) * PER_DECADE).astype(int) + 2
    known = np.flatnonzero(np.isfinite(curves.high - curves.low))
    which = np.repeat(known, sizes[known])
    points = np.concatenate(
        [np.linspace(curves.low[i], curves.high[i], sizes[i]) for i in known] or [np.zeros(0)]
    )
    motion = curves.at(which, points)
    of, at = _summits(curves, which, points, motion)
    inner = curves.at(of, at)
    lost = np.zeros(count, dtype=bool)
    for some, moved in ((which, motion), (of, inner)):
        lost[some[~(np.isfinite(moved.slope) & np.isfinite(moved.bend))]] = True
    which, points, summit = (
        np.concatenate(each)
        for each in ((which, of), (points, at), (np.zeros(which.size, bool), np.ones(of.size, bool)))
    )
    moved = Moved(*(np.concatenate(each) for each in zip(motion, inner, strict=True)))
    order = np.lexsort((points, which))
    found: list[Profile | ArithmeticError] = []
    for i, rows in enumerate(np.split(order, np.searchsorted(which[order], np.arange(1, count)))):
        if lost[i] or not rows.size:
            found.append(ArithmeticError(curves.reasons.get(i, "the slope is not finite everywhere")))
        else:
            found.append(_profile(points[rows], Moved(*(each[rows] for each in moved)), summit[rows]))
    return found


def _profile(points: np.ndarray, motion: Moved, summit: np.ndarray) -> Profile:
    """Of motions at increasing points, of which some are summits."""
    points, slope, size, summit = (each[motion.clear] for each in (points, motion.slope, motion.size, summit))
    rises, tilts = slope > 0, slope / size
    changes = np.flatnonzero(rises[1:] != rises[:-1])
    runs = tuple(bool(each) for each in rises[np.append(changes, -1)]) if rises.size else ()
    minima = changes[rises[changes + 1]] if changes.size else changes
    ends = tilts[[0, -1]] if tilts.size else tilts
    return Profile(
        runs,
        np.stack([points[minima], points[minima + 1]], axis=1),
        points[summit],
        tilts[summit],
        float(np.min(np.abs(np.append(tilts[summit], ends)), initial=np.inf)),
    )


def _summits(
    curves: Curves, which: np.ndarray, points: np.ndarray, motion: Moved
) -> tuple[np.ndarray, np.ndarray]:
    """Log times of the slopes' extrema next to slopes that are certain, where the bend changes its sign, and
    of which curve each is."""
    up, clear = motion.bend > 0, motion.clear
    same = which[1:] == which[:-1]
    where = np.flatnonzero(same & (up[1:] != up[:-1]) & (clear[1:] | clear[:-1]))
    of, low, high = which[where], points[where], points[where + 1]
    before, after = motion.bend[where], motion.bend[where + 1]
    for _ in range(SECANTS if where.size else 0):
        at = low + (high - low) * before / (before - after)
        here = curves.at(of, at).bend
        same = (here > 0) == (before > 0)
        low, before = np.where(same, at, low), np.where(same, here, before)
        high, after = np.where(same, high, at), np.where(same, after, here)
    return of, (low + (high - low) * before / (before - after) if where.size else low)
