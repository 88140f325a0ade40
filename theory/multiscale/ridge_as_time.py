"""Ridge regression at 1/s in the place of gradient flow at time s: how far apart, and how bounded.

pezeshki2022 Eq. 4.2.22 takes one for the other. On one eigenvalue c the flow keeps e^{-x} of the
error and ridge regression 1/(1 + x), x = cs; they agree to first order in x only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import turning
from teacherstudent.theory.multiscale import landmarks

POINTS_PER_DECADE = 12


@dataclass(frozen=True)
class Gap:
    """Where two curves lie furthest apart, and by how much."""

    time: float
    value: float


def largest_gap(problem: MultiScale) -> Gap:
    """Excess risk of ridge regression at 1/s minus that of gradient flow at s, where it is largest."""
    flow, ridge = landmarks.flow_curve(problem), landmarks.ridge_curve(problem)
    return _furthest(problem, lambda x: ridge.value(x) - flow.value(x))


def largest_ratio(problem: MultiScale) -> Gap:
    """Excess risk of gradient flow at s over that of ridge regression at 1/s, where it is largest.

    Times at which both risks have fallen to rounding count as equal.
    """
    flow, ridge = landmarks.flow_curve(problem), landmarks.ridge_curve(problem)

    def ratio(x: np.ndarray) -> np.ndarray:
        return np.maximum(flow.value(x), _ROUNDING) / np.maximum(ridge.value(x), _ROUNDING)

    return _furthest(problem, ratio)


_ROUNDING = 1e-9


def ratio_bound() -> float:
    """The factor by which flow can exceed ridge regression: max of [(1 - e^-x)(1 + x)/x]^2.

    Ali et al. 2019, who round it up to 1.6862: it bounds the variance, and the bias stays below
    that of ridge regression, e^-x <= 1/(1 + x), for the Bayes risk under an isotropic prior. Here
    the prior of F w_hat is isotropic: the theorem covers one scale only.
    """
    best = scipy.optimize.minimize_scalar(
        lambda x: np.expm1(-x) * (1 + x) / x, bounds=(0.1, 10), method="bounded"
    )
    return float(best.fun**2)


def _furthest(problem: MultiScale, curve: turning.Sampled) -> Gap:
    low, high = np.log(landmarks.time_range(problem))
    x = np.linspace(low, high, int((high - low) / np.log(10) * POINTS_PER_DECADE) + 2)
    at = int(np.argmax(np.abs(curve(x))))
    ends = x[max(at - 1, 0)], x[min(at + 1, x.size - 1)]
    best = scipy.optimize.minimize_scalar(
        lambda y: -abs(curve(np.array([y]))[0]), bounds=ends, method="bounded", options={"xatol": 1e-6}
    ).x
    return Gap(float(np.exp(best)), float(curve(np.array([best]))[0]))
