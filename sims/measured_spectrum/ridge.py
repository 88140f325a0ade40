"""Ridge regression on drawn rows. Axes: S draws, T ridges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.ridge import minimisers
from teacherstudent.sims.measured_spectrum.data import centred_sets
from teacherstudent.sims.measured_spectrum.measures import observables


def ridge(problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """The observables, (S, T), of the minimiser of the summed loss.

    The effective ridge is problem.ridge + 1/time; times are positive. Where the normal equations are too
    close to singular (`sims.normal_equations`) the observables are NaN, with an `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)
    sets, means = centred_sets(problem, draws)
    weights = minimisers(sets, problem.ridge + 1 / np.asarray(times))
    return nan_where_not_finite(
        observables(problem, draws, sets, weights, means),
        f"times up to {np.max(times):g}: the normal equations are singular",
    )
