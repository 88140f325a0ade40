"""Cells combined to one dataset with the swept parameters as dimensions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.answers import expected_shapes
from teacherstudent.house.averages import mean_and_stderr
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.provenance import provenance, values_as_json
from teacherstudent.house.running import given_values
from teacherstudent.sweeps.cells import Cell
from teacherstudent.sweeps.extent import Extent
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import ANOTHER, UNDRAWN, Answer, Store

Arrays = Mapping[str, np.ndarray]


def assemble(plan: Plan, store: Store) -> xr.Dataset:
    """Every cell of the plan from a filled store.

    Dimensions: `route` if there are several, the swept parameters (or `point`), `time`
    and the observables' own. Means over seeds come with `<name>_stderr`. If an observable's own
    axis is shorter in some cells than in others, the rest of it is NaN. `reason` says for each cell why
    numbers are NaN; attribute `n_failed` counts such cells. Memory beyond the dataset's own does not grow
    with the number of cells. Raises `InputError` if the store lacks a cell or is damaged, and where the
    dataset does not fit in memory.
    """
    outline = _outlined(plan)
    outline.hold(plan.lengths, plan.times.size)  # again: a cell within the grid may be the largest
    described = _described(plan, outline)
    arrays = {
        name: np.full((plan.size, plan.times.size, *outline.shapes[of]), np.nan)
        for name, of, _, _ in described
    }
    reasons, texts = np.full(plan.size, "", dtype=object), {"": ""}
    for i, cell in enumerate(plan.cells):
        values, reason = _collected(plan, cell, store)
        reasons[i] = texts.setdefault(reason, reason)
        for name, each in values.items():
            whole = tuple(map(slice, each.shape))
            arrays[name][i][whole] = each
    lengths = list(plan.lengths.values())
    variables: dict[str, Any] = {
        name: (
            (*plan.dimensions, "time", *dims),
            arrays[name].reshape(*lengths, *arrays[name].shape[1:]),
            attrs,
        )
        for name, _, dims, attrs in described
    }
    variables["reason"] = (
        tuple(plan.dimensions),
        reasons.reshape(lengths),
        {"long_name": "why numbers are NaN"},
    )
    coordinates = {**_coordinates(plan), **outline.agreed()}
    return xr.Dataset(variables, coordinates, _provenance(plan, outline.common, int((reasons != "").sum())))


@dataclass
class Outline(Extent):
    """Beside their observables, what all cells of a plan have in common, gathered cell by cell.

    common: entries of instances and options that are equal in all cells that have them.
    """

    common: dict[str, Any] = field(default_factory=dict)
    _varying: set[str] = field(default_factory=set)
    _own: dict[str, Sequence[Any]] = field(default_factory=dict)
    _differing: set[str] = field(default_factory=set)

    def add_values(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            if name not in self._varying and self.common.setdefault(name, value) != value:
                self._varying.add(name)
                del self.common[name]

    def add_coordinates(self, dims: set[str], table: Mapping[str, Any]) -> None:
        """Those along the axes in `dims`: the longest of all cells, if cells agree as far as both go."""
        for name, (dim, values, *attrs) in table.items():
            if dim in dims and name not in self._differing:
                new = list(values)
                _, old, *_ = self._own.setdefault(name, (dim, new, *attrs))
                if any(one != other for one, other in zip(old, new, strict=False)):
                    self._differing.add(name)
                elif len(new) > len(old):
                    self._own[name] = (dim, new, *attrs)

    def agreed(self) -> dict[str, Any]:
        """The coordinates along the observables' own axes on which all cells agree."""
        return {name: entry for name, entry in self._own.items() if name not in self._differing}


def _outlined(plan: Plan) -> Outline:
    outline = Outline()
    axes = {each.name: each.dims for each in plan.problem.observables}
    for route, point in plan.points:
        if point.wrong:
            continue
        instance, options = point.instance, point.options
        shapes = expected_shapes(plan.problem, route, instance, options)
        outline.add_shapes(route.sampled, shapes)
        outline.add_values({**vars(instance), **options})
        if dims := {dim for name in shapes for dim in axes[name]}:
            outline.add_coordinates(dims, plan.problem.coordinates(instance))
    return outline


def shortfall(answer: xr.Dataset) -> str:
    """Number of cells of a sweep that are NaN in part or whole, and why, in one line; empty if none is."""
    reasons = Counter(reason for reason in answer["reason"].values.ravel().tolist() if reason)
    if not reasons:
        return ""
    (reason, count), *others = reasons.most_common()
    more = f", and {len(others)} other reasons" if others else ""
    return (
        f"{reasons.total()} of {answer['reason'].size} cells have no finite answer in part or whole: "
        f"{reason} ({count}{more})"
    )


def _collected(plan: Plan, cell: Cell, store: Store) -> tuple[Arrays, str]:
    """A cell's answer, means and standard errors if it is sampled, and why numbers of it are NaN."""
    if cell.point.wrong:
        return {}, cell.point.wrong
    drawn = store.get(cell.key, plan.seeds if cell.route.sampled else (UNDRAWN,))
    shapes = expected_shapes(plan.problem, cell.route, cell.point.instance, cell.point.options)
    due = {name: (plan.times.size, *own) for name, own in shapes.items()}
    for answer in drawn:
        if {name: values.shape for name, values in answer.arrays.items()} != (due if answer.arrays else {}):
            raise InputError("out", str(store.path), ANOTHER)
    if not cell.route.sampled:
        return drawn[0].arrays, drawn[0].reason
    reason = next((answer.reason for answer in drawn if answer.reason), "")
    if not all(answer.arrays for answer in drawn):
        return {}, reason
    return _summarised(drawn), reason


def _summarised(drawn: Sequence[Answer]) -> Arrays:
    """Means over draws and their standard errors; NaN where any draw is."""
    pairs = {
        name: mean_and_stderr(np.stack([answer.arrays[name] for answer in drawn])) for name in drawn[0].arrays
    }
    means = {name: mean for name, (mean, _) in pairs.items()}
    return {**means, **{f"{name}_stderr": error for name, (_, error) in pairs.items()}}


def _described(plan: Plan, outline: Outline) -> list[tuple[str, str, tuple[str, ...], dict[str, str]]]:
    """Name, observable, own axes and attributes of each variable: observables, then standard errors."""
    given = [each for each in plan.problem.observables if each.name in outline.shapes]
    return [
        (
            each.name,
            each.name,
            each.dims,
            {"units": each.unit, "long_name": each.meaning, "symbol": each.symbol},
        )
        for each in given
    ] + [
        (
            f"{each.name}_stderr",
            each.name,
            each.dims,
            {
                "units": each.unit,
                "long_name": f"standard error of {each.name} over {len(plan.seeds)} seeds",
            },
        )
        for each in given
        if each.name in outline.drawn
    ]


def _coordinates(plan: Plan) -> dict[str, Any]:
    parameters = _parameters(plan)
    clock = plan.problem.on_clock(plan.dynamics)
    axes = {name: (name, list(values)) for name, values in plan.dimensions.items()}
    swept = {
        name: ("point" if plan.together else name, _plain(values), _attrs(parameters[name]))
        for name, values in plan.axes.items()
    }
    return {**axes, **swept, "time": ("time", plan.times, _attrs(clock.time))}


def _plain(values: Sequence[Any]) -> list[Any]:
    """Values that an array can hold: tuples as text, and functions by their names."""
    words = [repr(value) if callable(value) else value for value in values]
    return [json.dumps(value) if isinstance(value, tuple) else value for value in words]


def _attrs(parameter: Parameter) -> dict[str, str]:
    return {"units": parameter.unit, "long_name": parameter.meaning, "symbol": parameter.symbol}


def _parameters(plan: Plan) -> dict[str, Parameter]:
    """The parameters of the problem, and the options of the dynamics and of the routes, by name."""
    clock = plan.problem.on_clock(plan.dynamics)
    options = [option for route in plan.routes for option in route.options]
    return {each.name: each for each in (*plan.problem.parameters, *clock.options, *options)}


def _provenance(plan: Plan, common: Mapping[str, Any], failed: int) -> dict[str, Any]:
    seeds = {"n_seeds": len(plan.seeds), "first_seed": plan.seeds[0]} if plan.seeds else {}
    return provenance(
        plan.problem,
        [route.entry for route in plan.routes],
        dynamics=plan.dynamics,
        route=",".join(route.name for route in plan.routes),
        route_version=",".join(str(route.version) for route in plan.routes),
        approximate="; ".join(route.approximate for route in plan.routes if route.approximate),
        source="; ".join(dict.fromkeys(route.source for route in plan.routes)),
        fixed=values_as_json(given_values(tuple(_parameters(plan).values()), plan.fixed, plan.axes)),
        rounded=plan.rounded(),
        remarks=plan.remarks(),
        caution=plan.caution(),
        instance=values_as_json(common),
        **seeds,
        n_failed=failed,
    )
