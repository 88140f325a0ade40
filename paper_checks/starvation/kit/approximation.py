"""The fixed point of 6.3.10 as printed, by SciPy's `root`, from U and S alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from teacherstudent.problems.starvation import Starvation


@dataclass(frozen=True)
class Settled:
    """A problem, and alpha and z of its fixed point of 6.3.10, (n,)."""

    problem: Starvation
    alpha: np.ndarray
    z: np.ndarray


def settled(problem: Starvation) -> Settled:
    """log alpha = -U (S^2 + ridge) U^T alpha/ridge, solved in log alpha."""
    U, s, ridge = problem.U, problem.s, problem.ridge

    def excess(log_alpha: np.ndarray) -> np.ndarray:
        return log_alpha + U @ ((s**2 + ridge) * (U.T @ np.exp(log_alpha))) / ridge

    def slope(log_alpha: np.ndarray) -> np.ndarray:
        return np.eye(problem.n) + (U * (s**2 + ridge)) @ U.T * np.exp(log_alpha) / ridge

    start = -np.log1p(s.max() ** 2 / ridge) * np.ones(problem.n)
    alpha = np.exp(optimize.root(excess, start, jac=slope, tol=1e-15).x)
    return Settled(problem, alpha, s**2 / ridge * (U.T @ alpha))
