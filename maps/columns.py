"""Places that differ in time alone: a route answers all of them at the cost of the last."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.interpolate import PchipInterpolator

from teacherstudent.maps.field import Field
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question

MANY = 9
"""Places of a column at which a line is looked for around where it is expected."""

REACH, WIDE = 0.1, 0.8
"""Half of the way over which they are spread, in units of the step that leads there; of a first step."""

STEEP = 0.1
"""Cosine of the angle to the parameter's axis below which a line is not looked for in columns."""


@runtime_checkable
class Columnar(Protocol):
    """A field that answers a whole column as cheaply as one place of it."""

    def ahead(self, places: Sequence[Place]) -> None:
        """Be told of places most of which are asked for next."""
        ...


def announce_places(mapped: Field, places: Sequence[Place]) -> None:
    """Tell a field of places most of which are asked for next, where it has a use for that."""
    if places and isinstance(mapped, Columnar):
        mapped.ahead(places)


def by_column(asked: Question, places: Iterable[Place]) -> dict[float, list[Place]]:
    """Places that differ in nothing but time, of which a route is asked at once; else each by itself."""
    found: dict[float, list[Place]] = {}
    for i, place in enumerate(dict.fromkeys(places)):
        key = i if asked.plane.clock is None else place[1 - asked.plane.clock]
        found.setdefault(key, []).append(place)
    return found


@dataclass(frozen=True)
class Columns:
    """Looks for a line of equal value column by column, where it does not run along them.

    clock: which coordinate of a place is the time.
    """

    mapped: Field
    level: float
    clock: int

    def onward(self, here: Place, step: float, heading: float, below: int, wide: bool) -> Place | None:
        """Where the line goes on after a step from a point of it; None where that is not certain.

        below: 1 where values below the level lie on the line's left, -1 where they lie on its right.
        wide: whether the heading is hardly known. The value is interpolated between places so close that it
        is about straight between them.
        """
        way = math.cos(heading), math.sin(heading)
        before, share = here[1 - self.clock], way[1 - self.clock]
        column = min(max(before + step * share, 0.0), 1.0)
        if abs(share) < STEEP or column == before:
            return None
        reached = (column - before) / share
        middle = here[self.clock] + reached * way[self.clock]
        spread = (WIDE if wide else REACH) * reached / abs(share)
        times = middle + spread * np.linspace(-1, 1, MANY)
        if times[0] < 0 or times[-1] > 1:
            return None
        found = self.mapped.samples([self._place(column, float(time)) for time in times])
        values = np.array([each.value for each in found]) - self.level
        later_is_left = way[0] > 0 if self.clock == 1 else way[1] < 0
        signs = np.diff(np.sign(values if later_is_left == (below < 0) else -values))
        if not np.isfinite(values).all() or np.count_nonzero(signs) != 1 or signs.sum() != 2:
            return None
        roots = PchipInterpolator(times, values).roots(extrapolate=False)
        return self._place(column, float(roots[0]))

    def upright(self, across: Place) -> Place:
        """The way along a column that leads as far across a line; the same way where the line is steep."""
        squared, part = across[0] ** 2 + across[1] ** 2, across[self.clock]
        if abs(part) < STEEP * math.sqrt(squared):
            return across
        return self._place(0.0, squared / part)

    def _place(self, column: float, time: float) -> Place:
        return (time, column) if self.clock == 0 else (column, time)
