"""Full-batch gradient descent on drawn rows. Axes: S draws, T recorded times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.sims.linear_students import answers
from teacherstudent.sims.linear_students.answers import descended
from teacherstudent.sims.measured_spectrum.source import Drawn


def descent(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """The observables, (S, T), as `sims.linear_students.answers.descended`."""
    return descended(Drawn.of(problem, seeds), times, learning_rate=learning_rate)


def stepped(
    algorithm: str, problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int], **options: Any
) -> dict[str, np.ndarray]:
    """The same along steps of that algorithm (`sims.algorithms`)."""
    return answers.stepped(algorithm, Drawn.of(problem, seeds), times, **options)
