"""What the simulation of the perceptron holds in memory, in numbers, as measured; and which sizes it reaches.

Terms: of all draws the n d inputs, twice while they are drawn, and the outputs and the d weights of T
students, with copies; of the draws that go side by side copies of the examples and a few d^2 matrices of a
solver, or the outputs of each member of the version space.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.problems.perceptron.data import numbers
from teacherstudent.problems.perceptron.parameters import VERSION_SPACE
from teacherstudent.sims.arrays import groups


def examples(problem: Perceptron, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """What this rule holds. Raises `InputError` for sizes that it does not reach."""
    demand(problem, times)
    n = int(numbers(problem, times)[-1])

    def held(times: int, seeds: int, d: int = problem.d) -> float:
        rows = n * d / problem.d
        drawn = 2 * rows * d + 2 * times * (rows + d)
        if problem.rule in VERSION_SPACE:
            if problem.weights == "binary":
                return seeds * drawn + 6 * 2.0**d + 2 * d * 2.0 ** (d - rows)
            return seeds * drawn + MEMBERS * (4 * rows + (times + 4) * d)
        together = min(seeds, cores() * len(side_by_side(seeds, rows, d)[0]))
        return seeds * drawn + together * (4 * rows * d + 6 * d * d)

    return Need({"d": problem.d} if len(problem.counts) == 1 else {}, held)


def messages(problem: Perceptron, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The examples of one draw and their squares. Raises `InputError` where there are too many to draw."""
    n = int(numbers(problem, times)[-1])

    def held(times: int, seeds: int, d: int = problem.d) -> float:
        rows = n * d / problem.d
        return 4 * rows * d + 2 * times * (rows + d) + 6 * seeds * times

    return Need({"d": problem.d}, held)


def side_by_side(draws: int, rows: float, d: int) -> list[np.ndarray]:
    """Which draws (their places) a solver takes together, of so many examples each."""
    return groups(draws, int(rows * d) + d * d, int(rows * d))


def demand(problem: Perceptron, times: np.ndarray) -> None:
    """Raise `InputError` for sizes that an enumeration, or a chain, does not reach."""
    if problem.rule not in VERSION_SPACE:
        return
    n = int(numbers(problem, times)[-1])
    if problem.weights == "binary":
        if problem.d > LARGEST_ENUMERATED:
            domain = f"at most {LARGEST_ENUMERATED} for binary weights, because all of them are tried"
            raise InputError("d", problem.d, domain)
    elif n > MOST_EXAMPLES:
        domain = f"at most {MOST_EXAMPLES / problem.d:g} for rule {problem.rule} at d = {problem.d}: "
        raise InputError("times", f"{times[-1]:g}", domain + f"its chain allows {MOST_EXAMPLES} examples")


LARGEST_ENUMERATED = 20
"""Largest d of binary weights: there a draw takes a tenth of a second and 16 MB."""

MOST_EXAMPLES = 1000
"""Of a chain on the sphere: a draw takes about a minute there at d = 200."""

MEMBERS = 64
"""Members of the version space that a chain moves, of one draw of examples."""
