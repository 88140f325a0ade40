"""What the theory of heavy tails holds in memory where draws are given, in numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.theory.heavy_tails.finite import MOST

COPIES = 8
"""Of what is kept of each batch: its mean squares, factors and their powers."""


def finite(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All batches of one draw, and the answers."""
    count = min(MOST, math.comb(problem.n or 1, problem.batch))

    def numbers(times: int, seeds: int) -> float:
        return float(count * (3 * problem.batch + COPIES) + 14 * seeds * times)

    return Need({}, numbers)
