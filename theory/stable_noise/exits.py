"""First exit from (-r, r), in closed form: without drift, and at little noise in a well. Axis: T radii."""

from __future__ import annotations

import numpy as np
from scipy.special import gamma

from teacherstudent.house.errors import InputError
from teacherstudent.problems.stable_noise import StableNoise
from teacherstudent.theory.stable_noise import variates


def getoor(problem: StableNoise, times: np.ndarray, *, step: float, start: float) -> dict[str, np.ndarray]:
    """exit_time, (T,), without drift: (r^2 - x_0^2)^(alpha/2)/(sigma^alpha Gamma(1 + alpha)) (getoor1961).

    Exact for the motion, which has no step. Raises `InputError` where there is drift.
    """
    if problem.drift:
        domain = "0 for route getoor, which solves motion without a well"
        raise InputError("drift", problem.drift, domain, "use spectral or small-noise for a well")
    alpha = problem.stability
    inside = ((1 - start) * (1 + start)) ** (alpha / 2)
    return {"exit_time": (times / problem.noise) ** alpha * inside / gamma(1 + alpha)}


def small_noise(
    problem: StableNoise, times: np.ndarray, *, step: float, start: float
) -> dict[str, np.ndarray]:
    """exit_time, (T,), of little noise: (r/sigma)^alpha/C, C the constant of a variate's tail (imkeller2006).

    One large jump leads out, whatever the curvature and the start are, where a (r/sigma)^alpha is large.
    Raises `InputError` without drift and at stability 2, where there are no large jumps.
    """
    if problem.drift == 0:
        domain = "above 0 for route small-noise: without a well paths do not wait for a large jump"
        raise InputError("drift", problem.drift, domain, "use getoor for motion without drift")
    if problem.stability == 2:
        domain = "below 2 for route small-noise: Brownian motion has no large jumps"
        raise InputError("stability", problem.stability, domain, "use --route spectral")
    alpha = problem.stability
    return {"exit_time": (times / problem.noise) ** alpha / variates.tail_constant(alpha)}
