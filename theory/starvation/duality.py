r"""The logistic loss as a concave problem over one dual variable an example (pezeshki2022 6.3.5-6.3.10).

By Legendre's transform l(m) = log(1 + e^-m) = max_a H(a) - a m (6.3.6), both losses of
`problems.starvation` have the dual

    max over alpha in (0, 1)^n of  1.H(alpha) - alpha.offset - alpha^T A alpha / 2,

with A = U S^2 U^T/ridge and offset the margins at theta_0 (0 where the output is centred) for
ridge, and A = 1/ridge, offset the margins pulled to, for spectral decoupling at rank n. At the
maximum the margins are m = log((1-alpha)/alpha) = A alpha + offset.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import entr, expit, logit

from teacherstudent.problems.starvation import Starvation


@dataclass(frozen=True)
class Dual:
    """The quadratic part of a dual: A, (n, n), symmetric, semi-definite at least; offset, (n,).

    root: X, (n, r), with A = X X^T, if it is known more precisely than A; otherwise from A's eigenvectors.
    """

    A: np.ndarray
    offset: np.ndarray
    root: np.ndarray | None = None

    @property
    def X(self) -> np.ndarray:
        if self.root is not None:
            return self.root
        values, vectors = np.linalg.eigh(self.A)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0)))


def of_ridge(problem: Starvation, offset: float | np.ndarray = 0.0) -> Dual:
    """The dual 6.3.8 of the ridge loss; `offset`: margins y*yhat at theta_0, a number or (n,).

    The paper centres the output "without loss of generality". The logistic loss sees margins,
    not differences: an output y_0 that is not centred stays in the dual as Y y_0.
    """
    weighted = problem.U * problem.s
    A, X = weighted @ weighted.T / problem.ridge, problem.U * (problem.s / np.sqrt(problem.ridge))
    return Dual(A, np.broadcast_to(np.asarray(offset, float), problem.n), X)


def of_decoupling(problem: Starvation, shift: float | np.ndarray = 0.0) -> Dual:
    """The dual of spectral decoupling 6.3.17; `shift`: margins pulled to, a number or (n,).

    Raises `InputError` where the features have rank below n: then U S^2 S^-2 U^T is a projection
    instead of 1, and nothing decouples.
    """
    problem.demand_full_rank()
    X = np.eye(problem.n) / np.sqrt(problem.ridge)
    return Dual(np.eye(problem.n) / problem.ridge, np.broadcast_to(np.asarray(shift, float), problem.n), X)


def entropy(alpha: np.ndarray) -> np.ndarray:
    """H(alpha) = -alpha log alpha - (1-alpha) log(1-alpha), entry by entry (after 6.3.6)."""
    return entr(alpha) + entr(1 - alpha)


def dual_objective(dual: Dual, alpha: np.ndarray) -> float:
    """What the dual maximises (6.3.8), for alpha (n,)."""
    return float(entropy(alpha).sum() - alpha @ dual.offset - alpha @ dual.A @ alpha / 2)


def parameters(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """theta = (Y Phi0)^T alpha/ridge, which minimises 6.3.7 at given alpha, (n,) (above 6.3.8)."""
    return problem.s * (alpha @ problem.U) / problem.ridge


def responses(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """z = S^2 U^T alpha/ridge, (..., n) (6.3.11)."""
    return problem.s**2 * (alpha @ problem.U) / problem.ridge


def ascent(dual: Dual, alpha: np.ndarray) -> np.ndarray:
    """Gradient of the dual at alpha (n,): 6.3.9, and 6.3.18 for spectral decoupling."""
    return -logit(alpha) - dual.A @ alpha - dual.offset


def approximate_ascent(dual: Dual, alpha: np.ndarray) -> np.ndarray:
    """6.3.10: log(1 - alpha) replaced by -alpha."""
    return -np.log(alpha) - dual.A @ alpha - alpha - dual.offset


def ascent_jacobian(dual: Dual, alpha: np.ndarray) -> np.ndarray:
    """Derivative of 6.3.9, (n, n): -diag(1/(alpha(1-alpha))) - A (.5.20)."""
    return -np.diag(1 / (alpha * (1 - alpha))) - dual.A


def approximate_ascent_jacobian(dual: Dual, alpha: np.ndarray) -> np.ndarray:
    """Derivative of 6.3.10, (n, n): -diag(1/alpha) - 1 - A. The paper's proof has 6.3.9's for it."""
    return -np.diag(1 / alpha + 1) - dual.A


def dual_variable(margins: np.ndarray) -> np.ndarray:
    """alpha = sigma(-m) = -l'(m), the maximiser in 6.3.6, entry by entry."""
    return expit(-margins)
