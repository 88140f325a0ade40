"""What the theory of generators and discriminators holds in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.gan import Gan

PAIR, BESIDE = 8, 8
"""Numbers of each coordinate of each pair of points while slopes are made, and of the pair."""

VALUE, ALONE = 2, 6
"""The same while only values of the kernel are made, as between data."""

FIELDS = 4
"""Copies of fields of hidden units at points."""


def kernel(problem: Gan, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Points of all draws, and the pairs of one."""

    def numbers(n: int, particles: int, d: int, times: int, seeds: int) -> float:
        return _points(n, particles, d, times, seeds) + _pairs(n, particles, d)

    return Need(_sizes(problem), numbers)


def generator(problem: Gan, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Points of all draws, and the pairs of one at all times."""

    def numbers(n: int, particles: int, d: int, times: int, seeds: int) -> float:
        return _points(n, particles, d, times, seeds) + times * _pairs(n, particles, d)

    return Need(_sizes(problem), numbers)


def instance(problem: Gan, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """As `kernel`, weights of all draws, and hidden units at the points of one."""

    def numbers(width: int, n: int, particles: int, d: int, times: int, seeds: int) -> float:
        units = width * (2 * seeds * (d + 2) + FIELDS * (n + particles))
        pairs = _pairs(n, particles, d, slopes=problem.discriminator == "fourier")
        return _points(n, particles, d, times, seeds) + pairs + units

    return Need({"width": problem.width, **_sizes(problem)}, numbers)


def _sizes(problem: Gan) -> dict[str, int]:
    return {"n": problem.n, "particles": problem.particles, "d": problem.d}


def _points(n: int, particles: int, d: int, times: int, seeds: int) -> float:
    return seeds * d * (n + particles * (1 + 2 * times)) + 4.0 * seeds * times


def _pairs(n: int, particles: int, d: int, slopes: bool = True) -> float:
    of_points = particles * (n + particles)
    values = max(n * n, of_points) * (VALUE * d + ALONE)
    return max(values, slopes * of_points * (PAIR * d + BESIDE))
