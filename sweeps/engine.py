"""Computes the cells that a store lacks: here, or on a Dask cluster.

Workers compute, the caller alone writes. A worker that dies takes only its batch with it, and
Dask gives that batch to another.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from house.domains import InputError, UnconvergedWarning
from house.running import run
from sweeps.plan import Cell, Plan
from sweeps.store import UNDRAWN, Store

BATCHES_PER_WORKER = 8
"""Few enough that scheduling costs little, enough that no worker waits for the last one."""


@dataclass(frozen=True)
class Task:
    """What one cell still lacks, with all that a worker needs to compute it."""

    problem: str
    dynamics: str
    times: np.ndarray
    cell: Cell
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Answered:
    """One cell's answers, one a seed, and why some of the numbers are NaN."""

    task: Task
    answers: list[dict[str, np.ndarray]]
    reason: str


def missing(plan: Plan, store: Store) -> list[Task]:
    """The tasks that would complete the store, each cell once."""
    sampled = {route.name: route.sampled for route in plan.routes}
    tasks = {}
    for cell in plan.cells:
        wanted = plan.seeds if sampled[cell.route] else (UNDRAWN,)
        known = store.known(cell.key, wanted)
        lacking = tuple(seed for seed in wanted if seed not in known)
        if lacking and not cell.wrong:
            tasks[cell.key] = Task(plan.problem.id, plan.dynamics, plan.times, cell, lacking)
    return list(tasks.values())


def compute(task: Task) -> Answered:
    """Answer one cell. A combination that the route refuses is an answer of NaN with its reason."""
    drawn = task.seeds != (UNDRAWN,)
    seeds: dict[str, Any] = {"seeds": task.seeds} if drawn else {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnconvergedWarning)
        try:
            answer = run(
                task.problem, task.dynamics, task.cell.route, task.times, **seeds, **task.cell.values
            )
        except InputError as error:
            return Answered(task, [{} for _ in task.seeds], str(error))
    said = [str(each.message) for each in caught if issubclass(each.category, UnconvergedWarning)]
    arrays = {name: answer[name].values for name in answer.data_vars}
    if drawn:
        return Answered(
            task,
            [{name: values[i] for name, values in arrays.items()} for i in range(len(task.seeds))],
            "; ".join(said),
        )
    return Answered(task, [arrays], "; ".join(said))


def fill(
    plan: Plan,
    store: Store,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    announce: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Compute what the store lacks, writing each cell as it arrives.

    workers: processes on this machine; scheduler: address of a running Dask scheduler instead.
    Raises `InputError` where the scheduler does not answer or the store cannot be written.
    """
    tasks = missing(plan, store)
    here = not tasks or (workers == 1 and scheduler is None)
    arriving = map(compute, tasks) if here else _on_cluster(tasks, workers, scheduler)
    announce(0, len(tasks))
    for done, answered in enumerate(arriving, start=1):
        store.put(answered.task.cell.key, answered.task.seeds, answered.answers, answered.reason)
        announce(done, len(tasks))


def _on_cluster(tasks: Sequence[Task], workers: int, scheduler: str | None) -> Iterator[Answered]:
    """Batches of tasks on Dask, in the order in which they finish."""
    from dask.distributed import Client, LocalCluster, as_completed

    if scheduler is None:
        cluster: Any = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        )
    else:
        cluster = scheduler
    try:
        client = Client(cluster, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            "scheduler", str(scheduler), f"the address of a running Dask scheduler ({error})"
        ) from None
    try:
        count = max(1, len(client.scheduler_info()["workers"]))
        size = max(1, len(tasks) // (count * BATCHES_PER_WORKER))
        batches = [list(batch) for batch in _batched(tasks, size)]
        for future in as_completed(client.map(_compute_batch, batches, pure=False, retries=2)):
            yield from future.result()
    finally:
        client.close()
        if scheduler is None:
            cluster.close()


def _batched(tasks: Sequence[Task], size: int) -> Iterator[tuple[Task, ...]]:
    rest = iter(tasks)
    while batch := tuple(itertools.islice(rest, size)):
        yield batch


def _compute_batch(tasks: list[Task]) -> list[Answered]:
    return [compute(task) for task in tasks]
