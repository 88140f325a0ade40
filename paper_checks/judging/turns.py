"""Drawn curves that descend twice, where theory says: lower at the minimum, higher at the maximum."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def at_turns(
    course: Callable[[np.ndarray], np.ndarray],
    low: float,
    high: float,
    wide: float,
    ends: tuple[float, float],
) -> np.ndarray:
    """A course of times in order, (T, ...), at the first end, around the minimum at `low`, around the maximum
    at `high`, each a factor `wide` before, there and as much after, and at the last end: (8, ...)."""
    times = np.array([ends[0], low / wide, low, low * wide, high / wide, high, high * wide, ends[1]])
    order = np.argsort(times)
    return course(times[order])[np.argsort(order)]


def two_descents(risk: np.ndarray) -> np.ndarray:
    """What is positive of a risk at those times, (8, S), one row each, (7, S)."""
    start, before_low, at_low, after_low, before_high, at_high, after_high, end = risk
    return np.stack(
        [
            start - at_low,  # a first descent,
            before_low - at_low,
            after_low - at_low,
            at_high - at_low,  # a rise,
            at_high - before_high,
            at_high - after_high,
            at_high - end,  # a second descent
        ]
    )
