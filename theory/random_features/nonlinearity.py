r"""What the limit knows of a function of a standard normal number: its slope, and the rest of its variance.

Such a function is its mean, plus E[G s] G, plus a part that no linear function of G knows of. To the limit
that part is noise, of the features and of the teacher.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.random_features.instance import Function
from teacherstudent.theory.function_pieces import panels_of

NODES = 200
"""Of Gauss and Hermite's rule for tanh: from 150 on they change roundings alone."""


@dataclass(frozen=True)
class Moments:
    """linear: E[G s(G)], rest: Var s - linear^2."""

    linear: float
    rest: float


@cache
def moments(function: Function) -> Moments:
    """Those of a function by name, or by its Hermite coefficients."""
    if isinstance(function, UserFunction):
        return _of_any(function)
    if isinstance(function, tuple):
        _, linear, *rest = (*function, 0.0, 0.0)
        return Moments(linear, math.fsum(a * a for a in rest))
    match function:
        case "linear":
            return Moments(1.0, 0.0)
        case "relu":
            return Moments(0.5, 0.25 - 0.5 / math.pi)
        case "sign":
            return Moments(math.sqrt(2 / math.pi), 1 - 2 / math.pi)
        case "erf":
            return Moments(2 / math.sqrt(3 * math.pi), 2 / math.pi * math.asin(2 / 3) - 4 / (3 * math.pi))
        case "tanh":
            return _measured(np.tanh)
    raise ValueError(f"no moments of {function!r}")


ROUNDING = 1e-14
"""Share of a function's size below which its slope, or what is not linear in it, is rounding."""


def _of_any(function: UserFunction) -> Moments:
    """Those of a user's function, by panels between its kinks; of what is 0 but for rounding exactly 0."""
    panels = panels_of(function, "activation")
    x, values = panels.nodes, panels.values
    weights = panels.weights * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    mean, linear = float(weights @ values), float(weights @ (x * values))
    size = math.sqrt(float(weights @ values**2))
    if abs(linear) <= ROUNDING * size:
        linear = 0.0
    rest = float(weights @ (values - mean - linear * x) ** 2)
    return Moments(linear, rest if rest > (ROUNDING * size) ** 2 else 0.0)


def _measured(function: np.ufunc) -> Moments:
    """Those of an odd function by quadrature."""
    x, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    linear = float(weights @ (x * function(x)))
    return Moments(linear, float(weights @ (function(x) - linear * x) ** 2))
