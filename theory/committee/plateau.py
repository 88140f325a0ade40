"""The plateau of K students of K teacher units, T = I, v = v* = 1, and where perfect learning turns unstable.

On the plateau no unit has specialised: R_im = R for all i, m, Q_ij is Q for i = j and C else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from teacherstudent.theory.committee.integration import Patience, fine_jacobian, integrate
from teacherstudent.theory.committee.symmetric import Symmetric

LATE = 1e290
"""A time at which a path that rests does so."""

ON_THE_WAY = 1e-6
"""Error of a step to the plateau. Newton's method finds the plateau itself, from a point nearby."""


@dataclass(frozen=True)
class Plateau:
    """Overlaps, excess risk, and the rate at which units specialise, which is negative where it is stable.

    The rate is per time t = steps/d; in the limit of small learning rates, also per learning rate.
    """

    R: float
    Q: float
    C: float
    excess_risk: float
    escape_rate: float

    @property
    def stable(self) -> bool:
        """Whether no unit ever specialises."""
        return self.escape_rate < 0


def plateau(width: int, learning_rate: float, activation: str = "erf", noise: float = 0.0) -> Plateau:
    """The fixed point of unspecialised students; learning_rate 0 is the limit of small ones.

    They come from R = 0, Q = 1/4, C = 0, so of several fixed points it is the one that is visited, whose
    units differ (Q > C). Raises `ArithmeticError` if none is reached.
    """
    if activation == "erf" and learning_rate == 0:  # units become the same, ever more slowly
        return small_rate_plateau(width)
    system = Symmetric(width, learning_rate, noise, activation=activation)

    def alike(y: np.ndarray) -> np.ndarray:
        return system.slopes(y[[0, 0, 1, 2]])[1:]

    patience = Patience(ON_THE_WAY, 20_000)
    none = np.zeros(3, dtype=bool)
    (rest,), status = integrate(alike, np.array([0.0, 0.25, 0.0]), np.array([LATE]), patience, none)
    if status.lost.any():
        raise ArithmeticError(f"no plateau was found: {status.why}")
    y = rest[[0, 0, 1, 2]]
    rates = np.linalg.eigvals(fine_jacobian(system.slopes, y)).real
    R, _, Q, C = (float(each) for each in y)
    return Plateau(R, Q, C, system.excess_risk(y), float(np.max(rates)) * (learning_rate or 1.0))


def small_rate_plateau(width: int) -> Plateau:
    """The limit of small learning rates in closed form, erf, K > 1; the escape rate is per learning rate."""
    K = width
    overlap = 1 / (2 * K - 1)
    risk = K / np.pi * (np.pi / 6 - K * np.arcsin(1 / (2 * K)))
    rate = 2 / np.pi * K * (2 * K - 1) ** -0.5 * (2 * K + 1) ** -1.5
    return Plateau(float(np.sqrt(overlap / K)), overlap, overlap, float(risk), float(rate))


def near_perfect(width: int) -> tuple[np.ndarray, np.ndarray]:
    """A and B of d(R - 1, S, Q - 1, C)/dt = (eta A + eta^2 B) (...) near the teacher, erf, (4, 4) each."""
    K, root3, root5 = width, np.sqrt(3), np.sqrt(5)
    g = K - 2 + 2 / root3
    A = [
        [-8 * root3 / 9, -3 * (K - 1) / 2, root3 / 3, (K - 1) / 2],
        [-1, -g, 1 / 4, 0],
        [8 * root3 / 9, K - 1, -2 * root3 / 3, 1 - K],
        [2, 2 * g, -3 / 2, -2 * g],
    ]
    b = 4 * (5 * K - 5 + 3 * root5) / 15
    e = 2 * (root3 * K - 2 * root3 + 3 * np.sqrt(2)) / 3
    f = (3 * K**2 - 15 * K + 8 * root3 * K - 16 * root3 + 26) / 3
    B = [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [-2 * b, -2 * (K - 1) * e, b, (K - 1) * e],
        [-2 * e, -2 * f, e, f],
    ]
    return np.array(A) / np.pi, np.array(B) / np.pi**2


def critical_rate(width: int) -> float:
    """The learning rate beyond which the teacher, once learned, is left again: det(A + eta B) = 0, erf."""
    A, B = near_perfect(width)
    if width == 1:  # one unit has no other
        A, B = A[::2, ::2], B[::2, ::2]
    rates = linalg.eigvals(A, -B)
    real = rates.real[np.isfinite(rates) & (np.abs(rates.imag) < 1e-9 * np.abs(rates)) & (rates.real > 0)]
    return float(np.min(real))
