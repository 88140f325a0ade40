"""Ridge regression on drawn rows. Axes: S draws, T ridges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.sims.linear_students.answers import solved
from teacherstudent.sims.measured_spectrum.source import Drawn


def ridge(problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """The observables, (S, T), as `sims.linear_students.answers.solved`."""
    return solved(Drawn.of(problem, seeds), times)
