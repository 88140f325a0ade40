"""What the answer of a sweep holds in memory: where it cannot fit it is refused before cells are computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from teacherstudent.house.answers import Shapes
from teacherstudent.house.memory import demand_memory

COPIES = 2
"""Times that the answer is held: by itself, and while it is written."""


@dataclass
class Extent:
    """The observables of cells, gathered cell by cell.

    shapes: of each observable along its own axes, the longest of all cells. drawn: observables that a
    sampled route gives, which come with their standard errors.
    """

    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)

    def add_shapes(self, route_draws: bool, shapes: Shapes) -> None:
        for name, shape in shapes.items():
            longest = zip(shape, self.shapes.get(name, shape), strict=True)
            self.shapes[name] = tuple(max(sizes) for sizes in longest)
        if route_draws:
            self.drawn.update(shapes)

    def hold(self, dimensions: Mapping[str, int], times: int) -> None:
        """Raise `InputError` where the answer over those dimensions does not fit; it names one to shorten."""
        each = sum(math.prod(shape) * (1 + (name in self.drawn)) for name, shape in self.shapes.items())
        routes = dimensions.get("route", 1)
        grids = {name: size for name, size in dimensions.items() if name not in ("route", "point")}
        rows = {"points": dimensions["point"]} if "point" in dimensions else {}
        demand_memory(
            {**grids, **rows, "times": times},
            lambda sizes: COPIES * each * routes * float(math.prod(sizes.values())),
            grids.keys(),
        )
