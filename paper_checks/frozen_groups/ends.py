"""Where training ends: descent on whole batches against the minimum of the loss."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.frozen_groups import check
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

METHODS = ("erm", "suby", "subg")
"""Those whose whole batches are the same at every step."""
DECAY, EPOCHS, DRAWS = 0.3, 300, 2
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
    drawn = seeds(DRAWS)
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

CHECKS = (OPTIMUM,)
