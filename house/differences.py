"""The derivative of any function at a point by differences, extrapolated to a step of 0, with its error.

Ridders (1982): differences at steps h, h/2, h/4, ... are extrapolated in powers of h, and of all extrapolated
values that one is taken whose error is least. The error is how far the values before it are from it, and the
share that rounding has in it; and where the smallest steps say otherwise, as at the root of a square root,
how far they are from it. Where the function has a kink, half the jump of its slope is added: every slope
between is as good. A function that changes in steps has no derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

HALVINGS = 11
"""Steps that are taken on each side of a point, each half of the one before."""

REACH = 0.25
"""The largest step, as a share of the point's own size."""

FAR_HALVINGS = 24
"""Steps from 0, which has no size: from 1 down to 1e-7."""

DOUBTED = 2.0
"""Factor on the distance of extrapolated values: one that is near another by chance looks too good."""

FINEST = 5.0
"""Roundings by which what the smallest steps say may miss the value."""

LEAST_STEP = 1000.0
"""Roundings of a value that a step of it exceeds: a smooth function comes to rest by less."""

GROWTH, SETTLED = 3.0, 3
"""A smooth function's differences change less at smaller steps. Beside a narrow peak they may change by more
than this factor, but have settled at that many last steps."""

STEPS = "the answer changes in steps, for example because sizes are rounded to whole numbers"
REFUSED = "no value near this one has an answer"


@dataclass(frozen=True)
class Slope:
    """A derivative and its error, arrays of one shape; NaN and infinity where there is none. reason: why."""

    value: np.ndarray
    error: np.ndarray
    reason: str = ""


def slope_at(
    values: Callable[[float], np.ndarray],
    point: float,
    low: float = -np.inf,
    high: float = np.inf,
    accuracy: float = 1e-12,
) -> Slope:
    """The derivative of `values`, an array of any shape, at a point of [low, high]: one-sided at an end, and
    where there is no answer on one side.

    values: may be NaN where it has no answer. accuracy: its relative rounding.
    """
    below, above = point - low, high - point
    sides = [1, -1] if min(below, above) > 0 else [1 if above > below else -1]
    steps = _steps(point, min(below, above) or max(below, above))
    here = np.asarray(values(point), dtype=float)
    h = steps.reshape(-1, *[1] * here.ndim)
    taken = [
        np.array([side * (np.asarray(values(point + side * each)) - here) for each in steps])
        for side in sides
    ]
    slopes = [each / h for each in taken if np.isfinite(each).any()]
    if not slopes:
        reason = REFUSED if np.isfinite(here).any() else ""
        return Slope(np.full(here.shape, np.nan), np.full(here.shape, np.inf), reason)
    rounding = accuracy * np.abs(here) / h
    if len(slopes) == 1:
        found = _extrapolated(slopes[0], 1, 1, rounding)
    else:
        ahead, behind = slopes
        found = _extrapolated((ahead + behind) / 2, 2, 2, rounding)
        jump = _extrapolated(ahead - behind, 1, 2, rounding)
        found = Slope(found.value, found.error + np.abs(jump.value) / 2)
    changes = np.abs(slopes).max(axis=0) * h
    least = np.where(changes > 0, changes, np.inf).min(axis=0)  # of those that there are
    stepped = (changes[-2:] == 0).all(axis=0) & (least > LEAST_STEP * accuracy * np.abs(here))
    stepped &= np.isfinite(least)
    if point:
        stepped |= np.any([_uneven(each, FINEST * rounding) for each in slopes], axis=0)
    if stepped.any():
        value, error = np.where(stepped, np.nan, found.value), np.where(stepped, np.inf, found.error)
        return Slope(value, error, STEPS)
    return found


def _uneven(slopes: np.ndarray, rounding: np.ndarray) -> np.ndarray:
    """Where differences (L, ...) at falling steps change more than at any larger step, and do not settle."""
    change = np.abs(np.diff(slopes, axis=0))
    most = np.maximum.accumulate(change)
    grown = change[1:] > GROWTH * most[:-1] + rounding[2:]
    settled = (change[-SETTLED:] <= 0.75 * change[-SETTLED - 1 : -1]) | (
        change[-SETTLED:] <= rounding[-SETTLED:]
    )
    return grown.any(axis=0) & ~settled.all(axis=0)


def _steps(point: float, room: float) -> np.ndarray:
    """Steps h, falling, (L,), that stay within `room` of a point."""
    size, count = (REACH * abs(point), HALVINGS) if point else (1.0, FAR_HALVINGS)
    return min(size, 0.9 * room) / 2.0 ** np.arange(count)


def _extrapolated(differences: np.ndarray, first: int, apart: int, rounding: np.ndarray) -> Slope:
    """The limit of differences (L, ...) at steps that halve, whose error has powers first, first + apart, ...
    of the step; rounding: of each of them, of that shape."""
    column, best = differences, np.full(differences.shape[1:], np.nan)
    error = np.full(differences.shape[1:], np.inf)
    power, finest = first, [differences[-1]]  # of the smallest step, to each power
    with np.errstate(invalid="ignore", over="ignore"):
        while len(column) > 1:
            finer = column[1:] + (column[1:] - column[:-1]) / (2.0**power - 1)
            apart_by = np.maximum(np.abs(finer - column[1:]), np.abs(finer - column[:-1]))
            doubt = DOUBTED * apart_by + rounding[-len(finer) :]
            for value, each in zip(finer, doubt, strict=True):
                better = each < error
                best, error = np.where(better, value, best), np.where(better, each, error)
            column, power = finer, power + apart
            finest.append(column[-1])
        beyond = np.min(np.abs(np.array(finest) - best), axis=0) - FINEST * rounding[-1]
    return Slope(best, error + np.where(beyond > 0, beyond, 0.0))
