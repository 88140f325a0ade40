r"""Up to how many examples some student answers all of them right.

Only which directions there are matters to that, not how strong inputs are: thresholds do not depend on their
variances.
"""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.special import bdtr

CAPACITY = 2.0
"""Random labels that a perceptron stores, per weight (cover1965)."""

LITTLE = 1e-8
"""Noise, or what it leaves, whose square is nothing beside 1."""

_SERIES, _TERMS = 0.3, 12
"""Angles up to which a series is summed, and its terms: what is left is below 1e-17 of it."""


def threshold(noise: float) -> float:
    r"""The alpha up to which a teacher's examples are separable, its noise >= 0 inside the sign.

    1/alpha is the least of (theta' - sin theta' cos theta')/(pi sin^2 theta), theta the student's angle with
    the teacher, cos theta' = c cos theta that with the noisy teacher (candes2020, in closed form): infinite
    without noise, near pi/(sqrt(3) noise) for little, 2 for pure noise.
    """
    if math.isinf(noise):
        return CAPACITY
    length = math.hypot(1.0, noise)
    return edge(1 / length, noise / length)[0]


def edge(clean: float, unclear: float) -> tuple[float, float]:
    """That threshold, and the angle of the student there, at c = clean and sqrt(1 - c^2) = unclear."""
    if not unclear:
        return math.inf, 0.0
    if clean < LITTLE:
        return CAPACITY, math.pi / 2 - 2 * clean / math.pi
    if unclear < LITTLE:
        return math.pi / (math.sqrt(3) * unclear), math.sqrt(2) * unclear

    def slope(log_tangent: float) -> float:
        sine, cosine, wide = _angles(log_tangent, clean, unclear)
        return clean * sine**2 * wide - segment(math.atan2(wide, clean * cosine)) * cosine

    # tan theta is sqrt(2) noise where that is small, and pi/(2 c) where c is
    found = brentq(slope, math.log(unclear / 2), math.log(4 / clean), xtol=1e-14, rtol=1e-14)
    _, cosine, wide = _angles(found, clean, unclear)
    return math.pi * cosine / (clean * wide), math.atan(math.exp(found))


def _angles(log_tangent: float, clean: float, unclear: float) -> tuple[float, float, float]:
    """sin theta, cos theta and sin theta'."""
    tangent = math.exp(log_tangent)
    length = math.hypot(1.0, tangent)
    sine, cosine = tangent / length, 1 / length
    return sine, cosine, math.hypot(unclear, clean * sine)


def segment(angle: float) -> float:
    """angle - sin angle cos angle, to all its digits."""
    if angle > _SERIES:
        return angle - math.sin(angle) * math.cos(angle)
    x = 2 * angle
    term, total = x**3 / 6, 0.0
    for k in range(_TERMS):
        total += term
        term *= -(x**2) / ((2 * k + 4) * (2 * k + 5))
    return total / 2


def cover(n: int, d: int) -> float:
    """The probability that n points in general position in d dimensions are separable by coins for labels.

    2^(1 - n) sum_{k < d} C(n - 1, k), exact at every size (cover1965).
    """
    return float(bdtr(d - 1, n - 1, 0.5)) if n > d else 1.0
