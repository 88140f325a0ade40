"""What the simulations of starvation hold in memory, in numbers, as measured: n^2 the features' vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.starvation import Starvation


def paths(problem: Starvation, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Nothing is drawn: `seeds` is 1."""
    n = problem.n
    return Need({}, lambda times, seeds: 4.0 * n * n + 6 * times * (n + 1))
