"""The minima of a quantity of a problem, and of several such questions together as a dataset."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.frontier import local_slopes, read_power
from teacherstudent.inverse.minima import Minimum, Search, find_minima
from teacherstudent.inverse.objective import Objective

APART = 2.0
"""Standard errors within which two minima cannot be told apart."""


@dataclass(frozen=True)
class Optimum:
    """What one search found. swept: its values of swept parameters. lost: where there was no value, and why."""

    search: Search
    swept: Mapping[str, Any]
    lost: str

    @property
    def budget(self) -> float:
        """The value of its constraint."""
        return self.search.box.constraint.value if self.search.box.constraint else math.nan


def find_optimum(asked: Objective, box: Box, swept: Mapping[str, Any], largest: bool = False) -> Optimum:
    """The minima of an objective in a box, or its maxima where the largest value is best."""
    sign = -1.0 if largest else 1.0
    unknown = np.full(max(len(asked.seeds), 1), np.nan)

    def ask(points: np.ndarray) -> np.ndarray:
        values = asked([dict(zip(box.names, each, strict=True)) for each in points.tolist()])
        if asked.sampled:
            return sign * np.array([unknown if each.draws is None else each.draws for each in values])
        return sign * np.array([each.value for each in values])

    search = find_minima(ask, box, asked.sampled)
    minima = tuple(
        replace(each, value=sign * each.value, value_error=max(each.value_error, asked.accuracy * abs(each.value)))
        for each in search.minima
    )
    search = replace(search, minima=minima, values=sign * search.values)
    return Optimum(search, swept, _lost(asked, search))


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
    for other in others:
        unsure = APART * math.hypot(best.value_stderr, other.value_stderr)
        if abs(other.value - best.value) <= np.nanmax([unsure, best.value_error + other.value_error]):
            yield "another minimum is as good within the accuracy: see the rows"
            break
    if not search.certified:
        yield "with three free parameters a better point elsewhere is not excluded"


def as_dataset(found: Sequence[Optimum], asked: Objective, unit: str, frontier: bool) -> xr.Dataset:
    """All minima of all searches, a row each, of a frontier the best of each; with every point that was asked."""
    every = [(each, each.search.minima[: 1 if frontier else None]) for each in found]
    rows = [(one, rank, best) for one, minima in every for rank, best in enumerate(minima, 1)]
    sides, columns = found[0].search.box.sides, {}

    def add(name: str, values: Any, long_name: str, units: str = "", symbol: str = "") -> None:
        said = {"long_name": long_name, "units": units, "symbol": symbol}
        columns[name] = "minimum", np.array(list(values)), {k: v for k, v in said.items() if v}

    for name in found[0].swept:
        parameter = asked.parameter(name)
        add(name, [one.swept[name] for one, *_ in rows], parameter.meaning, parameter.unit, parameter.symbol)
    if found[0].search.box.constraint:
        text = found[0].search.box.constraint.text
        add("constraint", [one.budget for one, *_ in rows], text, symbol=text)
    add("rank", [rank for _, rank, _ in rows], "1 for the best")
    for i, side in enumerate(sides):
        own, name = asked.parameter(side.name), side.name
        add(name, [best.point[i] for *_, best in rows], own.meaning, own.unit, own.symbol)
        add(f"{name}_accuracy", [best.error[i] for *_, best in rows], "accuracy of the place", own.unit)
        if asked.sampled:
            add(f"{name}_stderr", [best.stderr[i] for *_, best in rows], "standard error of the place", own.unit)
        by = f"second derivative of the value by {'log ' if side.log else ''}{name}"
        add(f"{name}_curvature", [best.curvature[i] for *_, best in rows], by)
    text = asked.quantity.text
    add("value", [best.value for *_, best in rows], text, unit, text)
    add("value_accuracy", [best.value_error for *_, best in rows], "accuracy of the value", unit)
    if asked.sampled:
        add("value_stderr", [best.value_stderr for *_, best in rows], "standard error of the value", unit)
    add("edge", [" and ".join(best.ends) for *_, best in rows], "ends of the box at which it is: no optimum there")
    add("note", [best.note for *_, best in rows], "what else is odd")
    attributes: dict[str, Any] = {}
    if frontier:
        parts = [_slopes([row for row in rows if row[0].swept == each.swept]) for each in _first_of(found)]
        add("slope", np.concatenate([slope for slope, *_ in parts]), f"d log({text}) / d log({columns['constraint'][2]['long_name']})")
        add("slope_accuracy", np.concatenate([error for _, error, _ in parts]), "accuracy of the slope")
        power = parts[0][2]
        attributes = {"exponent": power.exponent, "exponent_error": power.error, "exponent_caution": power.caution}
    for i, name in enumerate([side.name for side in sides] if not frontier else []):
        columns[f"searched_{name}"] = "sample", np.concatenate([one.search.points[:, i] for one in found])
    if not frontier:
        columns["searched_value"] = "sample", np.concatenate([one.search.values for one in found])
        counts = [len(one.search.values) for one in found]
        columns["searched_question"] = "sample", np.repeat(np.arange(len(found)), counts)
    return xr.Dataset(columns, {"minimum": np.arange(1, len(rows) + 1)}, attributes)


def _first_of(found: Sequence[Optimum]) -> list[Optimum]:
    """One search of each of the swept values."""
    return [each for i, each in enumerate(found) if i == 0 or each.swept != found[i - 1].swept]


def _slopes(rows: Sequence[tuple[Optimum, int, Minimum]]) -> tuple[np.ndarray, np.ndarray, Any]:
    budgets = np.array([one.budget for one, *_ in rows])
    values = np.array([best.value for *_, best in rows])
    errors = np.array([np.nanmax([best.value_error, best.value_stderr]) for *_, best in rows])
    slopes, off = local_slopes(budgets, values, errors)
    return slopes, off, read_power(budgets, slopes, off, np.array([not best.ends for *_, best in rows]))
