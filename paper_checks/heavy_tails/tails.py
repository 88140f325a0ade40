"""The tail index of real SGD by three estimators, of sums of iterates, and of finite sets of examples.

Two estimators see sizes alone, one steps alone; none knows h. The bias of an estimate from the k largest of N
sizes falls like (k/N)^(1/alpha), or faster: for alpha <= 2 that of k is at most by what 4k differs from k.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.catalogue import find_problem
from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit.asking import ID, ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_errors
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim

HEAVY = ((1.2, 1, 1), (0.7124, 2, 3), (0.9, 2, 2))
"""Step size, batch, dimension: alpha < 2, where sizes are a power law from small ones on."""

LIGHT = ((0.45, 1, 2), (0.5, 2, 3))
"""alpha > 2: steps alone tell the index."""

DRAWS, CHAINS, TOP = 24, 4000, 40
STEPS_DRAWS, STEPS_CHAINS = 12, 2000

Key = tuple[str, tuple[float, int, int]]
"""Estimator and case."""

Found = tuple[np.ndarray, float]
"""Estimates, (draws, 1), and what their mean may be off."""


def largest(of: Callable[..., np.ndarray]) -> Found:
    """Estimates from the largest sizes, and what four times as many of them change."""
    near, far = (of(top=top) for top in (TOP, 4 * TOP))
    return near, abs(float(np.mean(far - near)))


def estimates(seeds: Seeds) -> dict[Key, Found]:
    """Evidence: for each estimator and case."""
    found = {}
    for case in HEAVY:
        c, b, d = case
        for estimator in ("hill", "rank"):
            of = partial(
                ask, "stationary", "simulation", "tail_index", c, seeds(DRAWS), batch=b, d=d, chains=CHAINS
            )
            found[estimator, case] = largest(partial(of, estimator=estimator))
    for case in HEAVY + LIGHT:
        c, b, d = case
        asked: dict[str, Any] = {"seeds": seeds(STEPS_DRAWS), "estimator": "growth", "chains": STEPS_CHAINS}
        grown = ask("stationary", "simulation", "tail_index", c, batch=b, d=d, **asked)
        found["growth", case] = grown, 0.0
    return found


def solved(evidence: dict[Key, Found], more: int = 0, times: float = 1.0) -> dict[Key, np.ndarray]:
    """The claim: h(alpha) = 1. Wrong with so many examples more, or for a step so many times larger."""
    at = {
        case: ask("stationary", "exact", "tail_index", times * case[0], batch=case[1] + more, d=case[2])
        for case in HEAVY + LIGHT
    }
    return {key: at[key[1]] for key in evidence}


@worst_case
def within(found: Found, claimed: np.ndarray) -> Verdict:
    """The mean over draws."""
    return mean_within_errors(found[0], claimed, bias=found[1])


TAIL = check(
    id="ht-tail",
    title="the tail index of SGD, estimated from sizes of iterates and from growth, solves h(alpha) = 1",
    ref="the tail index of the stationary distribution",
    paper="gurbuzbalaban2021",
    evidence=estimates,
    claim=solved,
    judge=within,
    wrong=(
        WrongClaim("one more example per batch", partial(solved, more=1)),
        WrongClaim("step size 20 % smaller", partial(solved, times=0.8)),
    ),
    effect=Contrast("one more example per batch", "the effect of one example per batch"),
    functions=(entry("stationary", "exact"), entry("stationary", "simulation")),
    covers=("Heavy tails of Gaussian data",),
    also=(("isis2021", "Simsekli: heavy tails of Gaussian data"),),
    slow=True,
)

# The published estimator ------------------------------------------------------------------------------

SMALL = (0.4, 0.2, 0.1)
"""Step sizes at which iterates are ever more nearly normal: alpha from 6 to 33."""

QUESTION: dict[str, Any] = {"batch": 2, "d": 3, "chains": 2000}


def published(seeds: Seeds) -> np.ndarray:
    """Evidence: what the estimator for stable laws says of SGD, one row a draw, step sizes side by side."""
    asked: dict[str, Any] = {"seeds": seeds(DRAWS), "estimator": "stable", **QUESTION}
    found = [ask("stationary", "simulation", "tail_index", c, **asked) for c in SMALL]
    return np.hstack(found)


def of_normal_vectors(_: object, factor: float = 1.0) -> np.ndarray:
    """The claim: 2, as of the normal law, which is stable."""
    return np.full(len(SMALL), 2 * factor)


def the_index(_: object) -> np.ndarray:
    """Wrong: the tail index."""
    return np.concatenate([ask("stationary", "exact", "tail_index", c, batch=2, d=3) for c in SMALL])


def close_to(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """What is left of heavier tails is at most what the estimate changed by from twice the step size."""
    means = found.mean(axis=0)
    return mean_within_errors(found[:, -1:], claimed[-1:], bias=abs(means[-1] - means[-2]))


ESTIMATORS = check(
    id="ht-estimators",
    title="the published estimator returns 2 for SGD with a small step, whose tail index exceeds 30",
    ref="estimator of the tail index",
    evidence=published,
    claim=of_normal_vectors,
    judge=close_to,
    wrong=(
        WrongClaim("the tail index", the_index),
        WrongClaim("an estimate 10 % larger than 2", partial(of_normal_vectors, factor=1.1)),
    ),
    effect=WHOLE,
    functions=(entry("stationary", "exact"), entry("stationary", "simulation")),
    slow=True,
)

# Two strengths ----------------------------------------------------------------------------------------

SPECTRA: tuple[tuple[float, dict[str, Any]], ...] = (
    (0.5, {"d": 4, "p": 2, "kappa": 2.0, "batch": 2}),
    (0.6, {"d": 3, "p": 1, "kappa": 1.5, "batch": 2}),
)
"""Step size, and the rest: alpha near 1.7 and 1.8."""


GROWN, POPULATION = 8, 4000
"""Draws of a population of directions, and its size: one of half the size hangs on too few of them."""


def of_spectra(seeds: Seeds) -> list[list[Found]]:
    """Evidence: by the largest sizes, with their bias, and of the first by a population too."""
    found = []
    for eta, rest in SPECTRA:
        of = partial(ask, "stationary", "simulation", "tail_index", eta, **rest)
        found.append([largest(partial(of, seeds=seeds(DRAWS), chains=CHAINS))])
    eta, rest = SPECTRA[0]
    asked: dict[str, Any] = {"seeds": seeds(GROWN), "chains": POPULATION, "estimator": "growth", **rest}
    found[0].append((ask("stationary", "simulation", "tail_index", eta, **asked), 0.0))
    return found


def by_transfer(_: object, alike: bool = False, more: int = 0) -> list[np.ndarray]:
    """The claim: the eigenvalue that is 1. Wrong if all inputs were alike, or with another batch."""
    found = []
    for eta, rest in SPECTRA:
        of = rest | {"batch": rest["batch"] + more} | ({"p": None, "kappa": 1.0} if alike else {})
        found.append(ask("stationary", "exact" if alike else "transfer", "tail_index", eta, **of))
    return found


@worst_case
def each(found: list[Found], claimed: np.ndarray) -> list[Verdict]:
    """Each estimator."""
    return [mean_within_errors(sample, claimed, bias=bias) for sample, bias in found]


SPECTRUM = check(
    id="ht-spectrum",
    title="for two input strengths, tail indices from sizes and from steps agree with a transfer operator",
    ref="the tail index of the stationary distribution, for inputs of any covariance",
    evidence=of_spectra,
    claim=by_transfer,
    judge=each,
    wrong=(
        WrongClaim("all input strengths equal", partial(by_transfer, alike=True)),
        WrongClaim("one more example per batch", partial(by_transfer, more=1)),
    ),
    effect=Contrast("all input strengths equal", "the effect of unequal strengths"),
    functions=(entry("stationary", "transfer"), entry("stationary", "simulation")),
    slow=True,
)

# Sums of iterates -------------------------------------------------------------------------------------
#
# What is left at K terms falls like a power of K above 1/2 here: it is at most what K and K/4 differ by.

SUMMABLE = ((0.95, 1, 1), (0.76, 2, 3))
"""Step size, batch, dimension: alpha near 1.2."""

COUNTS = (250, 1000, 4000)
SUMMED, SUMS_OF, BURN_IN = 24, 1000, 300


class Sums(NamedTuple):
    """Of ln |sum|, one row a draw: growth of its mean per ln K, and its variance; what both may be off."""

    found: np.ndarray
    bias: np.ndarray


def summed(seeds: Seeds) -> list[Sums]:
    """Evidence: of the sums of 1000 to 4000 iterates, and of a quarter as many."""
    return [_sums_of_case(seeds, *case) for case in SUMMABLE]


def _sums_of_case(seeds: Seeds, c: float, b: int, d: int) -> Sums:
    from teacherstudent.sims.heavy_tails.sums import log_sums

    problem = find_problem(ID).instance(batch=b, d=d)
    logs = np.stack([log_sums(problem, seed, c, SUMS_OF, BURN_IN, COUNTS) for seed in seeds(SUMMED)])
    growth = np.diff(logs.mean(axis=1), axis=1) / np.log(COUNTS[1] / COUNTS[0])
    variance = np.var(logs, axis=1, ddof=1)
    found = np.stack([growth[:, 1], variance[:, 2]], axis=1)
    before = np.stack([growth[:, 0], variance[:, 1]], axis=1)
    return Sums(found, np.abs(np.mean(found - before, axis=0)))


def stable_law(_: object, times: float = 1.0, normal: bool = False) -> list[np.ndarray]:
    """The claim: growth 1/alpha, variance (pi^2/6)(1/alpha^2 + 1/2). Wrong with another alpha."""
    found = []
    for c, b, d in SUMMABLE:
        alpha = 2.0 if normal else times * float(ask("stationary", "exact", "tail_index", c, batch=b, d=d)[0])
        found.append(np.array([1 / alpha, np.pi**2 / 6 * (1 / alpha**2 + 1 / 2)]))
    return found


@worst_case
def growth_and_spread(found: Sums, claimed: np.ndarray) -> list[Verdict]:
    """Each of the two numbers."""
    return [mean_within_errors(found.found[:, j : j + 1], claimed[j], found.bias[j]) for j in range(2)]


SUMS = check(
    id="ht-sums",
    title="for alpha = 1.2, sums of iterates grow and scatter according to the stable distribution",
    ref="stable distribution of sums",
    paper="gurbuzbalaban2021",
    evidence=summed,
    claim=stable_law,
    judge=growth_and_spread,
    wrong=(
        WrongClaim("a normal distribution", partial(stable_law, normal=True)),
        WrongClaim("tail index 20 % larger", partial(stable_law, times=1.2)),
    ),
    effect=Contrast("a normal distribution", "the difference from a normal distribution"),
    functions=(entry("stationary", "exact"), "sims.heavy_tails.sums:log_sums"),
    covers=("Sums of iterates",),
    slow=True,
)

# Finite sets of examples: each draw has a tail index of its own ---------------------------------------

SETS_OF: tuple[tuple[float, dict[str, Any]], ...] = (
    (1.0, {"d": 1, "batch": 1, "n": 50}),
    (1.5, {"d": 1, "batch": 2, "n": 20}),
)
"""Step size, and the rest. Step sizes at which nearly all draws have heavy tails."""

SETS, STUDENTS, LARGEST, LEFT_OUT = 24, 2000, 20, 600

LEAST, MOST = 0.5, 2.0
"""Other draws are left out: below, the start weighs for long; above, sizes are a power law only far out."""

Of = dict[str, np.ndarray]
"""Of the draws of a case, (draws,): estimates, what they are to be, and the error of that by steps."""


def of_sets(seeds: Seeds) -> list[Of]:
    """Evidence: of the same draws, by the largest sizes, by steps alone, and exactly."""
    return [_of_case(eta, rest, np.array(seeds(SETS))) for eta, rest in SETS_OF]


def _of_case(eta: float, rest: dict[str, Any], seeds: np.ndarray) -> Of:
    exact = ask("stationary", "instance", "tail_index", eta, seeds=seeds.tolist(), **rest)[:, 0]
    heavy = (exact > LEAST) & (exact < MOST)
    seeds, exact = seeds[heavy], exact[heavy]
    asked: dict[str, Any] = {"seeds": seeds.tolist(), "chains": STUDENTS, "burn_in": LEFT_OUT, **rest}
    simulated = partial(ask, "stationary", "simulation", "tail_index", eta, **asked)
    return {
        "exact": exact,
        "near": simulated(estimator="hill", top=LARGEST)[:, 0],
        "far": simulated(estimator="hill", top=4 * LARGEST)[:, 0],
        "growth": simulated(estimator="growth")[:, 0],
        "error": np.array([_error(eta, rest, *draw) for draw in zip(seeds.tolist(), exact, strict=True)]),
        "fresh": ask("stationary", "exact", "tail_index", eta, d=rest["d"], batch=rest["batch"]),
    }


def _error(eta: float, rest: dict[str, Any], seed: int, alpha: float) -> float:
    """Of the order at which the mean of so many independent f^s is 1: sqrt((h(2 alpha) - 1)/N)/h'(alpha)."""
    orders = alpha * np.array([1 - 1e-4, 1 + 1e-4, 2])
    below, above, twice = ask("orders", "instance", "log_growth", orders, [seed], learning_rate=eta, **rest)[
        0
    ]
    return float(np.sqrt(np.expm1(twice) / (STUDENTS * LEFT_OUT)) / (above - below) * 2e-4 * alpha)


def of_the_draw(evidence: list[Of], factor: float = 1.0) -> list[np.ndarray]:
    """The claim: h(alpha) = 1 over the batches of the draw; wrong by a factor."""
    return [factor * case["exact"] for case in evidence]


def of_new_examples(evidence: list[Of]) -> list[np.ndarray]:
    """Wrong: the index of steps that always take new examples."""
    return [np.full_like(case["exact"], case["fresh"].item()) for case in evidence]


@worst_case
def per_draw(found: Of, claimed: np.ndarray) -> list[Verdict]:
    """By sizes on average, with a bias that is at most what four times as many change; by steps each draw."""
    ratio = found["near"] / claimed
    bias = abs(float(np.mean(found["far"] / claimed - ratio)))
    by_steps = within_errors(found["growth"] / claimed, 1.0, found["error"] / claimed)
    return [mean_within_errors(ratio, 1.0, bias=bias), by_steps]


FINITE = check(
    id="ht-finite",
    title="for finite training sets, estimates from sizes and from steps agree with the exact tail index",
    ref="for finite data, h(s) is a mean over batches",
    evidence=of_sets,
    claim=of_the_draw,
    judge=per_draw,
    wrong=(
        WrongClaim("the tail index for fresh examples", of_new_examples),
        WrongClaim("tail index 50 % larger", partial(of_the_draw, factor=1.5)),
    ),
    effect=WHOLE,
    functions=(
        entry("stationary", "exact"),
        entry("stationary", "instance"),
        entry("stationary", "simulation"),
        entry("orders", "instance"),
    ),
    slow=True,
)

CHECKS = (TAIL, SPECTRUM, ESTIMATORS, SUMS, FINITE)
