r"""One mode of a network with D weight matrices, equal in strength: u = g^D.

tau u' = D u^(2-2/D) (s - u), the depth-D form of pezeshki2022 Eq. 2.2.18 (Saxe et al. 2013). The
logit x = ln(u/(s - u)) obeys tau x' = D s^(2-2/D) (1 + e^-x)^-(1-2/D), so that time is an integral over x
of positive terms alone, D s^(2-2/D) t/tau = T(x): no cancellation, and one root. Times are t/tau.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, hyp2f1

from teacherstudent.house.certainty import nan_where
from teacherstudent.theory.linear_network import ACCURACY

EPS = float(np.finfo(float).eps)

LARGEST = 40.0
"""Logit beyond which u is s to rounding."""

LATEST = 700.0
"""Logarithm of the largest rate: a faster mode is learned by any time."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
"""On panels of length 1 at most: the integrand's singularities lie pi away, the rule is good to rounding."""


def strength(times: np.ndarray, s: float, u0: float, depth: int) -> np.ndarray:
    """Mode strength u (T,) at increasing times t/tau >= 0, from 0 < u0 < s.

    A small u0 waits long and then rises at once: where rounding of the time, as it is given and as it is
    summed, decides on more than `ACCURACY` of s, u is NaN, with an `UnconvergedWarning`.
    """
    power = 1 - 2 / depth
    start = float(np.log(u0) - np.log(s - u0))
    rate = np.log(depth) + (1 + power) * np.log(s) - power * np.logaddexp(0, -start)  # of x at u0
    lost = EPS * (16 + abs(rate) + abs(start))
    with np.errstate(over="ignore"):
        passing = np.exp(min(rate, LATEST)) * np.asarray(times, dtype=float)
        early, u, late = s * expit(_logits(np.outer([1 - lost, 1, 1 + lost], passing), start, power))
    why = f"closed-form route: for u0 = {u0:g} and depth {depth}, rounding of the time changes the result"
    return nan_where(late - early > ACCURACY * s, why, u)


def _logits(passing: np.ndarray, start: float, power: float) -> np.ndarray:
    """The logits, (...), at which T is `passing`, at most `LARGEST`."""
    ends = np.linspace(start, LARGEST, 2 + int(LARGEST - start))
    passed = np.concatenate([[0.0], np.cumsum(_spent(ends[:-1], ends[1:], start, power))])
    panel = np.searchsorted(passed, passing, side="right") - 1
    x, inside = ends[panel], panel < len(ends) - 1
    x[inside] = _reached(x[inside], (passing - passed[panel])[inside], start, power)
    return x


def _slope(x: np.ndarray, start: float, power: float) -> np.ndarray:
    """dT/dx, relative to that at `start`, so that nothing overflows: (1 + e^-x)^power."""
    return np.asarray(np.exp(power * (np.logaddexp(0, -x) - np.logaddexp(0, -start))))


def _spent(low: np.ndarray, high: np.ndarray, start: float, power: float) -> np.ndarray:
    """T between two logits, (...)."""
    half = (high - low) / 2
    x = ((high + low) / 2)[..., None] + half[..., None] * NODES
    return np.asarray(half * (_slope(x, start, power) @ WEIGHTS))


def _reached(low: np.ndarray, rest: np.ndarray, start: float, power: float) -> np.ndarray:
    """The logits at which `rest` has passed since `low`: Newton on a concave T, which never overshoots."""
    x = low
    for _ in range(100):
        step = (rest - _spent(low, x, start, power)) / _slope(x, start, power)
        x = x + step
        if np.all(np.abs(step) <= 4 * np.finfo(float).eps * np.maximum(1, np.abs(x))):
            return x
    raise ArithmeticError("Newton's method did not converge")


def time_to_learn(s: float, u0: float, u: float, depth: int) -> float:
    """Time t/tau from u0 to u, 0 < u0 <= u < s, for depth above 2: the depth-D form of Eq. 2.2.21.

    The integral of du/(D u^(2-2/D) (s - u)) = u^q/(D q s) 2F1(1, q; 1+q; u/s), q = 2/D - 1.
    """
    q = 2 / depth - 1

    def reached(v: float) -> float:
        return v**q / (depth * q * s) * hyp2f1(1, q, 1 + q, v / s)

    return reached(u) - reached(u0)
