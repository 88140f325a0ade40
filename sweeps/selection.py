"""Choosing training settings by random search: draws of settings, and which of them validation recommends.

The protocol of pezeshki2022 ch. 8.5: every method is trained at the same number of settings drawn at random,
each with several seeds; the epoch and the setting are those of the best validation accuracy. Test rows choose
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.averages import mean_and_stderr
from teacherstudent.house.selections import Kind
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import Store

DIGITS = 3
"""Significant digits of a drawn number: settings can be read, and typed again."""


@dataclass(frozen=True)
class Drawn:
    """A number that is drawn, uniformly in its logarithm between two ends.

    kind: "number", "whole", or "power of two", of which there are few: each batch size is another program.
    """

    low: float
    high: float
    kind: Kind = "number"

    def values(self, count: int, generator: np.random.Generator) -> tuple[Any, ...]:
        """So many of them."""
        if self.kind == "power of two":
            least, most = math.ceil(math.log2(self.low)), math.floor(math.log2(self.high))
            if least > most:
                return (int(self.low),) * count
            return tuple(2 ** int(each) for each in generator.integers(least, most, count, endpoint=True))
        found = np.exp(generator.uniform(math.log(self.low), math.log(self.high), count))
        if self.kind == "whole":
            return tuple(int(each) for each in np.round(found))
        return tuple(float(f"{each:.{DIGITS}g}") for each in found)


def settings(ranges: Mapping[str, Drawn], count: int, seed: int) -> dict[str, tuple[Any, ...]]:
    """So many settings, a column for each name; a name's numbers do not depend on the other names."""
    return {
        name: drawn.values(count, np.random.default_rng([seed, *name.encode()]))
        for name, drawn in ranges.items()
    }


@dataclass(frozen=True)
class Criterion:
    """What chooses among settings: an observable of the validation rows, and how choices are called by it."""

    name: str
    observable: str


def chosen(
    plan: Plan, store: Store, over: str, criteria: Sequence[Criterion], told: Sequence[str]
) -> xr.Dataset:
    """Per value of the parameter `over`, and by each criterion, the best setting and what it gives.

    plan: of points that vary together, in a filled store. Of each setting and seed the epoch is that of the
    best criterion, the first such; of settings that of the best mean over seeds. Gives along `over` and
    `criterion` the chosen setting, the mean epoch, the `criterion`'s mean, and means with `_stderr` of the
    observables `told`. What has a NaN is not chosen; NaN where all have one.
    """
    groups: dict[Any, list[tuple[Mapping[str, Any], dict[str, np.ndarray]]]] = {}
    wanted = {*told, *(each.observable for each in criteria)}
    unknown = np.full((len(plan.seeds), plan.times.size), np.nan)
    for cell in plan.cells:
        answers = store.get(cell.key, plan.seeds)
        whole = all(each.arrays for each in answers)
        columns = {
            name: np.stack([each.arrays[name] for each in answers]) if whole else unknown for name in wanted
        }
        groups.setdefault(cell.point.values[over], []).append((cell.point.values, columns))
    varied = [name for name in plan.axes if name != over]
    rows = [[_best(runs, each, plan.times, varied, told) for each in criteria] for runs in groups.values()]
    names = list(rows[0][0])
    dims = (over, "criterion")
    found = {name: (dims, [[cell[name] for cell in row] for row in rows]) for name in names}
    return xr.Dataset(found, {over: list(groups), "criterion": [each.name for each in criteria]})


def _best(
    runs: Sequence[tuple[Mapping[str, Any], Mapping[str, np.ndarray]]],
    criterion: Criterion,
    times: np.ndarray,
    varied: Sequence[str],
    told: Sequence[str],
) -> dict[str, Any]:
    """The chosen setting of one method's runs."""
    curves = np.stack([columns[criterion.observable] for _, columns in runs])  # (settings, seeds, times)
    known = np.where(np.isnan(curves), -np.inf, curves)
    epochs = known.argmax(axis=-1)
    reached = np.take_along_axis(known, epochs[..., None], axis=-1)[..., 0].mean(axis=-1)
    place = int(reached.argmax())
    values, columns = runs[place]
    at = epochs[place][:, None]
    found = {name: values[name] for name in varied}
    lost = not math.isfinite(reached[place])
    found |= {"epoch": math.nan if lost else float(times[epochs[place]].mean())}
    found |= {"validation": math.nan if lost else float(reached[place])}
    for name in told:
        mean, error = mean_and_stderr(np.take_along_axis(columns[name], at, axis=-1)[:, 0])
        found |= {
            name: math.nan if lost else float(mean),
            f"{name}_stderr": math.nan if lost else float(error),
        }
    return found


def recommended(table: xr.Dataset, over: str, criterion: str) -> str:
    """The value of `over` with the best validation by that criterion; "" where none has any."""
    reached = table["validation"].sel(criterion=criterion)
    return "" if bool(reached.isnull().all()) else str(reached.idxmax(over).item())
