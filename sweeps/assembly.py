"""Cells put together: one dataset with the swept parameters as dimensions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr

from house.running import package_version, summarise
from sweeps.plan import Cell, Plan
from sweeps.store import UNDRAWN, Store


def assemble(plan: Plan, store: Store) -> xr.Dataset:
    """Every cell of the plan from a filled store.

    Dimensions: `route` where several were asked for, the swept parameters (or `point`), `time`
    and the observables' own. Means over seeds stand beside `<name>_stderr`. `reason` says, cell
    by cell, why numbers are NaN; attribute `n_failed` counts such cells.
    """
    sampled = {route.name: route.sampled for route in plan.routes}
    summaries, reasons = [], []
    for cell in plan.cells:
        seeds = plan.seeds if sampled[cell.route] else (UNDRAWN,)
        answers, reason = ([{}], cell.wrong) if cell.wrong else store.get(cell.key, seeds)
        summaries.append(_summary(plan, cell, answers, sampled[cell.route]))
        reasons.append(reason)
    pattern = next((each for each in summaries if each.data_vars), xr.Dataset())
    names = list(dict.fromkeys(name for each in summaries for name in each.data_vars))
    axes = _axes(plan)
    lengths = [len(values) for values in axes.values()]
    variables: dict[str, Any] = {}
    for name in names:
        like = next(each[name] for each in summaries if name in each)
        cells = [each[name].values if name in each else np.full(like.shape, np.nan) for each in summaries]
        shapes = {np.shape(each) for each in cells}
        if len(shapes) > 1:
            raise ValueError(f"{name} has different shapes over the sweep: {shapes}")
        stacked = np.reshape(cells, (*lengths, *like.shape))
        variables[name] = ((*axes, *like.dims), stacked, like.attrs)
    variables["reason"] = (
        tuple(axes),
        np.reshape(np.array(reasons, dtype=str), lengths),
        {"long_name": "why numbers are NaN"},
    )
    coordinates = {name: (name, list(values), _attrs(plan, name)) for name, values in axes.items()}
    coordinates |= {name: pattern.coords[name] for name in pattern.coords}
    if plan.points:
        coordinates |= {
            name: ("point", list(values), _attrs(plan, name)) for name, values in plan.axes.items()
        }
    return xr.Dataset(variables, coordinates, _provenance(plan, sum(bool(reason) for reason in reasons)))


def _axes(plan: Plan) -> dict[str, tuple[Any, ...]]:
    several = {"route": tuple(route.name for route in plan.routes)} if len(plan.routes) > 1 else {}
    swept = {"point": tuple(range(plan.shape[0]))} if plan.points else dict(plan.axes)
    return {**several, **swept}


def _summary(plan: Plan, cell: Cell, answers: list[dict[str, np.ndarray]], sampled: bool) -> xr.Dataset:
    """One cell over time (means and standard errors if sampled); empty where it has no answer."""
    if not answers[0]:
        return xr.Dataset()
    clock = plan.problem.on_clock(plan.dynamics)
    time = {"units": clock.time.unit, "long_name": clock.time.meaning, "symbol": clock.time.symbol}
    declared = {each.name: each for each in plan.problem.observables}
    variables = {}
    for name in answers[0]:
        each = declared[name]
        attrs = {"units": each.unit, "long_name": each.meaning, "symbol": each.symbol}
        variables[name] = (
            ("seed", "time", *each.dims),
            np.stack([answer[name] for answer in answers]),
            attrs,
        )
    dataset = xr.Dataset(variables, {"time": ("time", plan.times, time)})
    return summarise(dataset) if sampled else dataset.isel(seed=0)


def _attrs(plan: Plan, name: str) -> dict[str, str]:
    known = {
        each.name: each for each in (*plan.problem.parameters, *plan.problem.on_clock(plan.dynamics).options)
    }
    if name not in known:
        return {}
    return {"units": known[name].unit, "long_name": known[name].meaning, "symbol": known[name].symbol}


def _provenance(plan: Plan, failed: int) -> dict[str, Any]:
    return {
        "problem": plan.problem.id,
        "dynamics": plan.dynamics,
        "route": ",".join(route.name for route in plan.routes),
        "route_version": ",".join(str(route.version) for route in plan.routes),
        "approximate": "; ".join(route.approximate for route in plan.routes if route.approximate),
        "source": "; ".join(dict.fromkeys(route.source for route in plan.routes)),
        "fixed": json.dumps(dict(plan.fixed), default=str),
        "n_seeds": len(plan.seeds),
        "n_failed": failed,
        "teacherstudent": package_version(),
        "numpy": np.__version__,
    }
