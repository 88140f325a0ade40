"""Computes the cells that are missing in a store: in this process, on others here, or on a Dask cluster.

Workers compute; only the caller writes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import closing

from teacherstudent.house.answers import owed
from teacherstudent.sweeps.answering import Task, answered
from teacherstudent.sweeps.local import on_processes
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import UNDRAWN, Store


def missing(plan: Plan, store: Store) -> list[Task]:
    """The tasks that complete the store, each cell once."""
    tasks: dict[str, Task] = {}
    for cell in plan.cells:
        if cell.point.wrong or cell.key in tasks:
            continue
        known = store.known(cell.key)
        wanted = plan.seeds if cell.route.sampled else (UNDRAWN,)
        lacking = tuple(seed for seed in wanted if seed not in known)
        if lacking:
            shapes = owed(plan.problem, cell.route, cell.point.instance, cell.point.options)
            tasks[cell.key] = Task(cell, plan.times, lacking, shapes)
    return list(tasks.values())


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
    batch: see `sweeps.answering.answered`. Raises `InputError` if the scheduler does not
    answer or the store cannot be written; written cells are kept.
    """
    tasks = missing(plan, store)
    done = 0
    announce(done, len(tasks))
    if tasks and scheduler is not None:
        from teacherstudent.sweeps.cluster import on_cluster  # Dask is slow to import

        arriving = on_cluster(tasks, scheduler=scheduler, batch=batch)
    elif tasks and workers > 1:
        arriving = on_processes(tasks, workers=workers, batch=batch)
    else:
        arriving = answered(tasks, batch)
    with closing(arriving):
        for piece in arriving:
            store.put(itertools.chain.from_iterable(piece))
            done += len(piece)
            announce(done, len(tasks))
