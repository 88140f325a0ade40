"""Drawn examples against the equations of infinite d: a bias like 1/d, fluctuations like the root of 1/d."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.committee import check, compared
from teacherstudent.paper_checks.committee.kit.asking import (
    BOTH_LAYERS,
    CLOCK,
    ask,
    entry,
)
from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors, within_errors
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case, worst_of
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.questions import rows

EVERY = ("R", "Q", "second_layer", "excess_risk")
LATE = 4.0
NOISE: dict[str, dict[str, Any]] = {"label noise 25 % larger": {"noise": scaled(1.25)}}
DECAYS: dict[str, dict[str, Any]] = {
    "no weight decay": {"weight_decay": 0.0},
    "no weight decay of the second layer": {"second_layer_weight_decay": 0.0},
    "second layer 20 % slower": {"second_layer_learning_rate": scaled(0.8)},
}
FAST: dict[str, Any] = {"learning_rate": 1.2, "noise": 0.2}
"""Fast enough, and with little enough noise, that chance does not hide the bias at a small size."""

LIMITS = tuple(
    compared(
        id=f"cm-limit-{id}",
        title=f"{title}: {'gradient descent' if route == 'simulation' else 'the Markov chain'} has a bias "
        "proportional to 1/d",
        ref="equations of the order parameters, both layers trained",
        clocks={CLOCK: {"times": (LATE,), **BOTH_LAYERS, **own}},
        questions=lambda d: {"d": d},
        routes=(route, "asymptotic"),
        observables=EVERY,
        draws=draws,
        effect=Contrast("second layer 20 % slower", "the effect of a fifth of the second learning rate"),
        wrong=wrong,
        also=also,
        slow=True,
    )
    for id, title, route, draws, own, wrong, also in (
        (
            "bias",
            "erf units, both layers trained with weight decay",
            "chain",
            {16: 6000, 32: 6000, 64: 5000, 300: 300},
            {"learning_rate": 1.2, "noise": 0.0},
            DECAYS,
            (),
        ),
        (
            "erf",
            "erf units, both layers trained with label noise and weight decay",
            "chain",
            {12: 8000, 24: 6000, 48: 3000, 160: 500},
            FAST,
            NOISE | DECAYS,
            (("goldt2019", "Both layers"),),
        ),
        (
            "relu",
            "relu units, both layers trained with label noise and weight decay",
            "chain",
            {8: 6000, 16: 6000, 32: 5000, 160: 500},
            {"activation": "relu"},
            NOISE | DECAYS,
            (),
        ),
        (
            "linear",
            "linear units, both layers trained with label noise and weight decay",
            "chain",
            {16: 2500, 32: 2500, 64: 2500, 300: 300},
            {"activation": "linear", "learning_rate": 0.4},
            NOISE | DECAYS,
            (),
        ),
        (
            "steps",
            "erf units, both layers trained on drawn examples",
            "simulation",
            {12: 8000, 24: 6000, 48: 3000, 160: 500},
            FAST,
            NOISE | DECAYS,
            (),
        ),
    )
)

# The chain and real steps: one law at any size ------------------------------------------------------------

SMALL, DRAWS = 20, 1500
ACTIVATIONS = ("erf", "relu")


def in_law(route: str, seeds: list[int], **own: Any) -> np.ndarray:
    """Order parameters of each draw, and squares of what they differ by from their mean: (S, 2 P)."""
    question = {**BOTH_LAYERS, "learning_rate": 0.4, "d": SMALL, **own}
    found = rows(ask(route, (LATE,), seeds=seeds, **question), EVERY)
    return np.concatenate([found, (found - found.mean(axis=0)) ** 2], axis=1)


def stepped(seeds: Seeds) -> dict[str, tuple[list[int], np.ndarray]]:
    """Evidence: real steps, and seeds for draws of the chain."""
    return {
        each: (seeds(DRAWS, f"chain {each}"), in_law("simulation", seeds(DRAWS, each), activation=each))
        for each in ACTIVATIONS
    }


def chained(evidence: dict[str, Any], **own: Any) -> dict[str, np.ndarray]:
    """The claim: the chain, of draws of its own; wrong with another size or other noise."""
    return {each: in_law("chain", seeds, activation=each, **own) for each, (seeds, _) in evidence.items()}


@worst_case
def same_law(found: tuple[list[int], np.ndarray], claim: np.ndarray) -> Any:
    """Means and variances of both samples."""
    one, other = drawn_mean(found[1]), drawn_mean(claim)
    error = np.hypot(one.stderr, other.stderr)
    return within_errors(one.mean, other.mean, error, degrees=one.degrees)


CHAIN = check(
    id="cm-chain",
    title="at d = 20 the Markov chain of the order parameters has the means and variances of gradient steps",
    ref="the distribution of a step depends only on the fields and the length of an example",
    evidence=stepped,
    claim=chained,
    judge=same_law,
    effect=Contrast("the Markov chain for twice as many inputs", "half of the finite-size effect"),
    wrong=(
        WrongClaim("the Markov chain for twice as many inputs", partial(chained, d=2 * SMALL)),
        WrongClaim("label noise 25 % larger", partial(chained, noise=1.25 * BOTH_LAYERS["noise"])),
    ),
    functions=(entry("simulation"), entry("chain")),
    slow=True,
)

# Fluctuations ------------------------------------------------------------

SPREAD = (50, 100, 200, 400)
FLUCTUATING = 500
"""Draws at each size."""


def fluctuations(seeds: Seeds) -> np.ndarray:
    """Evidence: standard deviations over draws at the last time, (sizes, P)."""
    return np.stack(
        [
            rows(ask("chain", (LATE,), d=d, seeds=seeds(FLUCTUATING, str(d)), **BOTH_LAYERS), EVERY).std(
                axis=0, ddof=1
            )
            for d in SPREAD
        ]
    )


@worst_of
def like_a_power(found: np.ndarray, exponent: float) -> Any:
    """Every order parameter by itself; a standard deviation of S draws is known to 1/sqrt(2 S)."""
    for each in found.T:
        yield at_rate(SPREAD, each, exponent, each / np.sqrt(2 * FLUCTUATING), slack=1 / SPREAD[0])


FLUCTUATIONS = check(
    id="cm-fluctuations",
    title="fluctuations of the order parameters between draws scale as d^(-1/2)",
    ref="self-averaging of the order parameters",
    evidence=fluctuations,
    claim=constant_claim(-0.5),
    judge=like_a_power,
    wrong=(
        WrongClaim("fluctuations proportional to 1/d", constant_claim(-1.0)),
        WrongClaim("fluctuations proportional to d^(-1/4)", constant_claim(-0.25)),
    ),
    functions=(entry("chain"),),
    slow=True,
)

# Random starts ------------------------------------------------------------

RANDOM: dict[str, Any] = {"start": "random", "init": 0.7, "learning_rate": 1.0, "noise": 0.2, "d": 100}
EARLY = (0.0, 1.0)
"""The start, and a time at which what the draw of weights does is not yet hidden by that of examples."""
STARTS = 300
LAYER = ("R", "Q")


@dataclass(frozen=True)
class Started:
    """Seeds, and R and Q of each draw at both times, (S, 8) each."""

    seeds: list[int]
    start: np.ndarray
    found: np.ndarray


def both_times(route: str, **more: Any) -> list[np.ndarray]:
    """R and Q at the start and later, (..., 8) each."""
    answer = ask(route, EARLY, **{**RANDOM, **more})
    return [rows(answer.isel(time=[at]), LAYER) for at in (0, 1)]


def from_random(seeds: Seeds) -> Started:
    """Evidence: students that start from random weights, step by step."""
    chosen = seeds(STARTS)
    return Started(chosen, *both_times("simulation", seeds=chosen))


def from_there(evidence: Started, other: int = 0) -> np.ndarray:
    """The claim, (S, 8): the equations from the overlaps of each draw; wrong from those of another draw."""
    return np.roll(answered(tuple(evidence.seeds)), other, axis=0)


@cache
def answered(seeds: tuple[int, ...]) -> np.ndarray:
    """What the equations say of each draw, (S, 8)."""
    return both_times("instance", seeds=seeds)[1]


def from_the_limit(evidence: Started) -> np.ndarray:
    """Wrong: from the overlaps of infinite d."""
    return np.tile(both_times("asymptotic")[1], (len(evidence.seeds), 1))


def without_trace(evidence: Started, claimed: np.ndarray) -> Verdict:
    """What is left of each draw knows nothing of its start: their product has the mean 0."""
    start = evidence.start - evidence.start.mean(axis=0)
    return mean_within_errors((evidence.found - claimed) * start, 0.0)


INSTANCE = check(
    id="cm-instance",
    title="the effect of random initial weights on a student follows from the student's own initial overlaps",
    ref="equations of the order parameters, started from the overlaps of each draw",
    evidence=from_random,
    claim=from_there,
    judge=without_trace,
    effect=Contrast("initial overlaps for infinite d", "the effect of a draw's initial overlaps"),
    wrong=(
        WrongClaim("initial overlaps for infinite d", from_the_limit),
        WrongClaim("initial overlaps of another draw", partial(from_there, other=1)),
    ),
    functions=(entry("simulation"), entry("instance"), entry("asymptotic")),
    slow=True,
)

CHECKS = (*LIMITS, CHAIN, FLUCTUATIONS, INSTANCE)
