"""One pass of the multi-scale problem over fresh examples: exact means at any size."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import Found, Values, scaled
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.judges import Bound
from teacherstudent.paper_checks.multiscale import compared
from teacherstudent.paper_checks.multiscale.kit.second_moments import EXACT, Law, recursed
from teacherstudent.problems.multiscale import PROBLEM

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
    "fluctuation along an input itself dropped, b for b + 1": EXACT._replace(own=0.0),
    "term of rank one dropped": EXACT._replace(shared=0.0),
    "factor n/b of a batch as 1": EXACT._replace(batched=False),
    "label noise seen once in b": EXACT._replace(noise=0.5),
}
OTHERS = {name: partial(by_recursion, law=law) for name, law in LAWS.items()}
TO_ROUNDING = Bound(1e-9, "400 steps, and a contour of weights up to e^5.5: 1e6 eps", least=1.0)

CHECKS = (
    own(
        id="sgd-one-pass",
        title="one pass on fresh examples: R, Q and excess risk against drawn students, d = 12, b = 1, 4, n",
        ref="second moments of Gaussian examples",
        clocks={"sgd": {}},
        questions=PASSES,
        draws=3000,
        effect=Contrast("rate a tenth higher", "a tenth of the learning rate"),
        wrong={
            **OTHERS,
            "rate a tenth higher": {"learning_rate": scaled(1.1)},
            "start forgotten": {"init": 0.0},
            "no ridge": {"ridge": 0.0},
        },
        slow=True,
    ),
    own(
        id="sgd-recursion",
        title="the closed resolvent of one pass is the recursion of second moments, step by step",
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
        title="the first epoch of reshuffled examples is one pass over fresh ones",
        ref="no example has been seen",
        clocks={"sgd": {"times": (1, 4, 8), "learning_rate": 0.12, "batch": 5, "data": "reshuffled"}},
        questions={"n": 40, "d": 24, "p": 12, "kappa": 3.0, "noise": 0.5},
        draws=3000,
        effect=Contrast("examples seen before: drawn anew", "what examples that return change"),
        wrong={
            "examples seen before: drawn anew": {"data": "replacement"},
            "batch of four": {"batch": 4},
            "label noise a fifth larger": {"noise": 0.6},
        },
        slow=True,
    ),
)
