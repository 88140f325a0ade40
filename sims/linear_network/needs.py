"""What the simulation of linear networks holds in memory, in numbers a draw, as measured.

Terms: N_in^2 the data, 2 N_in samples; the layers, with their gradients; T N_out N_in the recorded maps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.linear_network import LinearNetwork


def descent(problem: LinearNetwork, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All draws go together."""
    modes, between = problem.modes, problem.depth - 2

    def numbers(inputs: int, outputs: int, hidden: int, times: int, seeds: int) -> float:
        layers = (inputs + outputs) * hidden + between * hidden**2
        frames = problem.depth * hidden * modes
        recorded = times * inputs * outputs
        data = 2 * inputs * (inputs + outputs)
        return seeds * (6.0 * data + 6 * layers + 4 * frames + 3 * recorded + 4 * times * modes)

    sizes = {"inputs": problem.inputs, "outputs": problem.outputs, "hidden": problem.hidden}
    return Need(sizes, numbers)
