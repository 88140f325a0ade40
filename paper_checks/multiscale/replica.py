"""The equations printed for the replica saddle point, for one scale and for many.

R = alpha/a with a = 1 + 1/(beta (Q0 - Q)) holds for any scales: it is the sum over k of the
equations dF/dR_k = 0, in which all scales have one susceptibility. The equation for Q does not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.kit.students import HELD
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale.free_energy import RESIDUAL, stationary_point

BETA = 3.0
UNHELD = (
    PROBLEM.instance(n=150, kappa=1.0, ridge=1e-5),
    PROBLEM.instance(n=40, kappa=1.0, ridge=1e-5),
    PROBLEM.instance(n=40, kappa=3.0, ridge=1e-5),
)
"""The ridge is small, and .2.66 has a = max(1, alpha) in the limit."""

SOLVED = (*HELD, *UNHELD)

Values = dict[tuple[int, str], float]


def solved(_: Seeds) -> Values:
    """R, Q and a = 1 + 1/(beta (Q0 - Q)) of each problem."""
    values: Values = {}
    for i, problem in enumerate(SOLVED):
        order = stationary_point(problem, BETA)
        gap = (order.self_overlap - order.overlap).sum()
        values |= {(i, "R"): order.alignment.sum(), (i, "Q"): order.overlap.sum()}
        values[i, "a"] = 1 + 1 / (BETA * gap)  # .2.36
    return values


def printed_equations(
    evidence: Values,
    norm_of_many: bool = False,
    noise: float = 1.0,
    limit: Callable[[float, float], float] = max,
) -> Values:
    """.2.33 for any scales; .2.34 for one scale, or for many too; .2.66 at vanishing ridge."""
    values: Values = {}
    for i, problem in enumerate(SOLVED):
        alpha, a = problem.alpha, evidence[i, "a"]
        G = 1 + noise * problem.noise**2  # .2.32, and H = 1 (.2.31)
        values[i, "R"] = alpha / a  # .2.33
        if problem in UNHELD:
            values[i, "a"] = limit(1.0, alpha)  # .2.66
        if len(set(problem.sigmas)) == 1 or norm_of_many:
            values[i, "Q"] = alpha / (a**2 - alpha) * (G - alpha * (2 - a) / a)  # .2.34
    return values


def equations_hold(evidence: Values, claimed: Values) -> Verdict:
    """R and Q to the solver's precision, a at a small ridge to first order in it.

    With h_k of theory.resolvents, a - 1 = ridge/sum mu s h where sum mu h > 1 - alpha (n < d), and
    a = alpha/(1 - sum mu h) where h < ridge/(s (alpha - 1)) (n > d).
    """
    solver, limit = [], []
    for (i, name), value in claimed.items():
        error, problem = value - evidence[i, name], SOLVED[i]
        if name == "a":
            share = problem.ridge / (min(problem.sigmas) ** 2 * abs(1 - problem.alpha))
            limit.append((error, max(1, problem.alpha) * share / (1 - share)))
        else:
            solver.append((error, RESIDUAL * max(1, abs(value))))
    exact, approached = np.transpose(solver), np.transpose(limit)
    return worst(
        within_bound(exact[0], exact[1], "the scaled gradient that counts as stationary, relative"),
        within_bound(approached[0], approached[1], "first order in the ridge"),
    )


def inverted(evidence: Values) -> Values:
    """Wrong: a = 1 + beta (Q0 - Q)."""
    return printed_equations({**evidence, **{k: 1 + 1 / (v - 1) for k, v in evidence.items() if k[1] == "a"}})


EQUATIONS = check(
    id="ms-replica-equations",
    title="R = alpha/a with a = 1 + 1/(beta (Q0 - Q)) for any scales, Q of .2.34 for one",
    ref="Eqs. .2.33-.2.36, .2.66",
    evidence=solved,
    claim=printed_equations,
    judge=equations_hold,
    effect=Contrast("a tends to min(1, alpha)", "the distance of alpha from 1"),
    teeth=(
        Tooth("a = 1 + beta (Q0 - Q)", inverted),
        Tooth("labels without their noise", partial(printed_equations, noise=0.0)),
        Tooth("a tends to min(1, alpha)", partial(printed_equations, limit=min)),
    ),
    errata=misprints({"ms-norm-of-many-scales": partial(printed_equations, norm_of_many=True)}),
)

CHECKS = (EQUATIONS,)
