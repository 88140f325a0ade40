"""The minima of a quantity of a problem, and of several such questions together as a dataset."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.declarations import Turns
from teacherstudent.house.errors import InputError
from teacherstudent.house.theory_queries import ask_turns
from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.frontier import local_slopes, read_power
from teacherstudent.inverse.minima import Search, find_minima
from teacherstudent.inverse.objective import Objective
from teacherstudent.inverse.polishing import Minimum

MET = 1e-6
"""Of a constraint: relative distance from which on it is said that whole numbers miss it."""

TURN = 1e-8
"""Relative accuracy of what theory announces."""

APART = 2.0
"""Standard errors within which two minima cannot be told apart."""


@dataclass(frozen=True)
class Optimum:
    """What one search found. lost: where there was no value, and why."""

    search: Search
    lost: str

    @property
    def budget(self) -> float:
        """The value of its constraint."""
        return self.search.box.constraint.value if self.search.box.constraint else math.nan


def find_optimum(asked: Objective, box: Box, largest: bool = False) -> Optimum:
    """The minima of an objective in a box, or its maxima where the largest value is best."""
    sign = -1.0 if largest else 1.0
    unknown = np.full(max(len(asked.seeds), 1), np.nan)

    def ask(points: np.ndarray) -> np.ndarray:
        values = asked([dict(zip(box.names, each, strict=True)) for each in points.tolist()])
        if asked.sampled:
            return sign * np.array([unknown if each.draws is None else each.draws for each in values])
        return sign * np.array([each.value for each in values])

    search = find_minima(ask, box, asked.sampled)
    minima = []
    for each in search.minima:
        (there,) = asked([dict(zip(box.names, each.point.tolist(), strict=True))])
        error = max(each.value_error, there.rounding)
        minima.append(replace(each, value=sign * each.value, value_error=error))
    search = replace(search, minima=tuple(minima), values=sign * search.values)
    return Optimum(search, _lost(asked, search))


def find_announced(asked: Objective, turns: Turns, box: Box, largest: bool = False) -> Optimum:
    """The minima, or maxima, of a curve that theory announces over a parameter, between the ends of a box."""
    try:
        found = ask_turns(turns, asked.instance(asked.values))
    except ArithmeticError as error:
        raise InputError("over", box.names[0], f"a range where theory is certain ({error})") from None
    (side,) = box.sides
    inside = [each for each in found if side.low <= each.time <= side.high]
    best = [each for each in inside if bool(each.is_minimum) != largest]
    unknown = np.full(1, math.nan)
    minima = [
        Minimum(
            np.array([x.time]), x.value, np.array([TURN * abs(x.time)]), unknown, unknown, TURN * abs(x.value)
        )
        for x in sorted(best, key=lambda each: -each.value if largest else each.value)
    ]
    places = np.array([[each.time] for each in inside]).reshape(-1, 1)
    search = Search(box, tuple(minima), places, np.array([each.value for each in inside]), True)
    turning = ", ".join(f"{each.time:.6g}" for each in found) or "no value"
    return Optimum(search, "" if best else f"the {turns.quantity} turns at {side.name} {turning} alone")


def _lost(asked: Objective, search: Search) -> str:
    """Where no value was found, and why."""
    lost = search.points[np.isnan(search.values)]
    if not len(lost):
        return ""
    names = search.box.names
    reasons = Counter(
        each.reason for each in asked([dict(zip(names, each, strict=True)) for each in lost.tolist()])
    )
    ends = zip(names, lost.min(axis=0), lost.max(axis=0), strict=True)
    where = ", ".join(f"{name} {low:.4g} to {high:.4g}" for name, low, high in ends)
    return f"no value at {len(lost)} of {len(search.points)} points, {where}: {reasons.most_common(1)[0][0]}"


def doubts(found: Optimum) -> Iterator[str]:
    """What must be said of the best point."""
    search = found.search
    if not search.minima:
        yield f"nothing is best: {found.lost}"
        return
    best, *others = search.minima
    if best.ends:
        yield f"the best point is at {' and '.join(best.ends)}, so it is no optimum: widen the box"
    if best.note:
        ties = [] if best.ties is None else zip(search.box.names, best.ties.tolist(), strict=True)
        ranges = [f"{name} {low:.4g} to {high:.4g}" for name, (low, high) in ties if low < high]
        yield f"the best point: {', '.join([best.note, *ranges])}"
    if search.box.constraint and search.box.solved and search.box.solved.whole:
        met = search.box.constraint.left(dict(zip(search.box.names, best.point.tolist(), strict=True)))
        if abs(met - found.budget) > MET * abs(found.budget):
            yield f"the best point has {search.box.constraint.text} = {met:.6g}, because parameters are whole"
    for other in others:
        unsure = APART * math.hypot(best.value_stderr, other.value_stderr)
        if abs(other.value - best.value) <= np.nanmax([unsure, best.value_error + other.value_error]):
            yield "another minimum is equally good within the accuracy; see the rows"
            break
    if not search.certified:
        yield "with three free parameters, a better point may exist elsewhere"


def as_dataset(
    found: Sequence[Sequence[Optimum]], swept: Sequence[Mapping[str, Any]], asked: Objective, unit: str
) -> xr.Dataset:
    """All minima a row each, of a frontier the best for each budget; with every point that was asked.

    found: for each point of what is swept its searches, several of a frontier.
    """
    frontier = len(found[0]) > 1
    box, text = found[0][0].search.box, asked.quantity.text
    said: dict[str, tuple[str, str, str]] = {"question": ("number of the question, counted from 0", "", "")}
    rows: list[dict[str, Any]] = []
    for i, (group, point) in enumerate(zip(found, swept, strict=True)):
        for one in group:
            for rank, best in enumerate(one.search.minima[: 1 if frontier else None], 1):
                own = {"question": i, **point, "constraint": one.budget, "rank": rank}
                rows.append({**own, **_columns(best, box, asked.sampled)})
    for name in [*swept[0], *box.names]:
        parameter = asked.parameter(name)
        said[name] = parameter.meaning, parameter.unit, parameter.symbol
        said[f"{name}_accuracy"] = "accuracy of the parameter at the minimum", parameter.unit, ""
        said[f"{name}_stderr"] = "standard error of the parameter at the minimum", parameter.unit, ""
        curvature = f"second derivative of the value with respect to {name}, or to its logarithm"
        said[f"{name}_curvature"] = curvature, "", ""
    left = box.constraint.text if box.constraint else ""
    said |= {
        "value": (text, unit, text),
        "value_accuracy": ("accuracy of the value", unit, ""),
        "value_stderr": ("standard error of the value", unit, ""),
        "rank": ("1 for the best", "", ""),
        "constraint": (left, "", left),
        "edge": ("ends of the box that the point touches; such a point is no optimum", "", ""),
        "slope": (f"d log({text}) / d log({left})", "", ""),
        "slope_accuracy": ("accuracy of it", "", ""),
        "exponent": ("slope at the largest budgets", "", ""),
        "exponent_error": ("its error", "", ""),
    }
    cautions: list[str] = []
    if frontier:
        cautions = [_add_slopes([row for row in rows if row["question"] == i]) for i in range(len(found))]
    names = [name for name in rows[0] if name != "constraint" or box.constraint]
    columns: dict[str, Any] = {}
    for name in names:
        parts = zip(("long_name", "units", "symbol"), said.get(name, ("", "", "")), strict=True)
        values = np.array([row[name] for row in rows])
        columns[name] = "minimum", values, {key: each for key, each in parts if each}
    every = [(i, one.search) for i, group in enumerate(found) for one in group]
    for j, name in enumerate(box.names):
        columns[f"searched_{name}"] = "sample", np.concatenate([each.points[:, j] for _, each in every])
    columns["searched_value"] = "sample", np.concatenate([each.values for _, each in every])
    counts = [len(each.values) for _, each in every]
    columns["searched_question"] = "sample", np.repeat([i for i, _ in every], counts)
    sides = {each.name: {"log": each.log, "free": each in box.free} for each in box.sides}
    labels = [", ".join(f"{name} = {value}" for name, value in point.items()) for point in swept]
    attributes = {"searched": json.dumps(sides), "questions": json.dumps(labels)}
    attributes["caution"] = "; ".join(dict.fromkeys(filter(None, cautions)))
    return xr.Dataset(columns, {"minimum": np.arange(1, len(rows) + 1)}, attributes)


def _columns(best: Minimum, box: Box, drawn: bool) -> dict[str, Any]:
    """A minimum as a row."""
    found: dict[str, Any] = {}
    for i, name in enumerate(box.names):
        found |= {name: best.point[i], f"{name}_accuracy": best.error[i]}
        found |= {f"{name}_stderr": best.stderr[i]} if drawn else {}
        found[f"{name}_curvature"] = best.curvature[i]
    found |= {"value": best.value, "value_accuracy": best.value_error}
    found |= {"value_stderr": best.value_stderr} if drawn else {}
    return {**found, "edge": " and ".join(best.ends), "note": best.note}


def _add_slopes(rows: Sequence[dict[str, Any]]) -> str:
    """Add local slopes and their exponent to the rows of a frontier; returns why it may be none."""
    budgets, values, errors = (
        np.array([row.get(name, math.nan) for row in rows])
        for name in ("constraint", "value", "value_accuracy")
    )
    drawn = np.array([row.get("value_stderr", 0.0) for row in rows])
    slopes, off = local_slopes(budgets, values, np.hypot(errors, drawn))
    power = read_power(budgets, slopes, off, np.array([not row["edge"] for row in rows]))
    for row, slope, error in zip(rows, slopes, off, strict=True):
        row |= {"slope": slope, "slope_accuracy": error}
        row |= {"exponent": power.exponent, "exponent_error": power.error}
    return power.caution
