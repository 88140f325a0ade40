"""How an answer moves with its inputs, as further columns: derivatives, and bars of uncertain inputs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.parameters import AUTO
from teacherstudent.house.provenance import record_decision

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from teacherstudent.house.declarations import Problem, Route
    from teacherstudent.house.running import Question

SENSITIVITY, UNCERTAIN = "sensitivity", "uncertain"

UNRESOLVED = "its error is larger than half of the derivative"
UNEVEN = "the answer varies too irregularly over the uncertain inputs"

Column = tuple[str, "np.ndarray", dict[str, str]]
"""The observable that it goes with, an array over time and the observable's own axes, its attributes."""


def centred(
    kind: Problem, routes: Sequence[Route], values: Mapping[str, Any], uncertain: Any
) -> tuple[dict[str, Any], dict[str, float]]:
    """The values of a question, with uncertain inputs at their means, and their standard deviations.

    Raises `InputError`.
    """
    from teacherstudent.house.sensitivity import declared_input, inputs_of
    from teacherstudent.house.synonyms import by_name
    from teacherstudent.house.uncertainty import read_uncertain, value_and_sd

    own = inputs_of(kind, kind.on_clock(routes[0].dynamics), routes)
    given, spreads = by_name(own, {name: each for name, each in values.items() if each is not None}), {}
    written = []
    for word, pair in read_uncertain(uncertain).items():
        declared = declared_input(own, UNCERTAIN, word)
        name = declared.name
        if name in given:
            domain = f"absent where --{UNCERTAIN} gives it" if name not in spreads else "given once"
            raise InputError(name, given[name], domain)
        given[name], spreads[name] = value_and_sd(declared, *pair)
        written.append(f"{name}={pair[0]}+-{pair[1]}")
    record_decision(UNCERTAIN, written)
    return given, spreads


def demand_theory(option: str, routes: Sequence[Route]) -> None:
    """Raise `InputError` if none of these routes is theory without random draws."""
    if not any(map(_is_exact, routes)):
        names = ",".join(route.name for route in routes)
        domain = f"a route without random draws, alone or with others, because --{option} is given"
        raise InputError("route", names, domain)


def _is_exact(route: Route) -> bool:
    """Whether its answers move with inputs alone, and not by chance or by a simulation's steps."""
    return not route.sampled and ".sims." not in route.entry


def with_sensitivity(answer: xr.Dataset, questions: Sequence[Question], words: Any) -> xr.Dataset:
    """The answer with the derivative of each observable with respect to each of the inputs, and its error.

    words: names of inputs, as a list or separated by commas. Raises `InputError`, also if every route draws
    at random.
    """
    from teacherstudent.house.sensitivity import derivatives, read_input

    names = words.split(",") if isinstance(words, str) else words
    if not isinstance(names, list | tuple) or not names or not all(isinstance(each, str) for each in names):
        raise InputError(SENSITIVITY, words, "names of inputs, a list or separated by commas")

    def columns(question: Question) -> dict[str, Column]:
        found: dict[str, Column] = {}
        for one in [read_input(question, SENSITIVITY, name) for name in names]:
            for observable, slope in derivatives(question, one).items():
                name = f"d_{observable}_d_{one.name}"
                if f"{name}_error" in found:
                    raise InputError(SENSITIVITY, one.name, "each input once")
                _say_lost(
                    name,
                    slope.value,
                    _of(answer, question, observable),
                    slope.reason or UNRESOLVED,
                )
                unit = _per(answer[observable].attrs["units"], one.declared.unit)
                said = f"derivative of {observable} with respect to {one.name}"
                found[name] = (observable, slope.value, {"units": unit, "long_name": said})
                said = f"error of the derivative of {observable} with respect to {one.name}"
                found[f"{name}_error"] = (observable, slope.error, {"units": unit, "long_name": said})
        return found

    found = _with_columns(answer, questions, columns)
    return _remarked(found, [_moving_rate(questions)])


def with_uncertainty(
    answer: xr.Dataset, questions: Sequence[Question], spreads: Mapping[str, float]
) -> xr.Dataset:
    """The answer with the standard deviation of each observable over uncertain inputs, and how far the mean
    over them is from the answer. Raises `InputError` as `with_sensitivity`."""
    import numpy as np

    from teacherstudent.house.sensitivity import read_input
    from teacherstudent.house.uncertainty import ALIKE, bars

    inputs = ", ".join(spreads)
    told: list[str] = []
    remarks: list[str] = []

    def columns(question: Question) -> dict[str, Column]:
        found: dict[str, Column] = {}
        asked = [read_input(question, UNCERTAIN, name) for name in spreads]
        told[:] = [f"{each.name} {each.value:g}+-{spreads[each.name]:g}" for each in asked]
        for observable, bar in bars(question, asked, list(spreads.values())).items():
            unit = {"units": answer[observable].attrs["units"]}
            said = f"standard deviation of {observable} due to that of {inputs}"
            known = _of(answer, question, observable)
            _say_lost(f"{observable}_uncertainty", bar.spread, known, UNEVEN)
            found[f"{observable}_uncertainty"] = (observable, bar.spread, {**unit, "long_name": said})
            said = f"mean of {observable} over {inputs} minus its value at the mean inputs"
            found[f"{observable}_shift"] = (observable, bar.shift, {**unit, "long_name": said})
            floor = question.route.accuracy * abs(answer[observable].max().item())
            off = np.abs(bar.first_order - bar.spread) > ALIKE * bar.spread + floor
            far = np.abs(bar.shift) > bar.spread + floor
            for points, text in (
                (off, f"a linear estimate by the slope would be more than {100 * ALIKE:.0f} % off"),
                (far, "the mean over the inputs differs from the answer by more than this uncertainty"),
            ):
                if points.any():
                    place = f"at {points.sum()} of {points.size} points"
                    remarks.append(f"{observable}_uncertainty: {text} {place}")
        return found

    found = _with_columns(answer, questions, columns)
    return _remarked(found, remarks).assign_attrs(uncertain=", ".join(told))


def _with_columns(
    answer: xr.Dataset, questions: Sequence[Question], columns: Callable[[Question], Mapping[str, Column]]
) -> xr.Dataset:
    """The answer with these columns of each route; NaN of a route that draws."""
    import numpy as np

    found: dict[str, tuple[tuple[Any, ...], np.ndarray, dict[str, str]]] = {}
    for i, question in enumerate(questions):
        if not _is_exact(question.route):
            continue
        for name, (observable, values, attrs) in columns(question).items():
            like = answer[observable]
            dims = [dim for dim in like.dims if dim != "route"]
            whole = found.setdefault(
                name, (("route", *dims), np.full((len(questions), *values.shape), np.nan), attrs)
            )
            whole[1][i] = values
    if "route" not in answer.dims:
        return answer.assign(
            {name: (dims[1:], values[0], attrs) for name, (dims, values, attrs) in found.items()}
        )
    return answer.assign(found)


def _say_lost(name: str, values: np.ndarray, known: xr.DataArray, reason: str) -> None:
    """Warn of NaN where the answer itself is `known`: of others the route has said why."""
    import numpy as np

    if lost := int((np.isnan(values) & np.isfinite(known.values)).sum()):
        text = f"{name} is not resolved: {reason}; NaN at {lost} of {values.size} points"
        warnings.warn(text, UnconvergedWarning, stacklevel=2)


def _of(answer: xr.Dataset, question: Question, observable: str) -> xr.DataArray:
    """An observable as the route of a question gives it."""
    values = answer[observable]
    return values.sel(route=question.route.name) if "route" in values.dims else values


def _per(unit: str, by: str) -> str:
    """The unit of a derivative."""
    return unit if by in ("", "1") else f"{unit}/({by})"


def _moving_rate(questions: Sequence[Question]) -> str:
    """That a rate which follows from the other values moves with them."""
    rate = "learning_rate"
    moves = any(each.options.get(rate) == AUTO for each in questions)
    return f"{rate} auto changes with the inputs: give a number to keep it fixed" if moves else ""


def _remarked(answer: xr.Dataset, remarks: Sequence[str]) -> xr.Dataset:
    said = [answer.attrs.get("remarks", ""), *dict.fromkeys(remarks)]
    return answer.assign_attrs(remarks="; ".join(filter(None, said)))
