"""The answers of the perceptron's limit by other means: adaptive quadrature and roots, alpha by alpha.

Least squares by its own three equations, the version space and the largest stability by their integrals as
they are printed (seung1992, gardner1988, engel2001), for one strength.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, root
from scipy.special import log_ndtr, ndtr

from teacherstudent.problems.perceptron import Perceptron

Answer = dict[str, np.ndarray]
TIGHT = {"epsabs": 1e-14, "epsrel": 1e-13, "limit": 400}


def normal(function: Callable[[float], float], low: float = -12.0, high: float = 12.0) -> float:
    """The mean over a standard normal law, of its part from low to high."""
    middle = [each for each in (-1.0, 0.0, 1.0) if low < each < high]
    edges = [low, *middle, high]
    parts = pairwise(edges)
    found = (quad(lambda t: math.exp(-t * t / 2) * function(t), *part, **TIGHT)[0] for part in parts)
    return math.fsum(found) / math.sqrt(2 * math.pi)


def limit(problem: Perceptron, times: np.ndarray) -> Answer:
    """The asymptotic route for square, max-stability and gibbs."""
    rule = {"square": least_squares, "max-stability": stablest, "gibbs": member}[problem.rule]
    rows = [rule(problem, float(alpha)) for alpha in times]
    return {name: np.array([each[name] for each in rows]) for name in rows[0]}


def overlaps(R: float, Q: float) -> dict[str, float]:
    """What follows from both."""
    return {"R": R, "angle": math.acos(R), "generalisation_error": math.acos(R) / math.pi, "Q": Q}


def least_squares(problem: Perceptron, alpha: float) -> dict[str, float]:
    """Ridge regression on signs without noise: V by bisection, then along and Q, which are linear."""
    c1, ridge = math.sqrt(2 / math.pi), problem.ridge
    p, v = np.array(problem.counts) / problem.d, np.array(problem.strengths)

    def kept(V: float) -> np.ndarray:
        return 1 / (ridge + alpha / (1 + V) * v)

    V = brentq(lambda V: V - p @ (v * kept(V)), 0.0, v.max() / ridge, xtol=1e-15, rtol=1e-14)
    force = alpha / (1 + V)
    along = c1 * force * (p @ (v**2 * kept(V)))
    taught = c1**2 * force**2 * (p @ (v**3 * kept(V) ** 2))
    noisy = alpha / (1 + V) ** 2 * (p @ (v**2 * kept(V) ** 2))
    Q = (taught + noisy * (1 - 2 * c1 * along)) / (1 - noisy)
    R = along / math.sqrt(Q)
    delta, edge = R / math.sqrt(1 - R * R), -V / math.sqrt(Q)
    return overlaps(R, Q) | {
        "training_error": normal(lambda x: 2 * float(ndtr(delta * x)), min(-12.0, edge - 1), edge),
        "training_loss": (1 - 2 * c1 * along + Q) / (1 + V) ** 2 / 2,
    }


def stablest(problem: Perceptron, alpha: float) -> dict[str, float]:
    """Gardner's equations with a teacher, for one strength."""

    def excess(state: np.ndarray) -> list[float]:
        R, kappa = math.sin(state[0]), state[1]
        rest = math.cos(state[0])
        short = normal(lambda t: (kappa - t) ** 2 * float(ndtr(R * t / rest)), -12.0, kappa)
        edge = kappa / rest
        density = math.exp(-edge * edge / 2) / math.sqrt(2 * math.pi)
        pulled = 2 * alpha / math.sqrt(2 * math.pi) * (kappa * float(ndtr(edge)) + rest * density)
        return [rest**2 - 2 * alpha * short, R - pulled]

    found = root(excess, [math.pi / 4, 1 / math.sqrt(alpha + alpha**2)], tol=1e-13)
    assert np.max(np.abs(found.fun)) < 1e-11
    R, kappa = math.sin(found.x[0]), float(found.x[1])
    return overlaps(R, 1 / kappa**2) | {"training_error": 0.0, "margin": kappa}


def member(problem: Perceptron, alpha: float) -> dict[str, float]:
    """Of the version space."""

    def kernel(q: float) -> float:
        return normal(lambda t: math.exp(-q * t * t / 2 - log_ndtr(-math.sqrt(q) * t)))

    def excess(R: float) -> float:
        return R / math.sqrt(1 - R) - alpha / math.pi * kernel(R)

    R = brentq(excess, 1e-9, 1 - 1e-9, xtol=1e-15, rtol=1e-14)
    gamma = math.sqrt(R / (1 - R))
    told = normal(lambda t: 2 * float(ndtr(gamma * t)) * float(log_ndtr(gamma * t)))
    entropy = math.log(1 - R) / 2 + R / 2 + alpha * told
    return overlaps(R, 1.0) | {"training_error": 0.0, "entropy": entropy}


REFERENCES = {"perceptron/examples/asymptotic": limit}
