"""The answers of scale-invariant's exact routes by an integration in other variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats
from scipy.integrate import solve_ivp

from teacherstudent.problems.scale_invariant import ScaleInvariant


def _integrated(slope: Any, start: list[float], times: np.ndarray) -> np.ndarray:
    """(2, T) by an explicit method of eighth order, good to about 1e-12 relatively."""
    solved = solve_ivp(lambda _, y: slope(*y), (0, times[-1]), start, "DOP853", times, rtol=1e-13, atol=1e-30)
    assert solved.success
    return np.asarray(solved.y)


def hinged(problem: ScaleInvariant, m: float) -> tuple[float, float]:
    """Means of 1 + hinge_weight [y f < margin] and of its square, the second by parts of the sample."""
    inside = stats.norm.cdf(problem.margin, problem.class_mean * m, problem.class_noise)
    weighed = 1 + problem.hinge_weight
    return (1 - inside) + inside * weighed, (1 - inside) + inside * weighed**2


def flow(problem: ScaleInvariant, times: np.ndarray) -> Mapping[str, np.ndarray]:
    """x' = -grad L - ridge x in the angle and the radius: |grad L(x)| = L'(angle)/r."""
    multiple = 2 if problem.loss == "squared-correlation" else 1

    def slope(angle: float, r: float) -> list[float]:
        pull = 2 * problem.class_mean * hinged(problem, np.cos(angle))[0] if problem.loss == "hinge-kr" else 1
        return [-pull * np.sin(multiple * angle) / r**2, -problem.ridge * r]

    angle, r = _integrated(slope, [problem.angle0, problem.radius0], times)
    eta = problem.learning_rate
    return {"angle": angle, "radius": r, "effective_learning_rate": eta / (1 - eta * problem.ridge) / r**2}


def online(problem: ScaleInvariant, times: np.ndarray, *, noise: float) -> Mapping[str, np.ndarray]:
    """sgd: m' = e drift - e^2 V m/2 of m = cos(angle), (r^4)' = 2 eta^2 V - 4 eta ridge r^4."""
    eta = problem.learning_rate

    def variance(m: float) -> float:
        if problem.loss == "hinge-kr":
            return (2 * problem.class_noise) ** 2 * hinged(problem, m)[1]
        if problem.loss == "squared-correlation":
            return 2 + 8 * m**2 + 2 * noise**2
        return (2 * (1 - m) if problem.loss == "mse" else 1) + noise**2

    def slope(m: float, r: float) -> list[float]:
        pull = {"squared-correlation": 2 * m, "hinge-kr": 2 * problem.class_mean * hinged(problem, m)[0]}
        drift = (1 - m**2) * pull.get(problem.loss, 1)
        e, V = eta / r**2, variance(m)
        return [e * drift - e**2 * V * m / 2, eta**2 * V / (2 * r**3) - eta * problem.ridge * r]

    m, r = _integrated(slope, [np.cos(problem.angle0), problem.radius0], times)
    return {"angle": np.arccos(m), "radius": r, "effective_learning_rate": eta / r**2}


REFERENCES = {"scale-invariant/flow/theory": flow, "scale-invariant/online/theory": online}
