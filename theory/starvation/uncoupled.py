r"""Solvable cases of the approximate dynamics 6.3.10, and the perturbation around them.

W is Lambert's function. None of this is a fixed point of the exact dynamics 6.3.9: to leading
order alpha is off by alpha^2/(2 (1 + W)).
"""

from __future__ import annotations

import numpy as np
from scipy.special import lambertw

from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation.duality import of_ridge


def equal_strengths(problem: Starvation) -> tuple[np.ndarray, np.ndarray]:
    """alpha and z, (n,), where all strengths are equal: any U decouples (6.3.12)."""
    s_squared = problem.s[0] ** 2
    w = lambert(s_squared / problem.ridge)
    alpha = np.full(problem.n, problem.ridge * w / (s_squared + problem.ridge))
    return alpha, s_squared * w / (s_squared + problem.ridge) * problem.U.sum(axis=0)


def one_example_each(problem: Starvation) -> tuple[np.ndarray, np.ndarray]:
    """alpha and z, (n,), where U is a permutation matrix, up to signs of columns (6.3.13).

    Example k carries feature j(k): its alpha is that of s_{j(k)}, and z_j has the sign of the
    one entry in column j.
    """
    U, s_squared = problem.U, problem.s**2
    w = lambert(s_squared / problem.ridge)
    feature = np.abs(U).argmax(axis=1)  # j(k)
    alpha = problem.ridge * w / (s_squared + problem.ridge)
    return alpha[feature], U.sum(axis=0) * s_squared * w / (s_squared + problem.ridge)


def perturbed(problem: Starvation) -> np.ndarray:
    """alpha (n,) near U = 1, first order in the coupling (Lemma 6.3.4): one Newton step from alpha_0.

    alpha_0 = W(A_kk)/A_kk solves 6.3.10 with the diagonal of A alone (.5.38).
    """
    A = of_ridge(problem).A + np.eye(problem.n)  # U (S^2 + ridge) U^T/ridge (.5.37)
    alpha_0 = lambertw(np.diag(A)).real / np.diag(A)
    return np.linalg.solve(A + np.diag(1 / alpha_0), 1 - np.log(alpha_0))  # 6.3.14


def weak_coupling(problem: Starvation, delta: float) -> tuple[float, float]:
    """z_2 and dz_2/d(s_1^2) of 6.3.10 at two features to first order in delta (.5.46-.5.47, re-derived)."""
    first, second = problem.s**2
    w1, w2 = lambert(problem.s**2 / problem.ridge)
    own, other = np.exp(-w2), np.exp(-w1)
    mixed = other * own * (first - second) / problem.ridge / (1 + w2)
    z2 = second / problem.ridge * (own - delta * other - delta * mixed)
    slope = -delta * second / problem.ridge**2 * other * (own - other) / ((1 + w1) * (1 + w2))
    return float(z2), float(slope)


def lambert(x: float | np.ndarray) -> np.ndarray:
    """W(1 + x), the principal branch."""
    return lambertw(1 + np.asarray(x)).real
