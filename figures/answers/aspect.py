"""One number of a whole curve: its value at a time, its best, its end, or how often it descends.

The words are those of `--of`: `excess_risk@100`, `excess_risk@best`, or a word alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import question
from teacherstudent.figures.kit import style
from teacherstudent.house.declarations import Observable
from teacherstudent.house.errors import InputError

BEST, END, DESCENTS = "best", "end", "descents"

GRAMMAR = "OBSERVABLE, best, end, descents or a time, or two of them as OBSERVABLE@best"

NEGLIGIBLE = 1e-9
"""Share of the largest value: rises and falls below it are rounding, or a solver's error."""


@dataclass(frozen=True)
class Aspect:
    """What is taken of an observable: at a time, or `BEST`, `END`, `DESCENTS`."""

    observable: str
    when: str | float

    def __str__(self) -> str:
        return f"{self.observable}@{self.when if isinstance(self.when, str) else f'{self.when:g}'}"


def read(text: str, among: Mapping[str, Observable]) -> Aspect:
    """What that text asks for. Raises `InputError` naming `of`.

    among: the observables to choose from; where none is named, the first that has a best value, or else the
    first. Where no moment is named, the end.
    """
    if not isinstance(text, str):
        raise InputError("of", text, GRAMMAR)
    name, at, when = text.partition("@")
    if at and not when:
        raise InputError("of", text, GRAMMAR)
    if not when and name not in among:
        name, when = _usual(among), name
    if name not in among:
        raise InputError("of", text, f"{GRAMMAR}, with one of the observables {', '.join(among)}")
    if when in ("", END, DESCENTS):
        return Aspect(name, when or END)
    if when == BEST:
        if not among[name].best:
            able = ", ".join(f"{each}@best" for each in among if among[each].best) or "none has a best value"
            raise InputError("of", text, f"of an observable with a best value: {able}")
        return Aspect(name, BEST)
    try:
        time = float(when)
    except ValueError:
        time = np.nan
    if not np.isfinite(time):
        raise InputError("of", text, f"{GRAMMAR}, with one of the observables {', '.join(among)}")
    return Aspect(name, time)


def _usual(among: Mapping[str, Observable]) -> str:
    return next((name for name, each in among.items() if each.best), next(iter(among)))


def taken(answer: xr.Dataset, aspect: Aspect) -> xr.Dataset:
    """An answer without times: that aspect of its observable, under its name, with what it is now called.

    Standard errors stay where the number is one point of the curve. Raises `InputError` for a time that is
    not between the recorded ones, and for descents of drawn means, whose noise descends too.
    """
    values = answer[aspect.observable]
    error = answer.get(f"{aspect.observable}_stderr")
    kept = answer.drop_dims("time")
    if aspect.when == DESCENTS:
        demand_no_noise(aspect, error is not None)
        counted = descents(values)
        attrs = {"units": "1", "symbol": "", "long_name": f"descents of {_named(values)}", "counts": 1}
        return kept.assign({aspect.observable: counted.assign_attrs(attrs)})
    if aspect.when == BEST:
        least = question.observables(answer)[aspect.observable].best == "least"
        best = values.min("time", skipna=False) if least else values.max("time", skipna=False)
        said = f"{'least' if least else 'largest'} {style.heading(values.attrs['long_name'])} over time"
        return kept.assign({aspect.observable: best.assign_attrs({**values.attrs, "long_name": said})})
    place = -1 if aspect.when == END else _nearest(answer["time"], aspect)
    beside = [
        name for name in (f"{aspect.observable}_stderr", f"{aspect.observable}_residual") if name in answer
    ]
    return kept.assign({name: answer[name].isel(time=place) for name in (aspect.observable, *beside)})


def demand_no_noise(aspect: Aspect, drawn: bool) -> None:
    """Raise `InputError` for descents of means over draws."""
    if drawn and aspect.when == DESCENTS:
        raise InputError("of", str(aspect), "of routes without standard errors: noise descends as well")


def recorded(answer: xr.Dataset) -> str:
    """From which times a number of a curve is taken: between them the curve may do more."""
    times = answer["time"].values
    if times.size == 1:
        return f"at the only recorded time, {times[0]:g}"
    return f"from {times.size} recorded times, {times[0]:g} to {times[-1]:g}"


def _named(values: xr.DataArray) -> str:
    """The observable in a phrase."""
    return f"{style.heading(values.attrs['long_name'])} {style.mathematics(values.attrs['symbol'])}"


def demand_between(aspect: Aspect, first: float, last: float) -> None:
    """Raise `InputError` for a time that is not between the recorded ones."""
    if isinstance(aspect.when, float) and not first <= aspect.when <= last:
        raise InputError("of", str(aspect), f"a time between the recorded ones, {first:g} and {last:g}")


def _nearest(times: xr.DataArray, aspect: Aspect) -> int:
    """The place of the recorded time that is nearest."""
    demand_between(aspect, float(times[0]), float(times[-1]))
    return int(np.argmin(np.abs(times.values - float(aspect.when))))


def descents(values: xr.DataArray) -> xr.DataArray:
    """How often each curve descends, as its recorded times show it; NaN where any of them is NaN.

    A rise between two descents counts where it is more than `NEGLIGIBLE` of the curve's largest value.
    """
    curves = np.moveaxis(values.values, values.dims.index("time"), 0)
    count = np.zeros(curves.shape[1:])
    slack = NEGLIGIBLE * np.abs(curves).max(axis=0, initial=0.0)
    highest, lowest = curves[0].copy(), curves[0].copy()
    falling = np.zeros(curves.shape[1:], dtype=bool)
    for now in curves[1:]:
        begins = ~falling & (now < highest - slack)
        ends = falling & (now > lowest + slack)
        count += begins
        falling = (falling | begins) & ~ends
        highest = np.where(falling, now, np.maximum(np.where(ends, now, highest), now))
        lowest = np.where(falling, np.minimum(np.where(begins, now, lowest), now), now)
    count[np.isnan(curves).any(axis=0)] = np.nan
    return values.isel(time=0, drop=True).copy(data=count)
