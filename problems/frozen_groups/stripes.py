"""Rows that are made here: random features of striped digits, in groups of very different size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.problems.striped_digits import digits, striped

if TYPE_CHECKING:
    import numpy as np

TRAINING = ((500, 26), (8, 152))
"""Training rows of each class (first axis) and direction of the stripes."""
VALIDATION = 60
"""Validation rows of each group."""
UNITS = 200
"""Random features of an image."""


def arrays(seed: int = 0) -> dict[str, np.ndarray]:
    """The nine arrays of a file: images, stripes and features drawn by that seed.

    Validation and test rows have either direction, half by half.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    images, classes = digits()
    parts: dict[str, list[np.ndarray]] = {"tr": [], "va": [], "te": []}
    attributes: dict[str, list[np.ndarray]] = {"tr": [], "va": [], "te": []}
    for label, counts in enumerate(TRAINING):
        places = generator.permutation(np.flatnonzero(classes == label))
        cuts = np.cumsum([sum(counts), 2 * VALIDATION])
        for part, own in zip(parts, np.split(places, cuts), strict=True):
            parts[part].append(own)
            first = counts[0] if part == "tr" else len(own) // 2
            attributes[part].append((np.arange(len(own)) >= first).astype(int))
    weights = generator.standard_normal((64, UNITS)) / 8
    constants = generator.standard_normal(UNITS) / 2
    found = {}
    for part, lists in parts.items():
        places, directions = np.concatenate(lists), np.concatenate(attributes[part])
        pixels = striped(images[places], directions, generator).reshape(len(places), -1)
        found[f"x_{part}"] = np.maximum(pixels @ weights + constants, 0)
        found[f"y_{part}"], found[f"a_{part}"] = classes[places], directions
    return found
