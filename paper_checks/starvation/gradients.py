"""The ascents 6.3.9 and 6.3.18 are gradients of their duals; 6.3.10's Jacobian and stability.

Derivatives are taken by complex steps through the objectives as the paper states them, so they
are exact to rounding, whatever the closed forms say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import drawn_problems
from teacherstudent.paper_checks.starvation.kit.primal import COMPLEX_STEP
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality


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


def same_derivative(case: Differentiated, claim: np.ndarray) -> Verdict:
    """Sums of about n terms of the size of K/ridge and 1/(alpha(1-alpha)) <= 102."""
    n, largest = case.problem.n, case.problem.s.max() ** 2 / case.problem.ridge
    bound = 8 * n * EPS * (102 + n * largest + n / case.problem.ridge)
    return within_bound(claim - case.derivative, bound, "rounding: 8 n eps |terms|", "gradient")


# Eq. 6.3.9 ---------------------------------------------------------------------------------------------


def entropies(alpha: np.ndarray) -> np.ndarray:
    """Sum of the binary entropies of alpha."""
    return np.sum(-alpha * np.log(alpha) - (1 - alpha) * np.log(1 - alpha))


def printed_dual(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """1.H(alpha) - alpha Y Phi0 Phi0^T Y^T alpha^T/(2 ridge), term by term."""
    pulled = (problem.U * problem.s).T @ alpha
    return entropies(alpha) - np.sum(pulled * pulled) / (2 * problem.ridge)


@per_case
def gradient(case: Differentiated, K: str = "U S^2 U^T", ridge: float = 1.0) -> np.ndarray:
    """6.3.9, with other readings of K and a factor on the ridge for the negative controls."""
    U, s, coefficient = case.problem.U, case.problem.s, ridge * case.problem.ridge
    kernel = {
        "U S^2 U^T": duality.of_ridge(case.problem).A * case.problem.ridge,
        "U^T S^2 U": (U.T * s**2) @ U,
        "U S U^T": (U * s) @ U.T,
    }[K]
    return duality.ascent(duality.Dual(kernel / coefficient, np.zeros(case.problem.n)), case.alpha)


ASCENT = check(
    id="gs-ascent",
    title="6.3.9 is the gradient of the dual objective 6.3.8",
    ref="Eqs. 6.3.8-6.3.9",
    evidence=partial(differentiated, printed_dual, (0, 1)),
    claim=gradient,
    judge=worst_case(same_derivative),
    effect=Contrast("gs-gram-order", "the effect of the printed order of factors"),
    wrong=(
        WrongClaim("S instead of S^2", partial(gradient, K="U S U^T")),
        WrongClaim("half the ridge", partial(gradient, ridge=0.5)),
    ),
    errata=misprints({"gs-gram-order": partial(gradient, K="U^T S^2 U")}),
)


# Eq. 6.3.18 --------------------------------------------------------------------------------------------


def decoupled_dual(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """1.H(alpha) + min over theta of ridge/2 |Phi0 theta|^2 - alpha.Y Phi0 theta, by least squares.

    The minimum is at ridge X theta = projection of alpha on the columns of X = Y Phi0.
    """
    X = (problem.U * problem.s)[:, problem.s > 0]
    fitted = X @ (np.linalg.lstsq(X, alpha.real)[0] + 1j * np.linalg.lstsq(X, alpha.imag)[0])
    return entropies(alpha) - np.sum(fitted * alpha) / (2 * problem.ridge)


@per_case
def decoupled_gradient(case: Differentiated, full: bool = False, ridge: float = 1.0) -> np.ndarray:
    """6.3.18 with U U^T over the features that are there; `full`: as if all were."""
    U = case.problem.U if full else case.problem.U[:, case.problem.s > 0]
    dual = duality.Dual(U @ U.T / (ridge * case.problem.ridge), np.zeros(case.problem.n))
    return duality.ascent(dual, case.alpha)


DECOUPLED = check(
    id="gs-decoupled-ascent",
    title="6.3.18 is the gradient of the dual of spectral decoupling, with a projection below rank n",
    ref="Eqs. 6.3.17-6.3.18",
    evidence=partial(differentiated, decoupled_dual, (0, 1)),
    claim=decoupled_gradient,
    judge=worst_case(same_derivative),
    effect=Contrast("gs-decoupling-rank", "the effect of the projection"),
    wrong=(WrongClaim("half the ridge", partial(decoupled_gradient, ridge=0.5)),),
    errata=misprints({"gs-decoupling-rank": partial(decoupled_gradient, full=True)}),
    covers=("Eq. 6.3.17",),
)


# Theorem 6.3.3 -----------------------------------------------------------------------------------------


def printed_approximation(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """6.3.10 as printed, from U and S."""
    U, s = problem.U, problem.s
    return -np.log(alpha) - U @ ((s**2 + problem.ridge) * (U.T @ alpha)) / problem.ridge


@per_case
def jacobian(case: Differentiated, exact: bool = False, sign: float = -1.0) -> np.ndarray:
    """The Jacobian of 6.3.10; `exact`: that of 6.3.9; the quadratic part's `sign`: a negative control."""
    of = duality.ascent_jacobian if exact else duality.approximate_ascent_jacobian
    dual = duality.of_ridge(case.problem)
    return of(duality.Dual(-sign * dual.A, dual.offset), case.alpha)


@worst_case
def equal_and_stable(case: Differentiated, claim: np.ndarray) -> Iterator[Verdict]:
    """The claimed Jacobian is the derivative, and its largest eigenvalue is below -1/max alpha - 1.

    The quadratic part is semi-definite, so this bound on the symmetric Jacobian is Weyl's.
    """
    yield same_derivative(case, claim)
    excess = max(np.linalg.eigvalsh(claim).max() - (-1 / case.alpha.max() - 1), 0.0)
    rounding = 8 * case.problem.n * EPS * np.abs(claim).max()
    yield within_bound(excess, rounding, "Weyl's bound, up to rounding", "eigenvalue")


STABLE = check(
    id="gs-attractive",
    title="the Jacobian of 6.3.10 is negative definite everywhere in the unit cube",
    ref="Thm. 6.3.3, Eqs. 6.3.10, .5.13-.5.20",
    evidence=partial(differentiated, printed_approximation, (0, 1)),
    claim=jacobian,
    judge=equal_and_stable,
    effect=Contrast("gs-approximate-jacobian", "the difference from the Jacobian in the proof"),
    wrong=(WrongClaim("quadratic part with the wrong sign", partial(jacobian, sign=1.0)),),
    errata=misprints({"gs-approximate-jacobian": partial(jacobian, exact=True)}),
    covers=("Eq. 6.3.10", "Eqs. .5.13-.5.17"),
)

CHECKS = (ASCENT, DECOUPLED, STABLE)
