"""What linear students answer, in blocks that bound the memory. Needs no JAX."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

AT_ONCE = 2**20
"""Numbers of outputs that are compared with targets at once: 8 MiB."""


def outputs_of(inputs: np.ndarray, weights: np.ndarray) -> Iterator[np.ndarray]:
    """Outputs (t, rows, c) on rows (rows, q) of the students (T, c, q), t times at once."""
    times, c, q = weights.shape
    for part in np.array_split(weights, min(times, -(-times * c * len(inputs) // AT_ONCE))):
        outputs = inputs @ part.reshape(-1, q).T  # one product for all times and outputs
        yield outputs.reshape(len(inputs), -1, c).swapaxes(0, 1)
