"""Storage: random labels, and the margin with which a student answers all of them right (gardner1988)."""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.special import ndtr

from teacherstudent.house.errors import InputError
from teacherstudent.theory.perceptron.separability import CAPACITY


def capacity(margin: float) -> float:
    """Examples per weight that are stored with this margin, at |w|^2 = d.

    Raises `InputError` below 0, where such students are no convex set and symmetric replicas fail.
    """
    if not margin >= 0:
        raise InputError("margin", margin, "at least 0")
    density = math.exp(-(margin * margin) / 2) / math.sqrt(2 * math.pi)
    return 1 / ((1 + margin * margin) * float(ndtr(margin)) + margin * density)


def margin_at(alpha: float) -> float:
    """The largest margin of alpha d examples. Raises `InputError` where alpha is not in (0, 2]."""
    if not 0 < alpha <= CAPACITY:
        raise InputError("alpha", alpha, "above 0 and at most 2")
    high = math.sqrt(2 / alpha)  # 1/capacity is at least (1 + margin^2)/2
    return float(brentq(lambda margin: capacity(margin) / alpha - 1, 0.0, high, xtol=1e-15, rtol=1e-14))
