"""How times of exit are distributed at little noise: one jump at a constant rate makes them exponential.

Of two independent exponential times one is more than c times the other with the chance 1/(1 + c), whatever
their mean: so neither the mean nor what the step of Euler's scheme adds to it matters.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.stable_noise import check
from teacherstudent.paper_checks.stable_noise.kit.asking import ask, entry

INDEX, RADIUS, STEP = 1.5, 12.0, 0.04
"""So far out the mean time is a hundred times that of relaxation."""
GROUPS, PATHS = 90, 20
RATIOS = np.array([2.0, 4.0, 8.0])


def ratios(seeds: Seeds) -> np.ndarray:
    """Evidence: share of ordered pairs of paths whose times differ by more than c, by group, (groups, 3)."""
    asked = {"stability": INDEX, "step": STEP, "walkers": 1, "seeds": seeds(GROUPS * PATHS)}
    times = ask("exit", "simulation", (RADIUS,), **asked).reshape(GROUPS, PATHS)
    longer = times[:, :, None, None] > RATIOS * times[:, None, :, None]
    return longer.sum(axis=(1, 2)) / (PATHS * (PATHS - 1))


def exponential(_: object) -> np.ndarray:
    """The claim, (3,)."""
    return 1 / (1 + RATIOS)


def twice(_: object) -> np.ndarray:
    """Wrong: two exponential times, one after the other; a share of their sum has the law Beta(2, 2)."""
    x = 1 / (1 + RATIOS)
    return x**2 * (3 - 2 * x)


def uniform(_: object) -> np.ndarray:
    """Wrong: times that are uniform up to twice their mean."""
    return 1 / (2 * RATIOS)


def same(found: np.ndarray, claim: np.ndarray) -> Verdict:
    """Each share is the mean of its groups."""
    return mean_within_errors(found, claim)


LAW = check(
    id="sn-exit-law",
    title="times of exit at little noise are exponential: ratios of the times of drawn paths",
    ref="law of the exit time over its mean",
    paper="imkeller2006",
    evidence=ratios,
    claim=exponential,
    judge=same,
    effect=Contrast("two jumps, one after the other", "a wait for a second jump"),
    teeth=(
        Tooth("two jumps, one after the other", twice),
        Tooth("any time up to a last one", uniform),
    ),
    functions=(entry("exit", "simulation"),),
    covers=("Law of the exit time",),
)

CHECKS = (LAW,)
