"""Drawn data sets of `problems.multiscale`: inputs, teacher, label noise, first weights, fresh examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from teacherstudent.problems.multiscale import MultiScale

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Inputs:
    """Drawn inputs, one training set a seed.

    inputs: teacher's inputs z, (S, n, d), variance 1/d. strengths: singular values of F, (d,).
    """

    inputs: np.ndarray
    strengths: np.ndarray


@dataclass(frozen=True)
class Draws(Inputs):
    """Drawn data sets, one a seed (leading axis S of every array).

    teacher: w, (S, d), uniform on the sphere |w|^2 = d. noise: eps, (S, n). initial: w_hat at
    time 0, (S, d).
    """

    teacher: np.ndarray
    noise: np.ndarray
    initial: np.ndarray


def draw_inputs(problem: MultiScale, seeds: Sequence[int]) -> Inputs:
    """The inputs that `draw` draws from these seeds."""
    import numpy as np

    strengths = np.repeat(np.asarray(problem.sigmas), problem.counts)
    return Inputs(_normal(seeds, 0, problem.n, problem.d) / np.sqrt(problem.d), strengths)


def draw(problem: MultiScale, seeds: Sequence[int]) -> Draws:
    """Draw one data set a seed from the law of pezeshki2022 Eqs. 4.2.1-4.2.2.

    Eq. 4.2.1 asks both for Gaussian teacher weights of unit variance and for a fixed norm: w uniform on the
    sphere |w|^2 = d meets both (E[w w^T] = I, and Var(z.w) = 1 in every draw). F = diag(sigma): teacher and
    inputs are isotropic, so rotations of F change nothing. Inputs, teacher, noise and start have separate
    random streams, so two problems of equal shape see common random numbers.
    """
    import numpy as np

    n, d = problem.n, problem.d
    teacher = _normal(seeds, 1, d)
    teacher *= np.sqrt(d) / np.linalg.norm(teacher, axis=-1, keepdims=True)
    return Draws(
        **vars(draw_inputs(problem, seeds)),
        teacher=teacher,
        noise=problem.noise * _normal(seeds, 2, n),
        initial=problem.init * _normal(seeds, 3, d),
    )


def fresh(problem: MultiScale, draws: Draws, seeds: Sequence[int], count: int) -> Draws:
    """The same teachers and starts with `count` examples that no student has seen."""
    import numpy as np

    inputs = _normal(seeds, 4, count, problem.d) / np.sqrt(problem.d)
    return replace(draws, inputs=inputs, noise=problem.noise * _normal(seeds, 5, count))


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
