"""Which tails there are over step, dimension and batch: their order, and the published grid of d = 100.

A mean over b + 1 examples is a mean of means over b: by convexity of |.|^s, s >= 1, the moment h(s) of
the larger batch is at most that of the smaller. So alpha grows with b where alpha >= 1, and need not below.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check, misprint
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.theory.heavy_tails.exact import largest_rate

SMALL_BATCHES, DIMENSIONS = (1, 2, 5), (1, 2, 5)
SHARES = np.array([0.15, 0.35, 0.55, 0.75, 0.9])
"""Step sizes, over the largest that has a stationary law."""

Pairs = dict[str, np.ndarray]


def indices(rates: np.ndarray, batch: int, d: int) -> np.ndarray:
    """Tail indices over step sizes; 0 where steps are too large for a stationary law."""
    rho = ask("stationary", "exact", "lyapunov", rates, batch=batch, d=d)
    return np.where(rho < 0, ask("stationary", "exact", "tail_index", rates, batch=batch, d=d), 0.0)


def pairs(_: Seeds) -> Pairs:
    """Evidence: indices before and after one parameter grows and the others stay, (2, P)."""
    found: dict[str, list[np.ndarray]] = {"step": [], "dimension": [], "batch": []}
    for batch in SMALL_BATCHES:
        for d in DIMENSIONS:
            rates = SHARES * largest_rate(batch, d)
            here = indices(rates, batch, d)
            found["step"].append(np.stack([here[:-1], here[1:]]))
            found["dimension"].append(np.stack([here, indices(rates, batch, d + 1)]))
            found["batch"].append(np.stack([here, indices(rates, batch + 1, d)]))
    return {name: np.concatenate(each, axis=1) for name, each in found.items()}


def signs(evidence: Pairs, *, step: int = -1, dimension: int = -1, above: float = 1.0) -> Pairs:
    """The claim: the sign of each change, 0 where nothing is said. Wrong with other signs, or below 1."""
    before = evidence["batch"][0]
    return {
        "step": np.full(evidence["step"].shape[1], step),
        "dimension": np.full(evidence["dimension"].shape[1], dimension),
        "batch": np.where(before >= above, 1, 0),
    }


@worst_case
def none_against(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """How many change otherwise."""
    wrong = (claimed != 0) & (np.sign(found[1] - found[0]) != claimed)
    reason = "all neighbouring points of the grid; their indices differ by more than the accuracy"
    return none_wrong(np.sum(wrong), int(np.sum(claimed != 0)), reason, "pairs")


MONOTONE = check(
    id="ht-monotone",
    title="tails grow heavier with the step and the dimension, and lighter with the batch if alpha >= 1",
    ref="monotonicity of the tail index",
    paper="gurbuzbalaban2021",
    evidence=pairs,
    claim=signs,
    judge=none_against,
    wrong=(
        WrongClaim("larger steps give lighter tails", partial(signs, step=1)),
        WrongClaim("larger dimensions give lighter tails", partial(signs, dimension=1)),
        WrongClaim("larger batches give lighter tails for alpha < 1 too", partial(signs, above=0.0)),
    ),
    functions=(entry("stationary", "exact"), "theory.heavy_tails.exact:largest_rate"),
    covers=("Monotonicity",),
    slow=True,
)

# The grid of the published experiment, d = 100 -----------------------------------------------------------

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
    """The claim: below 2b/(b + d + 1) light, beyond a window of width 4(b + 2)/(b + d + 1)^2 no law."""
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
    reason = "all points of the grid; the nearest is 0.1 % from a boundary, 1e10 times the accuracy"
    return none_wrong(np.sum(found != claimed), POINTS, reason, "points")


GRID = check(
    id="ht-published-grid",
    title="no point of the published grid (d = 100) has a tail index between 0 and 2",
    ref="experiment on linear regression with Gaussian data",
    paper="gurbuzbalaban2021",
    evidence=verdicts,
    claim=by_the_window,
    judge=all_alike,
    wrong=(
        WrongClaim("a window as wide as at d = 10", partial(by_the_window, width=81.0)),
        WrongClaim("the critical step size for twice the dimension", partial(by_the_window, slope=2)),
    ),
    errata=(
        misprint(
            "ht-published-grid",
            "published code, experiment on linear regression with Gaussian data",
            "a tail index is estimated at every point of the grid",
            "diverging iterates have no tail index",
            called_heavy,
        ),
    ),
    functions=(entry("stationary", "exact"),),
    covers=("Linear regression with Gaussian data",),
    slow=True,
)

CHECKS = (MONOTONE, GRID)
