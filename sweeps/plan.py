"""From ranges of parameters to cells: each cell one question, named by its content.

A cell's key is a digest of everything that its answer depends on (problem, resolved instance,
dynamics and its options, route, version of the route's formula, times), so that the same
question is recognised whatever grid it belongs to.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from house.catalogue import find_problem, find_route
from house.declarations import Parameter, Problem, Route, resolve
from house.domains import InputError, Span, Whole
from house.running import time_grid


@dataclass(frozen=True)
class Cell:
    """One question: a route and the values of all parameters that were given."""

    key: str
    route: str
    values: Mapping[str, Any]
    wrong: str = ""
    """Why the question cannot be asked, where the combination of values is invalid."""


@dataclass(frozen=True)
class Plan:
    """A sweep: which routes, which values are fixed, which run along an axis.

    `axes` maps each swept parameter to its values; with `points` the swept parameters vary
    together along one axis called `point`.
    """

    problem: Problem
    dynamics: str
    routes: tuple[Route, ...]
    times: np.ndarray
    fixed: Mapping[str, Any]
    axes: Mapping[str, tuple[Any, ...]]
    points: bool = False
    seeds: tuple[int, ...] = field(default=())

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the swept axes."""
        lengths = tuple(len(values) for values in self.axes.values())
        return lengths[:1] if self.points else lengths

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, routes outermost, then the axes in the order given."""
        combinations = (
            zip(*self.axes.values(), strict=True) if self.points else itertools.product(*self.axes.values())
        )
        swept = [dict(zip(self.axes, each, strict=True)) for each in combinations]
        return tuple(self._cell(route, {**self.fixed, **values}) for route in self.routes for values in swept)

    def _cell(self, route: Route, values: dict[str, Any]) -> Cell:
        clock = self.problem.on_clock(self.dynamics)
        own = {option.name for option in clock.options}
        try:
            instance = self.problem.instance(**{k: v for k, v in values.items() if k not in own})
            options = resolve(clock.options, {k: v for k, v in values.items() if k in own}, self.dynamics)
        except InputError as error:
            return Cell(
                _digest([route.id, route.version, values, self.times.tolist()]),
                route.name,
                values,
                str(error),
            )
        content = [route.id, route.version, vars(instance), options, self.times.tolist()]
        return Cell(_digest(content), route.name, values)


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:32]


def plan(
    problem: str,
    *,
    dynamics: str,
    route: str | Sequence[str],
    times: Span | Sequence[float],
    seeds: Sequence[int] = (),
    points: Path | None = None,
    **values: Any,
) -> Plan:
    """Lay out a sweep. `values` that are a `Span` or a list become axes, the others are fixed.

    `points` is a CSV file whose header names parameters and whose rows are the points, instead
    of axes. Raises `InputError` for unknown names and values outside their domains, but not for
    single combinations that contradict each other: those become cells that say why.
    """
    kind = find_problem(problem)
    clock = kind.on_clock(dynamics)
    names = [route] if isinstance(route, str) else list(route)
    routes = tuple(find_route(kind, dynamics, name) for name in names)
    known = {each.name: each for each in (*kind.parameters, *clock.options)}
    fixed, axes = {}, {}
    for name, value in values.items():
        if name not in known:
            raise InputError(
                name, value, f"one of the options of {problem} under {dynamics}: {', '.join(known)}"
            )
        if isinstance(value, Span | list | np.ndarray):
            axes[name] = axis(known[name], value)
        else:
            fixed[name] = known[name].check(value)
    if points is not None:
        if axes:
            raise InputError("points", str(points), f"given without ranges: {', '.join(axes)}")
        axes = _read_points(points, known)
    if not axes:
        raise InputError(
            "points", "(missing)", "given, or at least one parameter a range LO:HI:COUNT[:log|lin]"
        )
    sampled = [each for each in routes if each.sampled]
    if sampled and not seeds:
        raise InputError("seeds", "(missing)", f"given: route {sampled[0].name} is sampled")
    grid = time_grid(clock, times)
    return Plan(
        kind, dynamics, routes, grid, fixed, axes, points is not None, tuple(seeds) if sampled else ()
    )


def axis(parameter: Parameter, value: Span | Sequence[Any] | np.ndarray) -> tuple[Any, ...]:
    """The values along one axis, each checked; whole numbers are rounded and repeats dropped."""
    listed = list(value.values()) if isinstance(value, Span) else list(value)
    if isinstance(parameter.domain, Whole):
        listed = sorted({round(each) for each in listed})
    return tuple(parameter.check(each) for each in listed)


def _read_points(path: Path, known: Mapping[str, Parameter]) -> dict[str, tuple[Any, ...]]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError("points", str(path), f"a readable CSV file ({error})") from None
    header = list(rows[0]) if rows else []
    for name in header or ["(empty)"]:
        if name not in known:
            raise InputError("points", f"{path}: column {name}", f"one of {', '.join(known)}")
    if any(None in row or None in row.values() for row in rows):
        raise InputError(
            "points", str(path), "a CSV file with as many values in each row as names in the header"
        )
    return {name: tuple(known[name].parse(row[name]) for row in rows) for name in header}
