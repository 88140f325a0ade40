"""What the simulations hold in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.random_features import RandomFeatures


def descent(problem: RandomFeatures, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    d = problem.d

    def numbers(n: int, width: int, times: int, seeds: int) -> float:
        m = min(n, width)
        return (
            seeds * ((n + width + 2000) * d + (n + 2000) * width + 4 * m * m + times * width) + 2000.0 * times
        )

    return Need({"n": problem.n, "width": problem.width}, numbers)


ridge = descent
