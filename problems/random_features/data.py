"""Drawn data of `problems.random_features`: inputs, teacher, features, label noise, first weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.problems.random_features.instance import RandomFeatures

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Draws:
    """Drawn data sets, one a seed (leading axis S of every array).

    inputs: the teacher's inputs z, (S, n, d), variance 1/d. strengths: sigma_k of each input, (d,).
    teacher: w, (S, d), uniform on the sphere |w|^2 = d. features: F, (S, N, d). noise: eps, (S, n).
    initial: a at time 0, (S, N).
    """

    inputs: np.ndarray
    strengths: np.ndarray
    teacher: np.ndarray
    features: np.ndarray
    noise: np.ndarray
    initial: np.ndarray


def draw(problem: RandomFeatures, seeds: Sequence[int], copy: int = 0) -> Draws:
    """Draw one data set a seed from the law of `problems.random_features`.

    Another `copy` redraws everything except the teacher, which belongs to the seed. Every ingredient has a
    separate random stream, so two problems of equal shape see common random numbers.
    """
    import numpy as np

    n, d, width = problem.n, problem.d, problem.width
    teacher = _normal(seeds, 0, 1, d)
    teacher *= np.sqrt(d) / np.linalg.norm(teacher, axis=-1, keepdims=True)
    return Draws(
        inputs=_normal(seeds, copy, 0, n, d) / np.sqrt(d),
        strengths=np.sqrt(np.repeat(np.asarray(problem.strengths), problem.counts)),
        teacher=teacher,
        features=_normal(seeds, copy, 2, width, d),
        noise=problem.noise * _normal(seeds, copy, 3, n),
        initial=problem.init * _normal(seeds, copy, 4, width),
    )


def fresh(problem: RandomFeatures, seeds: Sequence[int], count: int) -> np.ndarray:
    """Teacher's inputs z, (S, count, d), that no student has seen."""
    import numpy as np

    return _normal(seeds, 0, 5, count, problem.d) / np.sqrt(problem.d)


def _normal(seeds: Sequence[int], copy: int, stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, copy, stream]).standard_normal(shape) for seed in seeds])
