r"""What strengthening one feature does to the response of another, exactly, for any number of features.

At the fixed point of 6.3.9, differentiate z = S^2 U^T alpha/ridge (6.3.11) by s_i^2. With
D_k = 1/(alpha_k(1-alpha_k)) and Q = U^T D U + S^2/ridge,

    dz_j/d(s_i^2) = [delta_ij - (s_j^2/ridge) (Q^-1)_ji] (u_i.alpha)/ridge
                  = [(1 + S^2 M/ridge)^-1]_ji (u_i.alpha)/ridge,   M = U^T D^-1 U,

where the second form keeps its digits when D spans many decades: it is S (1 + S M S/ridge)^-1 S^-1, and
`roots.inverse_curvature` gives the inverse. M, the curvature of the loss in features, is the only thing that
mixes them: the squared loss has constant D, hence diagonal M, and starves nothing.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation.roots import EPS, Root, inverse_curvature

UNNOTICED = 1e-100
"""Strength of a feature that is absent, relative to the largest: its square is below all rounding."""


def starvation_jacobian(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """dz_j/d(s_i^2) at the fixed point alpha (n,) of 6.3.9: (n, n), row j, column i (Def. 6.3.2)."""
    return response_jacobian(problem, alpha, alpha * (1 - alpha))


def approximate_starvation_jacobian(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """The same at the fixed point alpha (n,) of 6.3.10, where D_k = 1/alpha_k + 1."""
    return response_jacobian(problem, alpha, alpha / (1 + alpha))


def response_jacobian(problem: Starvation, alpha: np.ndarray, curvature: np.ndarray) -> np.ndarray:
    """The same for any loss l(m) of the margins, with alpha = -l'(m) and curvature l''(m), (n,) each."""
    s = present(problem)
    inverse, _ = inverse_curvature(problem.U * (s / np.sqrt(problem.ridge)), curvature)
    return np.asarray(s[:, None] * inverse / s * (alpha @ problem.U) / problem.ridge)


def certified_jacobian(problem: Starvation, end: Root, least: float) -> tuple[np.ndarray, np.ndarray]:
    """`starvation_jacobian` at that root, which belongs to the strengths `present`, and bounds of its errors.

    u_i.alpha = ridge z_i/s_i^2 there: the sum itself cancels where feature i is strong. A margin that is off
    by e changes its curvature by the factor e^(+-e). Errors are relative to the largest possible size,
    |(1/H)_ji|^2 <= (1/H)_jj (1/H)_ii times |u_i.alpha|, with |z_i| no less than `least`: derivatives vanish
    where all examples have one curvature, and where a feature has no response.
    """
    s, own = present(problem), np.sqrt(np.diag(end.inverse))
    unit = s / np.sqrt(problem.ridge)
    pull, lost = end.y / s, end.error / s  # of u_i.alpha/sqrt(ridge)
    most = np.maximum(np.abs(pull), np.minimum(least / s / unit, end.alpha @ np.abs(problem.U) / unit * s))
    through = np.abs(end.inverse @ (problem.U * unit).T) * np.sqrt(end.slope) / own[:, None]
    shaken = (through * (np.expm1(end.uncertain) + 8 * EPS)) @ through.T + end.rounding  # of 1/H
    ratio = np.where(np.eye(problem.n, dtype=bool), 1, problem.s[:, None] / s)
    jacobian = ratio * end.inverse * pull / np.sqrt(problem.ridge)
    return jacobian, shaken + np.broadcast_to(lost / most + 8 * EPS, shaken.shape)


def present(problem: Starvation) -> np.ndarray:
    """Strengths (n,), in place of zeros some that nothing notices, so that one may divide by them."""
    s = problem.s
    return np.where(s > 0, s, UNNOTICED * (s.max() or 1.0))


def elasticities(problem: Starvation, z: np.ndarray, jacobian: np.ndarray) -> np.ndarray:
    """E_ji = (s_i^2/z_j) dz_j/d(s_i^2), (n, n): relative change of z_j for a relative one of s_i^2.

    That i starves j and that j starves i are one statement about signs (Q^-1 is symmetric); the
    elasticities say which of the two suffers more.
    """
    return jacobian * problem.s**2 / z[:, None]


def two_feature_starvation(problem: Starvation, alpha: np.ndarray) -> float:
    """dz_2/d(s_1^2) for U = [[c, -delta], [delta, c]], written out: the theorem 6.3.5 in one line.

    -(s_2^2/ridge^2) delta c (c alpha_1 + delta alpha_2) [1/l''(m_1) - 1/l''(m_2)]/det Q, with
    l'' = alpha(1-alpha): for positive delta it is negative where example 1 has the larger margin.
    """
    (c, _), (delta, _) = problem.vectors
    s, D = problem.s, 1 / (alpha * (1 - alpha))
    Q = (problem.U.T * D) @ problem.U + np.diag(s**2) / problem.ridge
    pull = c * alpha[0] + delta * alpha[1]
    return float(-((s[1] / problem.ridge) ** 2) * delta * c * pull * (D[0] - D[1]) / np.linalg.det(Q))
