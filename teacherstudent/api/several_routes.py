"""One question to several routes at once: their answers side by side, and how well they agree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from teacherstudent.api.agreement import residual_attributes, verdict_numbers
from teacherstudent.api.compare import Comparison, compare
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem, Route
from teacherstudent.paper_checks.judging.draws import RESOLVABLE

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.running import Question
    from teacherstudent.paper_checks.judging.evidence import Verdict


def answered_together(
    questions: Sequence[Question], answers: Mapping[str, xr.Dataset], problem: Problem
) -> xr.Dataset:
    """The answers to one question by several routes, by name, along an axis `route`.

    An observable that a route does not give is NaN there. The attribute `agreement` contains the result of
    `agreement_of_pairs`.
    """
    from teacherstudent.house.running import summarise

    routes = [each.route for each in questions]
    compared = compare_routes(routes, answers)
    means = {name: summarise(found) for name, found in answers.items()}
    residuals = {route: each.residuals for route, each in compared.items()}
    return join_routes(
        problem, routes, means, residuals, agreement=json.dumps(agreement_of_pairs(routes, means, compared))
    )


def join_routes(
    problem: Problem,
    routes: Sequence[Route],
    means: Mapping[str, xr.Dataset],
    residuals: Mapping[str, xr.Dataset],
    **attrs: Any,
) -> xr.Dataset:
    """Answers by route as one dataset along `route`.

    residuals: by the name of the subtracted route; all are residuals of the one route that is not among these
    names.
    """
    import xarray as xr

    names = dict.fromkeys(each.name for each in problem.observables)
    order = [*names, *(f"{name}_stderr" for name in names)]
    variables = {
        name: _stacked(name, means) for name in order if any(name in each for each in means.values())
    }
    for name in names:
        if any(name in each for each in residuals.values()):
            stacked = _stacked(name, residuals, among=list(means), like=variables[name])
            measured = _measured(means, residuals)
            variables[f"{name}_residual"] = stacked.assign_attrs(residual_attributes(measured))
    first = {"route": list(means)}  # comes first in a table too
    return xr.Dataset(first).assign(variables).assign_attrs({**_attributes(routes, means), **attrs})


def compare_routes(routes: Sequence[Route], answers: Mapping[str, xr.Dataset]) -> dict[str, Comparison]:
    """The simulation among these routes, compared with each other route, by name; empty without a simulation.

    If no exact simulation is sampled, the first exact sampled route takes its place. If there is none, an
    approximate simulation takes its place, and the verdicts state this.
    """
    simulating = [route for route in routes if route.sampled and route.witness == "sims"]
    drawing = [route for route in routes if (route.sampled and not route.approximate) or route in simulating]
    drawing.sort(key=lambda route: (bool(route.approximate), route not in simulating))
    if not drawing:
        return {}
    measured = drawing[0].name
    return {name: compare(answers[measured], answer) for name, answer in answers.items() if name != measured}


def _measured(means: Mapping[str, Any], compared: Mapping[str, Any]) -> str:
    """The route that others are compared with."""
    return next(name for name in means if name not in compared)


def agreement_of_pairs(
    routes: Sequence[Route], means: Mapping[str, xr.Dataset], compared: Mapping[str, Comparison]
) -> list[dict[str, Any]]:
    """Say how each observable agrees, in one entry for each pair of routes, `route` and `against`.

    If draws judge, the entry has the number of `points`; at how many of these an error as large as the value
    would pass (`undecided`), and how large such errors can be (`undetected`); whether there are
    `too_few_draws`; whether the routes agree (`agrees`); the largest residual `statistic` and the
    `threshold`, both in standard errors; and `resolution`, the smallest error that could be detected, in the
    observable's unit and as a `share` of the other route's median magnitude. If no draws judge, the entry
    has the largest `difference`, and whether anything was `drawn`. If one route does not compute the
    observable, `lacking` names this route.
    """
    first = _measured(means, compared)
    found: list[dict[str, Any]] = []
    for other in (route.name for route in routes if route.name != first):
        verdicts = compared[other].verdicts if other in compared else {}
        for name in _observables(means[first], means[other]):
            pair = {"observable": name, "route": first, "against": other}
            found.append({**pair, **_one(name, means[first], means[other], verdicts)})
    return found


def _observables(*answers: xr.Dataset) -> list[str]:
    """Those of any of these answers, without their standard errors."""
    names = dict.fromkeys(str(name) for each in answers for name in each.data_vars)
    return [name for name in names if not name.endswith("_stderr")]


def _one(name: str, one: xr.Dataset, other: xr.Dataset, verdicts: Mapping[str, Verdict]) -> dict[str, Any]:
    """How two answers agree in one observable."""
    lacking = [each.attrs["route"] for each in (one, other) if name not in each]
    if lacking:
        return {"lacking": lacking[0]}
    if verdict := verdicts.get(name):
        return verdict_numbers(verdict, other[name])
    gap = float(abs(one[name] - other[name]).max())  # where both are certain
    drawn = any(f"{name}_stderr" in each for each in (one, other))
    return {"difference": gap if isfinite(gap) else None, "drawn": drawn}


def _stacked(
    name: str,
    answers: Mapping[str, xr.Dataset],
    among: Sequence[str] = (),
    like: xr.DataArray | None = None,
) -> xr.DataArray:
    """One variable of every route along `route`, NaN where a route lacks it."""
    import numpy as np
    import xarray as xr

    routes = list(among or answers)
    first = next(each[name] for each in answers.values() if name in each)
    held = [answers.get(route) for route in routes]
    columns = [first * np.nan if each is None or name not in each else each[name] for each in held]
    whole = xr.concat(columns, xr.DataArray(routes, dims="route", name="route"), join="exact")
    if like is not None:
        whole = whole.transpose(*like.dims)
    return whole.assign_attrs(first.attrs)


def _attributes(routes: Sequence[Route], means: Mapping[str, xr.Dataset]) -> dict[str, Any]:
    """Those of all answers; what differs from route to route is joined as in a sweep of several routes."""
    whole: dict[str, Any] = {}
    for each in means.values():
        whole |= each.attrs
    fixed = [json.loads(each.attrs["fixed"]) for each in means.values()]
    options = [json.loads(each.attrs["options"]) for each in means.values()]
    return {
        **whole,
        "fixed": json.dumps({name: value for each in fixed for name, value in each.items()}),
        "options": json.dumps({name: value for each in options for name, value in each.items()}),
        "route": ",".join(route.name for route in routes),
        "route_version": ",".join(str(route.version) for route in routes),
        "approximate": "; ".join(route.approximate for route in routes if route.approximate),
        "source": "; ".join(dict.fromkeys(route.source for route in routes)),
        "caution": "; ".join(filter(None, (each.attrs.get("caution", "") for each in means.values()))),
    }


def with_residuals(answer: xr.Dataset) -> xr.Dataset:
    """Add to a sweep by several routes the residuals of its first simulation with random draws.

    There are no residuals against another sampled route, because both use the same draws and a sweep keeps
    only means.
    """
    import numpy as np
    import xarray as xr

    if "route" not in answer.dims:
        return answer
    kind = catalogue.find_problem(answer.attrs["problem"])
    names = answer["route"].values.tolist()
    routes = {name: catalogue.find_route(kind, answer.attrs["dynamics"], name) for name in names}
    drawing = [name for name, route in routes.items() if route.sampled and route.witness == "sims"]
    residuals = {}
    for name in (each.name for each in kind.observables if f"{each.name}_stderr" in answer and drawing):
        seen, error = answer[name].sel(route=drawing[0]), answer[f"{name}_stderr"].sel(route=drawing[0])
        others = xr.DataArray([not routes[each].sampled for each in names], {"route": names}, ("route",))
        ratio = (seen - answer[name]) / error.where(error > RESOLVABLE)
        whole = ratio.where(others & np.isfinite(ratio)).transpose(*answer[name].dims)
        residuals[f"{name}_residual"] = (
            whole.drop_vars("route").assign_coords(route=names).assign_attrs(residual_attributes(drawing[0]))
        )
    return answer.assign(residuals)
