"""What rules learn from many examples of a teacher without noise: laws of large alpha, for one strength."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from teacherstudent.theory.perceptron.version_space import kernel


@cache
def laws() -> dict[str, tuple[float, float]]:
    """By rule, a and b of the generalisation error a/alpha^b at large alpha (engel2001).

    Those of the version space have k(1) of `version_space`. The margin of largest stability, in units of the
    sine of the angle, is u with u^3 Phi(u) + (u^2 - 1) phi(u) = 0; a = 1/(sqrt(2 pi) (u Phi(u) + phi(u))).
    """
    k = float(kernel(np.ones(1))[0])

    def density(u: float) -> float:
        return math.exp(-u * u / 2) / math.sqrt(2 * math.pi)

    u = brentq(lambda u: u**3 * float(ndtr(u)) + (u * u - 1) * density(u), 0.0, 1.0, xtol=1e-15)
    stable = 1 / (math.sqrt(2 * math.pi) * (u * float(ndtr(u)) + density(u)))
    return {
        "hebb": (1 / math.sqrt(2 * math.pi), 0.5),
        "pseudo-inverse": (math.sqrt((math.pi - 2) / 2) / math.pi, 0.5),
        "gibbs": (math.sqrt(2) / k, 1.0),
        "bayes": (1 / k, 1.0),
        "max-stability": (stable, 1.0),
    }
