"""The grid of the published experiment, d = 100: where it has a stationary law, and of which tails."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check, misprint
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

DIMENSION = 100
STEPS = np.round(np.arange(0.02, 0.21, 0.02), 3)
BATCHES = range(1, 21)
"""The published 70 points, and those of all other batches up to the largest."""

LIGHT, HEAVY, NO_LAW = range(3)
"""Verdicts: alpha > 2, 0 < alpha < 2, none."""

POINTS = STEPS.size * len(BATCHES)


def verdicts(_: Seeds) -> np.ndarray:
    """Evidence: what the tail index is like at every point, (batches, steps), by its own h(2) and rho."""
    found = []
    for batch in BATCHES:
        rho = ask("stationary", "exact", "lyapunov", STEPS, batch=batch, d=DIMENSION)
        risk = ask("stationary", "exact", "excess_risk", STEPS, batch=batch, d=DIMENSION)
        found.append(np.where(rho >= 0, NO_LAW, np.where(np.isfinite(risk), LIGHT, HEAVY)))
    return np.array(found)


def by_the_window(_: object, width: float = 1.0, slope: int = 1) -> np.ndarray:
    """The claim: below 2b/(b + d + 1) light, beyond a window of width 4(b + 2)/(b + d + 1)^2 no law.

    Wrong with a window so much wider, or another critical step size.
    """
    b = np.array(BATCHES)[:, None]
    critical = 2 * b / (b + slope * (DIMENSION + 1))
    largest = critical * (1 + width * 4 * (b + 2) / (b + DIMENSION + 1) ** 2)
    return np.where(critical > STEPS, LIGHT, np.where(largest > STEPS, HEAVY, NO_LAW))


def called_heavy(_: object) -> np.ndarray:
    """Printed: where the estimator of stable laws says less than 2, tails are heavy. It does so where
    sizes of the iterates differ by orders of magnitude, as they do where they diverge."""
    found = by_the_window(None)
    return np.where(found == NO_LAW, HEAVY, found)


def all_alike(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """How many verdicts differ."""
    reason = "every point of the grid; the nearest lies a part in 1000 from a line, 1e10 times the accuracy"
    return none_wrong(np.sum(found != claimed), POINTS, reason, "points")


GRID = check(
    id="ht-published-grid",
    title="no point of the published grid (d = 100) has a tail index between 0 and 2",
    ref="experiment on linear regression with Gaussian data",
    paper="gurbuzbalaban2021",
    evidence=verdicts,
    claim=by_the_window,
    judge=all_alike,
    teeth=(
        Tooth("a window as wide as at d = 10", partial(by_the_window, width=81.0)),
        Tooth("critical step size of twice the dimension", partial(by_the_window, slope=2)),
    ),
    errata=(
        misprint(
            "ht-published-grid",
            "published code, experiment on linear regression with Gaussian data",
            "a tail index is estimated at every point of the grid",
            "where the iterates diverge they have no tail index",
            called_heavy,
        ),
    ),
    functions=(entry("stationary", "exact"),),
    covers=("Linear regression with Gaussian data",),
    slow=True,
)

CHECKS = (GRID,)
