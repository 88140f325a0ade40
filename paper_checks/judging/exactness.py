"""Exact claims: equality to rounding or to a solver's accuracy, each bound with its reason."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Verdict

EPS = float(np.finfo(float).eps)
FIXED_POINT = 1e-10
"""Accuracy asked of fixed points, relative to the largest entry."""


def relatively_equal(
    found: np.ndarray | float,
    claimed: ArrayLike,
    accuracy: float = FIXED_POINT,
    reason: str = "accuracy requested of fixed points",
) -> Verdict:
    """The largest error of any entry, relative to the largest entry found."""
    error = np.max(np.abs(np.asarray(claimed) - found)) / np.max(np.abs(found))
    return within_bound(error, accuracy, reason, "relative")


def equal_after_steps(
    found: np.ndarray,
    claimed: ArrayLike,
    steps: ArrayLike,
    entries: float,
    *,
    eps: float = EPS,
    reason: str = "rounding of k steps: k d eps |w|",
    unit: str = "weight",
) -> Verdict:
    """Weights after k steps that contract: a step adds at most about d eps |w|, so k d eps |w| bounds all.

    `steps` broadcasts to the weights; `eps` is that of the precision in which they were computed.
    """
    largest = float(np.abs(found).max())
    bound = np.asarray(steps) * entries * eps * largest
    effect = Effect(largest, f"the largest {unit}")
    return within_bound(found.astype(float) - np.asarray(claimed), bound, reason, unit, effect)


def within_operations(
    error: ArrayLike,
    entries: float,
    steps: ArrayLike = 1,
    *,
    reason: str = "a dozen operations on d entries per step",
    unit: str = "relative",
) -> Verdict:
    """Errors of steps that each round sums of `entries` entries and a dozen further operations."""
    return within_bound(error, np.asarray(steps) * (entries + 12) * EPS, reason, unit)


def relatively(
    bound: float, reason: str, effect: Effect | None = None
) -> Callable[[ArrayLike, ArrayLike], Verdict]:
    """A judge of claims that miss each number by at most that share of it."""

    def judge(found: ArrayLike, claimed: ArrayLike) -> Verdict:
        return within_bound(np.asarray(claimed) / found - 1, bound, reason, "relative", effect)

    return judge
