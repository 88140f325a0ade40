"""scikit-learn's digits under stripes: an attribute that is easier to learn than the class.

The class is whether a digit is below 5. Stripes are a wave over rows (direction 0) or columns (1),
with a phase of each image's own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from teacherstudent.house.extras import importing_extra

if TYPE_CHECKING:
    import numpy as np

SIDE = 8
AMPLITUDE = 0.5
"""Of the wave; pixels of a digit are between 0 and 1."""
PERIOD = 3.0
"""Pixels."""


@cache
def digits() -> tuple[np.ndarray, np.ndarray]:
    """Images (1797, 8, 8), which nobody writes to, and their classes (1797,): 1 below 5, else 0."""
    with importing_extra("the data set digits"):
        from sklearn import datasets as installed

    pixels, told = installed.load_digits(return_X_y=True)
    images = pixels.reshape(-1, SIDE, SIDE) / 16
    classes = (told < 5).astype(int)
    for each in (images, classes):
        each.setflags(write=False)
    return images, classes


def striped(images: np.ndarray, directions: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Images (n, 8, 8) with stripes in those directions (n,), (n, 8, 8)."""
    import numpy as np

    phases = generator.uniform(0, 2 * np.pi, len(images))
    waves = AMPLITUDE * np.sin(2 * np.pi * np.arange(SIDE) / PERIOD + phases[:, None])
    across = np.where(directions[:, None, None] == 0, waves[:, :, None], waves[:, None, :])
    return images + across
