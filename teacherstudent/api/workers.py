"""Independent pieces of work on worker processes of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from teacherstudent.house import machine
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import MissingExtra

T = TypeVar("T")
U = TypeVar("U")


def answers_of(
    work: Callable[[U], T], pieces: Iterable[U], workers: int, count: int
) -> Iterator[tuple[int, T | MissingExtra]]:
    """Yield the place of each piece and the result of `work`, or an error that names what is not installed.

    A single worker is this process. With several, results come as they are finished, a piece is taken when a
    process is free, and `work`, pieces and results must be picklable. `count` is the number of pieces. Raises
    `InputError` if processes die repeatedly.
    """
    workers = machine.count_processes(workers, count)
    if workers == 1:
        for place, each in enumerate(pieces):
            yield place, _tried(work, each)
        return
    from teacherstudent.house.processes import ProcessesDidNotStart, ProcessesDied, worker_processes

    with worker_processes(workers) as processes:
        try:
            yield from processes.answers(partial(_tried, work, each) for each in pieces)
        except (ProcessesDied, ProcessesDidNotStart):
            raise InputError(
                "workers",
                workers,
                "processes that survive; several died one after another, for example because memory ran out",
            ) from None


def _tried(work: Callable[[U], T], piece: U) -> T | MissingExtra:
    try:
        return work(piece)
    except MissingExtra as missing:
        return missing
