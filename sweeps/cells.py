"""What a sweep is made of, in a module of its own: a worker that unpickles it loads no xarray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from teacherstudent.house.declarations import Route


@dataclass(frozen=True)
class Point:
    """One combination of values: the instance and options that they resolve to, or what is wrong."""

    values: Mapping[str, Any]
    instance: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    wrong: str = ""


@dataclass(frozen=True)
class Cell:
    """One question: a route and a point. The key is empty where the question cannot be asked."""

    key: str
    route: Route
    point: Point
