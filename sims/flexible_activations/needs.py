"""What the simulation holds in memory, in numbers: Jacobians and curvatures of the draws side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.house.memory import Need
from teacherstudent.problems.flexible_activations import FlexibleActivations

COPIES = 6
"""Numbers held for each of the Jacobian's: its parts by the chain rule, and their sum."""


def trained(problem: FlexibleActivations, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Students of a draw come one after another."""
    powers, examples = len(problem.powers), int(times[-1])

    def numbers(inputs: int, outputs: int, units: int, times: int, seeds: int) -> float:
        P = units * (inputs + outputs + powers)
        return min(seeds, cores()) * P * (COPIES * examples * outputs + 3.0 * P) + 8 * seeds * times

    return Need({"inputs": problem.inputs, "outputs": problem.outputs, "units": problem.units}, numbers)
