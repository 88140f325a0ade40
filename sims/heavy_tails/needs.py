"""What the simulations of SGD with a fixed step hold in memory, in numbers, as measured.

Terms: what is drawn at once, of as many blocks as go side by side, with copies; what is kept of each student.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.parameters import GROWTH, STABLE
from teacherstudent.sims.heavy_tails.batches import AT_ONCE, LEAST
from teacherstudent.sims.heavy_tails.growth import POPULATION, STORED, same_for_all_directions

COPIES = 3
"""Of what is drawn at once: with its gathered rows, as arrays of JAX, and in a step."""


def stationary(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Batches of a block of chains, and what is kept of each student of each draw and step size."""
    each = 5 + (problem.d if options["estimator"] == STABLE else 0)
    growing = 4 * STORED if options["estimator"] == GROWTH else 0

    def numbers(times: int, seeds: int, chains: int) -> float:
        return _batches(problem, chains) + 3 * each * seeds * times * chains + growing

    return Need({"chains": options["chains"]}, numbers)


def orders(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Growths of single steps, or populations, one for each order."""
    alike = same_for_all_directions(problem)

    def numbers(times: int, seeds: int, chains: int) -> float:
        size = min(chains, POPULATION)
        own = 4 * min(STORED, 10**6 * chains) if alike else times * size * (problem.d + 2)
        return _batches(problem, size) + cores() * own + 8.0 * seeds * times

    return Need({"chains": options["chains"]}, numbers)


def sgd(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Batches, and the state of a student at each time."""

    def numbers(times: int, seeds: int, d: int = problem.d) -> float:
        return _batches(problem, 1) + 4.0 * seeds * times + 4.0 * times * d * min(seeds, cores())

    return Need({"d": problem.d} if len(problem.counts) == 1 else {}, numbers)


def _batches(problem: HeavyTails, chains: int) -> float:
    """Of as many blocks as go side by side."""
    whole = max(AT_ONCE, min(chains, LEAST) * problem.batch * (problem.d + 1))
    return float(COPIES * cores() * whole)
