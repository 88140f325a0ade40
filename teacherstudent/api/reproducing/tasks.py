"""The pieces of a reproduction, figures and checks, and the order in which they are computed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from teacherstudent.figures import gallery
from teacherstudent.house.catalogue import PACKAGE, problems
from teacherstudent.house.reading import PAGE, file_text
from teacherstudent.paper_checks import ledger

FIRST = ("ch4-fig3", "ch2-fig3", "map-onset", "ch4-fig4", "ch4-fig5", "app-fig1", "film-rq")
"""The figures that are drawn before everything else, in an order that keeps two processes busy to the end."""

SECONDS = Path(__file__).with_name("seconds.json")
"""Seconds that each task took when all were last computed: `reproduce` writes such a file."""

UNKNOWN = 20.0
"""Seconds of a task that has not been measured."""

WORTH = 4.0
"""A figure is drawn before checks that take a fraction of at least 1/WORTH of its time: it says more."""


@dataclass(frozen=True)
class Task:
    """A figure to draw or a check to run: `kind` says which."""

    kind: str
    id: str

    @property
    def name(self) -> str:
        """What messages call it, and the files that are kept of it."""
        return f"{self.kind} {self.id}"


def tasks_of(systems: Collection[str] = ()) -> list[Task]:
    """The figures and checks of these systems, or of all systems; the first figures come first."""
    drawn = sorted(gallery.figures(), key=lambda id: FIRST.index(id) if id in FIRST else len(FIRST))
    return [
        *(Task("figure", id) for id in drawn if not systems or system_of_figure(id) in systems),
        *(
            Task("check", id)
            for id, each in ledger.checks().items()
            if not systems or each.problem in systems
        ),
    ]


def system_of_figure(id: str) -> str:
    """The id of the problem in whose folder a figure is declared; "" where that is the folder of none."""
    folders = {id.replace("-", "_"): id for id in problems()}
    return folders.get(
        gallery.figures()[id].compute.__module__.removeprefix(f"{PACKAGE}.figures.").split(".")[0], ""
    )


def measured_seconds(file: Path = SECONDS) -> dict[str, float]:
    """What tasks took, by their names: more than 0 s."""
    return {name: max(0.01, float(each)) for name, each in json.loads(file_text(file, PAGE)).items()}


def in_order(tasks: Sequence[Task], workers: int, seconds: Mapping[str, float]) -> Iterator[Task]:
    """The tasks, each when one of `workers` processes takes it.

    The first figures come before all others; then what is cheap, and a figure before a check that is only a
    little cheaper. The longest task is taken as soon as the others would not keep the other processes busy
    until it ends, so that no process is idle at the end.
    """

    def length(task: Task) -> float:
        return seconds.get(task.name, UNKNOWN)

    def rank(task: Task) -> float:
        return length(task) / (WORTH if task.kind == "figure" else 1.0)

    first = [each for each in tasks if each.kind == "figure" and each.id in FIRST]
    yield from first
    rest = sorted((each for each in tasks if each not in first), key=rank)
    while rest:
        longest = max(rest, key=length)
        task = longest if workers * length(longest) >= sum(map(length, rest)) else rest[0]
        rest.remove(task)
        yield task
