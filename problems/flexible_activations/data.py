"""Drawn teachers of `problems.flexible_activations`, and the inputs that they are asked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.problems.flexible_activations.instance import FlexibleActivations

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Network:
    """Networks, one a seed: V (S, m, r), W (S, n, r), c (S, r, K), as in the problem's formula."""

    V: np.ndarray
    W: np.ndarray
    c: np.ndarray


TEACHER, STUDENT = 0, 10
"""Streams of a seed: of its teacher, and of its first student; each further student has the next one."""


def networks(problem: FlexibleActivations, seeds: Sequence[int], stream: int = TEACHER) -> Network:
    """One network a seed, by the law of the teachers, which is that of the students before training too."""
    import numpy as np

    m, n, r, K = problem.inputs, problem.outputs, problem.units, len(problem.powers)
    normal = np.stack(
        [np.random.default_rng([seed, stream]).standard_normal((m + n + K, r)) for seed in seeds]
    )
    V, W, c = np.split(normal, [m, m + n], axis=1)
    V, W = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (V, W))
    return Network(V, W, np.swapaxes(c, 1, 2))


def examples(problem: FlexibleActivations, seeds: Sequence[int], count: int) -> np.ndarray:
    """Inputs of examples, N(0, I), (S, count, m). Fewer of the same seed are the first ones."""
    return _normal(problem, seeds, 1, count)


def fresh(problem: FlexibleActivations, seeds: Sequence[int], count: int) -> np.ndarray:
    """Fresh inputs N(0, I), (S, count, m)."""
    return _normal(problem, seeds, 2, count)


def _normal(problem: FlexibleActivations, seeds: Sequence[int], stream: int, count: int) -> np.ndarray:
    import numpy as np

    shape = count, problem.inputs
    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
