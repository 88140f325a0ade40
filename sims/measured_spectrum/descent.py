"""Descent of all drawn rows at every step, by any algorithm. Axes: S draws, T recorded times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.sims.algorithms import Step, by_algorithm
from teacherstudent.sims.linear_students.answers import descended
from teacherstudent.sims.measured_spectrum.source import Drawn


def stepped(
    problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int], how: Step, **options: Any
) -> dict[str, np.ndarray]:
    """The observables, (S, T), as `sims.linear_students.answers.descended`."""
    return descended(Drawn.of(problem, seeds), times, how=how, **options)


def __getattr__(name: str) -> Callable[..., dict[str, np.ndarray]]:
    """The route of the algorithm of that name."""
    return by_algorithm(stepped, name)
