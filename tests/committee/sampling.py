"""The law of the weights of committee machines at step 0, from the text of `problems/committee/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.committee import PROBLEM, Committee
from teacherstudent.problems.committee.data import draw
from tests.sampling import Drawn

INIT = 0.7
SEEDS = range(2**12)
UNIFORM = stats.uniform(-np.sqrt(3), 2 * np.sqrt(3))
"""A coordinate of a vector that is uniform on the sphere |w|^2 = 3 of three dimensions (Archimedes)."""


def _of(d: int, width: int, teacher_width: int, **start: object) -> Committee:
    found: Committee = PROBLEM.instance(width=width, teacher_width=teacher_width, d=d, **start)
    return found


DRAWN = (
    # start exact: directions are uniform, of the teacher and of the student across it
    Drawn(
        draw, "teacher", UNIFORM, lambda: draw(_of(3, 1, 1, init=1.0, overlap=0.0), SEEDS).teacher[:, 0, 0]
    ),
    Drawn(
        draw,
        "student",
        UNIFORM,
        lambda: draw(_of(3, 1, 1, init=1.0, overlap=0.0), range(2**12, 2**13)).student[:, 0, 0],
    ),
    # start random: the student's weights are N(0, init^2), whatever the teacher
    Drawn(
        draw,
        "random student",
        stats.norm(0, INIT),
        lambda: draw(_of(2**14, 2, 1, init=INIT, start="random"), range(8)).student,
    ),
)
