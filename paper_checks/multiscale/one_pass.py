"""One pass of the multi-scale problem over fresh examples: exact means at any size."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.paper_checks.multiscale.kit.batches import Question, asked, to_rounding
from teacherstudent.paper_checks.multiscale.kit.second_moments import EXACT, Law, recursed
from teacherstudent.problems.multiscale import PROBLEM

own = partial(check, paper="")
"""What is checked here stands in no paper."""
SHAPE: Question = {"n": 30, "d": 12, "p": 6, "kappa": 3.0, "noise": 0.4, "init": 0.5, "ridge": 0.1}
PASSES: dict[int, tuple[float, tuple[int, ...]]] = {  # of a batch its rate and steps
    1: (0.04, (1, 10, 60, 400)),
    4: (0.1, (1, 6, 30, 200)),
    30: (0.25, (1, 4, 15, 80)),
}
DRAWS = 3000


def passes(route: str, seeds: Seeds | None = None, **changes: Any) -> list[np.ndarray]:
    """R, Q and excess risk of each batch size; `changes` are numbers that factors multiply."""
    found = []
    for batch, (rate, times) in PASSES.items():
        given: Question = {**SHAPE, "batch": batch, "learning_rate": rate}
        given |= {name: factor * given[name] for name, factor in changes.items()}
        drawn = {} if seeds is None else {"seeds": seeds(DRAWS, f"b={batch}")}
        found.append(asked("sgd", route, times, **given, **drawn))
    return found


def by_recursion(_: object, law: Law = EXACT) -> list[np.ndarray]:
    """The same by a plain loop over second moments, mode by mode; wrong laws lack something."""
    return [
        recursed(PROBLEM.instance(**SHAPE), batch, rate, np.array(times), law)
        for batch, (rate, times) in PASSES.items()
    ]


means = worst_case(mean_within_errors)  # exact at any size: without a bias


LAWS = {
    "fluctuation along an input itself dropped, b for b + 1": EXACT._replace(own=0.0),
    "term of rank one dropped": EXACT._replace(shared=0.0),
    "factor n/b of a batch as 1": EXACT._replace(batched=False),
    "label noise seen once in b": EXACT._replace(noise=0.5),
}
OTHERS = tuple(Tooth(name, partial(by_recursion, law=law)) for name, law in LAWS.items())

ONE_PASS = own(
    id="sgd-one-pass",
    title="one pass on fresh examples: R, Q and excess risk against drawn students, d = 12, b = 1, 4, n",
    ref="second moments of Gaussian examples",
    evidence=partial(passes, "simulation"),
    claim=lambda _: passes("asymptotic"),
    judge=means,
    effect=Contrast("rate a tenth higher", "a tenth of the learning rate"),
    teeth=(
        *OTHERS,
        Tooth("rate a tenth higher", lambda _: passes("asymptotic", learning_rate=1.1)),
        Tooth("start forgotten", lambda _: passes("asymptotic", init=0.0)),
        Tooth("no ridge", lambda _: passes("asymptotic", ridge=0.0)),
    ),
    functions=("theory.multiscale.sgd:asymptotic", "sims.multiscale.sgd:sgd"),
    slow=True,
)

LOOP = own(
    id="sgd-recursion",
    title="the closed resolvent of one pass is the recursion of second moments, step by step",
    ref="diagonal plus rank one",
    evidence=lambda _: passes("asymptotic"),
    claim=by_recursion,
    judge=to_rounding,
    effect=WHOLE,
    teeth=OTHERS,
    functions=("theory.multiscale.sgd:asymptotic",),
)

# The first epoch ------------------------------------------------------------------------------------

EPOCHS: Question = {"n": 40, "d": 24, "p": 12, "kappa": 3.0, "noise": 0.5, "learning_rate": 0.12, "batch": 5}
FIRST = (1, 4, 8)


def first_epoch(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: students in the first epoch of reshuffled examples."""
    return [asked("sgd", "simulation", FIRST, data="reshuffled", seeds=seeds(3000), **EPOCHS)]


def one_pass(_: object, **changed: Any) -> list[np.ndarray]:
    """The claim: what fresh examples give in the mean."""
    return [asked("sgd", "asymptotic", FIRST, **{**EPOCHS, **changed})]


EPOCH = own(
    id="sgd-first-epoch",
    title="the first epoch of reshuffled examples is one pass over fresh ones",
    ref="no example has been seen",
    evidence=first_epoch,
    claim=partial(one_pass, data="reshuffled"),
    judge=means,
    effect=Contrast("examples seen before: drawn anew", "what examples that return change"),
    teeth=(
        Tooth("examples seen before: drawn anew", partial(one_pass, data="replacement")),
        Tooth("batch of four", partial(one_pass, batch=4)),
        Tooth("label noise a fifth larger", partial(one_pass, noise=0.6)),
    ),
    functions=("theory.multiscale.sgd:asymptotic", "sims.multiscale.sgd:sgd"),
    slow=True,
)

CHECKS = (ONE_PASS, LOOP, EPOCH)
