"""The batches of a block of chains, in order: they do not depend on the number of later steps.

Generators are NumPy's: most of the time goes into the normal numbers of the inputs, and these make them
faster than JAX does. A GPU computes while the next batches are drawn. Their streams are separate from those
of `problems.heavy_tails`. Chains are the last axis, along which processors work on several numbers at a time.

Axes: N steps drawn at once, b examples of a batch, d inputs, C chains.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import rows

INPUTS, NOISE, DIRECTIONS, CHOICES, RESAMPLING = 4, 5, 6, 7, 8
"""Streams of each seed and block of chains: inputs and label noise, the first directions, which examples of a
finite set, and which directions of a population go on."""

AT_ONCE = 2**17
"""Numbers that are drawn at once, 1 MB, unless one step of one block is more."""

STEPS_AT_ONCE = 16
"""Steps that these are at least, so that what is done once in several steps costs little."""

LEAST = 64
"""Chains of a block at least, where there are as many: fewer do not fill a processor's lanes."""


def generator(seed: int, stream: int, block: int) -> np.random.Generator:
    """The fastest of NumPy's generators for normal numbers."""
    return np.random.Generator(np.random.SFC64([seed, stream, block]))


def block_of(problem: HeavyTails, chains: int) -> int:
    """Chains that go together, in blocks of one size: as many as draw `AT_ONCE` numbers in some steps."""
    most = max(LEAST, AT_ONCE // (STEPS_AT_ONCE * problem.batch * (problem.d + 1)))
    return -(-chains // -(-chains // most))


def steps_of(problem: HeavyTails, block: int) -> int:
    """Steps whose batches are drawn at once."""
    return max(1, AT_ONCE // (block * problem.batch * (problem.d + 1)))


def spread(problem: HeavyTails) -> np.ndarray:
    """The standard deviation of each input, (d,)."""
    return np.sqrt(np.repeat(problem.strengths, problem.counts))


def directions(problem: HeavyTails, seed: int, block: int, size: int) -> np.ndarray:
    """Uniform directions, (d, C)."""
    drawn = generator(seed, DIRECTIONS, block).standard_normal((problem.d, size))
    unit: np.ndarray = drawn / np.linalg.norm(drawn, axis=0)
    return unit


class Batches:
    """Batches of a block of chains: `inputs` (N, b, d, C) and `noise` of labels (N, b, C), drawn in place.

    New examples, or examples of the seed's finite set, without repetition within a batch.
    """

    def __init__(self, problem: HeavyTails, seed: int, block: int, size: int) -> None:
        from teacherstudent.sims.arrays import ahead  # not above: a statement of memory needs no JAX

        self.count = steps_of(problem, size)
        self.inputs = np.zeros((self.count, problem.batch, problem.d, size))
        self.noise = np.zeros((self.count, problem.batch, size))
        self.blocks = ahead(_drawn(problem, seed, block, self.inputs, self.noise))

    def draw(self) -> None:
        """Those of the next N steps."""
        self.inputs, self.noise = next(self.blocks)


def _drawn(
    problem: HeavyTails, seed: int, block: int, inputs: np.ndarray, noise: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The batches of N steps after N steps, in these two arrays."""
    normal, choices = [generator(seed, stream, block) for stream in (INPUTS, NOISE)], None
    if problem.n is not None:
        known, choices = rows(problem, [seed]), generator(seed, CHOICES, block)
    sizes = spread(problem)[:, None]
    while True:
        if choices is None:
            normal[0].standard_normal(out=inputs)
            normal[1].standard_normal(out=noise)
            inputs *= sizes
            noise *= problem.noise
        else:
            chosen = subsets(choices, known.noise.shape[1], noise.shape)
            inputs[...] = np.moveaxis(known.inputs[0][chosen], -1, 2)
            noise[...] = known.noise[0][chosen]
        yield inputs, noise


def subsets(random: np.random.Generator, n: int, shape: tuple[int, int, int]) -> np.ndarray:
    """Sets of b different ones of n places, all equally likely, of shape (N, b, C): Floyd's algorithm."""
    chosen = np.empty(shape, dtype=int)
    for place, last in enumerate(range(n - shape[1], n)):
        one = random.integers(0, last + 1, (shape[0], shape[2]))
        taken = np.any(chosen[:, :place] == one[:, None], axis=1)
        chosen[:, place] = np.where(taken, last, one)
    return chosen
