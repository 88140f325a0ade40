"""Tasks on a Dask cluster: processes of this machine, or the workers of a running scheduler.

Tasks are sent in batches of about `SECONDS` of work, so that scheduling costs little and a killed worker
loses little. Dask gives the batches of a dead worker to others.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import signal
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import dask
from dask.distributed import Client, KilledWorker, LocalCluster, Worker, WorkerPlugin, as_completed
from distributed.client import FutureCancelledError
from distributed.comm import connect

from teacherstudent.house import machine
from teacherstudent.house.declarations import Route
from teacherstudent.house.domains import InputError
from teacherstudent.sweeps.answering import Piece, Task, answered, at_once

SECONDS = 0.5
"""Duration of a batch: a thousand times the cost of scheduling it."""

QUEUED = 2
"""Batches for each worker: one running, one waiting."""

PATIENCE = "10s"
"""Time that a scheduler may take to answer."""

ENVIRONMENT = "distributed.nanny.pre-spawn-environ"

SETTINGS = {
    # By default Dask workers return freed memory at once; allocating 100 kB then costs as much as summing it.
    f"{ENVIRONMENT}.MALLOC_TRIM_THRESHOLD_": 2**28,
    f"{ENVIRONMENT}.MALLOC_MMAP_THRESHOLD_": 2**25,
    "distributed.worker.profile.enabled": False,  # takes a tenth of the time
}
"""Dask's settings for workers that do nothing else."""


def on_cluster(
    tasks: Sequence[Task], *, workers: int, scheduler: str | None, batch: int | None
) -> Generator[Piece]:
    """The rows of each task, in pieces, as they are finished.

    Raises `InputError` if the scheduler does not answer or goes away, and if several workers in turn
    die on the same batch.
    """
    with _client(machine.processes(workers, len(tasks)), scheduler) as client:
        try:
            yield from _scheduled(client, tasks, batch)
        except KilledWorker:
            raise InputError(
                "workers" if scheduler is None else "scheduler",
                scheduler or workers,
                "processes that survive: several died in turn on the same cells, "
                "as where memory runs out; finished cells are stored",
            ) from None
        except (ImportError, RuntimeError) as error:
            if scheduler is None or not _foreign(error):
                raise
            raise InputError(
                "scheduler", scheduler, "one that has, with all its workers, this version of teacherstudent"
            ) from None
        except FutureCancelledError:
            raise InputError(
                "scheduler", str(scheduler), "one that stays to the end; finished cells are stored"
            ) from None


def _foreign(error: Exception) -> bool:
    """Whether a machine could not read what was sent because a library is missing or of another version."""
    return isinstance(error, ImportError) or "deserialization" in str(error)


def _scheduled(client: Client, tasks: Sequence[Task], batch: int | None) -> Iterator[Piece]:
    least = max(_at_once(client, route, batch) for route in {task.cell.route for task in tasks})
    running, begun, size = as_completed(loop=client.loop), 0, least

    def top_up() -> None:
        nonlocal begun
        places = QUEUED * max(1, sum(client.nthreads().values()))
        while begun < len(tasks) and running.count() < places:
            share = max((len(tasks) - begun) // places, size // 16)  # some for every worker, to the end
            end = begun + max(least, min(size, share))
            running.add(client.submit(_timed, list(tasks[begun:end]), batch, pure=False))
            begun = end

    top_up()
    for future in running:
        seconds, piece = future.result()
        size = max(1, int(len(piece) * SECONDS / seconds))
        top_up()
        yield piece


def _at_once(client: Client, route: Route, batch: int | None) -> int:
    """Number of tasks that a worker answers in one call: only the worker knows whether it has a GPU."""
    if route.batch and batch is None:
        return client.submit(at_once, route, None, pure=False).result()
    return at_once(route, batch)


def _timed(tasks: list[Task], batch: int | None) -> tuple[float, Piece]:
    begun = time.perf_counter()
    piece = list(itertools.chain.from_iterable(answered(tasks, batch)))
    return time.perf_counter() - begun, piece


class Undisturbed(WorkerPlugin):
    """Ignores Ctrl-C, which a terminal sends to all processes: the one that writes the store handles it.

    A worker that is closed while it computes ends at once: nobody waits for the result.
    """

    def setup(self, worker: Worker) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def teardown(self, worker: Worker) -> None:
        if worker.active_threads:
            os._exit(0)


@contextmanager
def _client(workers: int, scheduler: str | None) -> Iterator[Client]:
    """A client of that scheduler, or of processes started for it on this machine's local address.

    Never the default client: xarray would write files through it, even after it failed.
    """
    if scheduler is None:
        with (
            _quiet(),
            dask.config.set({**SETTINGS, f"{ENVIRONMENT}.{machine.WORKERS}": workers}),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # None would still take port 8787
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            client.register_plugin(Undisturbed())
            yield client
        return
    with _quiet(), _joined(scheduler) as client:
        yield client


def _joined(scheduler: str) -> Client:
    async def knock() -> None:  # first: a client that finds nobody complains once more when it is collected
        await (await connect(scheduler, timeout=PATIENCE)).close()

    try:
        with ThreadPoolExecutor(1) as elsewhere:  # a notebook has a loop of its own running here
            elsewhere.submit(lambda: asyncio.run(knock())).result()
        return Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            "scheduler", scheduler, f"the address of a running Dask scheduler ({error})"
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences the log of Dask; errors are raised to the caller."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
