"""What the theory of orthogonal convolutions holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.orthogonal_convolution import OrthogonalConvolution


def disjoint(problem: OrthogonalConvolution, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The kernels, and their singular values at each time with what these are made of."""
    window = problem.kernel_size**problem.dimension

    def numbers(outputs: int, inputs: int, times: int, seeds: int) -> float:
        entries, values = outputs * inputs * window, min(outputs, inputs * window)
        return seeds * (4.0 * entries + 8 * times * (values + 1))

    return Need({"outputs": problem.outputs, "inputs": problem.inputs}, numbers)


def frequencies(problem: OrthogonalConvolution, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Waves and transfer matrices, complex, at the frequencies of the question and of the regulariser."""
    k, S, D = problem.kernel_size, problem.stride, problem.dimension

    def numbers(outputs: int, inputs: int, size: int, times: int, seeds: int) -> float:
        into = (S * size) ** D + (2 * k - 1 + S) ** D
        blocks = 8.0 * outputs * inputs * into
        kernel = 4 * outputs * inputs * k**D
        return 6.0 * k**D * into + seeds * times * (blocks + kernel) + 20 * kernel

    return Need({"outputs": problem.outputs, "inputs": problem.inputs, "size": problem.size}, numbers)
