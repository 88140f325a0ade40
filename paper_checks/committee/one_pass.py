r"""One linear unit that learns from one is a linear student in one pass over rows, a row a step.

Rows are z = x/sqrt(d); the loss is a sum over n = d of them, the learning rate eta/d and the ridge kappa/eta.
Both take steps w -> w - (eta/sqrt(d)) (lambda - y) x - (kappa/d) w. The means of `multiscale` are exact at
any d; the equations of the overlaps are their limit, at t = k/d after k steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.committee import check
from teacherstudent.paper_checks.committee.kit.asking import ORDERS, ask, entry, numbers
from teacherstudent.paper_checks.committee.linear import perceptron
from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

TIMES = (0.4, 2.0, 6.0, 30.0)
SMALL, LARGE = (5, 20), (1000, 2000, 4000)
"""Sizes for the recursion of the means, and on the way to the limit."""
UNIT: dict[str, Any] = {
    "width": 1,
    "teacher_width": 1,
    "activation": "linear",
    "learning_rate": 0.7,
    "noise": 0.5,
    "weight_decay": 0.2,
    "initial_overlaps": ((0.0,),),
    "student_overlaps": ((2.0,),),
    "teacher_overlaps": ((1.0,),),
    "initial_second_layer": (1.0,),
    "teacher_second_layer": (1.0,),
}


def online(_: Seeds) -> dict[int, np.ndarray]:
    """Evidence: R, Q and excess risk of the unit, (3, T); by size, 0 for the equations of the limit."""
    limit = numbers(ask("asymptotic", TIMES, **UNIT)).reshape(3, -1)
    unit = perceptron(UNIT)
    return {0: limit} | {d: unit.means(np.array(TIMES), d) for d in SMALL}


def one_pass(_: object, batch: int = 1, noise: float = 1.0, faster: float = 1.0) -> dict[int, np.ndarray]:
    """The claim: means of `multiscale` over fresh rows, by size; wrong with other batches, noise or rates."""
    found = {}
    for d in (*SMALL, *LARGE):
        rate = faster * UNIT["learning_rate"] / d
        question = {
            "scales": ((d, 1.0),),
            "n": d,
            "init": np.sqrt(UNIT["student_overlaps"][0][0]),
            "noise": noise * UNIT["noise"],
            "ridge": UNIT["weight_decay"] / (d * rate),
            "learning_rate": rate,
            "batch": batch,
            "data": "fresh",
        }
        steps = [round(d * t) for t in TIMES]
        answer = run("multiscale", "sgd", "asymptotic", steps, **question)
        found[d] = np.stack([answer[name].values for name in ORDERS])
    return found


@worst_of
def as_one(found: dict[int, np.ndarray], claim: dict[int, np.ndarray]) -> Iterator[Verdict]:
    """Equal at small sizes, but for the contour of the steps' sum; the limit is 1/d away."""
    for d in SMALL:
        yield within_bound(claim[d] / found[d] - 1, 1e-9, "sum over a contour", "relative")
    for row in range(len(ORDERS)):
        yield at_order([1 / d for d in LARGE], [np.linalg.norm((claim[d] - found[0])[row]) for d in LARGE], 1)


ONE_PASS = check(
    id="cm-one-pass",
    title="one linear unit learns as a linear student in one pass, a row a step: at any d, and in the limit",
    ref="online learning of linear units is one-pass descent on the squared loss",
    evidence=online,
    claim=one_pass,
    judge=as_one,
    teeth=(
        Tooth("two rows a step", partial(one_pass, batch=2)),
        Tooth("noise a thousandth larger", partial(one_pass, noise=1.001)),
        Tooth("learning rate a thousandth larger", partial(one_pass, faster=1.001)),
    ),
    functions=(entry("asymptotic"), "theory.multiscale.sgd:asymptotic"),
)

CHECKS = (ONE_PASS,)
