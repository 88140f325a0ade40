"""What the simulation of the residual network holds in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.residual_digits import ResidualDigits
from teacherstudent.sims.arrays import at_a_time


def descent(problem: ResidualDigits, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All images; of the draws that go side by side their images, parameters, gradients, and hidden units."""
    sizes = problem.data.sizes(problem.pool)
    tested = sizes.training - problem.n if sizes.shared else sizes.tested
    images = (sizes.training + sizes.tested) * (3 * sizes.pixels + 2 * problem.components)

    def numbers(n: int, width: int, times: int, seeds: int) -> float:
        inputs = (n + tested) * (sizes.pixels + problem.components + 4 * sizes.classes)
        parameters = 6 * width * (sizes.pixels + sizes.classes + 1)
        units = width * (4 * n + 3 * tested)
        together = min(seeds, at_a_time())
        return float(
            images + together * (inputs + parameters + units) + seeds * (2 * (n + tested) + 8 * times)
        )

    return Need({"n": problem.n, "width": problem.width}, numbers)
