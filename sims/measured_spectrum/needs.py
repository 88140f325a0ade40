"""What the simulations of a measured spectrum hold in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum


def descent(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """A draw at a time: the rows, the training rows, and students of all times."""
    rows = max(problem.rows, problem.n)

    def numbers(n: int, times: int, seeds: int) -> float:
        return 8.0 * rows * (rows + n) + 4.0 * times * rows + seeds * n * rows

    return Need({"n": problem.n}, numbers)


ridge = descent
