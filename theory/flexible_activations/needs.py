"""What the pencil holds in memory, in numbers: of every draw the inputs, of one its slices and equations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.flexible_activations import FlexibleActivations
from teacherstudent.theory.flexible_activations.pencil import ASKED


def pencil(problem: FlexibleActivations, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Draws are decomposed one after another."""

    def numbers(inputs: int, outputs: int, units: int, times: int, seeds: int) -> float:
        one = 4.0 * ASKED * outputs * (inputs + units * len(problem.powers))
        return one + seeds * (4.0 * ASKED * inputs + 6 * times)

    sizes = {"inputs": problem.inputs, "outputs": problem.outputs, "units": problem.units}
    return Need(sizes, numbers)
