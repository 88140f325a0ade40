"""Drawn weights of `problems.committee` at step 0. Examples are drawn by whoever takes the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.problems.committee.instance import Committee

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Draws:
    """Weights at step 0, one set a seed: student w, (S, K, d), and teacher w*, (S, M, d)."""

    student: np.ndarray
    teacher: np.ndarray


def draw(problem: Committee, seeds: Sequence[int]) -> Draws:
    """Draw weights whose overlaps are those of the problem, in directions that are uniform.

    Where the start is random the student's weights are N(0, init^2), and only T is as given. Raises
    `InputError` where d is less than the units of both networks.
    """
    import numpy as np

    problem.demand_room()

    K, M, d = problem.width, problem.teacher_width, problem.d
    random = problem.R0 is None
    gram = np.asarray(problem.T) if random else np.block(
        [[np.asarray(problem.T), np.asarray(problem.R0).T], [np.asarray(problem.R0), np.asarray(problem.Q0)]]
    )  # fmt: skip
    columns = [np.random.default_rng([seed, 0]).standard_normal((d, len(gram))) for seed in seeds]
    frames, triangles = np.linalg.qr(columns)
    # else the first numbers of a frame's columns have one sign
    frames *= np.sign(np.diagonal(triangles, axis1=-2, axis2=-1))[:, None]
    rows = np.sqrt(d) * root(gram) @ frames.swapaxes(-1, -2)
    students = rows[:, M:]
    if random:
        drawn = [np.random.default_rng([seed, 1]).standard_normal((K, d)) for seed in seeds]
        students = problem.init * np.stack(drawn)
    return Draws(students, rows[:, :M])


def root(gram: np.ndarray) -> np.ndarray:
    """A square root A of a positive semidefinite matrix, A A^T = gram."""
    import numpy as np

    values, vectors = np.linalg.eigh(gram)
    found: np.ndarray = vectors * np.sqrt(np.maximum(values, 0))
    return found
