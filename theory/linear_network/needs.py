"""What the theory of drawn linear networks holds in memory, in numbers a draw, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.linear_network import LinearNetwork


def riccati(problem: LinearNetwork, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The eigensystem and the orthonormal columns of one draw, m = N_in + N_out; T maps of every draw."""

    def numbers(inputs: int, outputs: int, hidden: int, times: int, seeds: int) -> float:
        m, modes = inputs + outputs, problem.modes
        kept = _drawn(problem, inputs, outputs, hidden) + 2.5 * times * inputs * outputs + 4 * times * modes
        return seeds * kept + 6.0 * m * m + 8.0 * (m + hidden) * hidden + 3.0 * times * inputs * outputs

    return Need(_sizes(problem), numbers)


def effective(problem: LinearNetwork, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The draws themselves, and closed forms at each time."""

    def numbers(inputs: int, outputs: int, hidden: int, times: int, seeds: int) -> float:
        strengths = 16 * times * problem.modes
        return seeds * (_drawn(problem, inputs, outputs, hidden) + 6.0 * hidden * problem.modes + strengths)

    return Need(_sizes(problem), numbers)


def _drawn(problem: LinearNetwork, inputs: int, outputs: int, hidden: int) -> float:
    """Data of 2 N_in samples, two layers, and the frames that they are made of."""
    data = 2 * inputs * (inputs + outputs)
    return 5.0 * data + 4 * (inputs + outputs) * hidden + 4 * hidden * problem.modes


def _sizes(problem: LinearNetwork) -> dict[str, int]:
    return {"inputs": problem.inputs, "outputs": problem.outputs, "hidden": problem.hidden}
