"""The time in which a mode is learned: the inverse of its sigmoid, measured on trained networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import first_order, none_wrong
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.linear_network import check, misprint
from teacherstudent.problems.linear_network import PROBLEM
from teacherstudent.theory.linear_network import deep, modes
from teacherstudent.theory.linear_network.routes import curvature

U0, FRACTION = 0.05, 0.6
QUESTIONS: tuple[dict[str, Any], ...] = ({}, {"balance": 1.0}, {"depth": 3})
RATES = (8e-3, 4e-3, 2e-3, 1e-3)
STEPS = np.arange(6001.0)
"""All steps until every mode has reached its share of s at the smallest rate."""

Crossings = dict[float, np.ndarray]
"""Flow time eta k, between steps, at which each mode reaches FRACTION s: (questions, mode) by rate."""


def crossings(seeds: Seeds) -> Crossings:
    """Every step is recorded; between two steps the strength is taken as linear, at an error eta^2."""

    def crossing(rate: float, question: dict[str, Any]) -> np.ndarray:
        setting = {"u0": (U0,), "learning_rate": rate, **question}
        answer = run("linear-network", "descent", "simulation", STEPS, seeds=seeds(1), **setting)
        shares = answer["u"].values[0] / answer["singular_value"].values
        return rate * np.array([np.interp(FRACTION, share, STEPS) for share in shares.T])

    return {rate: np.stack([crossing(rate, question) for question in QUESTIONS]) for rate in RATES}


Formula = Callable[[float, float, float, float, int], Any]


def times(formula: Formula, _: Crossings) -> np.ndarray:
    """The claimed flow times (questions, mode), from s, u0, final u, balance and depth."""
    instances = [PROBLEM.instance(**question) for question in QUESTIONS]
    return np.array(
        [
            [formula(s, U0, FRACTION * s, problem.balance, problem.depth) for s in problem.singular_values]
            for problem in instances
        ]
    )


def learned(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Eq. 2.2.21 for any balance and depth."""
    return modes.time_to_learn(s, u0, u, balance) if depth == 2 else deep.time_to_learn(s, u0, u, depth)


def printed(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Eq. 2.2.21 as printed: the prefactor has u where the integral has s; tau = 1, which is not legible."""
    if balance or depth > 2:
        return learned(s, u0, u, balance, depth)
    return np.log(u * (s - u0) / (u0 * (s - u))) / (2 * u)


def without_balance(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Wrong: as if every mode were balanced."""
    return learned(s, u0, u, 0.0, depth)


def of_two_matrices(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Wrong: as if every network had two matrices."""
    return learned(s, u0, u, balance, 2)


@worst_of
def approached(evidence: Crossings, claimed: np.ndarray) -> Iterator[Verdict]:
    """The times of each question, at first order in the learning rate."""
    for i, question in enumerate(QUESTIONS):
        found = {rate: times[i] for rate, times in evidence.items()}
        yield first_order(found, claimed[i], curvature(PROBLEM.instance(**question)))


TIME = check(
    id="ln-time-to-learn",
    title="when trained networks reach three fifths of each singular value",
    ref="Eqs. 2.2.19-2.2.21",
    evidence=crossings,
    claim=partial(times, learned),
    judge=approached,
    teeth=(
        Tooth("balance ignored", partial(times, without_balance)),
        Tooth("two matrices for three", partial(times, of_two_matrices)),
        Tooth("one per cent late", partial(times, lambda *mode: 1.01 * learned(*mode))),
    ),
    errata=(
        misprint(
            "ln-time-prefactor",
            "Eq. 2.2.21",
            "t = tau/(2u) ln[u_f (s - u_0)/(u_0 (s - u_f))]",
            "t = tau/(2s) ln[u_f (s - u_0)/(u_0 (s - u_f))]",
            partial(times, printed),
        ),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.deep:time_to_learn",
        "theory.linear_network.modes:time_to_learn",
        "theory.linear_network.routes:curvature",
    ),
    covers=("Eqs. 2.2.19-2.2.20", "Eq. 2.2.21"),
)


# The order of learning ---------------------------------------------------------------------------------


def order(evidence: Crossings) -> np.ndarray:
    """Modes by singular value, largest first."""
    return np.argsort(-np.asarray(PROBLEM.instance().singular_values))


def smallest_first(evidence: Crossings) -> np.ndarray:
    """Wrong: the opposite order."""
    return order(evidence)[::-1]


def learned_in_order(evidence: Crossings, claimed: np.ndarray) -> Verdict:
    """Crossings in the claimed order grow: the count of neighbours that do not is 0."""
    inversions = [np.sum(np.diff(times[:, claimed], axis=1) <= 0) for times in evidence.values()]
    return none_wrong(np.sum(inversions), len(inversions), "modes learned out of order", "neighbours")


ORDER = check(
    id="ln-order",
    title="larger singular values are learned earlier, at every depth and balance",
    ref="Section 2.2.3",
    evidence=crossings,
    claim=order,
    judge=learned_in_order,
    teeth=(Tooth("smaller first", smallest_first),),
    functions=("sims.linear_network.descent:descent",),
    covers=("Section 2.2.3: order",),
)

CHECKS = (TIME, ORDER)
