"""One pass of the multi-scale problem over fresh examples: exact means at any size.

One pass by a plain loop: mean and second moment of the error in each mode, step after step.

With e = u - w of a mode, u = F w_hat, a step on b fresh examples (`problems.batches`) has E[x x^T x x^T] in
it: by Isserlis twice an outer product and once a trace. Axes: T recorded times, K scales.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.comparison import Found, Values, scaled
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.multiscale import compared
from teacherstudent.problems.multiscale import PROBLEM, MultiScale

# The plain loop ------------------------------------------------------------------------------------------


class Law(NamedTuple):
    """What a step has of its terms: factors that are 1, or 0 where a term is dropped."""

    own: float = 1.0
    """of what the error along an input's own direction adds to the variance"""
    shared: float = 1.0
    """of what all directions together add to it"""
    noise: float = 1.0
    """of the variance of label noise"""
    batched: bool = True
    """whether a gradient is the sum over a batch times n/b, not times 1"""


EXACT = Law()


def recursed(problem: MultiScale, batch: int, rate: float, times: np.ndarray, law: Law = EXACT) -> np.ndarray:
    """R, Q and excess risk after whole steps `times` (T,), side by side, (3 T,)."""
    counts, strengths = np.array(problem.counts), np.array(problem.sigmas)
    scale = problem.n if law.batched else batch
    gain = rate * scale * strengths**2 / problem.d  # of e itself: strengths times the gradient, twice
    kept = rate * problem.ridge
    stay = 1 - gain - kept
    mean = -np.ones(counts.size)  # of e/w: in the mean students start at 0
    second = 1 + (strengths * problem.init) ** 2
    found, now = [], 0
    for last in times:
        for _ in range(int(last) - now):
            missed = np.sum(counts * second) / problem.d  # E[(x.w_hat - z.w)^2]
            varied = (
                law.shared * problem.d * missed + law.own * second + problem.d * law.noise * problem.noise**2
            )
            second = stay**2 * second - 2 * stay * kept * mean + kept**2 + gain**2 * varied / batch
            mean = stay * mean - kept
        now = int(last)
        share = counts / problem.d
        found.append((share @ (1 + mean), share @ (1 + 2 * mean + second), share @ second / 2))
    return np.stack(found, axis=1).ravel()


# Means at any size --------------------------------------------------------------------------------

own = partial(compared, paper="", observables=("R", "Q", "excess_risk"), routes=("simulation", "asymptotic"))
"""What is checked here stands in no paper."""
SHAPE: dict[str, Any] = {"n": 30, "d": 12, "p": 6, "kappa": 3.0, "noise": 0.4, "init": 0.5, "ridge": 0.1}
PASSES = {
    f"b={batch}": {**SHAPE, "batch": batch, "learning_rate": rate, "times": times}
    for batch, rate, times in (
        (1, 0.04, (1, 10, 60, 400)),
        (4, 0.1, (1, 6, 30, 200)),
        (30, 0.25, (1, 4, 15, 80)),
    )
}


def by_recursion(found: Found, law: Law = EXACT) -> list[Values]:
    """The same by a plain loop over second moments, mode by mode; wrong laws lack something."""
    answers = []
    for case in found.cases:
        asked = case.question
        moments = recursed(
            PROBLEM.instance(**SHAPE), asked["batch"], asked["learning_rate"], np.array(asked["times"]), law
        )
        answers.append(dict(zip(case.values, np.split(moments, len(case.values)), strict=True)))
    return answers


LAWS = {
    "fluctuation along each input itself omitted, b instead of b + 1": EXACT._replace(own=0.0),
    "rank-one term omitted": EXACT._replace(shared=0.0),
    "factor n/b of a batch replaced by 1": EXACT._replace(batched=False),
    "variance of the label noise halved": EXACT._replace(noise=0.5),
}
OTHERS = {name: partial(by_recursion, law=law) for name, law in LAWS.items()}
TO_ROUNDING = Bound(1e-9, "400 steps, and a contour of weights up to e^5.5: 1e6 eps", least=1.0)

CHECKS = (
    own(
        id="sgd-one-pass",
        title="one pass of fresh examples: R, Q and excess risk agree with simulations (d = 12, b = 1, 4, n)",
        ref="second moments of Gaussian examples",
        clocks={"sgd": {}},
        questions=PASSES,
        draws=3000,
        effect=Contrast("learning rate 10 % higher", "a 10 % change of the learning rate"),
        wrong={
            **OTHERS,
            "learning rate 10 % higher": {"learning_rate": scaled(1.1)},
            "initial weights omitted": {"init": 0.0},
            "no ridge": {"ridge": 0.0},
        },
        slow=True,
    ),
    own(
        id="sgd-recursion",
        title="the closed resolvent form of one-pass SGD equals the step-by-step recursion of second moments",
        ref="diagonal plus rank one",
        clocks={"sgd": {}},
        questions=PASSES,
        routes=("asymptotic", ""),
        claim=by_recursion,
        judge=TO_ROUNDING,
        effect=WHOLE,
        wrong=OTHERS,
    ),
    own(
        id="sgd-first-epoch",
        title="the first epoch of reshuffled examples equals one pass over fresh examples",
        ref="in the first epoch, every example is new",
        clocks={"sgd": {"times": (1, 4, 8), "learning_rate": 0.12, "batch": 5, "data": "reshuffled"}},
        questions={"n": 40, "d": 24, "p": 12, "kappa": 3.0, "noise": 0.5},
        draws=3000,
        effect=Contrast("sampling with replacement", "the effect of repeated examples"),
        wrong={
            "sampling with replacement": {"data": "replacement"},
            "batch size four": {"batch": 4},
            "label noise 20 % larger": {"noise": 0.6},
        },
        slow=True,
    ),
)
