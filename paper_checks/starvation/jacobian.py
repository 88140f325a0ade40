"""What starves what: the exact Jacobian dz_j/d(s_i^2), its signs, and the squared loss beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively_equal
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import drawn_problems
from teacherstudent.paper_checks.starvation.kit.primal import COMPLEX_STEP, ridge_slopes
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends, starving

ACCURACY = 1e-10, "rounding at condition number 1e5"
"""Of slopes, relative to the largest entry: rounding (1e-16) at condition 1e5 leaves a factor 10."""


@dataclass(frozen=True)
class Moved:
    """A problem, its responses z (n,), and dz_j/d(s_i^2), (n, n), by complex steps of the primal."""

    problem: Starvation
    z: np.ndarray
    slopes: np.ndarray


def moved(count: int, n: int | None, seeds: Seeds) -> list[Moved]:
    """Evidence: drawn problems with their slopes by an independent way."""
    return [Moved(problem, *ridge_slopes(problem)) for problem in drawn_problems(seeds(count), n)]


# Any number of features -----------------------------------------------------------------------------------

Formula = Callable[[Starvation, np.ndarray], np.ndarray]


@per_case
def claimed_jacobian(formula: Formula, case: Moved) -> np.ndarray:
    """A formula for the Jacobian at the fixed point of 6.3.9."""
    return formula(case.problem, ends.fixed_point(duality.of_ridge(case.problem)).alpha)


def transposed(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """The Jacobian with its indices exchanged."""
    return starving.starvation_jacobian(problem, alpha).T


def own_only(problem: Starvation, alpha: np.ndarray) -> np.ndarray:
    """Without the off-diagonal terms: features that do not see each other."""
    return np.diag(np.diag(starving.starvation_jacobian(problem, alpha)))


def same_slopes(case: Moved, claim: np.ndarray) -> Verdict:
    """All slopes, to the accuracy that rounding leaves."""
    return relatively_equal(case.slopes, claim, *ACCURACY)


@worst_case
def equal_and_growing(case: Moved, claim: np.ndarray) -> Iterator[Verdict]:
    """Equal to the complex steps; and the response of a feature grows with its own strength."""
    yield same_slopes(case, claim)
    shrinking = np.count_nonzero(np.diag(case.slopes) * case.z <= 0)  # of |z_j|: signs of U are free
    yield none_wrong(shrinking, case.z.size, "features whose response falls as they strengthen", "features")


JACOBIAN = check(
    id="gs-jacobian",
    title="the closed form gives dz_j/d(s_i^2) for any number of features; a feature's own response grows",
    ref="Def. 6.3.2, generalised",
    evidence=partial(moved, 20, None),
    claim=partial(claimed_jacobian, starving.starvation_jacobian),
    judge=equal_and_growing,
    wrong=(
        WrongClaim("transposed", partial(claimed_jacobian, transposed)),
        WrongClaim("no starvation", partial(claimed_jacobian, own_only)),
        WrongClaim(
            "the Jacobian of the approximation 6.3.10",
            partial(claimed_jacobian, starving.approximate_starvation_jacobian),
        ),
    ),
)


# Signs ----------------------------------------------------------------------------------------------------


def starves(problem: Starvation, signed: bool = False, gain: float = 1.0) -> np.ndarray:
    """Whether feature i starves j, (n, n), row j: d|z_j|/d(s_i^2) < 0, or dz_j/d(s_i^2) if `signed`."""
    alpha = ends.fixed_point(duality.of_ridge(problem)).alpha
    jacobian = gain * starving.starvation_jacobian(problem, alpha)
    z = duality.responses(problem, alpha)
    return (jacobian if signed else starving.elasticities(problem, z, jacobian)) < 0


@per_case
def both_conventions(case: Moved, signed: bool = False, gain: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """The same statement for U and for U with its first singular vector turned round."""
    turned = case.problem.U * np.r_[-1.0, np.ones(case.problem.n - 1)]
    other = replace(case.problem, vectors=tuple(map(tuple, turned)))
    return starves(case.problem, signed, gain), starves(other, signed, gain)


def one_relation(evidence: list[Moved], claimed: list[tuple[np.ndarray, np.ndarray]]) -> Verdict:
    """The relation does not depend on signs of singular vectors, is symmetric, and is what |z| does."""
    off = 0
    for case, (one, other) in zip(evidence, claimed, strict=True):
        falls = case.slopes * np.sign(case.z)[:, None] < 0
        off += sum(int(np.count_nonzero(one != same)) for same in (other, falls, one.T))
    pairs = sum(case.problem.n**2 for case in evidence)
    return none_wrong(off, pairs, "statements that contradict each other", "pairs of features")


RELATION = check(
    id="gs-relation",
    title="'i starves j' is a statement about |z_j|, and it implies 'j starves i'",
    ref="Def. 6.3.2",
    evidence=partial(moved, 20, None),
    claim=both_conventions,
    judge=one_relation,
    wrong=(WrongClaim("Jacobian with the wrong sign", partial(both_conventions, gain=-1.0)),),
    errata=misprints({"gs-response-sign": partial(both_conventions, signed=True)}),
)


# Squared loss ----------------------------------------------------------------------------------------------


def squared(seeds: Seeds) -> list[Moved]:
    """sum_k (1 - m_k)^2 + ridge/2 |theta|^2 by its normal equations, with complex steps."""

    def response(problem: Starvation, s: np.ndarray) -> np.ndarray:
        X = problem.U * s
        return s * np.linalg.solve(2 * X.T @ X + problem.ridge * np.eye(problem.n), 2 * X.sum(axis=0))

    found = []
    for problem in drawn_problems(seeds(10)):
        steps = 1j * COMPLEX_STEP * np.eye(problem.n) / (2 * problem.s)
        moved = np.stack([response(problem, problem.s + step).imag for step in steps], axis=-1)
        found.append(Moved(problem, response(problem, problem.s).real, moved / COMPLEX_STEP))
    return found


@per_case
def of_squared_loss(case: Moved, ridge: float = 1.0) -> np.ndarray:
    """The theory's Jacobian of a loss of constant curvature 2, alpha = 2 (1 - m), whole.

    Its margins m = U z are those of the closed form z_j = s_j^2/(s_j^2 + ridge/2) sum_k U_kj.
    ridge: a factor for a negative control.
    """
    problem = replace(case.problem, ridge=ridge * case.problem.ridge)
    z = problem.s**2 / (problem.s**2 + problem.ridge / 2) * problem.U.sum(axis=0)
    alpha = 2 * (1 - problem.U @ z)
    return starving.response_jacobian(problem, alpha, np.full(problem.n, 2.0))


@per_case
def starving_as_well(case: Moved) -> np.ndarray:
    """The right slopes of each feature's own response, and between features those of the logistic loss."""
    (own,), (logistic,) = of_squared_loss([case]), claimed_jacobian(starving.starvation_jacobian, [case])
    return np.where(np.eye(case.problem.n, dtype=bool), own, logistic)


SQUARED = check(
    id="gs-squared-loss",
    title="under the squared loss, no feature changes the response of another",
    ref="App. .3, Table 2",
    evidence=squared,
    claim=of_squared_loss,
    judge=worst_case(same_slopes),
    wrong=(
        WrongClaim(
            "the Jacobian of the logistic loss", partial(claimed_jacobian, starving.starvation_jacobian)
        ),
        WrongClaim("twice the ridge", partial(of_squared_loss, ridge=2.0)),
        WrongClaim("correct diagonal, off-diagonal entries of the logistic loss", starving_as_well),
    ),
)

CHECKS = (JACOBIAN, RELATION, SQUARED)
