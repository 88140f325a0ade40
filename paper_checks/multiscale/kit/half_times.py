"""When half of the fast and of the slow features is learned: from a curve, and in the limit."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale.terms import spectrum_of, task_of
from teacherstudent.theory.spectral import filters, parts

RATE = 0.02
"""Learning rate: half of the fast features takes some twenty steps."""


def steps(kappa: float) -> np.ndarray:
    """Steps around both half-times, those of the slow features in proportion to kappa^2."""
    fast, slow = np.geomspace(0.2, 0.9, 7), kappa**2 * np.geomspace(0.4, 2, 7)
    return np.unique(np.rint(np.concatenate([fast, slow]) / RATE))


def half_times(steps: np.ndarray, learned: np.ndarray) -> np.ndarray:
    """When each column of shares (T, 2) first reaches one half, linear in log time between steps, (2,)."""
    found = []
    for share in learned.T:
        after = int(np.argmax(share >= 0.5))
        before = after - 1
        weight = (0.5 - share[before]) / (share[after] - share[before])
        found.append(np.exp((1 - weight) * np.log(steps[before]) + weight * np.log(steps[after])))
    return np.array(found)


def in_the_limit(kappa: float) -> np.ndarray:
    """The half-times of fast and slow features in the exact limit, n = 1.5 d, p = .6 d, (2,) in steps."""
    problem = PROBLEM.instance(**sizes(100), kappa=kappa)
    task, times = task_of(problem), steps(kappa)
    pieces = filters.descent(task, times, RATE, spectrum_of(problem).upper_edge())
    whole = filters.overwritten(parts.untrained(task, times.size), pieces, partial(parts.filtered, task))
    return half_times(times, whole.alignment * problem.d / np.array(problem.counts))
