"""The rows of a measured problem, centred, and what is drawn from them.

Axes: S seeds, P rows of the pool, n training rows, p features, c outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Rows:
    """All rows, centred by their means: features (P, p) or None, gram (P, P) or None, targets (P, c).

    classes: of each row, (P,), places among the outputs, where the targets are classes; or None.
    means: of the targets before centring, (c,).
    """

    features: np.ndarray | None
    gram: np.ndarray | None
    targets: np.ndarray
    means: np.ndarray
    classes: np.ndarray | None


def rows_of(problem: MeasuredSpectrum) -> Rows:
    """The rows of a measured problem. The same object is given again while it is remembered."""
    return _rows(
        problem.features,
        problem.gram,
        problem.targets,
        problem.task,
        problem.kernel,
        problem.width,
        problem.depth,
    )


@lru_cache(maxsize=2)
def _rows(
    features: Table | None,
    gram: Table | None,
    targets: Table,
    task: str,
    kernel: str,
    width: float | str | None,
    depth: int | None,
) -> Rows:
    import numpy as np

    from teacherstudent.problems.measured_spectrum import kernels

    outputs, classes = targets.values.astype(float), None
    if task == "classification":
        _, classes = np.unique(targets.values[:, 0], return_inverse=True)
        outputs = np.eye(classes.max() + 1)[classes]
    means = outputs.mean(axis=0)
    matrix, given = None, None
    if kernel == "linear":
        given = features.values - features.values.mean(axis=0)
    else:
        matrix = kernels.centred(kernels.matrix(features, gram, kernel, width, depth))
    return Rows(given, matrix, outputs - means, means, classes)


def law_of(problem: MeasuredSpectrum) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Multiplicities, eigenvalues and the target's power in each, (K,), of a problem that is a law."""
    import numpy as np

    if problem.modes:
        count, value, power = (np.array(each, dtype=float) for each in zip(*problem.modes, strict=True))
        return count, value, power
    k = np.arange(1.0, problem.size + 1)
    return np.ones_like(k), k**-problem.capacity, k ** -(1 + 2 * problem.source * problem.capacity)


@dataclass(frozen=True)
class Draws:
    """What each seed drew (leading axis S).

    chosen: places of the training rows in the pool, (S, n), or None under population. mixtures: under
    population of measured rows g, (S, n, P): a training row is sum_i g_i row_i/sqrt(P), its target likewise.
    inputs: features of a law's rows, (S, n, d), or None. noise: that is added to the targets, (S, n, c).
    initial: w_hat at time 0, (S, p, c), or None of a kernel.
    """

    chosen: np.ndarray | None
    mixtures: np.ndarray | None
    inputs: np.ndarray | None
    noise: np.ndarray
    initial: np.ndarray | None


def draw(problem: MeasuredSpectrum, seeds: Sequence[int]) -> Draws:
    """Draw one training set a seed. Rows, noise and start have streams of their own."""
    import numpy as np

    n = problem.n
    chosen = mixtures = inputs = None
    if problem.measured:
        rows = rows_of(problem)
        outputs, columns = rows.targets.shape[1], 0 if rows.features is None else rows.features.shape[1]
        if problem.sampling == "pool":
            chosen = np.stack(
                [np.random.default_rng([seed, 0]).permutation(problem.rows)[:n] for seed in seeds]
            )
        else:
            mixtures = _normal(seeds, 1, n, problem.rows)
    else:
        counts, values, _ = law_of(problem)
        strengths = np.repeat(values, counts.astype(int))
        outputs, columns = 1, strengths.size
        inputs = _normal(seeds, 1, n, columns) * np.sqrt(strengths)
    return Draws(
        chosen,
        mixtures,
        inputs,
        problem.noise * _normal(seeds, 2, n, outputs),
        problem.init * _normal(seeds, 3, columns, outputs) if columns else None,
    )


def teacher_of(problem: MeasuredSpectrum) -> np.ndarray:
    """theta of a law, (d, 1): the power of each eigenvalue spread evenly over its modes."""
    import numpy as np

    counts, values, powers = law_of(problem)
    return np.repeat(np.sqrt(powers / (counts * values)), counts.astype(int))[:, None]


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
