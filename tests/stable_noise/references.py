"""Stable noise by other means: quadrature over the angle of a variate, over time, over what examples weigh.

A variate is sin(alpha U)/cos(U)^(1/alpha) [cos((1-alpha) U)/E]^((1-alpha)/alpha), U uniform, E exponential
(chambers1976): its logarithm is a function of U less a multiple of ln E, whose variance is pi^2/6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from scipy.integrate import quad

from teacherstudent.problems.stable_noise import StableNoise

Answer = dict[str, np.ndarray]
TIGHT = {"epsabs": 0.0, "epsrel": 1e-13, "limit": 400}


def over_angles(alpha: float, function: Callable[[float], float]) -> float:
    """The mean over U of a function of ln of what stands before E, by symmetry over U > 0."""

    def at(u: float) -> float:
        log = math.log(math.sin(alpha * u) if alpha < 2 else 2 * math.sin(u) * math.cos(u))
        log += (1 - alpha) / alpha * math.log(math.cos((1 - alpha) * u)) - math.log(math.cos(u)) / alpha
        return function(log)

    middle = [quad(at, *part, **TIGHT)[0] for part in ((0.0, 0.2), (0.2, 1.4), (1.4, math.pi / 2))]
    return math.fsum(middle) * 2 / math.pi


def moment(alpha: float, power: float) -> float:
    """E|S|^p = 2/pi Gamma(1 + p) sin(pi p/2) int_0^inf (1 - e^(-u^alpha)) u^(-1-p) du, over y = ln u."""

    def missing(y: float) -> float:
        log = math.log(-math.expm1(-math.exp(min(alpha * y, 9.0)))) if alpha * y > -40 else alpha * y
        return math.exp(log - power * y)

    edges = (-60 / (alpha - power), 0.0, 4.0, 60 / power)
    parts = [quad(missing, *part, **TIGHT)[0] for part in pairwise(edges)]
    return 2 / math.pi * math.gamma(1 + power) * math.sin(math.pi * power / 2) * math.fsum(parts)


def relaxation(problem: StableNoise, times: np.ndarray, *, step: float) -> Answer:
    """The exact route, at times above 0."""
    alpha, noise = problem.stability, problem.noise
    mean = over_angles(alpha, lambda log: log) + (1 - alpha) / alpha * np.euler_gamma
    square = over_angles(alpha, lambda log: (log + (1 - alpha) / alpha * np.euler_gamma - mean) ** 2)
    variance = square + ((1 - alpha) / alpha) ** 2 * math.pi**2 / 6
    kept = [quad(lambda s: math.exp(-alpha * problem.drift * s), 0, t, **TIGHT)[0] for t in times]
    summed = noise**alpha * np.array(kept)
    return {
        "mean_log": mean + np.log(summed) / alpha,
        "variance_log": np.full(len(times), variance),
        "characteristic": np.exp(-summed),
    }


def gap(
    problem: StableNoise, times: np.ndarray, *, relative_step: float, power: float, input_scale: float
) -> Answer:
    """The exact route, from (mean x^2)^-m = int_0^inf v^(m-1) e^(-v mean x^2) dv/Gamma(m), m = p/alpha.

    Under the integral examples are independent: E e^(-v x^2/n) = (1 + 2 v s^2/n)^(-1/2), and with |x|^p in it
    E|x|^p (1 + 2 v s^2/n)^(-(1 + p)/2).
    """
    alpha, m = problem.stability, power / problem.stability
    weight = 2 ** (power / 2) * math.gamma((1 + power) / 2) / math.sqrt(math.pi) * input_scale**power
    size = problem.noise**power * moment(alpha, power) * (alpha * problem.drift) ** -m * weight

    def loss(n: float, share: float) -> float:
        def kept(y: float) -> float:
            return math.exp(m * y - share * np.logaddexp(0, math.log(2 * input_scale**2 / n) + y))

        edges = (-60 / m, 0.0, 5.0, 60 / (share - m))
        parts = [quad(kept, *part, **TIGHT)[0] for part in pairwise(edges)]
        return size * math.fsum(parts) / math.gamma(m)

    training = np.array([loss(n, (n + power) / 2) for n in times])
    population = np.array([loss(n, n / 2) for n in times])
    return {
        "training_loss": training,
        "population_loss": population,
        "generalisation_gap": population - training,
    }


REFERENCES = {"stable-noise/relaxation/exact": relaxation, "stable-noise/gap/exact": gap}
