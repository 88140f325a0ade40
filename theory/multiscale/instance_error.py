r"""What a student of drawn data still misses of the teacher, summed without cancellation.

Where n >= d, F w_hat - w of a noiseless student is -(F V) M (V^T F^-1) w, M = 1 - f c in the
eigenbasis V of X^T X, and V^T F^-1 = c^-1 V^T X^T Z needs no inverse of F. Averaged over the teacher
its square is m^T (V^T F^T F V o B B^T) m, B = V^T F^-1: what is learned drops out with its m. Where
n < d a share 1 - n/d stays unknown, and 1 - 2R + Q keeps its digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.multiscale import MultiScale

if TYPE_CHECKING:
    from teacherstudent.theory.multiscale.instance import Eigensystem

NEAR = 1e-4
"""Below this share of what there is to learn the difference has lost too many digits."""

DIGITS = 1e-9
"""Relative error up to which a sum counts as known."""


def summed_where_it_cancels(
    difference: np.ndarray,
    problem: MultiScale,
    system: Eigensystem,
    overlap: np.ndarray,
    missed: np.ndarray,
    share: float = 1.0,
) -> np.ndarray:
    """Twice the excess risk due to the teacher, (S, T), from the `difference` to which it is equal.

    overlap: V^T F^T F V, (S, d, d), or the part of it of a share of the features. missed: M, (S, T, d).
    NaN, with a warning, where neither way keeps its digits.
    """
    near = difference < NEAR * share
    if not near.any():
        return difference
    total, rounding = np.full_like(difference, np.nan), np.ones_like(difference)
    if problem.n >= problem.d:
        c = system.eigenvalues[..., None]
        untaught = system.cross / np.where(c > 0, c, np.inf)  # B
        products = overlap * (untaught @ np.swapaxes(untaught, -1, -2))
        total = np.sum((missed @ products) * missed, axis=-1) / problem.d
        size = np.sum((np.abs(missed) @ np.abs(products)) * np.abs(missed), axis=-1) / problem.d
        rounding = np.finfo(float).eps * size / DIGITS
    lost = near & ~((total > rounding) | ((total == 0) & (rounding == 0)))
    return nan_where(
        lost, "instance: the student is too close to the teacher", np.where(near, total, difference)
    )
