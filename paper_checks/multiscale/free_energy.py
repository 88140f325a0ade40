"""The replica free energy: its stationary point and its value.

The equations printed for the replica saddle point, for one scale and for many.

R = alpha/a with a = 1 + 1/(beta (Q0 - Q)) holds for any scales: it is the sum over k of the
equations dF/dR_k = 0, in which all scales have one susceptibility. The equation for Q does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim
from teacherstudent.paper_checks.judging.comparison import Own, Values, scaled
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.multiscale import check, compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import HELD, drawn, problem_of, sizes
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory.multiscale import thermal
from teacherstudent.theory.multiscale.free_energy import (
    RESIDUAL,
    Functional,
    OrderParameters,
    gradient,
    minus_beta_f,
    stationary_point,
)

PROBLEMS = (
    *HELD,
    PROBLEM.instance(n=90, scales=((20, 2.0), (30, 0.5), (50, 0.1)), ridge=0.1, output_penalty=0.4),
)
BETAS = (0.2, 3.0, 1e3)
PRECISION = "the relative scaled gradient below which a point counts as stationary"


def by_resolvents(_: Seeds) -> list[tuple[MultiScale, float, OrderParameters]]:
    """R, Q and Q0 of each problem at each temperature."""
    return [(problem, beta, thermal.gibbs(problem, beta)) for problem in PROBLEMS for beta in BETAS]


def stationary_there(
    evidence: list[tuple[MultiScale, float, OrderParameters]], claimed: Functional
) -> Verdict:
    """The claimed functional's gradient vanishes at the evidence, and solving for it leads there.

    Not solved for where the gradient does not vanish: there need be no solution. No wrong claim comes so far,
    so that errors of the solution are compared with the order parameters themselves.
    """
    slopes = np.concatenate([gradient(*point, claimed) for point in evidence])
    vanishes = within_bound(
        slopes, RESIDUAL, "the gradient below which a point counts as stationary", "scaled gradient"
    )
    found = _flat(order for _, _, order in evidence)
    solved = np.full_like(found, np.nan)
    if vanishes.agrees:
        solved = _flat(stationary_point(problem, beta, claimed) for problem, beta, _ in evidence)
    smallest = Effect(float(np.abs(found).min()), "the smallest order parameter")
    return worst_verdict(vanishes, replace(close(found, solved), effect=smallest))


def close(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Equal to the precision with which a point counts as stationary."""
    return within_bound(claimed - evidence, RESIDUAL * np.maximum(1, np.abs(evidence)), PRECISION)


def _flat(orders: Iterable[OrderParameters]) -> np.ndarray:
    return np.concatenate([part for order in orders for part in vars(order).values()])


def of_other(
    change: dict[str, Callable[[float], float]], problem: MultiScale, beta: float, order: OrderParameters
) -> np.ndarray:
    """The right functional of a problem that differs in some parameters."""
    changed: dict[str, Any] = {name: factor(getattr(problem, name)) for name, factor in change.items()}
    return minus_beta_f(replace(problem, **changed), beta, order)


def own_susceptibilities(problem: MultiScale, beta: float, order: OrderParameters) -> np.ndarray:
    """Wrong: the logarithm of each scale's susceptibility instead of that of their sum."""
    chi = (1 + problem.output_penalty) * beta * (order.self_overlap - order.overlap)
    apart = np.log(1 + chi).sum(axis=-1) - np.log(1 + chi.sum(axis=-1))
    return minus_beta_f(problem, beta, order) - problem.alpha * apart / 2


def ridge_on_overlap(problem: MultiScale, beta: float, order: OrderParameters) -> np.ndarray:
    """Wrong: the ridge weighs the overlap Q of two replicas instead of Q0."""
    gap = (order.self_overlap - order.overlap) / np.square(problem.sigmas)
    return minus_beta_f(problem, beta, order) + beta * problem.ridge * gap.sum(axis=-1) / 2


def normalised(problem: MultiScale, beta: float, order: OrderParameters) -> np.ndarray:
    """.2.27 as printed: the partition function is divided by the volume of the shell at Q0."""
    return minus_beta_f(problem, beta, order) - np.log(order.self_overlap.sum(axis=-1)) / 2


STATIONARY = check(
    id="ms-free-energy",
    title="the numerical stationary point of the free energy equals the point given by resolvents",
    ref="Eqs. .2.30, .2.54-.2.65",
    evidence=by_resolvents,
    claim=constant_claim(minus_beta_f),
    judge=stationary_there,
    effect=Contrast("ms-partition-normalised", "the effect of the printed normalisation of Z"),
    wrong=(
        WrongClaim("a separate susceptibility for each scale", constant_claim(own_susceptibilities)),
        WrongClaim("ridge term with Q instead of Q0", constant_claim(ridge_on_overlap)),
        WrongClaim("no label noise", constant_claim(partial(of_other, {"noise": lambda _: 0.0}))),
        WrongClaim("no output penalty", constant_claim(partial(of_other, {"output_penalty": lambda _: 0.0}))),
        WrongClaim(
            "ridge off by 1e-6", constant_claim(partial(of_other, {"ridge": lambda x: x * (1 + 1e-6)}))
        ),
    ),
    errata=misprints({"ms-partition-normalised": constant_claim(normalised)}),
)


# Its value ------------------------------------------------------------------------------------------


def ln_Z(_: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """ln Z/d of each draw at each temperature, (S, 3): -beta min L - 1/2 ln det(beta A/2 pi)."""
    problem, draws = problem_of(asked), drawn(asked, seeds)
    d, beta = problem.d, np.array(BETAS)
    inputs = draws.inputs * draws.strengths
    labels = np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise
    A = (1 + problem.output_penalty) * np.swapaxes(inputs, -1, -2) @ inputs + problem.ridge * np.eye(d)
    pull = np.einsum("snd,sn->sd", inputs, labels)
    ridge_solution = np.linalg.solve(A, pull[..., None])[..., 0]
    least = np.sum(labels**2, axis=-1) - np.sum(pull * ridge_solution, axis=-1)
    volume = np.log(2 * np.pi / beta) / 2 - np.linalg.slogdet(A)[1][:, None] / (2 * d)
    return {"ln Z": volume - beta * least[:, None] / (2 * d)}


def value(_: str, asked: dict[str, Any], __: list[int], functional: Functional = minus_beta_f) -> Values:
    """-beta f at its stationary point, (3,)."""
    problem = problem_of(asked)
    points = {beta: stationary_point(problem, beta, functional) for beta in BETAS}
    return {"ln Z": np.array([functional(problem, beta, point) for beta, point in points.items()])}


def annealed(_: str, asked: dict[str, Any], __: list[int]) -> Values:
    """Wrong: ln of the average of Z, one replica alone, instead of the average of ln Z."""
    problem = replace(problem_of(asked), output_penalty=0.0)
    mu, s = np.array(problem.counts) / problem.d, np.square(problem.sigmas)

    def loss(beta: float, x: np.ndarray) -> float:
        R, spread = np.split(x, 2)  # R_k/mu_k, and ln of the variance about it
        own = mu * (R**2 + np.exp(spread))
        risk = 1 + problem.noise**2 - 2 * mu @ R + own.sum()
        volume = mu @ (1 + np.log(2 * np.pi / s) + spread) - beta * problem.ridge * np.sum(own / s)
        return (problem.alpha * np.log1p(beta * risk) - volume) / 2

    start = np.zeros(2 * mu.size)
    return {"ln Z": np.array([-optimize.minimize(partial(loss, beta), start).fun for beta in BETAS])}


VALUE = compared(
    id="ms-free-energy-value",
    title="-beta f at its stationary point agrees with ln Z/d of drawn data, with a bias like 1/d",
    ref="Eqs. .2.28-.2.29, .2.53-.2.65",
    clocks={"langevin": {}},
    questions=lambda d: {"kappa": 3.0, "noise": 0.4, "ridge": 0.1, "output_penalty": 0.2, **sizes(d)},
    routes=(Own(ln_Z), Own(value, sampled=False)),
    draws={10: 16000, 20: 10000, 40: 5000, 100: 200},
    effect=Contrast(
        "the logarithm of the average of Z",
        "the difference between ln of the average and the average of ln Z",
    ),
    wrong={
        "the logarithm of the average of Z": {"route": Own(annealed, sampled=False)},
        "a separate susceptibility for each scale": {
            "route": Own(partial(value, functional=own_susceptibilities), sampled=False)
        },
        "no label noise": {"noise": 0.0},
        "no output penalty": {"output_penalty": 0.0},
        "ridge 20 % larger": {"ridge": scaled(1.2)},
    },
    slow=True,
)

# The printed equations -----------------------------------------------------------------------------------

BETA = 3.0
UNHELD = (
    PROBLEM.instance(n=150, kappa=1.0, ridge=1e-5),
    PROBLEM.instance(n=40, kappa=1.0, ridge=1e-5),
    PROBLEM.instance(n=40, kappa=3.0, ridge=1e-5),
)
"""The ridge is small, and .2.66 has a = max(1, alpha) in the limit."""

SOLVED = (*HELD, *UNHELD)

Solved = dict[tuple[int, str], float]


def solved(_: Seeds) -> Solved:
    """R, Q and a = 1 + 1/(beta (Q0 - Q)) of each problem."""
    values: Solved = {}
    for i, problem in enumerate(SOLVED):
        order = stationary_point(problem, BETA)
        gap = (order.self_overlap - order.overlap).sum()
        values |= {(i, "R"): order.alignment.sum(), (i, "Q"): order.overlap.sum()}
        values[i, "a"] = 1 + 1 / (BETA * gap)  # .2.36
    return values


def printed_equations(
    evidence: Solved,
    norm_of_many: bool = False,
    noise: float = 1.0,
    limit: Callable[[float, float], float] = max,
) -> Solved:
    """.2.33 for any scales; .2.34 for one scale, or for many too; .2.66 at vanishing ridge."""
    values: Solved = {}
    for i, problem in enumerate(SOLVED):
        alpha, a = problem.alpha, evidence[i, "a"]
        G = 1 + noise * problem.noise**2  # .2.32, and H = 1 (.2.31)
        values[i, "R"] = alpha / a  # .2.33
        if problem in UNHELD:
            values[i, "a"] = limit(1.0, alpha)  # .2.66
        if len(set(problem.sigmas)) == 1 or norm_of_many:
            values[i, "Q"] = alpha / (a**2 - alpha) * (G - alpha * (2 - a) / a)  # .2.34
    return values


def equations_hold(evidence: Solved, claimed: Solved) -> Verdict:
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
    return worst_verdict(
        within_bound(
            exact[0], exact[1], "the relative scaled gradient below which a point counts as stationary"
        ),
        within_bound(approached[0], approached[1], "first order in the ridge"),
    )


def inverted(evidence: Solved) -> Solved:
    """Wrong: a = 1 + beta (Q0 - Q)."""
    return printed_equations({**evidence, **{k: 1 + 1 / (v - 1) for k, v in evidence.items() if k[1] == "a"}})


EQUATIONS = check(
    id="ms-replica-equations",
    title="R = alpha/a with a = 1 + 1/(beta (Q0 - Q)) holds for any scales, and Q of .2.34 for one scale",
    ref="Eqs. .2.33-.2.36, .2.66",
    evidence=solved,
    claim=printed_equations,
    judge=equations_hold,
    effect=Contrast("a tends to min(1, alpha)", "the distance of alpha from 1"),
    wrong=(
        WrongClaim("a = 1 + beta (Q0 - Q)", inverted),
        WrongClaim("labels without noise", partial(printed_equations, noise=0.0)),
        WrongClaim("a tends to min(1, alpha)", partial(printed_equations, limit=min)),
    ),
    errata=misprints({"ms-norm-of-many-scales": partial(printed_equations, norm_of_many=True)}),
)

CHECKS = (STATIONARY, VALUE, EQUATIONS)
