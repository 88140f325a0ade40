"""Tasks on the workers of a running Dask scheduler.

Tasks are sent in batches of about `SECONDS` of work, so that scheduling costs little and a killed worker
loses little. Dask gives the batches of a dead worker to others.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import pickle
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from operator import length_hint
from typing import TypeVar

from distributed import Client, Future, KilledWorker, as_completed
from distributed.client import FutureCancelledError
from distributed.comm import connect
from distributed.security import Security

from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.outside import with_system
from teacherstudent.house.outside.announced import owner_of
from teacherstudent.sweeps.answering import Piece, Task, at_once
from teacherstudent.sweeps.local import SECONDS, timed

T = TypeVar("T")

QUEUED = 2
"""Batches for each worker: one running, one waiting."""

PATIENCE = "10s"
"""Time that a scheduler may take to answer."""

PROTECTED = ("tls://", "inproc://")
"""Protocols by which only those can reach a scheduler who may: with a certificate, or in this process."""


class UnprotectedWarning(UserWarning):
    """Others who reach the scheduler can run code on its workers and read what is sent."""


def on_cluster(tasks: Iterator[Task], *, scheduler: str, batch: int | None) -> Generator[Piece]:
    """The rows of each task, in pieces, as they are finished.

    tasks: taken when a worker is free, so that there may be more than memory holds. scheduler: its address;
    for `tls://` Dask's own configuration names the certificates. Any other is used with an
    `UnprotectedWarning`. Raises `InputError` if the scheduler does not answer or goes away, and if several
    workers in turn die on the same batch.
    """
    # Never the default client: xarray would write files through it, even after it failed.
    with _quiet(), _joined(scheduler) as client:
        if not scheduler.startswith(PROTECTED):
            warnings.warn(
                f"--scheduler {in_short(scheduler)}: without TLS, anybody who reaches this address can run "
                "code on its workers; use tls:// unless you trust the network",
                UnprotectedWarning,
                stacklevel=2,
            )
        try:
            yield from _scheduled(client, tasks, batch)
        except KilledWorker:
            raise InputError(
                "scheduler",
                scheduler,
                "one whose workers survive; several died one after another on the same cells, for example "
                "because memory ran out; finished cells are stored",
            ) from None
        except (ImportError, RuntimeError) as error:
            if not _foreign(error):
                raise
            raise InputError(
                "scheduler", scheduler, "one that runs this version of teacherstudent, as its workers must"
            ) from None
        except FutureCancelledError:
            raise InputError(
                "scheduler", scheduler, "one that runs until the sweep ends; finished cells are stored"
            ) from None


def _foreign(error: Exception) -> bool:
    """Whether a machine could not read what was sent because a library is missing or of another version."""
    if isinstance(error, MissingExtra):  # of a worker: it says itself what it lacks
        return False
    return isinstance(error, ImportError) or "deserialization" in str(error)


def _scheduled(client: Client, tasks: Iterator[Task], batch: int | None) -> Iterator[Piece]:
    running, size = as_completed(loop=client.loop), 0
    least = cache(partial(_at_once, client, batch=batch))

    def top_up() -> None:
        places = QUEUED * max(1, sum(client.nthreads().values()))
        while running.count() < places and (first := next(tasks, None)):
            share = max(length_hint(tasks) // places, size // 16)  # some for every worker, to the end
            count = max(least(first.cell.route), min(size, share))
            some = [first, *itertools.islice(tasks, count - 1)]
            running.add(submitted(client, first.cell.route, partial(timed, some, batch)))

    top_up()
    for future in running:
        seconds, piece = future.result()
        size = max(1, int(len(piece) * SECONDS / seconds))
        top_up()
        yield piece


def _at_once(client: Client, route: Route, batch: int | None) -> int:
    """Number of tasks that a worker answers in one call: only the worker knows whether it has a GPU."""
    if route.batch and batch is None:
        return submitted(client, route, partial(at_once, route, None)).result()
    return at_once(route, batch)


def submitted(client: Client, route: Route, job: Callable[[], T]) -> Future:
    """The future of a job for a route. One of a folder travels with its name and the digest of its code.

    A worker reads such a job when it knows the folder, and refuses it where its files are not the same.
    """
    owner = owner_of(route.entry)
    if owner and owner.named:
        return client.submit(with_system, str(owner.folder), owner.digest, pickle.dumps(job), pure=False)
    return client.submit(job, pure=False)


def _joined(scheduler: str) -> Client:
    async def knock() -> None:  # first: a client that finds nobody complains once more when it is collected
        proofs = Security().get_connection_args("client")  # for TLS, from Dask's configuration
        await (await connect(scheduler, timeout=PATIENCE, **proofs)).close()

    try:
        with ThreadPoolExecutor(1) as elsewhere:  # a notebook has a loop of its own running here
            elsewhere.submit(lambda: asyncio.run(knock())).result()
        return Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, TypeError, ValueError, TimeoutError) as error:  # TypeError: TLS without certificates
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
