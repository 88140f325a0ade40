"""A map of descents with its boundaries against a count at every node of an even grid.

The even grid shows a boundary to the width of its cells and no better; the map solves for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.house import catalogue
from teacherstudent.house.theory_queries import ask_count

if TYPE_CHECKING:
    from teacherstudent.maps.question import Question

NODES = 201
"""A side of the even grid."""
ROWS = (120, 140, 160, 180)
"""Of the nodes upwards: each is crossed by one boundary."""


def asked() -> Question:
    """Descents of gradient flow over condition number and samples per dimension."""
    from teacherstudent.maps.questions import read_map_question

    return read_map_question(
        "multiscale", x="kappa=1:100", y="alpha=0.3:3", of="descents", curve="flow", d=100, p=70
    )


def of_maps(quick: bool) -> Job:
    """The whole map, of which the first node with two descents in some rows is compared."""
    from teacherstudent.maps.answer import compute_map

    chosen = ROWS[:1] if quick else ROWS

    def ours() -> Iterable[float]:
        labels = compute_map(asked())["label"].values
        return [float((labels[row] == 2).argmax()) for row in chosen]

    return Job(ours)


def by_grid(quick: bool) -> Job:
    """A count at every node of some rows of the even grid."""
    count = catalogue.of_problem("multiscale", catalogue.counts())["flow"]
    chosen, along = (ROWS[:1] if quick else ROWS), [i / (NODES - 1) for i in range(NODES)]

    def theirs() -> Iterable[float]:
        whole = asked()
        rows = [[ask_count(count, whole.instance((x, along[row]))) for x in along] for row in chosen]
        return [float(row.index(2)) for row in rows]

    return Job(theirs, len(chosen) / NODES)


BENCHMARKS = (
    Pair(
        "phase-map",
        "number of descents over kappa and n/d on 201 x 201 nodes, with boundaries",
        Side("adaptive grid, boundaries by continuation", of_maps),
        Side("counting descents at every node", by_grid),
        within=0.01,
        why="the baseline computes about one node in a hundred",
    ),
)
