"""Worker processes for independent pieces of work, known by their ids."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from teacherstudent.api.sweep import WORKERS
from teacherstudent.cli.grammar import Declared
from teacherstudent.cli.interruption import heeded
from teacherstudent.house import machine

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that a process which is asked to end may take for it."""

workers_option = click.option(
    "--workers", type=Declared(WORKERS), default="1", metavar="N", show_default=True,
    help=f"processes on this machine [{WORKERS.domain.describe()}]",
)  # fmt: skip


def on_workers(
    work: Callable[[str], T], ids: Sequence[str], workers: int, announce: Callable[[str], None]
) -> Iterator[T]:
    """The result of `work` for each id, in order; with one worker in this process, else in others.

    `work` and its results must be picklable where there are several workers. `announce` is told
    each id when its result is waited for.
    """
    workers = machine.processes(workers, len(ids))
    if workers == 1:
        for each in ids:
            announce(each)
            yield work(each)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    others = set(multiprocessing.active_children())
    # Spawned, not forked: JAX's threads do not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        with _deaf_to_ctrl_c():
            futures = [pool.submit(_worked, work, each, workers) for each in ids]
        try:
            for each, future in zip(ids, futures, strict=True):
                announce(each)
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            _end(set(multiprocessing.active_children()) - others)
            raise


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started inside the block never hear Ctrl-C; this one hears it at the block's end.

    A terminal sends it to all processes, but one is enough to answer it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(processes: Collection[BaseProcess]) -> None:
    """End these processes now: asked first, so that they leave no unfinished file behind."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + PATIENCE
    for process in processes:
        process.join(max(0, deadline - time.monotonic()))
        process.kill()


def _worked(work: Callable[[str], T], each: str, workers: int) -> T:
    """What one of so many worker processes makes of one id; asked to end, it tidies up first."""
    os.environ[machine.WORKERS] = str(workers)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with heeded(signal.SIGTERM):
            return work(each)
    except KeyboardInterrupt:
        os._exit(0)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
