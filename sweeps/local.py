"""Tasks on other processes of this machine, reached through pipes (`house.processes`).

Tasks are sent in batches of about `SECONDS` of work, so that sending costs little and a killed process loses
little.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from operator import length_hint

from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.processes import (
    ProcessesDidNotStart,
    ProcessesDied,
    WorkerProcesses,
    worker_processes,
)
from teacherstudent.sweeps.answering import Piece, Task, answered, at_once

SECONDS = 0.5
"""Duration of a batch: thousands of times the cost of sending it."""


def on_processes(
    tasks: Iterator[Task], routes: Iterable[Route], *, workers: int, batch: int | None
) -> Generator[Piece]:
    """The rows of each task, in pieces, as they are finished.

    tasks: of these routes, taken when a process is free, so that there may be more than memory holds.
    Raises `InputError` if several processes in turn die on the same batch, or before they take any.
    """
    with worker_processes(workers) as processes:
        try:
            yield from _sent(processes, tasks, routes, batch)
        except ProcessesDied:
            raise InputError(
                "workers",
                workers,
                "processes that survive; several died one after another on the same cells, for example "
                "because memory ran out; finished cells are stored",
            ) from None
        except ProcessesDidNotStart:
            raise InputError(
                "workers",
                workers,
                "processes that start: several died before they took any work; a script that uses workers "
                'needs `if __name__ == "__main__":` around its code',
            ) from None


def _sent(
    processes: WorkerProcesses, tasks: Iterator[Task], routes: Iterable[Route], batch: int | None
) -> Generator[Piece]:
    # asked there: this process shall not load JAX, nor take memory of a GPU
    asking = [partial(at_once, route, batch) for route in routes if route.batch]
    least = max((size for _, size in processes.answers(asking)), default=1)
    size = least

    def batches() -> Iterator[partial[tuple[float, Piece]]]:
        for first in tasks:
            share = max(length_hint(tasks) // processes.size, size // 16)  # some for each, to the end
            count = max(least, min(size, share))
            yield partial(timed, [first, *itertools.islice(tasks, count - 1)], batch)

    for _, (seconds, piece) in processes.answers(batches()):
        size = max(1, int(len(piece) * SECONDS / seconds))
        yield piece


def timed(tasks: list[Task], batch: int | None) -> tuple[float, Piece]:
    """How many seconds it took to answer those tasks, and their rows."""
    begun = time.perf_counter()
    piece = list(itertools.chain.from_iterable(answered(tasks, batch)))
    return time.perf_counter() - begun, piece
