"""What the simulations of committee machines hold in memory, in numbers, as measured.

Of each draw weights at step 0 in copies, and records; of those that go side by side the numbers drawn at
once, also as the compiled program holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.committee import Committee
from teacherstudent.sims.committee.chain import AHEAD
from teacherstudent.sims.committee.online import ROWS, rows, together

COPIES = 3
"""Times that each record is held: as it comes, beside the others, and in pairs that risks are taken of."""


def online(problem: Committee, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Weights of d numbers, and blocks of examples."""
    units = problem.width + problem.teacher_width

    def numbers(d: int, times: int, seeds: int) -> float:
        side_by_side = len(together(d, seeds)[0])
        examples = 3 * rows(d * side_by_side, ROWS) * d + 4 * units * d
        held = min(seeds, cores() * side_by_side) * examples
        return float(seeds * (2 * units * d + COPIES * times * units**2) + held)

    return Need({"d": problem.d}, numbers)


def chain(problem: Committee, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Overlaps alone, and what is drawn of many steps."""
    units = problem.width + problem.teacher_width

    def numbers(times: int, seeds: int) -> float:
        return float(seeds * (COPIES * times * units**2 + 3 * AHEAD * (units + 2)))

    return Need({}, numbers)
