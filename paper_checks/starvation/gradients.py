"""The ascents 6.3.9 and 6.3.18 are gradients of their duals; 6.3.10's Jacobian and stability.

Derivatives are taken by complex steps through the objectives as the paper states them, so they
are exact to rounding, whatever the closed forms say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.starvation.primal import COMPLEX_STEP, drawn_problems
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality

EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Differentiated:
    """A problem, a point alpha (n,) in the cube, and a derivative there."""

    problem: Starvation
    alpha: np.ndarray
    derivative: np.ndarray


def differentiated(
    function: Callable[[Starvation, np.ndarray], np.ndarray], missing: tuple[int, ...], seeds: Seeds
) -> list[Differentiated]:
    """Complex-step derivative of a function of alpha, last axis: the variable."""
    found = []
    for count in missing:
        own = seeds(10, f"missing={count}")
        for seed, problem in zip(own, drawn_problems(own, missing=count), strict=True):
            alpha = np.random.default_rng([seed, 1]).uniform(0.01, 0.99, problem.n)
            steps = [
                np.imag(function(problem, alpha + 1j * COMPLEX_STEP * unit)) / COMPLEX_STEP
                for unit in np.eye(problem.n)
            ]
            found.append(Differentiated(problem, alpha, np.stack(steps, axis=-1)))
    return found


def equal_to_rounding(evidence: list[Differentiated], claimed: list[np.ndarray]) -> Verdict:
    """Sums of about n terms of the size of K/ridge and 1/(alpha(1-alpha)) <= 102."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        n, largest = each.problem.n, each.problem.s.max() ** 2 / each.problem.ridge
        bound = 8 * n * EPS * (102 + n * largest + n / each.problem.ridge)
        verdicts.append(within_bound(claim - each.derivative, bound, "rounding: 8 n eps |terms|", "gradient"))
    return worst(*verdicts)


# Eq. 6.3.9 ---------------------------------------------------------------------------------------------


def entropies(alpha: np.ndarray) -> np.ndarray:
    """Sum of the binary entropies of alpha."""
    return np.sum(-alpha * np.log(alpha) - (1 - alpha) * np.log(1 - alpha))


def printed_dual(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """1.H(alpha) - alpha Y Phi0 Phi0^T Y^T alpha^T/(2 ridge), term by term."""
    pulled = (problem.U * problem.s).T @ alpha
    return entropies(alpha) - np.sum(pulled * pulled) / (2 * problem.ridge)


def gradient(evidence: list[Differentiated], K: str = "U S^2 U^T", ridge: float = 1.0) -> list[np.ndarray]:
    """6.3.9, with other readings of K and a factor on the ridge for the teeth."""
    answers = []
    for each in evidence:
        U, s, coefficient = each.problem.U, each.problem.s, ridge * each.problem.ridge
        kernel = {
            "U S^2 U^T": duality.of_ridge(each.problem).A * each.problem.ridge,
            "U^T S^2 U": (U.T * s**2) @ U,
            "U S U^T": (U * s) @ U.T,
        }[K]
        answers.append(
            duality.ascent(duality.Dual(kernel / coefficient, np.zeros(each.problem.n)), each.alpha)
        )
    return answers


ASCENT = Check(
    id="gs-ascent",
    problem="starvation",
    title="6.3.9 is the gradient of the dual 6.3.8",
    paper="pezeshki2022",
    ref="Eqs. 6.3.8-6.3.9",
    evidence=partial(differentiated, printed_dual, (0, 1)),
    claim=gradient,
    judge=equal_to_rounding,
    teeth=(
        Tooth("S instead of S^2", partial(gradient, K="U S U^T")),
        Tooth("half the ridge", partial(gradient, ridge=0.5)),
    ),
    errata=(
        Erratum(
            "gs-gram-order",
            "pezeshki2022",
            "Sect. 6.3.4, 'the term U^T S^2 U in Eq. 9'",
            "U^T S^2 U",
            "U S^2 U^T, in Eq. 6.3.9",
            partial(gradient, K="U^T S^2 U"),
        ),
    ),
    covers=("Eq. 6.3.9", "App. .5.3"),
)


# Eq. 6.3.18 --------------------------------------------------------------------------------------------


def decoupled_dual(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """1.H(alpha) + min over theta of ridge/2 |Phi0 theta|^2 - alpha.Y Phi0 theta, by least squares.

    The minimum is at ridge X theta = projection of alpha on the columns of X = Y Phi0.
    """
    X = (problem.U * problem.s)[:, problem.s > 0]
    fitted = X @ (np.linalg.lstsq(X, alpha.real)[0] + 1j * np.linalg.lstsq(X, alpha.imag)[0])
    return entropies(alpha) - np.sum(fitted * alpha) / (2 * problem.ridge)


def decoupled_gradient(
    evidence: list[Differentiated], full: bool = False, ridge: float = 1.0
) -> list[np.ndarray]:
    """6.3.18 with U U^T over the features that are there; `full`: as printed, as if all were."""
    answers = []
    for each in evidence:
        U = each.problem.U if full else each.problem.U[:, each.problem.s > 0]
        dual = duality.Dual(U @ U.T / (ridge * each.problem.ridge), np.zeros(each.problem.n))
        answers.append(duality.ascent(dual, each.alpha))
    return answers


DECOUPLED = Check(
    id="gs-decoupled-ascent",
    problem="starvation",
    title="6.3.18 is the gradient of spectral decoupling's dual, with a projection below rank n",
    paper="pezeshki2022",
    ref="Eqs. 6.3.17-6.3.18",
    evidence=partial(differentiated, decoupled_dual, (0, 1)),
    claim=decoupled_gradient,
    judge=equal_to_rounding,
    teeth=(Tooth("half the ridge", partial(decoupled_gradient, ridge=0.5)),),
    errata=(
        Erratum(
            "gs-decoupling-rank",
            "pezeshki2022",
            "Eq. 6.3.18",
            "alpha' = log((1-alpha)/alpha) - alpha/ridge for any features",
            "needs rank Phi0 = n; else alpha' = log((1-alpha)/alpha) - U U^T alpha/ridge, which couples",
            partial(decoupled_gradient, full=True),
        ),
    ),
    covers=("Eq. 6.3.17", "Eq. 6.3.18"),
)


# Theorem 6.3.3 -----------------------------------------------------------------------------------------


def printed_approximation(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """6.3.10 as printed, from U and S."""
    U, s = problem.U, problem.s
    return -np.log(alpha) - U @ ((s**2 + problem.ridge) * (U.T @ alpha)) / problem.ridge


def jacobian(evidence: list[Differentiated], exact: bool = False, sign: float = -1.0) -> list[np.ndarray]:
    """The Jacobian of 6.3.10; `exact`: the one of 6.3.9; `sign` of its quadratic part, for a tooth."""
    of = duality.ascent_jacobian if exact else duality.approximate_ascent_jacobian
    duals = [duality.of_ridge(each.problem) for each in evidence]
    return [
        of(duality.Dual(-sign * dual.A, dual.offset), each.alpha)
        for dual, each in zip(duals, evidence, strict=True)
    ]


def equal_and_stable(evidence: list[Differentiated], claimed: list[np.ndarray]) -> Verdict:
    """The claimed Jacobian is the derivative, and its largest eigenvalue is below -1/max alpha - 1.

    The quadratic part is semi-definite, so this bound on the symmetric Jacobian is Weyl's.
    """
    verdicts = [equal_to_rounding(evidence, claimed)]
    for each, claim in zip(evidence, claimed, strict=True):
        largest, bound = np.linalg.eigvalsh(claim).max(), -1 / each.alpha.max() - 1
        rounding = 8 * each.problem.n * EPS * np.abs(claim).max()
        excess = max(largest - bound, 0.0)
        verdicts.append(within_bound(excess, rounding, "Weyl's bound, to rounding", "eigenvalue"))
    return worst(*verdicts)


STABLE = Check(
    id="gs-attractive",
    problem="starvation",
    title="the Jacobian of 6.3.10 is negative definite everywhere in the cube",
    paper="pezeshki2022",
    ref="Thm. 6.3.3, Eqs. 6.3.10, .5.13-.5.20",
    evidence=partial(differentiated, printed_approximation, (0, 1)),
    claim=jacobian,
    judge=equal_and_stable,
    teeth=(Tooth("quadratic part of the other sign", partial(jacobian, sign=1.0)),),
    errata=(
        Erratum(
            "gs-approximate-jacobian",
            "pezeshki2022",
            "Eqs. .5.18-.5.20",
            "the Jacobian of 6.3.10 is -diag(1/(alpha(1-alpha))) - K/ridge",
            "that is 6.3.9's; 6.3.10's is -diag(1/alpha) - 1 - K/ridge",
            partial(jacobian, exact=True),
        ),
    ),
    covers=("Eq. 6.3.10", "Thm. 6.3.3", "Eqs. .5.13-.5.17", "Eqs. .5.18-.5.20"),
)

CHECKS = (ASCENT, DECOUPLED, STABLE)
