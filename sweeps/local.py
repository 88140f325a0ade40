"""Tasks on other processes of this machine, reached through pipes (`house.processes`).

Tasks are sent in batches of about `SECONDS` of work, so that sending costs little and a killed process loses
little.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial

from teacherstudent.house.domains import InputError
from teacherstudent.house.processes import Crew, ProcessesDidNotStart, ProcessesDied, crew
from teacherstudent.sweeps.answering import Piece, Task, answered, at_once

SECONDS = 0.5
"""Duration of a batch: thousands of times the cost of sending it."""


def on_processes(tasks: Sequence[Task], *, workers: int, batch: int | None) -> Generator[Piece]:
    """The rows of each task, in pieces, as they are finished.

    Raises `InputError` if several processes in turn die on the same batch, or before they take any.
    """
    with crew(min(workers, len(tasks))) as processes:
        try:
            yield from _sent(processes, tasks, batch)
        except ProcessesDied:
            raise InputError(
                "workers",
                workers,
                "processes that survive: several died in turn on the same cells, "
                "as where memory runs out; finished cells are stored",
            ) from None
        except ProcessesDidNotStart:
            raise InputError(
                "workers",
                workers,
                "processes that start: several died before they took any work; a script that uses workers "
                'needs `if __name__ == "__main__":` around its own',
            ) from None


def _sent(processes: Crew, tasks: Sequence[Task], batch: int | None) -> Generator[Piece]:
    # asked there: this process shall not load JAX, nor take memory of a GPU
    asking = [partial(at_once, route, batch) for route in {task.cell.route for task in tasks} if route.batch]
    least = max((size for _, size in processes.answers(asking)), default=1)
    size = least

    def batches() -> Iterator[partial[tuple[float, Piece]]]:
        begun = 0
        while begun < len(tasks):
            share = max((len(tasks) - begun) // processes.size, size // 16)  # some for each, to the end
            end = begun + max(least, min(size, share))
            yield partial(timed, list(tasks[begun:end]), batch)
            begun = end

    for _, (seconds, piece) in processes.answers(batches()):
        size = max(1, int(len(piece) * SECONDS / seconds))
        yield piece


def timed(tasks: list[Task], batch: int | None) -> tuple[float, Piece]:
    """How many seconds it took to answer those tasks, and their rows."""
    begun = time.perf_counter()
    piece = list(itertools.chain.from_iterable(answered(tasks, batch)))
    return time.perf_counter() - begun, piece
