"""The scatter of answers between data sets, as further columns: of draws, and where theory knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from teacherstudent.house.domains import Choice, Several
from teacherstudent.house.errors import InputError

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.declarations import Route
    from teacherstudent.house.running import Question

OPTION, GROUP, ADDED = "scatter", "scatter", "_scatter"


def knows(route: Route, question: Question) -> bool:
    """Whether a route without random draws computes the scatter as a group of observables."""
    groups = [
        each.domain.each.words
        for each in (*question.clock.options, *route.options)
        if each.name == "observable"
        and isinstance(each.domain, Several)
        and isinstance(each.domain.each, Choice)
    ]
    given = any(name.endswith(ADDED) for name in route.gives)
    return given and any(GROUP in words for words in groups)


def asking_scatter(questions: Sequence[Question]) -> tuple[list[Question], str]:
    """Add the scatter to questions whose route computes it; also return why the other routes lack it.

    Raises `InputError` if all routes lack it.
    """
    found, lacking = [], []
    for each in questions:
        route = each.route
        if route.sampled and route.averages:
            lacking.append(f"route {route.name} averages over {route.averages}, which vary between data sets")
        elif not route.sampled and not knows(route, each):
            lacking.append(f"route {route.name} under {each.clock.name} gives no {OPTION}")
        elif not route.sampled:
            groups = dict.fromkeys([*(each.options.get("observable") or ()), GROUP])
            each = replace(each, options={**each.options, "observable": tuple(groups)})
        found.append(each)
    why = "; ".join(lacking)
    if len(lacking) == len(questions):
        names = ",".join(each.route.name for each in questions)
        raise InputError(
            "route", names, f"a route that draws data sets for --{OPTION}, such as simulation", why
        )
    return found, why


def without_scatter(answers: Mapping[str, xr.Dataset]) -> dict[str, xr.Dataset]:
    """The answers without the requested scatter, because other routes need not agree with it."""
    return {
        name: found.drop_vars([each for each in found.data_vars if str(each).endswith(ADDED)])
        for name, found in answers.items()
    }


def with_scatter(
    answer: xr.Dataset, questions: Sequence[Question], answers: Mapping[str, xr.Dataset]
) -> xr.Dataset:
    """The answer with `<name>_scatter`, the standard deviation between data sets, and its standard error.

    answers: the answers of the routes, draw by draw if they are sampled. The scatter is NaN for a route that
    cannot compute it.
    """
    import xarray as xr

    columns: dict[str, dict[str, xr.DataArray]] = {}
    for route in [each.route for each in questions if not each.route.averages]:
        for each, values in answers[route.name].data_vars.items():
            if route.sampled:
                for name, column in _of_draws(str(each), values).items():
                    columns.setdefault(name, {})[route.name] = column
            elif str(each).endswith(ADDED):
                columns.setdefault(str(each), {})[route.name] = values
    for name, known in columns.items():
        first = next(iter(known.values()))
        if "route" in answer.dims:
            whole = [known.get(each, first * float("nan")) for each in answer["route"].values.tolist()]
            first = xr.concat(whole, answer["route"], join="exact").assign_attrs(first.attrs)
        answer = answer.assign({name: first})
    return answer


def _of_draws(name: str, values: xr.DataArray) -> dict[str, xr.DataArray]:
    """The standard deviation between draws and its standard error, by the names of their columns."""
    from teacherstudent.house.averages import spread_and_stderr

    draws = values.transpose("seed", ...)
    like = draws.isel(seed=0, drop=True)
    spread, error = spread_and_stderr(draws.values)
    said = f"standard deviation of {name} between draws"
    found = {"": (spread, said), "_stderr": (error, f"standard error of the {said}")}
    return {
        f"{name}{ADDED}{end}": like.copy(data=numbers).assign_attrs(
            units=values.attrs["units"], long_name=words, symbol=f"s({values.attrs['symbol']})"
        )
        for end, (numbers, words) in found.items()
    }
