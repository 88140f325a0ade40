"""What is drawn once of `problems.stable_noise`: examples. Noise is drawn by whoever follows the paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def examples(input_scale: float, seeds: Sequence[int], n: int) -> np.ndarray:
    """Inputs x ~ N(0, input_scale^2), (S, n), one set a seed. Fewer of the same seed are the first ones."""
    import numpy as np

    return input_scale * np.stack([np.random.default_rng([seed, 0]).standard_normal(n) for seed in seeds])
