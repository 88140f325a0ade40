"""What is drawn of `problems.gan`: both sets of points, and discriminators before they are trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.problems.gan.instance import Gan

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Points:
    """One of each a seed: the data y, (S, n, d), and the generator's points x at the start, (S, m, d)."""

    data: np.ndarray
    generated: np.ndarray


@dataclass(frozen=True)
class Weights:
    """Hidden layers before training, one a seed.

    inner: w, (S, W, d). shift: b ~ N(0, 1) of relu, or the phase phi in (0, 2 pi) of fourier, (S, W).
    outer: a ~ N(0, 1) of relu, zeros for fourier, (S, W).
    """

    inner: np.ndarray
    shift: np.ndarray
    outer: np.ndarray


def points(problem: Gan, seeds: Sequence[int]) -> Points:
    """Draw the data and the start of the generator's points, one of each a seed."""
    import numpy as np

    data = np.zeros((len(seeds), problem.n, problem.d))
    if problem.target == "gaussian":
        data = _normal(seeds, 0, problem.n, problem.d)
    if problem.target == "ring":
        angle = 2 * np.pi * np.arange(problem.n) / problem.n
        data[..., 0], data[..., 1] = np.cos(angle), np.sin(angle)
    generated = problem.spread * _normal(seeds, 1, problem.particles, problem.d)
    generated[..., 0] += problem.distance
    return Points(data, generated)


def weights(problem: Gan, seeds: Sequence[int]) -> Weights:
    """Draw one hidden layer a seed: that of both halves of a discriminator."""
    import numpy as np

    inner = _normal(seeds, 2, problem.width, problem.d)
    if problem.discriminator == "relu":
        return Weights(inner, _normal(seeds, 3, problem.width), _normal(seeds, 4, problem.width))
    phases = [np.random.default_rng([seed, 3]).uniform(0, 2 * np.pi, problem.width) for seed in seeds]
    return Weights(inner, np.stack(phases), np.zeros((len(seeds), problem.width)))


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
