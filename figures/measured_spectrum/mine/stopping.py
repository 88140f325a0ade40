"""What a curve over training does: where it is best to stop, and how often it descends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NEGLIGIBLE = 1e-9
"""Share of the largest value: rises and falls below it are rounding."""


@dataclass(frozen=True)
class Stop:
    """The least value of a curve and its time; how often the curve descends, and its largest rise between."""

    time: float
    value: float
    descents: int
    rise: float


def stop(times: np.ndarray, values: np.ndarray) -> Stop:
    """That of a curve over increasing positive times, (T,); points that are NaN are passed over."""
    known = np.isfinite(values)
    times, values = times[known], values[known]
    best = int(np.argmin(values))
    return Stop(_vertex(times, values, best), float(values[best]), *descents(values))


def _vertex(times: np.ndarray, values: np.ndarray, best: int) -> float:
    """The time of the least value, between the times around it by the parabola in log time."""
    if not 0 < best < times.size - 1 or times[best - 1] <= 0:
        return float(times[best])
    around = slice(best - 1, best + 2)
    x, y = np.log(times[around] / times[best]), values[around] - values[best]
    curvature, slope = np.linalg.solve(np.stack([x**2, x], axis=1)[[0, 2]], y[[0, 2]])
    return float(times[best] * np.exp(-slope / (2 * curvature))) if curvature > 0 else float(times[best])


def descents(values: np.ndarray) -> tuple[int, float]:
    """How often a curve descends, and its largest rise between two descents, as a share of what it rose from.

    The rise is 0 where the curve descends at most once.
    """
    values = values[np.isfinite(values)]
    slack = NEGLIGIBLE * float(values.max(initial=0.0))
    count, rise, falling = 0, 0.0, False
    lowest = highest = values[0]
    before = np.inf  # the last minimum
    for now in values[1:]:
        if falling and now > lowest + slack:
            falling, before, highest = False, lowest, now
        elif not falling and now < highest - slack:
            if np.isfinite(before):
                rise = max(rise, highest / before - 1)
            falling, count, lowest = True, count + 1, now
        lowest, highest = min(lowest, now), max(highest, now)
    return count, float(rise)
