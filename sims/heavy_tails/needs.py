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

STATES = 10
"""Vectors that a chain has in a step: its distance and direction, as they were and will be, and sums."""

COPIES = 3
"""Of what is drawn at once: with its gathered rows, as arrays of JAX, and in a step."""


def stationary(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Batches of a block of chains, and what is kept of each student of each draw and step size."""
    each = 5 + (problem.d if options["estimator"] == STABLE else 0)
    growing = 4 * STORED if options["estimator"] == GROWTH else 0

    def numbers(times: int, seeds: int, chains: int) -> float:
        return _batches(problem, problem.d, min(chains, LEAST)) + 3 * each * seeds * times * chains + growing

    return Need({"chains": options["chains"]}, numbers)


def orders(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Growths of single steps and their powers, or populations, one for each order."""
    alike = same_for_all_directions(problem)

    def numbers(times: int, seeds: int, chains: int) -> float:
        size = min(chains, POPULATION)
        own = KEPT * min(STORED, STEPS * chains) if alike else 3 * times * size * (problem.d + 2)
        drawn = _batches(problem, problem.d, min(chains, LEAST) if alike else size)
        return drawn + cores() * own + 8.0 * seeds * times

    return Need({"chains": options["chains"]}, numbers)


def sgd(problem: HeavyTails, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Batches, and what is kept at each time."""

    def numbers(times: int, seeds: int, d: int = problem.d) -> float:
        return _batches(problem, d, 1) + 30.0 * seeds * times

    return Need({"d": problem.d} if len(problem.counts) == 1 else {}, numbers)


def _batches(problem: HeavyTails, d: int, chains: int) -> float:
    """Of as many blocks as go side by side, and the finite set of each."""
    whole = max(AT_ONCE, chains * problem.batch * (d + 1))
    return float(cores() * (COPIES * (whole + (problem.n or 0) * (d + 1)) + STATES * chains * d))


KEPT = 4
"""Times that growths are held: with their powers, and while they are put together."""

STEPS = 240
"""Of a product, as a rule."""
