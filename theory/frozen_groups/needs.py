"""What the theory of worst groups on frozen features holds in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.frozen_groups import FrozenGroups


def optimum(problem: FrozenGroups, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """One draw at a time its rows and what the solver holds, and all rows with a constant."""
    rows = problem.features
    n, columns = rows.training.features.shape
    others = len(rows.validation.classes) + len(rows.test.classes)
    weights = (columns + 1) * len(rows.labels)

    def numbers(times: int, seeds: int) -> float:
        answers = seeds * times * (len(rows.groups) + 6)
        return float(
            4 * n * (columns + 1) + 60 * weights + 2 * others * columns + 3 * answers + seeds * weights
        )

    return Need({}, numbers)
