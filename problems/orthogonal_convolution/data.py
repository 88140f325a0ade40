"""What is drawn in `problems.orthogonal_convolution`: the kernel at the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teacherstudent.problems.orthogonal_convolution.instance import OrthogonalConvolution

if TYPE_CHECKING:
    import numpy as np


def kernels(problem: OrthogonalConvolution, seeds: Sequence[int]) -> np.ndarray:
    """Entries N(0, init^2), (S, M, C, k^D), one kernel a seed, the same for every stride and size."""
    import numpy as np

    shape = problem.kernel_shape
    return problem.init * np.stack(
        [np.random.default_rng([seed, 0]).standard_normal(shape) for seed in seeds]
    )
