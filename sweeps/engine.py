"""Computes the cells that are missing in a store: in this process, on others here, or on a Dask cluster.

Workers compute; only the caller writes.
"""

from __future__ import annotations

import itertools
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from teacherstudent.house.answers import expected_shapes
from teacherstudent.house.errors import in_short
from teacherstudent.house.extras import importing_extra
from teacherstudent.house.machine import count_processes
from teacherstudent.sweeps.answering import Task, answered
from teacherstudent.sweeps.cells import Cell
from teacherstudent.sweeps.local import on_processes
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import UNDRAWN, Row, Store


class Missing:
    """The tasks that complete a store, each cell once, made one by one while answers are stored.

    `operator.length_hint` says how many may still come, at most.
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        self._plan, self._store = plan, store
        self._looked_up = 0
        self._unanswered: set[str] = set()  # keys of tasks that were made and are not stored
        self._ahead: deque[Task] = deque()
        self._tasks = filter(None, map(self._task, plan.cells))

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        return self._ahead.popleft() if self._ahead else next(self._tasks)

    def __length_hint__(self) -> int:
        return len(self._ahead) + self._plan.size - self._looked_up

    @property
    def done(self) -> int:
        """The number of cells that need nothing more, as far as cells were looked up."""
        return self._looked_up - len(self._unanswered)

    def left(self, most: int) -> int:
        """The number of tasks that are left, counted up to `most`."""
        self._ahead.extend(itertools.islice(self._tasks, max(0, most - len(self._ahead))))
        return min(most, len(self._ahead))

    def put(self, rows: Sequence[Row]) -> None:
        """Store the answers of some tasks."""
        self._store.put(rows)
        self._unanswered.difference_update(key for key, *_ in rows)

    def _task(self, cell: Cell) -> Task | None:
        """What is missing of this cell; None if nothing is, or if it is on its way."""
        self._looked_up += 1
        if cell.point.wrong or cell.key in self._unanswered:
            return None
        known = self._store.known(cell.key)
        wanted = self._plan.seeds if cell.route.sampled else (UNDRAWN,)
        lacking = tuple(seed for seed in wanted if seed not in known)
        if not lacking:
            return None
        self._unanswered.add(cell.key)
        shapes = expected_shapes(self._plan.problem, cell.route, cell.point.instance, cell.point.options)
        return Task(cell, self._plan.times, lacking, shapes)


def fill(
    plan: Plan,
    store: Store,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    batch: int | None = None,
    announce: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Compute the cells that are missing in the store, and write them as they arrive.

    workers: processes on this machine; scheduler: address of a running Dask scheduler instead.
    batch: see `sweeps.answering.answered`. announce: takes how many cells of how many are done. Warns of
    answers that were damaged in the store and are computed again. Raises `InputError` if the scheduler does
    not answer or the store cannot be written; written cells are kept.
    """
    tasks = Missing(plan, store)
    left = tasks.left(workers)
    if left and scheduler is not None:
        with importing_extra(f"--scheduler {in_short(scheduler)}"):
            from teacherstudent.sweeps.cluster import on_cluster  # Dask is slow to import

        arriving = on_cluster(tasks, scheduler=scheduler, batch=batch)
    elif left and workers > 1:
        arriving = on_processes(tasks, plan.routes, workers=count_processes(workers, left), batch=batch)
    else:
        arriving = answered(tasks, batch)
    announce(tasks.done, plan.size)
    with closing(arriving):
        for piece in arriving:
            tasks.put(list(itertools.chain.from_iterable(piece)))
            announce(tasks.done, plan.size)
    if store.damaged:
        warnings.warn(f"damaged answers in {store.path}, computed again: {store.damaged}", stacklevel=2)
