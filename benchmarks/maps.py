"""Maps with their boundaries against theory at every node of an even grid.

The even grid shows a boundary to the width of its cells and no better; the map solves for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

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


VALUES: dict[str, tuple[str, dict[str, Any]]] = {
    "stopping": ("multiscale", {"x": "kappa=1:100", "y": "alpha=0.3:3", "d": 100, "p": 70, "noise": 0.3}),
    "gain": ("random-features", {"x": "n=50:800", "y": "N=50:800", "d": 200, "noise": 0.3}),
}
"""Of which the last of `ROWS` is compared."""


def values_asked(of: str) -> Question:
    """The best stopping time, or what stopping saves."""
    from teacherstudent.maps.questions import read_map_question

    problem, given = VALUES[of]
    return read_map_question(problem, of=of, **given)


def of_values(of: str) -> Callable[[bool], Job]:
    """The whole map, of which one row is compared."""
    from teacherstudent.maps.answer import compute_map

    def ours() -> Iterable[float]:
        return [float(each) for each in compute_map(values_asked(of))["value"].values[ROWS[-1]]]

    return lambda _: Job(ours)


def by_node(of: str) -> Callable[[bool], Job]:
    """Theory's curve and its lowest point at every node of one row of the even grid."""

    def theirs() -> Iterable[float]:
        from teacherstudent.maps.fields import field_of

        mapped = field_of(values_asked(of))
        row = [mapped.samples([(i / (NODES - 1), ROWS[-1] / (NODES - 1))])[0] for i in range(NODES)]
        return [10**each.value if mapped.log else each.value for each in row]

    return lambda _: Job(theirs, 1 / NODES)


BENCHMARKS = (
    *(
        Pair(
            f"{of}-map",
            f"{of} of {VALUES[of][0]} on 201 x 201 nodes, with boundaries",
            Side("adaptive grid, interpolated where computed places confirm it", of_values(of)),
            Side("the lowest point of the curve at every node", by_node(of)),
            within=0.01,
            why="values are interpolated to a hundredth; the baseline computes one row",
        )
        for of in VALUES
    ),
    Pair(
        "phase-map",
        "number of descents over kappa and n/d on 201 x 201 nodes, with boundaries",
        Side("adaptive grid, boundaries by continuation", of_maps),
        Side("counting descents at every node", by_grid),
        within=0.01,
        why="the baseline computes about one node in a hundred",
    ),
)
