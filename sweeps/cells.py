"""Points and cells of a sweep, in a module of their own: a worker that unpickles them loads no xarray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from teacherstudent.house.declarations import Route


@dataclass(frozen=True)
class Point:
    """One combination of values: the instance and options that they give, or why there are none."""

    values: Mapping[str, Any]
    instance: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    wrong: str = ""


@dataclass(frozen=True)
class Cell:
    """A route and a point. The key is empty if the point is invalid."""

    key: str
    route: Route
    point: Point
