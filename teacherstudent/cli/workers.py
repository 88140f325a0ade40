"""Worker processes for independent pieces of work, known by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import click

from teacherstudent.api.sweep import WORKERS
from teacherstudent.cli.grammar import Declared

T = TypeVar("T")

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
    if workers == 1 or len(ids) == 1:
        for each in ids:
            announce(each)
            yield work(each)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, not forked: JAX's threads do not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(work, each) for each in ids]
        try:
            for each, future in zip(ids, futures, strict=True):
                announce(each)
                yield future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
