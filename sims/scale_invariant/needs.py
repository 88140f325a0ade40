"""What the simulations of scale-invariant weights hold in memory, in numbers a draw, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.scale_invariant import ScaleInvariant

OWN = 20
"""Numbers for each weight: start, teacher, moments of the optimiser, what a step makes of them."""

RECORDED = 8
"""Numbers for each recorded time."""


def descent(problem: ScaleInvariant, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Training on batches also holds the data set, n d, and a batch of each draw."""
    if options["data"] != "minibatch":
        return steps(problem, times, options)

    def numbers(d: int, n: int, times: int, seeds: int) -> float:
        return seeds * (OWN * d + RECORDED * times + 2.0 * n * (d + 2) + 2 * options["batch"] * d)

    return Need({"d": problem.d, "n": options["n"]}, numbers)


def steps(problem: ScaleInvariant, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Weights and records alone: of the flow, and of training on the population or on a stream."""
    return Need({"d": problem.d}, lambda d, times, seeds: seeds * (float(OWN) * d + RECORDED * times))
