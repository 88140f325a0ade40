"""From a question to a labelled answer: the one path that every route takes.

`run` resolves the declarations, asks the route and labels its arrays; so a route returns bare
arrays and still every answer has the same names, units and provenance.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.house import catalogue, schedules
from teacherstudent.house.answers import ask_route, expected_shapes
from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.functions import demand_unchanged
from teacherstudent.house.grids import MOST_TIMES, Span
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.labelled import Labelled, labelled
from teacherstudent.house.parameters import TIMES, Parameter, resolve
from teacherstudent.house.provenance import provenance, values_as_json
from teacherstudent.house.rounding import describe_rounding, rounded_values
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import by_name, on_clock, parameters_meant

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "Question",
    "UnconvergedWarning",
    "answer",
    "given_values",
    "instance_and_options",
    "label",
    "run",
    "summarise",
    "time_grid",
    "unknown_name",
]


@dataclass(frozen=True)
class Question:
    """One question to one route: values are checked, defaults filled in, and nothing is read twice.

    `instance` is what the problem built from its parameters, `options` those of dynamics and route, `times`
    the recording times, (T,). `values` holds what was given, by name.
    """

    problem: Problem
    clock: Dynamics
    route: Route
    instance: Any
    options: dict[str, Any]
    times: np.ndarray
    values: Mapping[str, Any]


def run(
    problem: str,
    dynamics: str,
    route: str,
    times: Span | Sequence[float] | np.ndarray,
    *,
    seeds: Sequence[int] | None = None,
    **values: Any,
) -> xr.Dataset:
    """Answer one question by one route.

    `values` holds parameters of the problem and options of the dynamics and of the route, by name.
    `seeds` are the draws of a sampled route (one whole number each) and must be absent otherwise.
    Returns the observables over `time`, and over `seed` first where the route is sampled. Numbers that
    are not certain are NaN, with an `UnconvergedWarning`. Raises `InputError`, and `RouteError` where the
    route does not keep its declaration.
    """
    kind = find_problem(problem)
    clock = kind.on_clock(dynamics)
    chosen = find_route(kind, dynamics, route)
    settled = instance_and_options(kind, clock, chosen, values)
    return answer(Question(kind, clock, chosen, *settled, time_grid(clock, times), values), seeds).dataset()


def answer(question: Question, seeds: Sequence[int] | None = None) -> Labelled:
    """What the route answers to that question: see `run`, which returns and raises the same."""
    kind, clock, route = question.problem, question.clock, question.route
    instance, options, times = question.instance, question.options, question.times
    if route.sampled and not seeds:
        raise InputError("seeds", "(missing)", f"given: route {route.name} is sampled")
    if seeds and not route.sampled:
        raise InputError("seeds", len(seeds), f"absent: route {route.name} draws nothing")
    with schedules.edges_met() as edges:
        shapes = expected_shapes(kind, route, instance, options)
        arrays = run_interruptibly(lambda: ask_route(route, shapes, instance, times, options, seeds))
    demand_unchanged(vars(instance))
    found = label(kind, clock, route, instance, times, arrays, seeds, options)
    own = (*kind.parameters, *clock.options, *route.options)
    fixed = given_values(own, question.values) | kind.derive(by_name(own, question.values))
    rounded = describe_rounding([rounded_values(kind, fixed, instance)])
    said = [kind.remarks(instance), clock.remarks(instance, times, options)]
    said.append(schedules.remark(options, times, edges))
    remarks = "; ".join(dict.fromkeys(filter(None, said)))
    return found.assign_attrs(fixed=values_as_json(fixed), rounded=rounded, remarks=remarks)


def instance_and_options(
    kind: Problem, clock: Dynamics, route: Route, values: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """The frozen instance, and the options of dynamics and route, all defaults filled in.

    Raises `InputError` for an unknown name, a value outside its domain or a contradiction.
    """
    parameters, options = resolved(kind, clock, route, values)
    return kind.build(**parameters), options


def resolved(
    kind: Problem, clock: Dynamics, route: Route, values: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """All parameters, and all options of dynamics and route, checked. Raises `InputError`."""
    own = (*clock.options, *route.options)
    values = by_name((*kind.parameters, *own), values)
    known = {parameter.name for parameter in (*kind.parameters, *own)}
    for name in values:
        if name not in known:
            raise unknown_name(kind, clock, [route], name, values[name])
    chosen = {option.name for option in own}
    options = resolve(own, {k: v for k, v in values.items() if k in chosen}, f"dynamics {clock.name}")
    demand_scheduled(kind, route, options)
    parameters = {k: v for k, v in values.items() if k not in chosen}
    return resolve(kind.parameters, parameters, f"problem {kind.id}"), options


def demand_scheduled(kind: Problem, route: Route, options: Mapping[str, Any]) -> None:
    """Raise `InputError` where the learning rate is a function of the step, and the route takes none."""
    rate = options.get("learning_rate")
    if isinstance(rate, schedules.Schedule) and not route.scheduled:
        takers = [each for each in catalogue.routes() if each.problem == kind.id and each.scheduled]
        by = ", ".join(f"{each.dynamics} by route {each.name}" for each in takers)
        domain = f"auto or a number for {route.dynamics} by route {route.name}"
        raise InputError("learning_rate", rate, domain, f"functions of the step are taken for {by}")


def given_values(
    parameters: Sequence[Parameter], values: Mapping[str, Any], swept: Collection[str] = ()
) -> dict[str, Any]:
    """The value, given or default, of every parameter that is neither absent nor replaced by another.

    `values` may be given by synonyms. Those that are `swept` are left out, but replace others too. Raises
    `InputError`.
    """
    known = {each.name: each for each in parameters}
    values = by_name(parameters, values)
    given = {name: known[name].check(value) for name, value in values.items() if value is not None}
    replaced = {name for each in (*given, *swept) for name in known[each].instead_of}
    defaults = {
        name: each.default
        for name, each in known.items()
        if name not in {*given, *swept, *replaced} and each.default is not None
    }
    return {**defaults, **given}


def unknown_name(
    kind: Problem, clock: Dynamics, chosen: Sequence[Route], name: str, value: Any
) -> InputError:
    """What to say of a name that no parameter or option has: whose it is, or which there are."""
    routes = [route for route in catalogue.routes() if route.problem == kind.id]
    foreign = [option for each in kind.dynamics for option in each.options]
    foreign += [option for route in routes for option in route.options]
    meant_as = {name, *(each.name for each in parameters_meant(name, foreign))}
    owners = [
        f"--dynamics {route.dynamics} --route {route.name}"
        for route in routes
        if meant_as & {option.name for option in route.options}
    ]
    if owners:
        names = ", ".join(route.name for route in chosen)
        domain = f"absent for route {names} of {clock.name}: an option of {' or '.join(owners)}"
        return InputError(name, value, domain)
    clocks = [each.name for each in kind.dynamics if meant_as & {option.name for option in each.options}]
    if clocks:
        domain = f"absent under {clock.name}: an option of --dynamics {' or '.join(clocks)}"
        return InputError(name, value, domain)
    own = [option for route in chosen for option in route.options]
    listed = [f"--{each.option}" for each in dict.fromkeys((*kind.parameters, *clock.options, *own))]
    domain = f"one of the options of {kind.id} under {clock.name}: {', '.join(listed)}"
    hint = on_clock(name, clock.time, clock.name) or did_you_mean(f"--{name}", listed, value)
    return InputError(name, value, domain, hint)


def time_grid(clock: Dynamics, times: Span | Sequence[float] | np.ndarray) -> np.ndarray:
    """Increasing recording times on that clock; whole steps are rounded, repeats then dropped.

    Raises `InputError` for an invalid span, a list that is not finite and increasing, and times
    outside the clock's domain.
    """
    listed: Any = TIMES.check(times).values() if isinstance(times, Span) else times
    try:
        count = len(listed)
        if count <= MOST_TIMES:
            given = np.asarray(listed)
            grid = given.astype(float) if given.dtype.kind in "iufO" else np.empty(0)
    except (OverflowError, TypeError, ValueError):
        count, grid = 0, np.empty(0)
    if count > MOST_TIMES:
        raise InputError("times", f"({count} of them)", f"at most {MOST_TIMES}")
    if grid.ndim != 1 or grid.size == 0 or not np.all(np.isfinite(grid)) or np.any(np.diff(grid) <= 0):
        raise InputError("times", times, "a non-empty, increasing list of finite numbers")
    if clock.whole_time:
        grid = np.unique(np.rint(grid))
    domain = clock.time.domain
    for end in (grid[0], grid[-1]):
        try:
            domain.check(int(end) if clock.whole_time else float(end))
        except ValueError:
            raise InputError(
                "times", f"{end:g}", f"{domain.describe()} on the clock of dynamics {clock.name}"
            ) from None
    return grid


def label(
    kind: Problem,
    clock: Dynamics,
    route: Route,
    instance: Any,
    times: np.ndarray,
    arrays: Mapping[str, np.ndarray],
    seeds: Sequence[int] | None,
    options: dict[str, Any],
) -> Labelled:
    """Bare arrays of a route with axes, units, long names and provenance."""
    leading = ("seed", "time") if route.sampled else ("time",)
    variables = {
        each.name: (
            leading + each.dims,
            arrays[each.name],
            {"units": each.unit, "long_name": each.meaning, "symbol": each.symbol},
        )
        for each in kind.observables
        if each.name in arrays
    }
    clock_attrs = {"units": clock.time.unit, "long_name": clock.time.meaning, "symbol": clock.time.symbol}
    coordinates: dict[str, Any] = {"time": (("time",), times, clock_attrs)}
    for name, (axis, values, *attrs) in kind.coordinates(instance).items():
        coordinates[name] = (axis,), np.asarray(values), *(attrs or [{}])
    if seeds:
        numbers = np.asarray(seeds, dtype=np.int64)
        coordinates["seed"] = ("seed",), numbers, {"units": "1", "long_name": "seed of the draw"}
    asked = provenance(
        kind,
        [route.entry],
        instance=values_as_json(vars(instance)),
        dynamics=clock.name,
        options=values_as_json(options),
        route=route.name,
        route_version=route.version,
        approximate=route.approximate,
        source=route.source,
    )
    axes = {axis for own, *_ in variables.values() for axis in own}  # without those of absent observables
    along = {name: each for name, each in coordinates.items() if axes.issuperset(each[0])}
    return Labelled(variables, along, asked)


def summarise(answer: xr.Dataset) -> xr.Dataset:
    """Means over seeds, each beside `<name>_stderr`, one standard error of the mean.

    Both are NaN where any draw is: a mean over the draws that went well would be biased. An
    answer without a seed axis is returned as it is.
    """
    return labelled(answer).averaged().dataset()
