"""Methods on striped digits: groups beat classes beat nothing; and what long training does to each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.frozen_groups import check, compared
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, judge_signs, worst_of
from teacherstudent.paper_checks.judging.comparison import Found, Values, flat, scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim

DRAWS = 60
"""Of the digits, stripes and random features, each with one training."""
EARLY, LATE = 15, 400
"""Epochs."""


def trained(seeds: Seeds, methods: tuple[str, ...], epochs: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Worst groups of methods on the same draws of rows, without weight decay, (draws, epochs) by method."""
    from teacherstudent.problems.frozen_groups.stripes import arrays

    rows = [(seed, arrays(seed)) for seed in seeds(DRAWS)]
    return {
        method: np.array(
            [
                run(
                    "frozen-groups", "descent", "simulation", epochs, seeds=[seed],
                    method=method, features=drawn, learning_rate=0.01, batch_size=32,
                )["worst_group_accuracy"].values[0]
                for seed, drawn in rows
            ]
        )
        for method in methods
    }  # fmt: skip


ORDER = {("rwg", "rwy"): 1, ("rwy", "erm"): 1, ("rwg", "erm"): 1}
LONG = {"rwg": -1, "rwg minus subg": -1}


def differences(seeds: Seeds) -> dict[tuple[str, str], np.ndarray]:
    """Evidence: differences of two methods early in training, (draws,)."""
    found = trained(seeds, ("erm", "rwy", "rwg"), (EARLY,))
    return {(one, other): found[one][:, 0] - found[other][:, 0] for one, other in ORDER}


def changes(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: what long training changes, of balanced batches, and beyond what it changes of a subset."""
    found = trained(seeds, ("rwg", "subg"), (EARLY, LATE))
    lost = {name: each[:, 1] - each[:, 0] for name, each in found.items()}
    return {"rwg": lost["rwg"], "rwg minus subg": lost["rwg"] - lost["subg"]}


METHODS_ORDER = check(
    id="fg-methods",
    title="striped digits: balancing groups beats balancing classes, which beats training without balancing",
    ref="8.5.1: methods that use attributes have a higher worst-group accuracy",
    evidence=differences,
    claim=constant_claim(ORDER),
    judge=judge_signs("accuracy"),
    wrong=(
        WrongClaim("balancing classes beats balancing groups", constant_claim({**ORDER, ("rwg", "rwy"): -1})),
        WrongClaim("no balancing beats balancing classes", constant_claim({**ORDER, ("rwy", "erm"): -1})),
    ),
    slow=True,
)

LONG_TRAINING = check(
    id="fg-long-training",
    title=(
        "striped digits: long training lowers worst-group accuracy more for balanced batches than for a "
        "subset"
    ),
    ref="8.5.3, Fig. 2",
    evidence=changes,
    claim=constant_claim(LONG),
    judge=judge_signs("accuracy"),
    wrong=(
        WrongClaim("long training helps", constant_claim({**LONG, "rwg": 1})),
        WrongClaim("a balanced subset loses more", constant_claim({**LONG, "rwg minus subg": 1})),
    ),
    slow=True,
)


# Where training ends: descent on whole batches against the minimum of the loss -------------------------

SMALLEST = 1 / 370
"""The accuracy of one test row of the smallest group: a logit may be a tie to rounding."""


@worst_of
def at_the_end(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """norms agree within the remaining gradient, accuracies within one test image"""
    for case, claim in zip(found.cases, claimed, strict=True):
        wrong = case.flat - flat(claim, True)
        yield within_bound(wrong[:, 0], 1e-6, "the gradient that remains after this number of epochs")
        yield within_bound(wrong[:, 1:], SMALLEST, "one test image of the smallest group", "share")


OPTIMUM = compared(
    id="fg-optimum",
    title="full-batch gradient descent ends at the minimum of its loss",
    ref="8.5.4: regularised logistic regression",
    clocks={"descent": {"times": [300], "learning_rate": 0.02, "batch_size": 10**6, "momentum": 0.9}},
    questions={name: {"method": name, "weight_decay": 0.3} for name in ("erm", "suby", "subg")},
    routes=("simulation", "optimum"),
    observables=("norm", "group_accuracy", "test_accuracy", "training_worst_group_accuracy"),
    draws=2,
    stream="",
    judge=at_the_end,
    effect=Contrast("half the weight decay", "the effect of halving the weight decay"),
    wrong={
        "half the weight decay": {"weight_decay": scaled(0.5)},
        "weight decay 1 % smaller": {"weight_decay": scaled(0.99)},
    },
)

CHECKS = (METHODS_ORDER, LONG_TRAINING, OPTIMUM)
