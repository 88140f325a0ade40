r"""Edges of the spectrum of Phi^T Phi in the limit: closed equations, each with a single root.

lambda = -(psi1 - E)(psi2 - E)/(psi1 y) is stationary over real y where D of `pairs`, of y with itself, is 0:

    D = (psi1 - P)(psi2 - P) - (E - P)^2,   P = sum m (1 - eta)^2,   E - P = y mustar^2 + sum m (1 - eta) eta.

Above the spectrum y < 0, from -0 down: P and (E - P)^2 grow. Below it y begins at y0, where E is the smaller
of psi1 and psi2 and lambda = 0. While D > 0 it falls there as well: E - P <= (psi1 + psi2 - 2 P)/2, and so

    y D'/2 <= -(psi1 + psi2 - 2 P)/2 sum m (1 - eta)^2 eta - (E - P) y mustar^2 < 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from teacherstudent.theory.random_features.equation import at_zero
from teacherstudent.theory.random_features.model import Model

LOG_LARGEST = 300.0


def upper(model: Model) -> float:
    """Largest eigenvalue; 0 of features that are 0."""
    ends = [1 / model.u.max()] if model.u.any() else []
    ends += [2 * float(np.sqrt(model.psi1 * model.psi2)) / model.rest] if model.rest else []
    if not ends:
        return 0.0

    def sums(log: float) -> tuple[float, float, float]:
        """y, P, and E - P."""
        y = -min(ends) * np.exp(log)
        t = y * model.u
        eta = 1 / (1 + t)
        return y, float(model.m @ (t * eta) ** 2), float(y * model.rest + model.m @ (t * eta * eta))

    def tilt(log: float) -> float:
        _, used, rising = sums(log)
        left = min(model.psi1, model.psi2) - used
        return left - rising**2 / (left + model.gap) if left > 0 else left - 1.0

    y, used, rising = sums(root(tilt, -LOG_LARGEST, -np.finfo(float).eps))
    return float(-(model.psi1 - used - rising) * (model.psi2 - used - rising) / (model.psi1 * y))


def lower(model: Model) -> float:
    """Smallest eigenvalue other than zero; 0 where the least of n, N and the rank of the features' limit is
    attained twice: the spectrum begins at 0 there."""
    if model.beyond > 0:
        return _lower_of_few_inputs(model)
    if not (model.gap and model.beyond):
        return 0.0
    start = at_zero(model)
    y0, learned0 = float(start.y[0]), start.learned[0]

    def sums(log: float) -> tuple[float, float, float]:
        """y, min(psi1, psi2) - E, and E - P."""
        more = np.exp(log)
        y = y0 * (1 + more)
        t = y * model.u
        eta = 1 / (1 + t)
        least = -more * (y0 * model.rest + model.m @ (learned0 * eta))
        return y, float(least), float(y * model.rest + model.m @ (t * eta * eta))

    def tilt(log: float) -> float:
        _, least, rising = sums(log)
        return (max(least + model.gap, 0.0) * least + (2 * least + model.gap) * rising) / rising

    y, least, _ = sums(root(tilt, -LOG_LARGEST, LOG_LARGEST))
    return float(-least * (least + model.gap) / (model.psi1 * y))


def _lower_of_few_inputs(model: Model) -> float:
    """That of features linear in fewer inputs than n and N: y is infinite at 0, and negative below."""
    m, u = model.m[model.u > 0], model.u[model.u > 0]

    def sums(log: float) -> tuple[float, float, float]:
        """-1/y, min(psi1, psi2) - E, and E - P."""
        x = u.min() * np.exp(log)
        eta = -x / (u - x)
        return x, float(model.beyond + m @ eta), float(m @ ((1 - eta) * eta))

    def tilt(log: float) -> float:
        _, least, rising = sums(log)
        if least <= 0:
            return rising
        return least * (least + model.gap) + (2 * least + model.gap) * rising

    x, least, _ = sums(root(tilt, -LOG_LARGEST, -np.finfo(float).eps))
    return float(least * (least + model.gap) * x / model.psi1)


def root(of: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign. Raises `ArithmeticError` where it does not."""
    from scipy import optimize  # slow to import

    if not of(low) * of(high) < 0:
        raise ArithmeticError("an edge of the spectrum overflows")
    return float(optimize.brentq(of, low, high, xtol=1e-15, rtol=1e-15, maxiter=500))
