"""What the simulations of stable noise hold in memory, in numbers, as measured.

Of the draws that go side by side the paths, with the numbers that one step draws for each, and the examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.stable_noise import StableNoise

COPIES = 8
"""Numbers that a path holds while it takes a step: its place, before and after, and what is drawn."""

LEAST_FRESH = 2**12
"""Fresh examples that a student meets at least."""


def fresh(n: int) -> int:
    """Number of fresh examples in addition to n, as many or more."""
    return max(n, LEAST_FRESH)


def relaxation(problem: StableNoise, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Paths alone."""

    def numbers(walkers: int, times: int, seeds: int) -> float:
        return float(COPIES * min(seeds, cores()) * walkers + 6 * seeds * times)

    return Need({"walkers": options["walkers"]}, numbers)


def leaving(problem: StableNoise, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """A mean for each radius: few paths go side by side."""
    return Need({}, lambda times, seeds: 4.0 * seeds * times)


def gap(problem: StableNoise, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Students of each number of examples, and the examples."""
    n = int(times[-1])

    def numbers(walkers: int, times: int, seeds: int) -> float:
        held = walkers * (COPIES + 4 * times) + 4 * n + 4 * fresh(n)
        return float(min(seeds, cores()) * held + 6 * seeds * times)

    return Need({"walkers": options["walkers"]}, numbers)
