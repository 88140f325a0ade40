"""Where a whole number changes with a parameter, by bisection."""

from __future__ import annotations

import math
from collections.abc import Callable


def bracket_change(
    count: Callable[[float], int], low: float, high: float, accuracy: float
) -> tuple[float, float]:
    """Both sides of a change of a count between `low` and `high`.

    accuracy: relative, of the parameter; where that is near zero, its square relative to the
    whole range. Halves ratios where `low` is positive, differences otherwise. Raises
    `ValueError` when both ends count the same.
    """
    before, whole = count(low), high - low
    if before == count(high):
        raise ValueError(f"{before} on both ends")
    while high - low > accuracy * max(abs(low), abs(high), accuracy * whole):
        middle = math.sqrt(low) * math.sqrt(high) if low > 0 else (low + high) / 2
        low, high = (middle, high) if count(middle) == before else (low, middle)
    return low, high
