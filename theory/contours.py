r"""Functions of a matrix through its resolvent: contours around the spectrum.

For A = C + ridge with spectrum on the positive axis,

    p(A) = (1/2 pi i) \oint p(v) (A + v)^-1 dv,   p(v) = e^{s v}  or  (1 + eta v)^k,

gives e^{-sA} (gradient flow) or (1 - eta A)^k (gradient descent); with p(v)/v under the integral
it gives (1 - p(A))/A, because the contour also encloses v = 0. All contours are symmetric about
the real axis: only the upper half is kept, and a sum means twice its real part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Weideman's modified Talbot contour (Weideman 2006, SIAM J. Numer. Anal. 44, 2342), u = N * shape.
_SCALE, _PINCH, _SHIFT, _SLOPE = 0.5017, 0.6407, -0.6122, 0.2645
NODES = 20
"""Truncation e^{-1.2 N} has met rounding, which grows like e^{0.17 N}: fewer or more are worse."""

FEW_STEPS = 24
"""Up to here (1 + eta v)^k is integrated on a circle, beyond it on Talbot contours."""


@dataclass(frozen=True)
class Contour:
    """Upper-half nodes v and weights, both (T, J), such that p(A) = 2 Re sum_j weight_j (A+v_j)^-1."""

    nodes: np.ndarray
    weights: np.ndarray


def _talbot() -> tuple[np.ndarray, np.ndarray]:
    """Shape u/N and du/d theta/N at the upper half of N midpoints, (J,) each."""
    theta = np.pi * np.arange(1, NODES, 2) / NODES
    cot = 1 / np.tan(_PINCH * theta)
    shape = _SHIFT + _SCALE * theta * cot + 1j * _SLOPE * theta
    slope = _SCALE * (cot - _PINCH * theta * (1 + cot**2)) + 1j * _SLOPE
    return NODES * shape, NODES * slope


def flow(times: np.ndarray) -> Contour:
    """Contour for e^{-sA} at times s > 0, (T,)."""
    u, slope = _talbot()
    s = times[:, None]
    return Contour(u / s, np.exp(u) * slope / (1j * NODES * s))


def descent(steps: np.ndarray, learning_rate: float, smallest: float) -> list[tuple[np.ndarray, Contour]]:
    """Contours for (1 - eta A)^k at whole k >= 1, (T,), in groups of equal shape.

    `smallest` is the smallest eigenvalue of 1 - eta A, above -1. Returns (indices into steps,
    contour) pairs that together cover all steps. On zeta = 1 + eta v, many steps need only the
    neighbourhood of zeta = 1, and of zeta = -1 when some eigenvalue is negative.
    """
    few = steps <= FEW_STEPS
    groups = [(np.flatnonzero(steps == k), k) for k in np.unique(steps[few])]
    contours = [(where, _circle(int(k), where.size, learning_rate)) for where, k in groups]
    if np.all(few):
        return contours
    k = steps[~few][:, None]
    u, slope = _talbot()
    zeta = np.exp(u / k)
    weights = np.exp(u) * zeta * slope / (1j * NODES * k * learning_rate)
    nodes = np.expm1(u / k) / learning_rate
    if smallest < 0:  # the mirror image zeta -> -zeta carries (-1)^k and its own sign
        mirrored = np.conj((-zeta - 1) / learning_rate)  # conjugate: back to the upper half
        nodes = np.concatenate([nodes, mirrored], axis=1)
        sign = np.where(k % 2 == 0, 1.0, -1.0)
        weights = np.concatenate([weights, np.conj(-sign * weights)], axis=1)
    return [*contours, (np.flatnonzero(~few), Contour(nodes, weights))]


def _circle(k: int, copies: int, learning_rate: float) -> Contour:
    """Trapezoidal rule on |zeta| = e^{5/k}: exact up to (|eigenvalue|/radius)^points."""
    log_radius = 5.0 / k
    points = 2 * int(np.ceil(37 / log_radius / 2))  # e^-37: below rounding
    zeta = np.exp(log_radius + 1j * np.pi * np.arange(1, points, 2) / points)
    nodes, weights = (zeta - 1) / learning_rate, zeta ** (k + 1) / (points * learning_rate)
    return Contour(np.tile(nodes, (copies, 1)), np.tile(weights, (copies, 1)))
