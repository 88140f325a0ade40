"""What the limit knows of a function of a standard normal number: its mean, slope, and the rest of its variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from teacherstudent.problems.random_features.instance import Function


@dataclass(frozen=True)
class Moments:
    """mean E s, linear E[G s], rest: Var s - linear^2."""

    mean: float
    linear: float
    rest: float


@cache
def moments(function: Function) -> Moments:
    """Those of a function by name, or by its Hermite coefficients."""
    if isinstance(function, tuple):
        mean, linear, *rest = (*function, 0.0, 0.0)
        return Moments(mean, linear, math.fsum(a * a for a in rest))
    match function:
        case "linear":
            return Moments(0.0, 1.0, 0.0)
        case "relu":
            return Moments(1 / math.sqrt(2 * math.pi), 0.5, 0.25 - 0.5 / math.pi)
        case "sign":
            return Moments(0.0, math.sqrt(2 / math.pi), 1 - 2 / math.pi)
        case "erf":
            return Moments(
                0.0, 2 / math.sqrt(3 * math.pi), 2 / math.pi * math.asin(2 / 3) - 4 / (3 * math.pi)
            )
    x, w = np.polynomial.hermite_e.hermegauss(300)
    w = w / w.sum()
    linear, square = w @ (x * np.tanh(x)), w @ np.tanh(x) ** 2
    return Moments(0.0, float(linear), float(w @ (np.tanh(x) - linear * x) ** 2))
