"""Worker processes for independent pieces of work, known by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import click

from teacherstudent.api.sweep import WORKERS
from teacherstudent.api.workers import answers_of
from teacherstudent.cli.options import Declared
from teacherstudent.house.extras import MissingExtra

T = TypeVar("T")

workers_option = click.option(
    "--workers", type=Declared(WORKERS), default="1", metavar="N", show_default=True,
    help=f"number of processes on this machine [{WORKERS.domain.describe()}]",
)  # fmt: skip


def on_workers(
    work: Callable[[str], T], ids: Sequence[str], workers: int, announce: Callable[[str], None]
) -> Iterator[T | MissingExtra]:
    """Yield for each id, in order, the result of `work` (`answers_of`).

    `announce` takes the id whose result is due next.
    """
    answers: dict[int, T | MissingExtra] = {}
    arriving = answers_of(work, ids, workers, len(ids))
    for place, each in enumerate(ids):
        announce(each)
        while place not in answers:
            finished, answer = next(arriving)
            answers[finished] = answer
        yield answers.pop(place)
