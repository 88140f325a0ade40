"""From ranges of parameters to cells, each named by its content.

A cell's key is a digest of everything that its answer depends on (route, version of the route's
formula, times, resolved instance, options), so the same cell is recognised in any grid.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from teacherstudent.house.answers import expected_shapes
from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.cautions import caution, of_points
from teacherstudent.house.declarations import Problem, Route
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import OrGrid, ends_of
from teacherstudent.house.rounding import describe_rounding, rounded_values
from teacherstudent.house.running import (
    demand_scheduled,
    given_values,
    instance_and_options,
    resolved,
    time_grid,
    unknown_name,
)
from teacherstudent.house.synonyms import by_name
from teacherstudent.sweeps.cells import Cell, Point
from teacherstudent.sweeps.extent import Extent
from teacherstudent.sweeps.points import read_points

MOST_POINTS = 1_000_000
"""As many as one process can answer in an hour."""

LOOKED_AT = 1000
"""Points that are looked at for values that whole counts round."""

DOUBTED = 64
"""Points of which a sweep asks whether their numbers may be off."""

Axis = tuple[Any, ...]
Axes = Mapping[str, Axis]


@dataclass(frozen=True)
class Plan:
    """A sweep: which routes, which values are fixed, which run along an axis.

    `axes` maps each swept parameter to its values; with `together` the swept parameters vary
    together, along one axis called `point`. `seeds` are for the routes that are sampled.
    """

    problem: Problem
    dynamics: str
    routes: tuple[Route, ...]
    times: np.ndarray
    fixed: Mapping[str, Any]
    axes: Axes
    together: bool = False
    seeds: tuple[int, ...] = ()

    @cached_property
    def dimensions(self) -> dict[str, Axis]:
        """The dimensions of the answer before time: `route` if there are several, then swept parameters."""
        several = {"route": tuple(route.name for route in self.routes)} if len(self.routes) > 1 else {}
        if self.together:
            return {**several, "point": tuple(range(len(next(iter(self.axes.values())))))}
        return {**several, **self.axes}

    @property
    def lengths(self) -> dict[str, int]:
        """Of the dimensions."""
        return {name: len(values) for name, values in self.dimensions.items()}

    @property
    def size(self) -> int:
        """The number of cells."""
        return math.prod(self.lengths.values())

    @property
    def cells(self) -> Iterator[Cell]:
        """Every cell, in the order of the dimensions, made one by one: there may be a million."""
        return (cell for route in self.routes for cell in self._cells(route))

    @property
    def points(self) -> Iterator[tuple[Route, Point]]:
        """The route and point of every cell."""
        return ((route, each) for route in self.routes for each in self._points(route, self.axes.values()))

    def corners(self, route: Route) -> Iterator[Point]:
        """The valid points at the ends of all axes, not all points: there may be a million."""
        ends = [values[:: max(1, len(values) - 1)] for values in self.axes.values()]
        return (point for point in self._points(route, ends) if not point.wrong)

    def extent_of_corners(self) -> Extent:
        """The observables of the cells at the ends of all axes."""
        extent = Extent()
        for route in self.routes:
            for point in self.corners(route):
                shapes = expected_shapes(self.problem, route, point.instance, point.options)
                extent.add_shapes(route.sampled, shapes)
        return extent

    def _points(self, route: Route, columns: Collection[Axis]) -> Iterator[Point]:
        kind, clock = self.problem, self.problem.on_clock(self.dynamics)
        rows = zip(*columns, strict=True) if self.together else itertools.product(*columns)
        first: tuple[dict[str, Any], dict[str, Any]] | None = None
        for row in rows:
            swept = dict(zip(self.axes, row, strict=True))
            values = {**self.fixed, **swept}
            try:
                if first is None:
                    first = resolved(kind, clock, route, self.question(route, values))
                # All points give the same names, so only the swept values, which `axis` has checked, differ.
                own, options = ({name: swept.get(name, each[name]) for name in each} for each in first)
                demand_scheduled(kind, route, options)
                yield Point(values, kind.build(**own), options)
            except InputError as error:
                yield Point(values, wrong=str(error))

    def question(self, route: Route, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a point without the options that only other routes of the sweep have."""
        own = {option.name for option in route.options}
        others = {option.name for each in self.routes for option in each.options} - own
        return {name: value for name, value in values.items() if name not in others}

    def rounded(self) -> str:
        """Which values the points have otherwise than asked, of those at most `LOOKED_AT` points."""
        route, *_ = self.routes
        own = self.problem.parameters
        names = {each.name for each in own}
        return describe_rounding(
            rounded_values(
                self.problem,
                given_values(own, {name: value for name, value in point.values.items() if name in names}),
                point.instance,
            )
            for point in itertools.islice(self._points(route, self.axes.values()), LOOKED_AT)
            if not point.wrong
        )

    def remarks(self) -> str:
        """What must be known of how the first valid point was read."""
        route, *_ = self.routes
        valid = (point for point in self._points(route, self.axes.values()) if not point.wrong)
        return next((self.problem.remarks(point.instance) for point in valid), "")

    def caution(self) -> str:
        """Why the routes say that numbers may be off: at up to `DOUBTED` points spread over the plan."""
        most = max(2, int(DOUBTED ** (1 if self.together else 1 / max(1, len(self.axes)))))
        columns = [_spread(axis, most) for axis in self.axes.values()]
        said = (
            of_points(
                (self._in_words(each), caution(route, each.instance, self.times, each.options))
                for each in self._points(route, columns)
                if not each.wrong
            )
            for route in self.routes
            if route.cautions
        )
        return "; ".join(filter(None, said))

    def _in_words(self, point: Point) -> str:
        return ", ".join(f"{name} = {point.values[name]}" for name in self.axes)

    def _cells(self, route: Route) -> Iterator[Cell]:
        shared = hashlib.sha256(_canonical([route.id, route.version, self.times.tolist()]))
        for point in self._points(route, self.axes.values()):
            whole = shared.copy()
            if not point.wrong:
                whole.update(_canonical([vars(point.instance), point.options]))
            yield Cell("" if point.wrong else whole.hexdigest()[:32], route, point)


def _spread(axis: Axis, most: int) -> Axis:
    """At most so many of the values, evenly spread, both ends among them."""
    count = min(most, len(axis))
    return tuple(axis[i * (len(axis) - 1) // max(1, count - 1)] for i in range(count))


def _canonical(content: Any) -> bytes:
    """Bytes that are equal for equal content, to the last digit of every number; names of tables are none."""
    return json.dumps(content, sort_keys=True, allow_nan=False, default=_content).encode()


def _content(value: Any) -> str:
    if isinstance(digest := getattr(value, "digest", None), str):
        return digest
    raise TypeError(f"no content of {type(value).__name__}")


def plan(
    problem: str,
    *,
    dynamics: str,
    route: str | Sequence[str],
    times: Span | Sequence[float] | np.ndarray,
    seeds: Sequence[int] = (),
    points: Path | None = None,
    **values: Any,
) -> Plan:
    """The plan of a sweep. `values` that are a `Span`, its text or a list become axes, the others are fixed.

    `points` is a CSV file whose header names parameters and whose rows are the points, instead
    of axes. Raises `InputError` for unknown names, for values outside their domains, if no point is
    valid, and where the answer does not fit in memory. Single points whose values contradict each other
    become cells that hold the reason.
    """
    kind = find_problem(problem)
    clock = kind.on_clock(dynamics)
    names = [route] if isinstance(route, str) else list(dict.fromkeys(route))
    routes = tuple(find_route(kind, dynamics, name) for name in names)
    options = [option for each in routes for option in each.options]
    known = {each.name: each for each in (*kind.parameters, *clock.options, *options)}
    values = by_name(known.values(), values)
    for name in values.keys() - known.keys():
        raise unknown_name(kind, clock, routes, name, values[name])
    fixed, axes = _sorted_out(values, known)
    if points is not None:
        if axes:
            raise InputError("points", str(points), f"given without ranges: {', '.join(axes)}")
        axes = read_points(points, known)
        for name in axes.keys() & fixed.keys():
            raise InputError(name, fixed[name], f"absent where {points} has a column {name}")
    if not axes:
        number = next((each for each in known.values() if ends_of(each.domain)), None)
        example = f", as in --{number.option} LO:HI:N" if number else ""
        domain = f"given, or at least one parameter a grid LO:HI:N or a list{example}"
        raise InputError("points", "(missing)", domain)
    count = math.prod(map(len, axes.values())) if points is None else len(next(iter(axes.values())))
    if count > MOST_POINTS:
        asked = next(iter(axes)) if points is None else "points"
        raise InputError(asked, count, f"on a grid of at most {MOST_POINTS} points in all")
    sampled = [each for each in routes if each.sampled]
    if sampled and not seeds:
        raise InputError("seeds", "(missing)", f"given: route {sampled[0].name} is sampled")
    if seeds and not sampled:
        raise InputError("seeds", len(seeds), f"absent: route {', '.join(names)} draws nothing")
    grid = time_grid(clock, times)
    whole = Plan(kind, dynamics, routes, grid, fixed, axes, points is not None, tuple(seeds))
    if all(point.wrong for _, point in whole.points):
        first = next(whole.cells)
        instance_and_options(
            kind, clock, first.route, whole.question(first.route, first.point.values)
        )  # says what is wrong
    whole.extent_of_corners().hold(whole.lengths, grid.size)
    return whole


def _sorted_out(
    values: Mapping[str, Any], known: Mapping[str, Parameter]
) -> tuple[dict[str, Any], dict[str, Axis]]:
    """Checked values by name: the fixed ones, and those that run along an axis."""
    fixed: dict[str, Any] = {}
    axes: dict[str, Axis] = {}
    for name, value in values.items():
        parameter = known[name]
        if isinstance(value, str):
            value = replace(parameter, domain=OrGrid(parameter.domain)).parse(value)
        if isinstance(value, Span) or (_listed(value) and not _one(parameter, value)):
            axes[name] = axis(parameter, value)
        else:
            fixed[name] = parameter.check(value)
    return fixed, axes


def _listed(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)


def _one(parameter: Parameter, value: Any) -> bool:
    """Whether a list is one value of this parameter."""
    try:
        parameter.check(value)
    except InputError:
        return False
    return True


def axis(parameter: Parameter, value: Span | Sequence[Any] | np.ndarray) -> Axis:
    """The values along one axis, each checked; a grid of whole numbers is rounded, without repeats.

    Raises `InputError` for a value outside the domain, given twice, or none at all, and for too many.
    """
    if isinstance(value, Span) and value.count > MOST_POINTS:
        raise InputError(parameter.name, str(value), f"on a grid of at most {MOST_POINTS} points in all")
    if isinstance(value, Span) and isinstance(parameter.domain, Whole):
        listed: list[Any] = sorted({round(each) for each in value.values()})
    else:
        listed = list(value.values()) if isinstance(value, Span) else list(value)
    checked = tuple(parameter.check(each) for each in listed)
    if not checked or len(set(checked)) < len(checked):
        raise InputError(parameter.name, listed, "one or more different values")
    return checked
