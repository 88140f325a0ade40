"""An instance of the committee machine, and how it is built from validated values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.committee.overlaps import (
    Rows,
    demand_joint,
    demand_size,
    diagonal,
    gram,
    shaped,
    typed,
)

OVERLAP = 0.01
"""Overlap R_ii at step 0 where none is given: some, for without any the limit never leaves the plateau."""


@dataclass(frozen=True)
class Committee:
    """K units learn from M; all fields validated: build it through `PROBLEM.instance`.

    second_layer: v at step 0, (K,). teacher_second_layer: v*, (M,). T: (M, M). R0: (K, M) and Q0: (K, K) at
    step 0; None where the student's weights are drawn from N(0, init^2).
    """

    width: int
    teacher_width: int
    d: int
    activation: str | UserFunction
    learning_rate: float
    second_layer_learning_rate: float
    noise: float
    weight_decay: float
    second_layer_weight_decay: float
    init: float
    second_layer: tuple[float, ...]
    teacher_second_layer: tuple[float, ...]
    T: Rows
    R0: Rows | None
    Q0: Rows | None

    def demand_room(self) -> None:
        """Raise `InputError` where the weights of both networks cannot be drawn in any directions."""
        units = self.width + self.teacher_width
        if self.d < units:
            raise InputError(
                "d", self.d, f"at least {units}, the number of units of both networks, to draw weights"
            )

    def demand_decay(self) -> None:
        """Raise `InputError` where a step's weight decay takes weights to 0 or beyond."""
        for name in ("weight_decay", "second_layer_weight_decay"):
            if not getattr(self, name) < self.d:
                raise InputError(
                    name, getattr(self, name), f"below d = {self.d}: a step multiplies weights by 1 - decay/d"
                )


def build(
    *,
    width: int,
    teacher_width: int,
    d: int,
    activation: str | UserFunction,
    learning_rate: float,
    second_layer_learning_rate: float,
    noise: float,
    weight_decay: float,
    second_layer_weight_decay: float,
    start: str,
    init: float,
    overlap: float | None,
    student_overlaps: Rows | None,
    initial_overlaps: Rows | None,
    teacher_overlaps: Rows | None,
    initial_second_layer: tuple[float, ...] | None,
    teacher_second_layer: tuple[float, ...] | None,
) -> Committee:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    K, M = width, teacher_width
    T = gram("teacher_overlaps", teacher_overlaps or diagonal(M, M, 1.0), M)
    outer = _each("teacher_second_layer", teacher_second_layer, M)
    for name, rows in (("teacher_overlaps", T), ("teacher_second_layer", (outer,))):
        if not any(map(any, rows)):
            raise InputError(
                name, typed(rows), "nonzero in at least one unit: otherwise there is nothing to learn"
            )
    for name, size in (("init", init), ("overlap", overlap or 0.0)):
        demand_size(name, size)
    Q0 = gram("student_overlaps", student_overlaps or diagonal(K, K, init**2), K)
    if activation == "relu" and not all(Q0[i][i] for i in range(K)):
        name, given = ("init", init) if student_overlaps is None else ("student_overlaps", Q0)
        raise InputError(name, typed(given), "above 0 in every unit for relu, which has no slope at 0")
    if start == "random":
        of_start: dict[str, float | Rows | None] = {
            "overlap": overlap, "initial_overlaps": initial_overlaps, "student_overlaps": student_overlaps,
        }  # fmt: skip
        for name, value in of_start.items():
            if value is not None:
                raise InputError(name, typed(value), "left out with --start random, which draws the student")
        R0 = None
    else:
        X0 = usual_overlap(T, Q0) if overlap is None else overlap
        R0 = shaped("initial_overlaps", initial_overlaps or diagonal(K, M, X0), K, M)
        demand_joint(T, R0, Q0, *(("initial_overlaps", R0) if initial_overlaps else ("overlap", X0)))
    return Committee(
        width,
        teacher_width,
        d,
        activation,
        learning_rate,
        second_layer_learning_rate,
        noise,
        weight_decay,
        second_layer_weight_decay,
        init,
        _each("initial_second_layer", initial_second_layer, width),
        outer,
        T,
        R0,
        Q0 if R0 else None,
    )


def usual_overlap(T: Rows, Q0: Rows) -> float:
    """Overlap R_ii at step 0 where none is given: OVERLAP, or less where vectors of these overlaps have less.

    The largest X for which X I is possible is at least the root of the product of least eigenvalues; where
    vectors depend on each other linearly that is none.
    """
    import numpy as np

    least = [max(0.0, float(np.linalg.eigvalsh(np.array(each))[0])) for each in (T, Q0)]
    return min(OVERLAP, float(np.sqrt(least[0]) * np.sqrt(least[1])) / 2)


def remarks(problem: Committee) -> str:
    """What is read otherwise than it may be meant: the clock of weight decay, and a start that is drawn."""
    said = []
    if problem.weight_decay or problem.second_layer_weight_decay:
        said.append("weight decay is per unit of time and is not multiplied by the learning rate")
    if problem.R0 is None:
        said.append(
            "--start random: drawn weights have overlaps of order 1/sqrt(d) with the teacher; in the limit "
            "d -> infinity these overlaps are 0, so theory never leaves the plateau if all units are equal"
        )
    elif problem.width > 1 and not any(map(any, problem.R0)):
        said.append(
            "all overlaps with the teacher are 0 at step 0, so theory never leaves the plateau if "
            "units are equal"
        )
    return "; ".join(said)


def derived(problem: Committee) -> Mapping[str, Any]:
    """The start and the networks where none are given."""
    start = {} if problem.R0 is None else {"overlap": problem.R0[0][0]}
    layers = {
        "initial_second_layer": problem.second_layer,
        "teacher_second_layer": problem.teacher_second_layer,
    }
    return {**start, "teacher_overlaps": problem.T, **layers}


def coordinates(problem: Committee) -> Mapping[str, Any]:
    """Units are numbered from 1."""

    def numbered(axis: str, count: int, name: str) -> tuple[str, list[int], dict[str, str]]:
        return axis, list(range(1, count + 1)), {"units": "1", "long_name": name}

    return {
        "unit": numbered("unit", problem.width, "unit of the student"),
        "other_unit": numbered("other_unit", problem.width, "unit of the student"),
        "teacher_unit": numbered("teacher_unit", problem.teacher_width, "unit of the teacher"),
    }


def _each(name: str, values: tuple[float, ...] | None, count: int) -> tuple[float, ...]:
    """One value for each unit, the same for all where one is given. Raises `InputError`."""
    given = values or (1.0,)
    if len(given) not in (1, count):
        raise InputError(name, typed((given,)), f"one number, or {count}: one for each unit")
    return given * count if len(given) == 1 else given
