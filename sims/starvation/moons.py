"""The two moons of pezeshki2022 ch. 6 Fig. 1: two classes, and a gap between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.extras import importing_extra

NOISE = 0.1
CENTRE = 0.5
"""Middle of the two moons together, along them."""
APART = 0.3
"""What moves each moon to its own side, across: their tips then touch the line between."""


def two_moons(seeds: Sequence[int], examples: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """One data set a seed: inputs (S, n, 2) and labels -1 or 1, (S, n).

    x1 runs along the moons and x0 across. What noise has put on the wrong side of the line
    x0 = 0 is mirrored back, and each class moves away from that line by `gap`: where gap > 0, x0
    alone separates them. The published Delta is 0.1, or -0.1.
    """
    with importing_extra("the two moons"):
        from sklearn.datasets import make_moons

    drawn = [make_moons(examples, noise=NOISE, random_state=seed % 2**32) for seed in seeds]
    points = np.stack([points for points, _ in drawn])
    labels = np.stack([2.0 * classes - 1 for _, classes in drawn])
    along = points[..., 0] - CENTRE
    across = points[..., 1] - APART * labels
    across -= across.mean(axis=-1, keepdims=True)
    across = -labels * (np.abs(across) + gap)
    return np.stack([across, along], axis=-1), labels
