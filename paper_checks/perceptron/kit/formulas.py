r"""The equations of the classical rules, by Gaussian or adaptive quadrature and bracketing.

R is the overlap of student and teacher, a = n/d, H(x) = P(z > x) of a normal z, k(q) the mean of
exp(-q z^2/2)/H(sqrt(q) z). All integrands are smooth over a few tenths of the width of a normal law.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate, optimize, special

TIGHT = {"xtol": 1e-15, "rtol": 4 * float(np.finfo(float).eps)}
REACH = 13.0
"""Beyond it a normal number is of no weight in double precision."""
_ROOTS, _SHARES = np.polynomial.legendre.leggauss(400)
NODES = REACH * _ROOTS
WEIGHTS = REACH * _SHARES * np.exp(-(NODES**2) / 2) / np.sqrt(2 * np.pi)


ORDER = 120
"""Of Gaussian quadrature over an interval that is a few tens of widths long: enough for all digits."""


def normal(x: Any) -> Any:
    """The density of standard normal numbers."""
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def hebb(a: float) -> float:
    """R of the sum of labelled examples."""
    return float(np.sqrt(2 * a / (2 * a + np.pi)))


def pseudo_inverse(a: float) -> float:
    """R of least squares on labels: all are met where a < 1."""
    if a < 1:
        return float(np.sqrt(2 * a * (1 - a) / (np.pi - 2 * a)))
    return float(np.sqrt(2 * (a - 1) / (np.pi + 2 * a - 4)))


def k(q: float) -> float:
    """The mean of exp(-q z^2/2)/H(sqrt(q) z)."""
    return float(WEIGHTS @ np.exp(-q * NODES**2 / 2 - special.log_ndtr(-np.sqrt(q) * NODES)))


def gibbs(a: float, power: float = 0.5) -> float:
    """R of a random member of the version space: R = (a/pi) (1 - R)^power k(R)."""

    def missing(log: float) -> float:
        """Of log(1 - R), so that few wrong labels keep their digits."""
        R = -np.expm1(log)
        return float(a / np.pi * np.exp(power * log) * k(R) - R)

    return float(-np.expm1(optimize.brentq(missing, -40.0, -1e-12, **TIGHT)))


def largest_margin(a: float, slack: float = 1.0) -> tuple[float, float]:
    """R and the margin of the student of maximal stability, |w|^2 = d.

    With s = sin(angle) and K = margin/s: 1 = 2 a s I and R = 2 a s pull(K)/sqrt(2 pi), where I is the
    integral of v^2 normal(s (K - v)) Phi(R (K - v)) over v > 0. slack: a factor on I, 1 where it is right.
    """

    def squares(angle: float, K: float) -> float:
        s, R = np.sin(angle), np.cos(angle)
        found, _ = integrate.fixed_quad(
            lambda v: v**2 * normal(s * (K - v)) * special.ndtr(R * (K - v)), 0, K + REACH, n=ORDER
        )
        return slack * float(found)

    def reach(angle: float) -> float:
        """K at this angle, whatever a is."""
        wanted = np.sqrt(2 * np.pi) * np.cos(angle)
        return float(optimize.brentq(lambda K: wanted * squares(angle, K) - pull(K), 1e-3, 50.0, **TIGHT))

    def missing(angle: float) -> float:
        return 2 * a * np.sin(angle) * squares(angle, reach(angle)) - 1

    angle = optimize.brentq(missing, 1e-4, 1.55, **TIGHT)
    return float(np.cos(angle)), float(np.sin(angle)) * reach(angle)


def pull(K: float) -> float:
    """The mean of max(0, K - z) over a standard normal z."""
    return float(K * special.ndtr(K) + normal(K))


def storage(margin: float) -> float:
    """Examples per input with random labels that are met with this margin at most."""
    wanting, _ = integrate.quad(
        lambda t: (t + margin) ** 2 * normal(t), -margin, 40.0, epsabs=1e-14, epsrel=1e-13, limit=400
    )
    return 1 / wanting


# Weights of -1 and 1 ------------------------------------------------------------------------------------


def mean(values: np.ndarray) -> float:
    """Over a standard normal number at `NODES`."""
    return float(WEIGHTS @ values)


def log_cosh(x: np.ndarray) -> np.ndarray:
    """ln 2 cosh x."""
    return np.logaddexp(x, -x)


def field_of(q: float, taught: bool = True) -> float:
    """The conjugate overlap at which the mean of tanh (taught) or of tanh^2 (stored) is q."""

    def missing(field: float) -> float:
        if taught:
            return mean(np.tanh(field + np.sqrt(field) * NODES)) - q
        return mean(np.tanh(np.sqrt(field) * NODES) ** 2) - q

    return float(optimize.brentq(missing, 1e-12, 60.0, **TIGHT))


def examples_at(q: float) -> float:
    """Examples per weight at which the overlap of version space and teacher is q."""
    return float(field_of(q) * np.pi * np.sqrt(1 - q) / k(q))


def taught_entropy(q: float, pairs: float = 0.5) -> float:
    """Logarithm of the number of students left, per weight, at `examples_at(q)`.

    pairs: what a pair of replicas counts, 1/2 where it is right.
    """
    field, log_h = field_of(q), special.log_ndtr(-np.sqrt(q / (1 - q)) * NODES)
    free = mean(log_cosh(field + np.sqrt(field) * NODES)) - pairs * field * (1 + q)
    return free + 2 * examples_at(q) * mean(np.exp(log_h) * log_h)


def transition() -> float:
    """Examples per weight at which the low branch has no entropy left."""
    return examples_at(float(optimize.brentq(taught_entropy, 0.5, 0.75, **TIGHT)))


def spinodal() -> float:
    """Examples per weight at which the low branch ends."""
    found = optimize.minimize_scalar(
        lambda q: -examples_at(q), bounds=(0.6, 0.97), method="bounded", options={"xatol": 1e-9}
    )
    return float(-found.fun)


def stored_entropy(q: float) -> tuple[float, float]:
    """Random labels: examples per weight at this overlap of replicas, and the entropy there."""
    field, g = field_of(q, taught=False), np.sqrt(q / (1 - q))
    log_h = special.log_ndtr(-g * NODES)
    inverse_mills = np.exp(-((g * NODES) ** 2) / 2 - log_h) / np.sqrt(2 * np.pi)
    a = field * (1 - q) / mean(inverse_mills**2)
    return a, mean(log_cosh(np.sqrt(field) * NODES)) - field * (1 - q) / 2 + a * mean(log_h)


def binary_capacity() -> float:
    """Random labels a weight of -1 or 1 can store: where the entropy is 0."""
    q = optimize.brentq(lambda q: stored_entropy(q)[1], 0.3, 0.8, **TIGHT)
    return stored_entropy(float(q))[0]


# Many examples ------------------------------------------------------------------------------------------


def prefactors() -> dict[str, tuple[float, float]]:
    """By rule c and p of the error c a^-p of many examples."""

    def squares(K: float) -> float:
        return float(integrate.fixed_quad(lambda u: u**2 * special.ndtr(K - u), 0, K + REACH, n=ORDER)[0])

    K = optimize.brentq(lambda K: squares(K) - pull(K), 0.01, 5.0, **TIGHT)
    return {
        "hebb": (1 / np.sqrt(2 * np.pi), 0.5),
        "pseudo-inverse": (np.sqrt((np.pi - 2) / 2) / np.pi, 0.5),
        "gibbs": (np.sqrt(2) / k(1.0), 1.0),
        "bayes": (1 / k(1.0), 1.0),
        "max-stability": (1 / (np.sqrt(2 * np.pi) * pull(K)), 1.0),
    }


# Separable labels ---------------------------------------------------------------------------------------


def separable_up_to(noise: float, sure: float = 1.0) -> float:
    """Examples per input up to which noisy labels are separable (infinite without noise).

    One over the least mean, over c, of max(0, z - c u)^2, u = y w*.x of variance 1. sure: a factor on the
    noise, 1 where it is right.
    """
    weights = 2 * WEIGHTS * special.ndtr(NODES / (sure * noise))

    def wanting(c: float) -> float:
        x = c * NODES
        return float(weights @ ((1 + x**2) * special.ndtr(-x) - x * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)))

    return 1 / float(optimize.minimize_scalar(wanting, bounds=(0.0, 50.0), method="bounded").fun)


def cover(n: int, d: int) -> float:
    """Fraction of labellings of n inputs in general position in d dimensions that a plane through 0 makes."""
    made = [2] * d
    for _ in range(n - 1):
        made = [new + old for new, old in zip(made, [0, *made[:-1]], strict=True)]
    return made[-1] / 2**n
