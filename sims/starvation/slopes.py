"""What strengthening one feature does to each response (Def. 6.3.2), by training with more and with less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from teacherstudent.problems.starvation import Starvation
from teacherstudent.sims.starvation.paths import paths

CHANGE = 1e-3
"""Relative change of a squared strength: its square is the error of a central difference, and
the rounding of a trained student, some 1e-12, is divided by it."""


def response_slopes(
    problems: Sequence[Starvation], dynamics: str, time: float, *, shift: float = 0.0
) -> np.ndarray:
    """dz_j/d(s_i^2) of students trained until `time`, (P, n, n): responses j in rows, strengths i in columns.

    Problems share one n, and strengths are positive. `dynamics` and `time` as in `paths`; where
    the student still moves at that time, so do the slopes. NaN and warnings as those of `paths`.
    """
    squares = np.stack([problem.s**2 for problem in problems])
    feature = np.eye(squares.shape[1])
    factors = np.concatenate([1 + CHANGE * feature, 1 - CHANGE * feature])  # (2n, n)
    changed = [
        replace(problem, strengths=tuple(np.sqrt(square * factor).tolist()))
        for problem, square in zip(problems, squares, strict=True)
        for factor in factors
    ]
    ends = paths(changed, dynamics, np.array([time]), shift=shift)[:, 0]
    more, less = np.split(ends.reshape(len(problems), len(factors), -1), 2, axis=1)  # (P, i, j) each
    return ((more - less) / (2 * CHANGE * squares[:, :, None])).swapaxes(-1, -2)
