"""Finite sets of examples: each draw has a tail index of its own."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

CASES: tuple[tuple[float, dict[str, Any]], ...] = (
    (1.0, {"d": 1, "batch": 1, "n": 50}),
    (1.5, {"d": 1, "batch": 2, "n": 20}),
)
"""Step size, and the rest. Step sizes at which nearly all draws have heavy tails."""

DRAWS, CHAINS, TOP, BURN_IN = 24, 2000, 20, 600

LEAST, MOST = 0.5, 2.0
"""Other draws are left out: below, the start weighs for long; above, sizes are a power law only far out."""

Of = dict[str, np.ndarray]
"""Of the draws of a case, (draws,): estimates, what they are to be, and the error of that by steps."""


def estimates(seeds: Seeds) -> list[Of]:
    """Evidence: of the same draws, by the largest sizes, by steps alone, and exactly."""
    return [_of_case(eta, rest, np.array(seeds(DRAWS))) for eta, rest in CASES]


def _of_case(eta: float, rest: dict[str, Any], seeds: np.ndarray) -> Of:
    exact = ask("stationary", "instance", "tail_index", eta, seeds=seeds.tolist(), **rest)[:, 0]
    heavy = (exact > LEAST) & (exact < MOST)
    seeds, exact = seeds[heavy], exact[heavy]
    asked: dict[str, Any] = {"seeds": seeds.tolist(), "chains": CHAINS, "burn_in": BURN_IN, **rest}
    simulated = partial(ask, "stationary", "simulation", "tail_index", eta, **asked)
    return {
        "exact": exact,
        "near": simulated(estimator="hill", top=TOP)[:, 0],
        "far": simulated(estimator="hill", top=4 * TOP)[:, 0],
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
    return float(np.sqrt(np.expm1(twice) / (CHAINS * BURN_IN)) / (above - below) * 2e-4 * alpha)


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
    title="a finite set: the tail index of each draw, by its sizes and by its steps",
    ref="finite data: h(s) as a mean over batches",
    evidence=estimates,
    claim=of_the_draw,
    judge=per_draw,
    teeth=(
        Tooth("the index of new examples", of_new_examples),
        Tooth("an index larger by a half", partial(of_the_draw, factor=1.5)),
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

CHECKS = (FINITE,)
