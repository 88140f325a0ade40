"""Full-batch gradient descent on drawn rows. Axes: S draws, T recorded times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.descent import descended
from teacherstudent.sims.measured_spectrum.data import centred_sets
from teacherstudent.sims.measured_spectrum.measures import observables


def descent(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """The observables, (S, T), along gradient descent of the summed loss.

    `times` are whole steps, increasing; step 0 is the initial student. `learning_rate` is in units of
    1/curvature; "auto" is 1/largest eigenvalue of X^T X, or of the kernel of the training rows, of each draw.
    Where descent leaves its range (it diverges, or outlasts what `sims.linear_students` answers for) the
    observables are NaN, with an `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)
    sets, means = centred_sets(problem, draws)
    weights, reason = descended(sets, times, learning_rate, problem.ridge)
    return nan_where_not_finite(observables(problem, draws, sets, weights, means), reason)
