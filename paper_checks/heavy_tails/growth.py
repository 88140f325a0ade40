"""Products of steps, students of one history, excess risk, and the constant of the power law, simulated."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem
from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ID, ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim

PRODUCTS = ((1.2, 1, 1), (0.7124, 2, 3), (0.5, 3, 5))
"""Step size, batch, dimension."""

ORDERS = (0.5, 1.0, 2.0)
FEW = 12


def products(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: ln h at the orders, and rho, one row a draw."""
    asked: dict[str, Any] = {"seeds": seeds(FEW), "chains": 400}
    found = []
    for c, b, d in PRODUCTS:
        grown = ask(
            "orders", "simulation", "log_growth", ORDERS, learning_rate=c, batch=b, d=d, factors=40, **asked
        )
        rho = ask("stationary", "simulation", "lyapunov", c, batch=b, d=d, burn_in=40, **asked)
        found.append(np.hstack([grown, rho]))
    return found


def of_one_step(_: object, more: int = 0, batch: int = 0) -> list[np.ndarray]:
    """The claim: of V = (1 - kX)^2 + k^2 XY; wrong with so many inputs more, or examples."""
    found = []
    for c, b, d in PRODUCTS:
        of: dict[str, Any] = {"batch": b + batch, "d": d + more}
        grown = ask("orders", "exact", "log_growth", ORDERS, learning_rate=c, **of)
        found.append(np.append(grown, ask("stationary", "exact", "lyapunov", c, **of)))
    return found


GROWTH = check(
    id="ht-growth",
    title="moments and mean logarithms of products of drawn steps follow from the distribution of one step",
    ref="h(s) and rho as averages over two chi-square variables",
    paper="gurbuzbalaban2021",
    evidence=products,
    claim=of_one_step,
    judge=worst_case(mean_within_errors),
    wrong=(
        WrongClaim("Y with d instead of d - 1 degrees of freedom", partial(of_one_step, more=1)),
        WrongClaim("one more example per batch", partial(of_one_step, batch=1)),
    ),
    effect=Contrast("Y with d instead of d - 1 degrees of freedom", "the effect of one more input"),
    functions=(
        entry("orders", "exact"),
        entry("orders", "simulation"),
        entry("stationary", "exact"),
        entry("stationary", "simulation"),
    ),
    covers=("Moments of a step",),
)

# Two students of the same batches ---------------------------------------------------------------------

QUESTION: dict[str, Any] = {"batch": 2, "d": 3, "learning_rate": 0.7124}
APART_AT = (2, 10, 30)
PAIRS = 1000
MOMENT = 0.5


def separations(seeds: Seeds) -> np.ndarray:
    """Evidence: ln |v - v'| and |v - v'|^(1/2) over steps, one row a draw."""
    found = ask("sgd", "simulation", "log_separation", APART_AT, seeds=seeds(PAIRS), **QUESTION)
    return np.hstack([found, np.exp(MOMENT * found)])


def of_products(_: object, more: int = 0, jensen: bool = False) -> np.ndarray:
    """The claim: k rho, and h(1/2)^k. Wrong after so many steps more, or with exp(k rho/2)."""
    k = np.array(APART_AT) + more
    rho = ask("sgd", "exact", "log_separation", tuple(k), **QUESTION)
    grown = ask("orders", "exact", "log_growth", MOMENT, **QUESTION)
    return np.append(rho, np.exp(MOMENT * rho) if jensen else np.exp(k * grown))


SEPARATION = check(
    id="ht-separation",
    title="students trained on the same batches converge at rate rho, in the mean of order s at rate h(s)",
    ref="convergence to the stationary distribution in Wasserstein distances",
    paper="gurbuzbalaban2021",
    evidence=separations,
    claim=of_products,
    judge=mean_within_errors,
    wrong=(
        WrongClaim("two more steps", partial(of_products, more=2)),
        WrongClaim("exp(k rho/2) instead of h(1/2)^k", partial(of_products, jensen=True)),
    ),
    effect=Contrast("two more steps", "the effect of two steps"),
    functions=(entry("sgd", "exact"), entry("sgd", "simulation"), entry("orders", "exact")),
    covers=("Wasserstein convergence",),
    slow=True,
)

# Excess risk, where it is finite: in the end, and on the way there ------------------------------------

SPREADS: tuple[dict[str, Any], ...] = (
    {"learning_rate": 0.3, "batch": 1, "d": 1},
    {"learning_rate": 0.3, "batch": 2, "d": 3, "noise": 0.7},
    {"learning_rate": 0.25, "batch": 3, "d": 4, "p": 2, "kappa": 2.0},
)
"""All with a tail index above 4: the mean over students has a standard error."""

STEPS = (1, 4, 16)
RUNS, LONG_CHAINS, STUDENTS = 12, 1000, 400

Risks = tuple[np.ndarray, np.ndarray]
"""Over the claims: in the end, (draws, 1), and on the way, (draws, steps)."""


def split(case: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """The step size, and the rest."""
    return case["learning_rate"], {k: v for k, v in case.items() if k != "learning_rate"}


def risks(seeds: Seeds) -> list[Risks]:
    """Evidence: excess risks, one row a draw."""
    found = []
    for case in SPREADS:
        rate, rest = split(case)
        end = ask(
            "stationary", "simulation", "excess_risk", rate, seeds=seeds(RUNS), chains=LONG_CHAINS, **rest
        )
        way = ask("sgd", "simulation", "excess_risk", STEPS, seeds=seeds(STUDENTS, "way"), **case)
        found.append((end, way))
    return found


def second_moments(_: object, noise: float = 1.0, own: int = 1) -> list[Risks]:
    """The claim: of all spectra. Wrong with other noise, or without a batch's own fourth moments."""
    found = []
    for case in SPREADS:
        rate, rest = split(case)
        rest["noise"] = noise * rest.get("noise", 1.0)
        end = ask("stationary", "moments", "excess_risk", rate, **rest)
        way = ask("sgd", "moments", "excess_risk", STEPS, learning_rate=rate, **rest)
        found.append((end, way))
    if own:
        return found
    return [(end * without_own(case), way) for case, (end, way) in zip(SPREADS, found, strict=True)]


def without_own(case: dict[str, Any]) -> float:
    """What the excess risk in the end would be over what it is, if E (a.v)^2 a a^T were Sigma E (a.v)^2."""
    from teacherstudent.problems.heavy_tails import PROBLEM

    rate, rest = split(case)
    problem = PROBLEM.instance(**rest)
    of = problem.counts, problem.strengths, rate, problem.batch, problem.noise
    return laws.risk_of(*of, own=-1) / laws.risk_of(*of)


@worst_case
def over_claims(found: Risks, claimed: Risks) -> list[Verdict]:
    """Both over the claim."""
    return [mean_within_errors(one / other, 1.0) for one, other in zip(found, claimed, strict=True)]


VARIANCE = check(
    id="ht-variance",
    title="second moments give the excess risk during and after training, for equal and unequal inputs",
    ref="second moments of the iterates",
    evidence=risks,
    claim=second_moments,
    judge=over_claims,
    wrong=(
        WrongClaim("label noise 50 % larger", partial(second_moments, noise=1.5)),
        WrongClaim("fourth moments of an example's own inputs omitted", partial(second_moments, own=0)),
    ),
    effect=WHOLE,
    functions=(
        entry("stationary", "moments"),
        entry("stationary", "simulation"),
        entry("sgd", "moments"),
        entry("sgd", "simulation"),
    ),
    slow=True,
)

# The constant of the power law where the variance becomes infinite ------------------------------------
#
# t^2 P(|v| > t) comes to eta^2 d noise^2/(2 b h'(2)). What is left at t falls like 1/t, or faster: it is at
# most what t and t/2 differ by.

FAR = ((1, 1, 12.0), (2, 3, 12.0))
"""Batch, dimension, and the level t: one student in some hundreds is beyond it."""

DRAWS, CHAINS, BURN_IN = 24, 10_000, 300
APART = 1e-3
"""Difference of two orders, for the slope h'(2)."""

Constants = tuple[np.ndarray, float]
"""t^2 P(|v| > t), (draws, 1), and what it may be off."""


def simulated(seeds: Seeds) -> list[Constants]:
    """Evidence: from sizes of independent students."""
    from teacherstudent.sims.heavy_tails.sizes import log_sizes

    found = []
    for b, d, level in FAR:
        problem, rate = find_problem(ID).instance(batch=b, d=d), laws.critical(b, d)
        sizes = [log_sizes(problem, seed, (rate,), CHAINS, BURN_IN)[0] for seed in seeds(DRAWS)]
        far, near = (t**2 * np.mean(np.array(sizes) > np.log(t), axis=1) for t in (level, level / 2))
        found.append((far[:, None], abs(float(np.mean(far - near)))))
    return found


def goldie(_: object, factor: float = 1.0) -> list[float]:
    """The claim; wrong by a factor."""
    found = []
    for b, d, _level in FAR:
        rate, orders = laws.critical(b, d), (2 - APART, 2 + APART)
        low, high = ask("orders", "exact", "log_growth", orders, learning_rate=rate, batch=b, d=d)
        found.append(factor * rate**2 * d / (2 * b * (high - low) / (2 * APART)))
    return found


@worst_case
def relatively(found: Constants, claimed: float) -> Verdict:
    """Over the claim."""
    return mean_within_errors(found[0] / claimed, 1.0, bias=found[1] / claimed)


CONSTANT = check(
    id="ht-constant",
    title="where the variance becomes infinite, t^2 P(|v| > t) approaches a constant in closed form",
    ref="t^2 P(|v| > t) -> eta^2 d noise^2/(2 b h'(2))",
    evidence=simulated,
    claim=goldie,
    judge=relatively,
    wrong=(
        WrongClaim("without the factor 1/2", partial(goldie, factor=2.0)),
        WrongClaim("half the constant", partial(goldie, factor=0.5)),
    ),
    effect=WHOLE,
    functions=(entry("orders", "exact"), "sims.heavy_tails.sizes:log_sizes"),
    slow=True,
)

CHECKS = (GROWTH, SEPARATION, VARIANCE, CONSTANT)
