r"""One mode of a two-layer network: exact on every hyperbola a^2 - b^2 = c.

tau a' = b (s - ab), tau b' = a (s - ab) (pezeshki2022 Eqs. 2.2.15-2.2.16). The squares P = (a+b)^2 and N =
(a-b)^2 keep P N = c^2 and obey separate Riccati equations, which differ only in the sign of s:

    tau P' = 2 s P - P^2/2 + c^2/2,

so both are ratios of sums of positive terms: no overflow, no cancellation, any start. u = ab =
(P - N)/4; c = 0 gives Eq. 2.2.22. Times are t/tau. All arguments broadcast.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

FROZEN = 744.0
"""Exponent at which e^-x is taken to stop falling, just above 0: no time is so late that 0/0 appears."""


def strength(times: ArrayLike, s: ArrayLike, u0: ArrayLike, balance: ArrayLike = 0.0) -> np.ndarray:
    """Mode strength u at times t/tau >= 0, from u0 at 0 with a^2 - b^2 = balance (Eq. 2.2.22 at 0).

    Any real u0; s > 0. Good to rounding of the largest of s, |u0| and |balance|. With balance 0 a
    negative u0 goes to 0, not to s: a = -b stays so.
    """
    s, u0, c = (np.asarray(each, dtype=float) for each in (s, u0, balance))
    total = np.hypot(c, 2 * u0)  # a^2 + b^2
    larger = total + 2 * np.abs(u0)
    smaller = np.divide(c**2, larger, out=np.zeros_like(larger), where=larger > 0)
    plus, minus = np.where(u0 >= 0, larger, smaller), np.where(u0 >= 0, smaller, larger)
    return (_square(times, s, plus, c) - _square(times, -s, minus, c)) / 4


def amplitudes(times: ArrayLike, s: ArrayLike, a0: ArrayLike, b0: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Both layers' amplitudes a and b at times t/tau >= 0, from any (a0, b0)."""
    s, a0, b0 = (np.asarray(each, dtype=float) for each in (s, a0, b0))
    c = (a0 - b0) * (a0 + b0)
    plus = np.sign(a0 + b0) * np.sqrt(_square(times, s, (a0 + b0) ** 2, c))  # neither sum changes sign
    minus = np.sign(a0 - b0) * np.sqrt(_square(times, -s, (a0 - b0) ** 2, c))
    return (plus + minus) / 2, (plus - minus) / 2


def time_to_learn(s: ArrayLike, u0: ArrayLike, u: ArrayLike, balance: ArrayLike = 0.0) -> np.ndarray:
    """Time t/tau in which a mode goes from u0 to u, 0 < u0, u < s: Eq. 2.2.21 for any balance.

    Negative where u < u0. Balance 0: ln[u (s - u0)/(u0 (s - u))]/(2 s).
    """
    s, c = np.asarray(s, dtype=float), np.asarray(balance, dtype=float)
    rate = np.hypot(c, 2 * s)

    def reached(v: ArrayLike) -> np.ndarray:
        v = np.asarray(v, dtype=float)
        return np.log((c**2 + 4 * s * v + rate * np.hypot(c, 2 * v)) / (s - v))

    return (reached(u) - reached(u0)) / rate


def _square(times: ArrayLike, s: np.ndarray, start: np.ndarray, c: np.ndarray) -> np.ndarray:
    """P at times t/tau, from P = start: its equation is in the module's docstring."""
    rate = np.hypot(c, 2 * s)
    far = rate + 2 * np.abs(s)
    near = c**2 / far
    attractor, repeller = np.where(s > 0, far, near), np.where(s > 0, near, far)  # P = attractor, -repeller
    exponent = np.minimum(rate * np.asarray(times), FROZEN)
    fading, grown = np.exp(-exponent), -np.expm1(-exponent)
    return (start * (attractor + repeller * fading) + c**2 * grown) / (
        start * grown + repeller + attractor * fading
    )
