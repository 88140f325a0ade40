"""Ridge regression of the multi-scale student on drawn data. Axes: S draws, T ridges, d features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.linear_students.answers import solved
from teacherstudent.sims.linear_students.ridge import minimisers
from teacherstudent.sims.multiscale.source import Drawn, sets_of


def ridge(
    problem: MultiScale,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """R, Q, excess_risk and what else is asked for, (S, T, ...), as `sims.linear_students.answers.solved`."""
    return solved(Drawn(problem, draw(problem, seeds), seeds, observable), times)


def ridge_students(draws: Draws, ridges: np.ndarray, *, output_penalty: float = 0.0) -> np.ndarray:
    """The minimiser of the summed loss at each ridge (T,) of each draw, (S, T, d)."""
    return minimisers(sets_of(draws), ridges, output_penalty)[:, :, 0]
