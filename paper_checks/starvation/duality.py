"""Legendre's transform, the dual of the ridge loss, and the ascent on it (Eqs. 6.3.5-6.3.11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, relatively_equal
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import drawn_problems
from teacherstudent.paper_checks.starvation.kit.primal import Loss, minimum, ridge_loss
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends

# Legendre forms: of the logistic loss, and of the two losses of the paper's Table 2 -------------------

MARGINS = np.linspace(-12, 12, 97)
TRIALS = np.linspace(-30, 30, 2001)
"""Logits of the dual variables tried against the bound."""

Legendre = tuple[Callable[[np.ndarray], np.ndarray], np.ndarray, np.ndarray]
"""g(alpha), the claimed maximiser at each margin, and the alphas that must not beat it."""


def transforms(
    _: Any, unit: float = 1.0, sign: float = 1.0, quarter: float = 0.25, hinge: float = 1.0
) -> list[Legendre]:
    """6.3.6 and Table 2, with factors on their ingredients for the negative controls."""
    inside = duality.dual_variable(TRIALS)
    return [
        (lambda a: unit * duality.entropy(a), duality.dual_variable(sign * MARGINS), inside),
        (lambda a: hinge * a, np.where(hinge > MARGINS, 1.0, 0.0), inside),
        (lambda a: a - quarter * a**2, 2 * (1 - MARGINS), TRIALS),
    ]


@worst_case
def touches_from_below(loss: np.ndarray, claim: Legendre) -> Iterator[Verdict]:
    """g(alpha) - alpha w never exceeds the loss, and meets it at the claimed alpha."""
    g, best, tried = claim
    rounding = 8 * EPS * (1 + np.abs(MARGINS)) * (1 + np.abs(best))
    gap = g(best) - best * MARGINS - loss
    above = np.max(g(tried)[:, None] - np.outer(tried, MARGINS), axis=0) - loss
    for error in (gap, np.maximum(above, 0)):
        yield within_bound(error, rounding, "rounding of g(alpha) - alpha w", "loss")


LEGENDRE = check(
    id="gs-legendre",
    title="the dual forms of logistic, hinge and squared losses are lower bounds that touch these losses",
    ref="Eqs. 6.3.6, .5.1-.5.10, App. Table 2",
    evidence=lambda _: [np.log1p(np.exp(-MARGINS)), np.maximum(0, 1 - MARGINS), (1 - MARGINS) ** 2],
    claim=transforms,
    judge=touches_from_below,
    effect=Contrast("entropy in bits", "the difference between bits and nats"),
    wrong=(
        WrongClaim("entropy in bits", partial(transforms, unit=1 / np.log(2))),
        WrongClaim("alpha = sigma(+m)", partial(transforms, sign=-1.0)),
        WrongClaim("squared error with 1/2 instead of 1/4", partial(transforms, quarter=0.5)),
        WrongClaim("squared error with 1/8 instead of 1/4", partial(transforms, quarter=0.125)),
        WrongClaim("hinge at margin 1/2", partial(transforms, hinge=0.5)),
        WrongClaim("hinge at margin 2", partial(transforms, hinge=2.0)),
    ),
)


# Strong duality: one optimum, from both sides ------------------------------------------------------------


@dataclass(frozen=True)
class Optimum:
    """A problem, the margins at theta_0, (n,), and its minimum by the primal Newton."""

    problem: Starvation
    offset: np.ndarray
    loss: Loss
    theta: np.ndarray


Solved = tuple[float, np.ndarray, np.ndarray]
"""The loss at the optimum, theta (n,) and z (n,)."""


def optima(centred: bool, seeds: Seeds) -> list[Optimum]:
    """Full rank, and rank n - 1; with outputs that are not centred, of size 1, where asked."""
    found = []
    for missing in (0, 1):
        own = seeds(12, f"missing={missing}")
        for seed, problem in zip(own, drawn_problems(own, missing=missing), strict=True):
            random = np.random.default_rng(seed)
            offset = np.zeros(problem.n) if centred else random.standard_normal(problem.n)
            loss = ridge_loss(problem.U * problem.s, problem.ridge, offset)
            found.append(Optimum(problem, offset, loss, minimum(loss)))
    return found


def primal_of(problem: Starvation, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """theta and z that 6.3.11 makes of alpha."""
    return duality.parameters(problem, alpha), duality.responses(problem, alpha)


@per_case
def from_the_dual(case: Optimum, ridge: float = 1.0, offset: float = 1.0, quadratic: float = 1.0) -> Solved:
    """The maximum of 6.3.8 and what 6.3.11 makes of it; factors on ingredients for the negative controls."""
    dual = duality.of_ridge(case.problem, offset * case.offset)
    dual = duality.Dual(dual.A / ridge, dual.offset)
    alpha = ends.fixed_point(duality.Dual(quadratic * dual.A, dual.offset)).alpha
    return duality.dual_objective(dual, alpha), *primal_of(case.problem, alpha)


@per_case
def approximately(case: Optimum) -> Solved:
    """The fixed point of 6.3.10 in place of that of 6.3.9."""
    dual = duality.of_ridge(case.problem, case.offset)
    alpha = ends.approximate_fixed_point(dual).alpha
    return duality.dual_objective(dual, np.clip(alpha, 0, 1)), *primal_of(case.problem, alpha)


@worst_case
def same_optimum(case: Optimum, claim: Solved) -> Iterator[Verdict]:
    """Judge: least loss, minimiser and response, to the accuracy asked of fixed points."""
    value, theta, z = claim
    yield relatively_equal(case.loss.value(case.theta), value)
    yield relatively_equal(case.theta, theta)
    yield relatively_equal(case.problem.s * case.theta, z)


DUALITY = check(
    id="gs-duality",
    title="the dual maximum equals the minimum of the loss, in value, parameters and responses, at any rank",
    ref="Eqs. 6.3.5-6.3.8, 6.3.11",
    evidence=partial(optima, True),
    claim=from_the_dual,
    judge=same_optimum,
    wrong=(
        WrongClaim("ridge 1e-8 (relative) too large", partial(from_the_dual, ridge=1 + 1e-8)),
        WrongClaim("6.3.8 without its factor 1/2", partial(from_the_dual, quadratic=2.0)),
    ),
    errata=misprints({"gs-approximation": approximately}),
)

CENTRING = check(
    id="gs-centring",
    title="an uncentred output adds the term Y y_0 to the dual",
    ref="Eq. 6.3.3",
    evidence=partial(optima, False),
    claim=from_the_dual,
    judge=same_optimum,
    wrong=(
        WrongClaim("output with the wrong sign", partial(from_the_dual, offset=-1.0)),
        WrongClaim("output 1e-7 (relative) too large", partial(from_the_dual, offset=1 + 1e-7)),
    ),
    errata=misprints({"gs-centred-output": partial(from_the_dual, offset=0.0)}),
)

CHECKS = (LEGENDRE, DUALITY, CENTRING)
