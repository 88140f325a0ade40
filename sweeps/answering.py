"""Answers tasks in one process: cell by cell, or many cells in one call of the route."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.house.answers import Shapes, ask_route, checked_answer
from teacherstudent.house.certainty import recorded_doubts
from teacherstudent.house.declarations import Route, load
from teacherstudent.house.errors import InputError
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.machine import memory_for_question
from teacherstudent.house.memory import NUMBER, groups_that_fit, need_of
from teacherstudent.sweeps.cells import Cell
from teacherstudent.sweeps.store import UNDRAWN, Answer, Row, packed

ON_ACCELERATOR = 256
"""Cells in one call on a GPU: enough to fill it, but few, since a killed worker loses them."""

BY_THEORY = 256
"""Cells of a theory in one call, whose arrays share what a call costs."""

_ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads, and one question may fill the memory that it has."""


Piece = list[list[Row]]
"""The rows of some tasks, one list for each task."""


@dataclass(frozen=True)
class Task:
    """The missing part of a cell: the draws in `seeds`, or (UNDRAWN,).

    shapes: what the route owes to the question (`house.answers.expected_shapes`); a worker may not know the
    problem.
    """

    cell: Cell
    times: np.ndarray
    seeds: tuple[int, ...]
    shapes: Shapes

    @property
    def drawn(self) -> bool:
        return self.seeds != (UNDRAWN,)


def answered(tasks: Iterable[Task], batch: int | None = None) -> Generator[Piece]:
    """The rows of each task, in order, in pieces of tasks that were answered together.

    A task is taken when its turn has come, so that there may be more than memory holds.
    batch: number of tasks that a route with a `batch` function answers in one call; None: `BY_THEORY`, of
    simulations one on a CPU and `ON_ACCELERATOR` elsewhere.
    """
    for route, group in itertools.groupby(tasks, key=lambda task: task.cell.route):
        for some in batched(group, at_once(route, batch)):
            with _ONE_AT_A_TIME:
                piece = run_interruptibly(partial(_many, some))
            yield piece


def at_once(route: Route, batch: int | None) -> int:
    """Number of tasks of a route that are answered in one call on this machine."""
    if not route.batch:
        return 1
    if batch is None and not route.sampled:
        return BY_THEORY
    if batch is None:
        route.function()  # sets JAX up, and says where it finds no processor
        import jax

        return 1 if jax.default_backend() == "cpu" else ON_ACCELERATOR
    return batch


def batched(tasks: Iterable[Task], size: int) -> Iterator[tuple[Task, ...]]:
    """Runs of `size` tasks, the last one shorter."""
    rest = iter(tasks)
    while batch := tuple(itertools.islice(rest, size)):
        yield batch


def _one(task: Task) -> list[Row]:
    """Answer one cell. If the route refuses it, the answer is NaN with a reason."""
    point, seeds = task.cell.point, task.seeds if task.drawn else None
    with recorded_doubts() as caught:
        try:
            arrays = ask_route(task.cell.route, task.shapes, point.instance, task.times, point.options, seeds)
        except InputError as error:
            return [packed(task.cell.key, seed, Answer({}, str(error))) for seed in task.seeds]
    return _rows(task, arrays, caught)


def _many(tasks: Sequence[Task]) -> Piece:
    """Answer many cells of one route in one call; one by one if it refuses any of them or breaks down."""
    if len(tasks) == 1:
        return [_one(tasks[0])]
    points, route = [task.cell.point for task in tasks], tasks[0].cell.route
    try:
        if tasks[0].drawn and any(len(_groups(task)) > 1 for task in tasks):
            return [_one(task) for task in tasks]
        if not tasks[0].drawn and sum(map(_bytes, tasks)) > memory_for_question():
            half = len(tasks) // 2
            return [*_many(tasks[:half]), *_many(tasks[half:])]
        answers = iter(
            load(route.batch)(
                [point.instance for point in points],
                tasks[0].times,
                options=[point.options for point in points],
                seeds=[task.seeds for task in tasks],
            )
        )
        rows = []
        for task in tasks:
            leading = (len(task.seeds), task.times.size) if task.drawn else (task.times.size,)
            with recorded_doubts() as caught:
                arrays = checked_answer(route, task.shapes, leading, partial(next, answers, None))
            rows.append(_rows(task, arrays, caught))
    except (InputError, ArithmeticError, np.linalg.LinAlgError):
        return [_one(task) for task in tasks]
    return rows


def _groups(task: Task) -> list[Sequence[int] | None]:
    """The draws of a task in groups that fit in memory. Raises `InputError` where not one does."""
    point, seeds = task.cell.point, task.seeds if task.drawn else None
    return groups_that_fit(task.cell.route, task.shapes, point.instance, task.times, point.options, seeds)


def _bytes(task: Task) -> float:
    """What a task that draws nothing holds."""
    point = task.cell.point
    need = need_of(task.cell.route, task.shapes, point.instance, task.times, point.options)
    answer = sum(math.prod(shape) for shape in task.shapes.values()) * task.times.size
    return NUMBER * (answer + need.numbers(times=task.times.size, seeds=1, **need.sizes))


def _rows(task: Task, arrays: Mapping[str, np.ndarray], said: list[str]) -> list[Row]:
    """One row for each draw; the warnings explain those that hold NaN."""
    draws = (
        [{name: values[i] for name, values in arrays.items()} for i in range(len(task.seeds))]
        if task.drawn
        else [arrays]
    )
    why = "; ".join(said)
    return [
        packed(task.cell.key, seed, Answer(draw, "" if _finite(draw) else why))
        for seed, draw in zip(task.seeds, draws, strict=True)
    ]


def _finite(arrays: Mapping[str, np.ndarray]) -> bool:
    return all(np.isfinite(values).all() for values in arrays.values())
