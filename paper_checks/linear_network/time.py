"""The time in which a mode is learned: the inverse of its sigmoid, measured on trained networks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
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

    def crossing(rate: float, asked: dict[str, Any]) -> np.ndarray:
        answer = run(
            "linear-network",
            "descent",
            "simulation",
            STEPS,
            seeds=seeds(1),
            u0=(U0,),
            learning_rate=rate,
            **asked,
        )
        share = answer["u"].values[0] / answer["singular_value"].values
        return rate * np.array([np.interp(FRACTION, each, STEPS) for each in share.T])

    return {rate: np.stack([crossing(rate, asked) for asked in QUESTIONS]) for rate in RATES}


Formula = Callable[[float, float, float, float, int], Any]


def times(formula: Formula, _: Crossings) -> np.ndarray:
    """The claimed flow times (questions, mode), from s, u0, final u, balance and depth."""
    instances = [PROBLEM.instance(**asked) for asked in QUESTIONS]
    return np.array(
        [
            [formula(s, U0, FRACTION * s, each.balance, each.depth) for s in each.singular_values]
            for each in instances
        ]
    )


def learned(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Eq. 2.2.21 for any balance and depth."""
    return modes.time_to_learn(s, u0, u, balance) if depth == 2 else deep.time_to_learn(s, u0, u, depth)


def printed(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Eq. 2.2.21 as printed, tau = 1: the prefactor has u where the integral has s."""
    return (
        np.log(u * (s - u0) / (u0 * (s - u))) / (2 * u)
        if not balance and depth == 2
        else learned(s, u0, u, balance, depth)
    )


def without_balance(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Wrong: as if every mode were balanced."""
    return learned(s, u0, u, 0.0, depth)


def of_two_matrices(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Wrong: as if every network had two matrices."""
    return learned(s, u0, u, balance, 2)


def first_order(evidence: Crossings, claimed: np.ndarray) -> Verdict:
    """Errors fall in proportion to the rate; the next order changes the slope by rate x curvature."""
    verdicts = []
    for i, asked in enumerate(QUESTIONS):
        errors = [np.linalg.norm(evidence[rate][i] - claimed[i]) for rate in RATES]
        slack = float(np.sqrt(RATES[0] * RATES[-1])) * curvature(PROBLEM.instance(**asked))
        verdicts.append(at_rate(RATES, errors, 1.0, slack=slack))
    return worst(*verdicts)


TIME = Check(
    id="ln-time-to-learn",
    problem="linear-network",
    title="when trained networks reach three fifths of each singular value",
    paper="pezeshki2022",
    ref="Eqs. 2.2.19-2.2.21",
    evidence=crossings,
    claim=partial(times, learned),
    judge=first_order,
    teeth=(
        Tooth("balance ignored", partial(times, without_balance)),
        Tooth("two matrices for three", partial(times, of_two_matrices)),
        Tooth("one per cent late", partial(times, lambda *mode: 1.01 * learned(*mode))),
    ),
    errata=(
        Erratum(
            "ln-time-prefactor",
            "pezeshki2022",
            "Eq. 2.2.21",
            "t = 1/(2u) ln[u_f (s - u_0)/(u_0 (s - u_f))]",
            "t = tau/(2s) ln[u_f (s - u_0)/(u_0 (s - u_f))]",
            partial(times, printed),
        ),
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
    inversions = [np.sum(np.diff(each[:, claimed], axis=1) <= 0) for each in evidence.values()]
    return Verdict(
        float(np.sum(inversions)), 0.0, 1.0, "neighbours", "modes learned out of order", len(inversions)
    )


ORDER = Check(
    id="ln-order",
    problem="linear-network",
    title="larger singular values are learned earlier, at every depth and balance",
    paper="pezeshki2022",
    ref="Section 2.2.3",
    evidence=crossings,
    claim=order,
    judge=learned_in_order,
    teeth=(Tooth("smaller first", smallest_first),),
    covers=("Section 2.2.3: order",),
)

CHECKS = (TIME, ORDER)
