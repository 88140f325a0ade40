"""What the theory of committee machines holds in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.committee.instance import Committee


def instance(problem: Committee, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All answers, and of start random one draw at a time: others start with overlaps that are given."""
    K, units = problem.width, problem.width + problem.teacher_width
    drawn = problem.R0 is None

    def numbers(times: int, seeds: int, d: int = problem.d) -> float:
        return 3.0 * d * units * drawn + (3.0 * seeds + 4.0) * times * (units * K + 2)

    return Need({"d": problem.d} if drawn else {}, numbers)
