"""What is drawn once of `problems.heavy_tails`. New examples are drawn by whoever takes the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.problems.heavy_tails.instance import HeavyTails

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Rows:
    """Finite sets of examples, one a seed: inputs a, (S, n, d), and their label noise, (S, n)."""

    inputs: np.ndarray
    noise: np.ndarray


def rows(problem: HeavyTails, seeds: Sequence[int]) -> Rows:
    """Draw the n examples of each seed. Only for a problem that has an n."""
    import numpy as np

    assert problem.n is not None
    spread = np.sqrt(np.repeat(problem.strengths, problem.counts))
    inputs = _normal(seeds, 0, problem.n, problem.d) * spread
    return Rows(inputs, problem.noise * _normal(seeds, 1, problem.n))


def start(problem: HeavyTails, seeds: Sequence[int]) -> np.ndarray:
    """The student's distance from the teacher at step 0, v_0 ~ N(0, init^2 I_d), (S, d)."""
    return problem.init * _normal(seeds, 2, problem.d)


def apart(problem: HeavyTails, seeds: Sequence[int]) -> np.ndarray:
    """Where a second student of the same batches starts: uniform on the sphere of radius 1, (S, d)."""
    import numpy as np

    found = _normal(seeds, 3, problem.d)
    unit: np.ndarray = found / np.linalg.norm(found, axis=-1, keepdims=True)
    return unit


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
