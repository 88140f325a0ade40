"""Message passing on drawn examples follows the metastable branch past the transition, up to the spinodal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors, none_wrong
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.perceptron import check
from teacherstudent.paper_checks.perceptron.kit.asking import asked

ALPHAS = (0.5, 1.0, 1.2, 1.35, 2.0, 2.4)
"""Up to near the transition, beyond it, and beyond the spinodal, where the teacher is found."""
MIXED = (2.0,)
"""Where some draws have not found it: a mean of two outcomes is no test, the outcome of most draws is."""
FOUND = 1 - 1e-9
"""Overlap from which the student is the teacher; the next one has 1 - 2/d."""
DRAWS = {250: 60, 500: 50, 1000: 24}
"""By dimension."""
ASKED: dict[str, Any] = {"rule": "bayes", "weights": "binary"}


def settled(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: by dimension the overlap of each draw, (S, T)."""
    return {
        d: asked("message-passing", ["R"], ALPHAS, seeds(draws, f"d={d}"), d=d, **ASKED)
        for d, draws in DRAWS.items()
    }


def followed(_: object, route: str = "metastable", rule: str = "bayes", more: float = 1.0) -> np.ndarray:
    """The claim, (T,); wrong in equilibrium, of a random member, or of more examples."""
    alphas = more * np.array(ALPHAS)
    return asked(route, ["R"], alphas, **{**ASKED, "rule": rule})


def at_each_size(found: Mapping[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """Means at three sizes, and whether most draws find the teacher, each against the limit.

    The bias of means is too small to be seen at any size: nothing is extrapolated.
    """
    plain = ~np.isin(ALPHAS, MIXED)
    means = (mean_within_errors(each[:, plain], claimed[plain]) for each in found.values())
    most = np.array([np.median(each, axis=0) > FOUND for each in found.values()])
    wrong = int(np.sum(most != (claimed > FOUND)))
    return worst(none_wrong(wrong, most.size, "most draws find the teacher, or do not", "points"), *means)


MESSAGES = check(
    id="pc-binary-messages",
    title="binary weights by message passing: past the transition still on the branch of few examples",
    ref="first-order transition of binary weights",
    evidence=settled,
    claim=followed,
    judge=at_each_size,
    effect=Contrast("equilibrium", "the jump at the transition"),
    teeth=(
        Tooth("equilibrium", lambda found: followed(found, route="asymptotic")),
        Tooth("a random member", lambda found: followed(found, rule="gibbs")),
        Tooth("a tenth more examples", lambda found: followed(found, more=1.1)),
    ),
    functions=(
        "sims.perceptron.messages:messages",
        "theory.perceptron.asymptotic:examples",
        "theory.perceptron.asymptotic:metastable",
    ),
    slow=True,
)

CHECKS = (MESSAGES,)
