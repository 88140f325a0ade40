"""One linear unit of a linear teacher of one, T = v = v* = 1, in closed form: in the limit and at any d."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.committee.instance import Committee


def limit(problem: Committee, times: np.ndarray, R0: float, Q0: float) -> tuple[np.ndarray, np.ndarray]:
    """R and Q, (T,) each, at times t = steps/d as d -> infinity."""
    eta, kappa = problem.learning_rate, problem.weight_decay
    a, b = eta + kappa, 2 * eta + 2 * kappa - eta**2
    end = eta / a
    moved = 2 * eta * (1 - eta) * (R0 - end) / (b - a)
    rest = (2 * eta * (1 - eta) * end + eta**2 * (1 + problem.noise**2)) / b
    R = end + (R0 - end) * np.exp(-a * times)
    return R, rest + moved * np.exp(-a * times) + (Q0 - rest - moved) * np.exp(-b * times)


def largest_rate(weight_decay: float) -> float:
    """The learning rate beyond which Q grows without end."""
    return float(1 + np.sqrt(1 + 2 * weight_decay))


def mean(problem: Committee, steps: int, R0: float, Q0: float) -> tuple[np.ndarray, np.ndarray]:
    """Means over examples of R and Q after 0, 1, ..., `steps` steps, (steps + 1,) each, exact at any d."""
    d, rate = problem.d, problem.learning_rate / problem.d
    keep = 1 - problem.weight_decay / d
    R, Q = [R0], [Q0]
    for _ in range(steps):
        r, q = R[-1], Q[-1]
        wrong = q - 2 * r + 1
        R.append(keep * r - rate * (r - 1))
        squares = wrong * (d + 2) / d + problem.noise**2  # E x^4 = 3: |x|^2 is not d
        Q.append(keep**2 * q - 2 * keep * rate * (q - r) + rate**2 * d * squares)
    return np.array(R), np.array(Q)
