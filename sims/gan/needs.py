"""What the simulations of a generator and its discriminators hold in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.gan import Gan
from teacherstudent.sims.gan.sizes import halves

WEIGHTS = 6
"""Copies of a network's weights while it is trained: before and after a step, their slopes, and parts."""

POINTS = 4
"""Copies of what each hidden unit makes of each point."""


def discriminator(problem: Gan, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Hidden layers of all draws, the training of those that go side by side, points, and records."""

    def numbers(width: int, n: int, particles: int, times: int, seeds: int) -> float:
        layers = 1.5 * seeds * width * (problem.d + 2)
        return layers + _trained(problem, width, n, particles, times, seeds)

    return Need({"width": problem.width, "n": problem.n, "particles": problem.particles}, numbers)


def generator(problem: Gan, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The same without hidden layers of all draws, for these are drawn when they are needed."""
    sizes = {"width": problem.width, "n": problem.n, "particles": problem.particles}
    return Need(sizes, partial(_trained, problem))


def _trained(problem: Gan, width: int, n: int, particles: int, times: int, seeds: int) -> float:
    together = min(seeds, cores()) * halves(problem) * width
    training = together * (WEIGHTS * (problem.d + 2) + POINTS * (n + particles))
    points = 3 * seeds * (n + particles) * problem.d
    return training + points + 2 * seeds * times * (2 + particles * problem.d)
