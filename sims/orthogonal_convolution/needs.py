"""What the simulation of orthogonal convolutions holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.orthogonal_convolution import OrthogonalConvolution


def simulation(problem: OrthogonalConvolution, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Recorded kernels; of one at a time the matrix, the impulses it comes from, and its decomposition."""
    k, S, D = problem.kernel_size, problem.stride, problem.dimension

    def numbers(outputs: int, inputs: int, size: int, times: int, seeds: int) -> float:
        rows, columns = outputs * size**D, inputs * (S * size) ** D
        seen = inputs * (S * size + k) ** D
        fewer = min(rows, columns)
        impulses = 2.0 * columns * (columns + seen)
        return (
            impulses + 5.0 * rows * columns + 4.0 * fewer**2 + 4.0 * seeds * times * outputs * inputs * k**D
        )

    return Need({"outputs": problem.outputs, "inputs": problem.inputs, "size": problem.size}, numbers)
