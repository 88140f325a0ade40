"""Places that differ in time alone: a route answers all of them at the cost of the last."""

from __future__ import annotations

from collections.abc import Iterable

from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question


def by_column(asked: Question, places: Iterable[Place]) -> dict[float, list[Place]]:
    """Places that differ in nothing but time, of which a route is asked at once; else each by itself."""
    found: dict[float, list[Place]] = {}
    for i, place in enumerate(dict.fromkeys(places)):
        key = i if asked.plane.clock is None else place[1 - asked.plane.clock]
        found.setdefault(key, []).append(place)
    return found
