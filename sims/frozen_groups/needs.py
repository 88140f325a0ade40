"""What the simulation of worst groups on frozen features holds in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.frozen_groups import FrozenGroups


def descent(problem: FrozenGroups, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Of each draw the training rows, its recorded weights, and logits of all rows at all times."""
    rows = problem.features
    n, columns = rows.training.features.shape
    others = len(rows.validation.classes) + len(rows.test.classes)
    classes = len(rows.labels)

    def numbers(times: int, seeds: int) -> float:
        trained = 3 * n * (columns + 4)
        weights = 6 * times * (columns + 1) * classes
        logits = times * (n + others) * (3 * classes + 3)
        return float(seeds * (trained + weights + logits) + 2 * (n + others) * (columns + 1))

    return Need({}, numbers)
