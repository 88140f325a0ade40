"""What the theory of random features holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.random_features import RandomFeatures


def instance(problem: RandomFeatures, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All draws, and one at a time its features, their decomposition and averages, and filters."""
    d = problem.d

    def numbers(n: int, width: int, times: int, seeds: int) -> float:
        rank = min(n, width)
        drawn = seeds * (n + width) * (d + 2.0)
        decomposed = (
            3.0 * n * width + 2.0 * rank * (n + width) + 8.0 * width * width + d * (n + 4.0 * width + d)
        )
        return drawn + decomposed + 8.0 * times * rank + 2**21

    return Need({"n": problem.n, "width": problem.width}, numbers)
