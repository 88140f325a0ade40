"""Methods on striped digits: groups beat classes beat nothing; and what long training does to each."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.frozen_groups import check
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import signed, stated, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

DRAWS = 60
"""Of the digits, stripes and random features, each with one training."""
EARLY, LATE = 15, 400
"""Epochs."""

Found = dict[str, np.ndarray]
"""Worst-group test accuracy, (draws, epochs), by method."""


def trained(seeds: Seeds, methods: tuple[str, ...], epochs: tuple[int, ...]) -> Found:
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
LONG = {"rwg": -1, "rwg less than subg": -1}


def differences(seeds: Seeds) -> dict[tuple[str, str], np.ndarray]:
    """Evidence: differences of two methods early in training, (draws,)."""
    found = trained(seeds, ("erm", "rwy", "rwg"), (EARLY,))
    return {(one, other): found[one][:, 0] - found[other][:, 0] for one, other in ORDER}


def changes(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: what long training changes, of balanced batches, and beyond what it changes of a subset."""
    found = trained(seeds, ("rwg", "subg"), (EARLY, LATE))
    lost = {name: each[:, 1] - each[:, 0] for name, each in found.items()}
    return {"rwg": lost["rwg"], "rwg less than subg": lost["rwg"] - lost["subg"]}


METHODS_ORDER = check(
    id="fg-methods",
    title="on striped digits balanced groups beat balanced classes, and these beat training as it comes",
    ref="8.5.1: methods that use attributes reach a better worst group",
    evidence=differences,
    claim=stated(ORDER),
    judge=signed("accuracy"),
    teeth=(
        Tooth("classes beat groups", stated({**ORDER, ("rwg", "rwy"): -1})),
        Tooth("nothing beats classes", stated({**ORDER, ("rwy", "erm"): -1})),
    ),
    slow=True,
)

LONG_TRAINING = check(
    id="fg-long-training",
    title="on striped digits long training spoils balanced batches, and a balanced subset less",
    ref="8.5.3, Fig. 2",
    evidence=changes,
    claim=stated(LONG),
    judge=signed("accuracy"),
    teeth=(
        Tooth("long training helps", stated({**LONG, "rwg": 1})),
        Tooth("a subset loses more", stated({**LONG, "rwg less than subg": 1})),
    ),
    slow=True,
)


# Where training ends: descent on whole batches against the minimum of the loss -------------------------

METHODS = ("erm", "suby", "subg")
"""Those whose whole batches are the same at every step."""
DECAY, EPOCHS, TRAININGS = 0.3, 300, 2
SMALLEST = 1 / 370
"""The accuracy of one test row of the smallest group: a logit may be a tie to rounding."""
OBSERVED = ("norm", "group_accuracy", "test_accuracy", "training_worst_group_accuracy")


def _asked(route: str, seeds: list[int], decay: float = DECAY) -> list[np.ndarray]:
    """By method the observables after the last epoch, side by side, (S, P)."""
    options: dict[str, Any] = {
        "weight_decay": decay,
        "learning_rate": 0.02,
        "batch_size": 10**6,
        "momentum": 0.9,
    }
    answers = [
        run("frozen-groups", "descent", route, [EPOCHS], seeds=seeds, method=method, **options)
        for method in METHODS
    ]
    return [
        np.concatenate([each[name].values.reshape(len(seeds), -1) for name in OBSERVED], axis=1)
        for each in answers
    ]


def ends(seeds: Seeds) -> tuple[list[np.ndarray], list[int]]:
    """Evidence: observables after many epochs of whole batches, by method, and the draws."""
    drawn = seeds(TRAININGS)
    return _asked("simulation", drawn), drawn


def minima(found: tuple[list[np.ndarray], list[int]], **wrong: float) -> list[np.ndarray]:
    """The claim: the same at the minimum; wrong with another decay."""
    return _asked("optimum", found[1], **wrong)


def at_the_end(found: tuple[list[np.ndarray], list[int]], claimed: list[np.ndarray]) -> Verdict:
    """Norms by the slope that is left, accuracies by one row."""
    return _compared(found[0], claimed)


@worst_case
def _compared(found: np.ndarray, claimed: np.ndarray) -> list[Verdict]:
    rows = within_bound(found[:, 1:] - claimed[:, 1:], SMALLEST, "one row of the smallest group", "share")
    return [within_bound(found[:, 0] - claimed[:, 0], 1e-6, "what its epochs leave of the slope"), rows]


OPTIMUM = check(
    id="fg-optimum",
    title="descent on whole batches ends at the minimum of its loss",
    ref="8.5.4: regularised logistic regression",
    paper="",
    evidence=ends,
    claim=minima,
    judge=at_the_end,
    effect=Contrast("half of the weight decay", "what twice the weight decay changes"),
    teeth=(
        Tooth("half of the weight decay", partial(minima, decay=DECAY / 2)),
        Tooth("weight decay one per cent less", partial(minima, decay=0.99 * DECAY)),
    ),
)

CHECKS = (
    METHODS_ORDER,
    LONG_TRAINING,
    OPTIMUM,
)
