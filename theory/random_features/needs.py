"""What the theory of random features holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.functions import UserFunction
from teacherstudent.house.memory import Need
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory.random_features import instance as of_instance
from teacherstudent.theory.random_features.nonlinearity import moments

AVERAGED = 732
"""Points of an average over the teacher's argument, in which each feature is a row."""

SUMMED = 6.0 * 2500
"""Numbers that the series of a user's function holds for each feature: points of its panels, six times."""


def instance(problem: RandomFeatures, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All draws, and one at a time: its features and their basis, averages over inputs, and filters."""
    d = problem.d
    linear = not moments(problem.teacher).rest
    own = any(isinstance(each, UserFunction) for each in (problem.activation, problem.teacher))

    def numbers(n: int, width: int, times: int, seeds: int) -> float:
        rank, teachers = min(n, width), d if linear else 1
        drawn = 1.5 * seeds * (n + width) * (d + 2)
        decomposed = 2.5 * n * width + 2.0 * d * (n + width) + 2.0 * rank * rank
        averaged = 8.0 * width * width + (0 if linear else 4.0 * AVERAGED * width)
        averaged += SUMMED * width * own
        missed = (rank + d) * teachers
        block = 3.0 * min(max(of_instance.TOGETHER, missed), missed * times)
        return drawn + decomposed + averaged + block + 6.0 * times * (rank + 5)

    return Need({"n": problem.n, "width": problem.width}, numbers)
