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
    students, teachers = [], []
    for seed in seeds:
        generator = np.random.default_rng([seed, 0])
        columns = generator.standard_normal((d, len(gram)))
        frame, triangle = np.linalg.qr(columns)
        frame = frame * np.sign(np.diagonal(triangle))  # else the first numbers of its columns have one sign
        rows = np.sqrt(d) * root(gram) @ frame.T
        teachers.append(rows[:M])
        students.append(
            problem.init * np.random.default_rng([seed, 1]).standard_normal((K, d)) if random else rows[M:]
        )
    return Draws(np.stack(students), np.stack(teachers))


def root(gram: np.ndarray) -> np.ndarray:
    """A square root A of a positive semidefinite matrix, A A^T = gram."""
    import numpy as np

    values, vectors = np.linalg.eigh(gram)
    found: np.ndarray = vectors * np.sqrt(np.maximum(values, 0))
    return found
