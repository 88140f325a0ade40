"""Moments and tails of a stable variate S, E exp(iuS) = exp(-|u|^alpha): at alpha = 2 of variance 2."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gamma

MEAN_LOG_OF_EXPONENTIAL = -float(np.euler_gamma)
"""E ln of an exponential variable of mean 1."""


def mean_log(stability: float) -> float:
    """E ln|S| = gamma_E (1/alpha - 1) (samorodnitsky1994 ch. 1, from E|S|^p at p = 0)."""
    return MEAN_LOG_OF_EXPONENTIAL * (1 - 1 / stability)


def variance_log(stability: float) -> float:
    """Var ln|S| = (pi^2/6)(1/alpha^2 + 1/2), free of the scale."""
    return math.pi**2 / 6 * (1 / stability**2 + 0.5)


def moment(stability: float, power: float) -> float:
    """E|S|^p = 2^p Gamma((1+p)/2) Gamma(1 - p/alpha)/(sqrt(pi) Gamma(1 - p/2)), 0 < p < alpha."""
    kept = gamma(1 - power / stability) / gamma(1 - power / 2)
    return float(2**power * gamma((1 + power) / 2) / math.sqrt(math.pi) * kept)


def normal_moment(power: float) -> float:
    """E|N|^p of a standard normal variable, p > -1."""
    return float(2 ** (power / 2) * gamma((1 + power) / 2) / math.sqrt(math.pi))


def tail_constant(stability: float) -> float:
    """C of P(|S| > t) ~ C t^-alpha, alpha < 2: 2 Gamma(alpha) sin(pi alpha/2)/pi (samorodnitsky1994)."""
    return float(2 * gamma(stability) * math.sin(math.pi * stability / 2) / math.pi)
