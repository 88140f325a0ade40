"""Batches drawn anew from many examples of which one mode has half of the trace: they become one pass."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Tooth
from teacherstudent.paper_checks.judging.finite_size import Family, agree_at_large_size
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.paper_checks.multiscale.kit.second_moments import EXACT, Law, recursed
from teacherstudent.problems.multiscale import PROBLEM

OBSERVED = ("R", "Q", "excess_risk")
TIMES = (5, 40, 200)
RATE = 2.0
"""Of the mean loss of a batch: a third of that from which it diverges, so that no draw does."""
ENDLESS = 10**8
"""Examples of the claim."""


def of_size(n: int) -> dict[str, Any]:
    """Ten dimensions at every number of examples, and batches of one."""
    law: dict[str, Any] = {"scales": [(1, 1.0), (9, 0.1)], "n": n, "noise": 0.3, "init": 0.5}
    return {**law, "learning_rate": RATE / n, "batch": 1, "data": "replacement", "times": TIMES}


FAMILY = Family(
    "multiscale",
    "sgd",
    OBSERVED,
    of_size,
    draws={80: 1500, 160: 1200, 320: 800},
    large=(800, 300),
    drawn="instance",
)
"""Exact over batches, teacher and label noise, given inputs: `sgd-instance` holds it against students."""


def of_endless(_: object, **changed: Any) -> np.ndarray:
    """The claim: the limit."""
    answer = run("multiscale", "sgd", "asymptotic", **{**of_size(ENDLESS), **changed})
    return np.concatenate([answer[name].values for name in OBSERVED])


def by_law(_: object, law: Law) -> np.ndarray:
    """Wrong: a recursion over modes that lacks something."""
    names = ("scales", "n", "noise", "init")
    instance = PROBLEM.instance(**{name: of_size(ENDLESS)[name] for name in names})
    return recursed(instance, 1, RATE / ENDLESS, np.array(TIMES), law)


STRONG = check(
    id="sgd-strong-mode",
    title="batches drawn anew in ten dimensions, one of them strong: a bias like 1/n",
    paper="",
    ref="the own term of a mode",
    evidence=FAMILY.simulated,
    claim=of_endless,
    judge=agree_at_large_size,
    effect=Contrast("own term of each mode dropped", "what a strong mode adds to its own noise"),
    teeth=(
        Tooth("own term of each mode dropped", partial(by_law, law=EXACT._replace(own=0.0))),
        Tooth("rate a tenth higher", partial(of_endless, learning_rate=1.1 * RATE / ENDLESS)),
        Tooth("batches of two", partial(of_endless, batch=2)),
    ),
    functions=("theory.multiscale.sgd:asymptotic", "theory.multiscale.instance_sgd:sgd"),
    slow=True,
)

CHECKS = (STRONG,)
