"""The best value for each value of a constraint, and the power of it that this follows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

SETTLED = 0.05
"""Share of the exponent within which the last local slopes must agree."""

DECADE = math.log(10)


@dataclass(frozen=True)
class Power:
    """value ~ budget^exponent at the largest budgets.

    error: how far the local slopes move over the last decade, and what their accuracies allow. caution: why
    it is no exponent yet; "" where nothing says so.
    """

    exponent: float
    error: float
    caution: str = ""


def local_slopes(budget: np.ndarray, value: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """d log value / d log budget at each budget, (B,), and its error, (B,).

    By a parabola through three points. The error is half of what it corrects, and what the errors of the
    values, (B,), allow. NaN where a value is not above 0 or there are fewer than three.
    """
    slopes, errors = np.full((2, len(budget)), np.nan)
    with np.errstate(all="ignore"):
        x, y, off = np.log(budget), np.log(np.where(value > 0, value, np.nan)), np.abs(error / value)
        for i in range(len(budget) if len(budget) > 2 else 0):
            a = min(max(i - 1, 0), len(budget) - 3)
            b, c = a + 1, a + 2
            left, right = (y[b] - y[a]) / (x[b] - x[a]), (y[c] - y[b]) / (x[c] - x[b])
            bend = (right - left) / (x[c] - x[a])
            slopes[i] = left + bend * (2 * x[i] - x[a] - x[b])
            errors[i] = abs(right - left) / 4 + off[a : c + 1].sum() / (x[c] - x[a])
    return slopes, errors


def read_power(budget: np.ndarray, slopes: np.ndarray, errors: np.ndarray, inside: np.ndarray) -> Power:
    """The exponent from local slopes, (B,): the last, and how far those of the last decade differ from it.

    inside: where the best point is a minimum and not at an end of the box; other slopes are left out.
    """
    good = inside & np.isfinite(slopes)
    if good.sum() < 3:
        return Power(math.nan, math.nan, "for fewer than three budgets the best point is inside the box")
    x, s, e = np.log(budget[good]), slopes[good], errors[good]
    recent = x >= min(x[-1] - DECADE, x[-3]) - 1e-9
    moved = float(np.abs(s[recent] - s[-1]).max())
    exponent, error = float(s[-1]), float(math.hypot(moved, e[-1]))
    said = []
    if error > SETTLED * abs(exponent):
        said.append(f"local slopes still change: {s[recent][0]:.3g} to {s[-1]:.3g} at the largest budgets")
    if not good[-1]:
        said.append("for the largest budgets the best point is at an end of the box")
    return Power(exponent, error, "; ".join(said))
