"""Cells combined to one dataset with the swept parameters as dimensions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.averages import averaged
from teacherstudent.house.declarations import Parameter
from teacherstudent.house.running import package_version
from teacherstudent.sweeps.cells import Cell
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import UNDRAWN, Answer, Store

Arrays = Mapping[str, np.ndarray]


def assemble(plan: Plan, store: Store) -> xr.Dataset:
    """Every cell of the plan from a filled store.

    Dimensions: `route` if there are several, the swept parameters (or `point`), `time`
    and the observables' own. Means over seeds come with `<name>_stderr`. If an observable's own
    axis is shorter in some cells than in others, the rest of it is NaN. `reason` says for each cell why
    numbers are NaN; attribute `n_failed` counts such cells.
    """
    answers, reasons = zip(*(_collected(plan, cell, store) for cell in plan.cells), strict=True)
    lengths = [len(values) for values in plan.dimensions.values()]
    variables: dict[str, Any] = {
        name: ((*plan.dimensions, "time", *dims), _stacked(name, answers, lengths), attrs)
        for name, dims, attrs in _described(plan, answers)
    }
    variables["reason"] = (
        tuple(plan.dimensions),
        np.reshape(np.array(reasons, dtype=str), lengths),
        {"long_name": "why numbers are NaN"},
    )
    shared = {*plan.dimensions, "time"}
    own = {
        dim: size
        for dims, values, _ in variables.values()
        for dim, size in zip(dims, values.shape, strict=True)
        if dim not in shared
    }
    coordinates = {**_coordinates(plan), **(_own(plan, own) if own else {})}
    return xr.Dataset(variables, coordinates, _provenance(plan, sum(map(bool, reasons))))


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
    if not cell.route.sampled:
        (answer,) = store.get(cell.key, (UNDRAWN,))
        return answer.arrays, answer.reason
    drawn = store.get(cell.key, plan.seeds)
    reason = next((answer.reason for answer in drawn if answer.reason), "")
    if not all(answer.arrays for answer in drawn):
        return {}, reason
    return _summarised(drawn), reason


def _summarised(drawn: Sequence[Answer]) -> Arrays:
    """Means over draws and their standard errors; NaN where any draw is."""
    pairs = {name: averaged(np.stack([answer.arrays[name] for answer in drawn])) for name in drawn[0].arrays}
    means = {name: mean for name, (mean, _) in pairs.items()}
    return {**means, **{f"{name}_stderr": error for name, (_, error) in pairs.items()}}


def _described(plan: Plan, answers: Sequence[Arrays]) -> list[tuple[str, tuple[str, ...], dict[str, str]]]:
    """Name, own axes and attributes of each variable: observables as declared, then standard errors."""
    present = {name for answer in answers for name in answer}
    described = []
    for each in plan.problem.observables:
        attrs = {"units": each.unit, "long_name": each.meaning, "symbol": each.symbol}
        described.append((each.name, each.dims, attrs))
    for each in plan.problem.observables:
        spread = f"standard error of {each.name} over {len(plan.seeds)} seeds"
        described.append((f"{each.name}_stderr", each.dims, {"units": each.unit, "long_name": spread}))
    return [entry for entry in described if entry[0] in present]


def _stacked(name: str, answers: Sequence[Arrays], lengths: Sequence[int]) -> np.ndarray:
    """One variable of all cells, (*lengths, time, own axes), NaN where a cell has none of it."""
    shapes = {answer[name].shape for answer in answers if name in answer}
    whole = np.full((len(answers), *np.max(list(shapes), axis=0)), np.nan)
    for row, answer in zip(whole, answers, strict=True):
        if name in answer:
            row[tuple(map(slice, answer[name].shape))] = answer[name]
    return whole.reshape(*lengths, *whole.shape[1:])


def _coordinates(plan: Plan) -> dict[str, Any]:
    clock = plan.problem.on_clock(plan.dynamics)
    options = [option for route in plan.routes for option in route.options]
    parameters = {each.name: each for each in (*plan.problem.parameters, *clock.options, *options)}
    axes = {name: (name, list(values)) for name, values in plan.dimensions.items()}
    swept = {
        name: ("point" if plan.together else name, _plain(values), _attrs(parameters[name]))
        for name, values in plan.axes.items()
    }
    return {**axes, **swept, "time": ("time", plan.times, _attrs(clock.time))}


def _own(plan: Plan, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Coordinates along the observables' own axes on which all cells agree."""
    found: dict[str, list[Any]] = {}
    for cell in plan.cells:
        table = {} if cell.point.wrong else plan.problem.coordinates(cell.point.instance)
        for name, (dim, values, *attrs) in table.items():
            if dim in sizes:
                found.setdefault(name, []).append((dim, list(values)[: sizes[dim]], *attrs))
    longest = {name: max(entries, key=lambda entry: len(entry[1])) for name, entries in found.items()}
    return {
        name: entry
        for name, entry in longest.items()
        if all(each[1] == entry[1][: len(each[1])] for each in found[name])
    }


def _plain(values: Sequence[Any]) -> list[Any]:
    """Values that an array can hold: tuples as text."""
    return [json.dumps(value) if isinstance(value, tuple) else value for value in values]


def _attrs(parameter: Parameter) -> dict[str, str]:
    return {"units": parameter.unit, "long_name": parameter.meaning, "symbol": parameter.symbol}


def _provenance(plan: Plan, failed: int) -> dict[str, Any]:
    seeds = {"n_seeds": len(plan.seeds), "first_seed": plan.seeds[0]} if plan.seeds else {}
    return {
        "problem": plan.problem.id,
        "dynamics": plan.dynamics,
        "route": ",".join(route.name for route in plan.routes),
        "route_version": ",".join(str(route.version) for route in plan.routes),
        "approximate": "; ".join(route.approximate for route in plan.routes if route.approximate),
        "source": "; ".join(dict.fromkeys(route.source for route in plan.routes)),
        "fixed": json.dumps(dict(plan.fixed)),
        **seeds,
        "n_failed": failed,
        "teacherstudent": package_version(),
        "numpy": np.__version__,
    }
