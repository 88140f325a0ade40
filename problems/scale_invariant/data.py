"""What is drawn of `problems.scale_invariant`: teachers, starts, and data sets of samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.problems.scale_invariant.instance import ScaleInvariant


def draw_start(problem: ScaleInvariant, seeds: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Teachers u* and initial weights x_0, (S, d) each, one of each a seed.

    x_0 = radius0 (cos(angle0) u* + sin(angle0) w) with w a unit vector normal to u*: e_1 and e_2, or
    both uniform on the sphere.
    """
    import numpy as np

    frame = np.zeros((len(seeds), 2, problem.d))
    frame[:, [0, 1], [0, 1]] = 1
    if problem.teacher == "random":
        columns = np.stack(
            [np.random.default_rng([seed, 0]).standard_normal((problem.d, 2)) for seed in seeds]
        )
        q, r = np.linalg.qr(columns)
        frame = (q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :]).swapaxes(-1, -2)
    teacher, normal = frame[:, 0], frame[:, 1]
    direction = math.cos(problem.angle0) * teacher + math.sin(problem.angle0) * normal
    return teacher, problem.radius0 * direction


def draw_samples(
    problem: ScaleInvariant, teachers: np.ndarray, seeds: Sequence[int], n: int, noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """Data sets: inputs z, (S, n, d), and targets t, (S, n), of the teachers (S, d), one a seed.

    Targets of hinge-kr are the labels y, of which `noise` is 0.
    """
    import numpy as np

    inputs = np.stack([np.random.default_rng([seed, 1]).standard_normal((n, problem.d)) for seed in seeds])
    xi = np.stack([np.random.default_rng([seed, 2]).standard_normal(n) for seed in seeds])
    if problem.loss == "hinge-kr":
        labels = np.where(xi < 0, -1.0, 1.0)
        means = problem.class_mean * labels[..., None] * teachers[:, None]
        return means + problem.class_noise * inputs, labels
    h = np.einsum("snd,sd->sn", inputs, teachers)
    clean = (h**2 - 1) / math.sqrt(2) if problem.loss == "squared-correlation" else h
    return inputs, clean + noise * xi
