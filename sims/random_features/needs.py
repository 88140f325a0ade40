"""What the simulations of random features hold in memory, in numbers, as measured.

Terms besides those of `sims.linear_students.needs`, with k = 1 set of features and of samples a draw, or k =
2 and C = 3 columns of students for parts: of all draws k (n + N) d inputs and features, twice while they are
drawn; k^2 n N of what samples are seen as, and as much again where coordinates stand for weights that include
first ones. Of one draw the fresh examples and what a block of them is seen as, in copies, and `AT_ONCE`
outputs of each set of features.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.sims.linear_students.needs import PARTS, maps_of, of_students
from teacherstudent.sims.linear_students.outputs import AT_ONCE
from teacherstudent.sims.random_features.measures import BLOCK, BLOCKS


def descent(problem: RandomFeatures, times: np.ndarray, options: Mapping[str, Any], parts: int = 1) -> Need:
    """parts: of the state of a step."""
    return _need(problem, options, maps=maps_of(times, parts), moved=4 * parts, begun=problem.init > 0)


def stepped(problem: RandomFeatures, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The same of steps that keep more than weights."""
    return descent(problem, times, options, PARTS)


def ridge(problem: RandomFeatures, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Beside them the factor of the normal equations, of draws that go together."""
    return _need(problem, options, maps=4, moved=1, begun=False)


def _need(problem: RandomFeatures, options: Mapping[str, Any], *, maps: int, moved: int, begun: bool) -> Need:
    """maps, moved: matrices and recorded students of a draw in training. begun: whether it keeps weights."""
    k, C = (2, 3) if options["observable"] else (1, 1)

    def numbers(n: int, width: int, times: int, seeds: int, d: int = problem.d) -> float:
        m = min(n + C * begun, width)
        drawn = 2 * k * (n + width) * d
        seen = k * k * n * width * (1 + (begun and m < width))
        trained = of_students(k * k * seeds, m, width, C, times, maps=maps, moved=moved)
        sights = 4 * n * width + 2 * BLOCKS * BLOCK * d + (k + 3) * BLOCK * width
        tested = 4 * k * min(AT_ONCE, times * C * k * max(n, BLOCK)) + k * k * times * C * width
        sums = 4 * times * (k * k * C) ** 2
        return float(seeds * (drawn + seen) + trained + sights + tested + sums)

    dimension = {"d": problem.d} if len(problem.counts) == 1 else {}
    return Need({"n": problem.n, "width": problem.width, **dimension}, numbers)
