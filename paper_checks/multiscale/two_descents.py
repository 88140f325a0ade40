"""Fig. 1: the risk descends, rises and descends again: the fast features overfit before the slow are learned.

Theory says when the turns of the mean risk come. Simulated risks must be lower, draw against draw, at its
minimum than around it, and higher at its maximum; and the rise between them is that of the fast features.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale import landmarks

SETTING = {"n": 130, "d": 100, "p": 70, "kappa": 100.0}
RATE, DRAWS = 0.05, 100
"""Learning rate: eta times the largest eigenvalue is 0.2, so that descent is close to flow."""
WIDE = 5.0
"""Factor of time on either side of a turn at which the risk has left it for sure."""
EARLY, LATE = 0.2, 1e5
UNLEARNED = 0.9
"""Share of their initial error that the slow features keep, at least, until the maximum."""

Course = dict[str, np.ndarray]
"""Simulated excess risk at each time asked for, and the part of fast and slow features, (S, T) each."""


@dataclass(frozen=True)
class Students:
    """The means to simulate the students of Fig. 1 to given flow times."""

    course: Callable[[np.ndarray], Course]


def students(seeds: Seeds) -> Students:
    """The same draws for every claim."""
    drawn = seeds(DRAWS)

    def course(times: np.ndarray) -> Course:
        answer = run(
            "multiscale", "descent", "simulation", np.rint(times / RATE), seeds=drawn,
            learning_rate=RATE, observable=("parts",), **SETTING,
        )  # fmt: skip
        fast, slow = np.moveaxis(answer["bias"].values, -1, 0)
        return {"risk": answer["excess_risk"].values, "fast": fast, "slow": slow}

    return Students(course)


def turns(evidence: Students, later: float = 1.0, fast: str = "fast") -> np.ndarray:
    """What Fig. 1 says is positive of the risk at the theory's turns, one row each, (statements, S).

    Turns that come later, and other features that overfit, are for the negative controls.
    """
    low, high = (later * turn.time for turn in landmarks.extrema(PROBLEM.instance(**SETTING), "flow"))
    times = np.array([EARLY, low / WIDE, low, low * WIDE, high / WIDE, high, high * WIDE, LATE])
    order = np.argsort(times)
    course = {name: values[:, np.argsort(order)] for name, values in evidence.course(times[order]).items()}
    risk, overfit = course["risk"].T, course[fast].T
    learned = course["slow" if fast == "fast" else "fast"].T
    before_low, at_low, after_low, before_high, at_high, after_high, end = range(1, 8)
    return np.stack(
        [
            risk[0] - risk[at_low],  # a first descent,
            risk[before_low] - risk[at_low],
            risk[after_low] - risk[at_low],
            risk[at_high] - risk[at_low],  # a rise,
            risk[at_high] - risk[before_high],
            risk[at_high] - risk[after_high],
            risk[at_high] - risk[end],  # a second descent;
            overfit[at_high] - overfit[at_low],  # the fast features overfit
            learned[at_high] - UNLEARNED * learned[0],  # before the slow ones are learned
            learned[at_high] - learned[end],
        ]
    )


def all_positive(_: Any, claimed: np.ndarray) -> Verdict:
    """Judge: each mean is above 0 by the quantile of its own error."""
    return above_zero(claimed, "excess risk")


TWO_DESCENTS = check(
    id="ms-two-descents",
    title="the risk of Fig. 1 descends twice, with turns where theory says, while the slow features wait",
    ref="Fig. 1",
    evidence=students,
    claim=turns,
    judge=all_positive,
    teeth=(
        Tooth("turns five times later", partial(turns, later=WIDE)),
        Tooth("turns five times earlier", partial(turns, later=1 / WIDE)),
        Tooth("the slow features overfit", partial(turns, fast="slow")),
    ),
    slow=True,
)

CHECKS = (TWO_DESCENTS,)
