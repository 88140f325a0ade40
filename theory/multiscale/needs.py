"""What the theory of the multi-scale model holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.multiscale import MultiScale

NODES = 2000
"""Numbers for each time and scale on a contour, where times are far apart."""


def instance(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Of each draw: data, both full bases of the decomposition (n^2 and d^2), and filters T d."""
    parts = "parts" in (options.get("observable") or ())

    def numbers(n: int, d: int, times: int, seeds: int) -> float:
        plain = 4.0 * n * d + 1.3 * n * n + 7 * d * d + 10 * times * d
        return seeds * (plain + parts * (4 * d * d + 2 * times * d))

    return Need({"n": problem.n, "d": problem.d}, numbers)


def contour(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Points of a contour round the spectrum for each time, at each of which every scale has terms."""
    scales = len(problem.counts)
    return Need({}, lambda times, seeds: NODES * times * (1.0 + scales))
