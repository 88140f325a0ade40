"""What the simulations of the multi-scale model hold in memory, in numbers a draw, as measured.

Terms: n d the data, scaled, in copies; m^2, m = min(n, d), the matrix whose largest eigenvalue is the
automatic step; T d the recorded students; T n and F (d + T) outputs on seen and on F fresh examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.batches import FRESH as FRESH_DATA
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.sims.linear_students.needs import PARTS
from teacherstudent.sims.multiscale.data import FRESH
from teacherstudent.sims.step_limits import STEPWISE, of_batches


def descent(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any], parts: int = 1) -> Need:
    """Beside them, where steps are composed, the map of a step, d^2, of those draws that go side by side.

    parts: of the state of a step.
    """
    wanted = set(options["observable"] or ())
    maps = 6 * parts**2 if times[-1] > STEPWISE else 0

    def numbers(n: int, d: int, times: int, seeds: int) -> float:
        more = (parts - 1) * 6 * times * d
        return seeds * (_trained(n, d, times, wanted) + more) + maps * min(seeds, cores()) * d * d

    return Need({"n": problem.n, "d": problem.d}, numbers)


def stepped(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The same of steps that keep more than weights."""
    return descent(problem, times, options, PARTS)


def ridge(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Beside them the factors of the normal equations of one group of draws."""
    wanted = set(options["observable"] or ())

    def numbers(n: int, d: int, times: int, seeds: int) -> float:
        return seeds * _trained(n, d, times, wanted) + 6 * min(n, d) ** 2

    return Need({"n": problem.n, "d": problem.d}, numbers)


def sgd(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Beside them batches; where every example is new only one is drawn before."""
    wanted = set(options["observable"] or ())

    def numbers(d: int, times: int, seeds: int, n: int = 1, batch: int = 0) -> float:
        return seeds * _trained(n, d, times, wanted) + of_batches((batch or n) * d, seeds)

    new = options["data"] == FRESH_DATA  # else no batch is larger than n
    return Need({"d": problem.d, **({"batch": options["batch"]} if new else {"n": problem.n})}, numbers)


def langevin(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All draws go together, with a matrix d^2 and two students each."""

    def numbers(n: int, d: int, times: int, seeds: int) -> float:
        return seeds * (5.0 * n * d + 2 * d * d + 11 * times * d)

    return Need({"n": problem.n, "d": problem.d}, numbers)


def _trained(n: int, d: int, times: int, wanted: set[str]) -> float:
    return (
        4.0 * n * d
        + 2 * min(n, d) ** 2
        + 4 * times * (d + 3)
        + ("parts" in wanted) * (n * d + 2 * times * d)
        + bool({"training", "outputs"} & wanted) * (n * d + 3 * times * n)
        + ("generalisation" in wanted) * FRESH * (3 * d + 3 * times)
    )
