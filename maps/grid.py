"""An adaptive grid: square cells, split in four where a map needs more places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from teacherstudent.maps.field import Field, Sample
from teacherstudent.maps.plane import Place

COARSE = 16
"""Cells along a side of the first grid."""

DEPTH = 4
"""Splits: the smallest cells are 1/256 of a side, below those of a grid of 200 x 200."""

UNITS = 2 ** (DEPTH + 1)
"""Parts of a first cell's side: a smallest cell has two, and so a node in its centre."""

Node = tuple[int, int]


@dataclass(frozen=True)
class Cell:
    """A square by its lower left node and its side, in units."""

    corner: Node
    side: int

    @property
    def corners(self) -> tuple[Node, Node, Node, Node]:
        """In the order of a way around."""
        (i, j), s = self.corner, self.side
        return (i, j), (i + s, j), (i + s, j + s), (i, j + s)

    @property
    def width(self) -> float:
        """Its side as a share of the axis."""
        return self.side / (COARSE * UNITS)

    @property
    def centre(self) -> Node:
        (i, j), s = self.corner, self.side
        return i + s // 2, j + s // 2

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (*self.corners, self.centre)

    @property
    def quarters(self) -> Iterator[Cell]:
        (i, j), half = self.corner, self.side // 2
        return (Cell((i + a, j + b), half) for a in (0, half) for b in (0, half))

    @property
    def ways(self) -> Iterator[tuple[Node, Node]]:
        """Between neighbouring corners, and from the centre to each corner."""
        corners = self.corners
        yield from zip(corners, (*corners[1:], corners[0]), strict=True)
        yield from ((self.centre, corner) for corner in corners)


@dataclass
class Grid:
    """Cells that cover the map, and the samples at their nodes."""

    cells: list[Cell]
    samples: dict[Node, Sample] = field(default_factory=dict)

    @classmethod
    def coarse(cls) -> Grid:
        sides = range(0, COARSE * UNITS, UNITS)
        return cls([Cell((i, j), UNITS) for i in sides for j in sides])

    def fill(self, mapped: Field, cells: Iterable[Cell]) -> None:
        """Sample the nodes of these cells that have no sample yet, all at once."""
        missing = [node for cell in cells for node in cell.nodes if node not in self.samples]
        nodes = list(dict.fromkeys(missing))
        found = mapped.samples([place_of(node) for node in nodes]) if nodes else []
        self.samples.update(zip(nodes, found, strict=True))

    def split(self, mapped: Field, cells: Iterable[Cell]) -> None:
        """Replace cells by their quarters, once these are sampled."""
        gone = dict.fromkeys(cells)
        quarters = [quarter for cell in gone for quarter in cell.quarters]
        self.fill(mapped, quarters)
        self.cells = [cell for cell in self.cells if cell not in gone] + quarters


def place_of(node: Node) -> Place:
    """The place of a node."""
    side = COARSE * UNITS
    return node[0] / side, node[1] / side
