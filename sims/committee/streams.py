"""The random numbers of a seed's steps, in order: they do not depend on how many are drawn at a time.

These streams are separate from those of `problems.committee`. Generators are NumPy's: most of the time of
training goes into the normal numbers of its inputs, and these make them faster than JAX does.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from teacherstudent.problems.committee import Committee

INPUTS, NOISE, FIELDS, BEYOND, NOISE_OF_FIELDS = 2, 3, 5, 6, 7
"""Streams: inputs in d dimensions and the noise of their labels; or fields, what is beyond, and the noise."""


def generator(seed: int, stream: int) -> np.random.Generator:
    """The fastest of NumPy's generators for normal numbers."""
    return np.random.Generator(np.random.SFC64([seed, stream]))


def pieces(count: int, most: int) -> Iterator[int]:
    """A number of steps in pieces of at most the given size."""
    for begun in range(0, count, most):
        yield min(most, count - begun)


class Examples:
    """Examples in d dimensions: `inputs` (rows, d) and `noise` (rows,) of labels, drawn in place."""

    def __init__(self, problem: Committee, seed: int, rows: int) -> None:
        self.generators = generator(seed, INPUTS), generator(seed, NOISE)
        self.inputs, self.noise, self.size = np.zeros((rows, problem.d)), np.zeros(rows), problem.noise

    def draw(self, few: int) -> None:
        """Put this many new ones into the first rows."""
        self.generators[0].standard_normal(out=self.inputs[:few])
        self.noise[:few] = self.size * self.generators[1].standard_normal(few)


class Fields:
    """Examples by `coordinates` (rows, K + M) in the weights' frame, squares `beyond` it, `noise`."""

    def __init__(self, problem: Committee, seed: int, rows: int) -> None:
        units = problem.width + problem.teacher_width
        self.generators = generator(seed, FIELDS), generator(seed, BEYOND), generator(seed, NOISE_OF_FIELDS)
        self.coordinates, self.beyond, self.noise = np.zeros((rows, units)), np.zeros(rows), np.zeros(rows)
        self.left, self.size = problem.d - units, problem.noise

    def draw(self, few: int) -> None:
        """Put those of these new ones into the first rows; nothing is beyond without further directions."""
        self.generators[0].standard_normal(out=self.coordinates[:few])
        if self.left:
            self.beyond[:few] = self.generators[1].chisquare(self.left, few)
        self.noise[:few] = self.size * self.generators[2].standard_normal(few)
