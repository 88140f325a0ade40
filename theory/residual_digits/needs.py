"""What the theory of the residual network holds in memory, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.residual_digits import ResidualDigits


def descent(problem: ResidualDigits, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All images, kernels of one draw at a time, and its outputs at all times, twice."""
    sizes = problem.data.sizes(problem.pool)
    tested = sizes.training - problem.n if sizes.shared else sizes.tested
    images = (sizes.training + sizes.tested) * (3 * sizes.pixels + 2 * problem.components)

    def numbers(n: int, times: int, seeds: int) -> float:
        kernels = 8 * n**2 + 6 * n * tested
        outputs = 3 * times * (n + tested) * sizes.classes
        return float(images + kernels + outputs + seeds * (2 * n + 2 * tested + 6 * times))

    return Need({"n": problem.n}, numbers)
