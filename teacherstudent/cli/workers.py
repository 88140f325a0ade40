"""Worker processes for independent pieces of work, known by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import click

from teacherstudent.api.sweep import WORKERS
from teacherstudent.cli.options import Declared
from teacherstudent.house import machine
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import MissingExtra

T = TypeVar("T")

workers_option = click.option(
    "--workers", type=Declared(WORKERS), default="1", metavar="N", show_default=True,
    help=f"number of processes on this machine [{WORKERS.domain.describe()}]",
)  # fmt: skip


def on_workers(
    work: Callable[[str], T], ids: Sequence[str], workers: int, announce: Callable[[str], None]
) -> Iterator[T | MissingExtra]:
    """Yield for each id, in order, the result of `work`, or an error that names what is not installed.

    A single worker is this process.

    With several workers, `work` and its results must be picklable. `announce` takes the id whose result is
    due next. Raises `InputError` if processes die repeatedly.
    """
    workers = machine.count_processes(workers, len(ids))
    if workers == 1:
        for each in ids:
            announce(each)
            yield _tried(work, each)
        return
    from teacherstudent.house.processes import ProcessesDidNotStart, ProcessesDied, worker_processes

    answers: dict[int, T | MissingExtra] = {}
    with worker_processes(workers) as processes:
        arriving = processes.answers(partial(_tried, work, each) for each in ids)
        try:
            for place, each in enumerate(ids):
                announce(each)
                while place not in answers:
                    finished, answer = next(arriving)
                    answers[finished] = answer
                yield answers.pop(place)
        except (ProcessesDied, ProcessesDidNotStart):
            raise InputError(
                "workers",
                workers,
                "processes that survive; several died one after another, for example because memory ran out",
            ) from None


def _tried(work: Callable[[str], T], id: str) -> T | MissingExtra:
    try:
        return work(id)
    except MissingExtra as missing:
        return missing
