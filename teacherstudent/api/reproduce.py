"""All figures and checks, computed once and kept (`teacherstudent reproduce`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from teacherstudent.api.check import outcome_fields
from teacherstudent.api.figure import picture_files
from teacherstudent.api.reproducing.results import Fields, Result, Results, file_digests, rests_on
from teacherstudent.api.reproducing.tasks import Task, in_order, measured_seconds
from teacherstudent.api.workers import answers_of
from teacherstudent.house.extras import MissingExtra
from teacherstudent.paper_checks.kept import keeping

FIGURES, KEPT, SIMULATIONS = "figures", "kept", "simulations"
"""Folders: of pictures, of kept results, and in that one of the simulations that tasks share."""


def reproduce(
    tasks: Sequence[Task], out: Path, *, fresh: bool, workers: int, begun: Callable[[Task], None]
) -> Iterator[tuple[Task, Result | MissingExtra]]:
    """Yield the result of each task as it is finished: first those that are kept, then in order.

    Pictures are written to OUT/figures, results to OUT/kept. fresh: ignore what is kept there. `begun` takes
    each task when it is begun. A task that needs a library which is not installed gives that error.
    """
    results = Results(out / KEPT, out / FIGURES)
    if fresh:
        for each in (out / KEPT / SIMULATIONS).glob("*.npz"):
            each.unlink(missing_ok=True)
    bases = {task: rests_on(task) for task in tasks}
    left = []
    for task in tasks:
        if not fresh and (found := results.find(task, bases[task])):
            yield task, found
        else:
            left.append(task)
    order: list[Task] = []

    def handed_out() -> Iterator[Task]:
        for task in in_order(left, workers, measured_seconds()):
            order.append(task)
            begun(task)
            yield task

    for place, answer in answers_of(partial(computed, out=out), handed_out(), workers, len(left)):
        task = order[place]
        if isinstance(answer, MissingExtra):
            yield task, answer
        else:
            result = Result(bases[task], *answer)
            results.keep(task, result)
            yield task, result


def computed(task: Task, *, out: Path) -> tuple[float, Fields]:
    """The seconds that a task took, and the fields of its result."""
    started = time.perf_counter()
    with keeping(out / KEPT / SIMULATIONS):
        if task.kind == "check":
            fields = outcome_fields(task.id)
        else:
            picture_files(task.id, out=out / FIGURES, format="png")
            fields = file_digests(out / FIGURES, task)
    return time.perf_counter() - started, fields
