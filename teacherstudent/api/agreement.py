"""Several routes asked the same question at once, and how well they agree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from teacherstudent.house.declarations import Problem, Route
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import LEARNING_RATE
from teacherstudent.house.synonyms import by_name
from teacherstudent.paper_checks.judging.draws import RESOLVABLE

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.api.compare import Comparison
    from teacherstudent.paper_checks.judging.evidence import Verdict


TENS = 10.0
"""Standard errors from which on they are rounded to whole ones."""


def residual_attributes(measured: str, against: str = "this route") -> dict[str, str]:
    """Attributes of residuals of a route, which is named: it may be another than a simulation."""
    named = {"long_name": f"{measured} minus {against}", "measured": measured}
    return {"units": "standard error", "symbol": "z", **named}


def asked_together(
    kind: Problem,
    routes: Sequence[Route],
    times: Span | Sequence[float],
    seeds: Sequence[int],
    values: Mapping[str, Any],
) -> xr.Dataset:
    """The answers of several routes under one dynamics along an axis `route`.

    `values` may hold options that only some of the routes have. An observable that a route does not give
    is NaN there. Attribute `agreement` is what `stated` says of them. Raises `InputError`.
    """
    from teacherstudent.house.cautions import of_question
    from teacherstudent.house.running import run, summarise

    options = [option for route in routes for option in route.options]
    clock = kind.on_clock(routes[0].dynamics)
    values = by_name((*kind.parameters, *clock.options, *dict.fromkeys(options)), values)
    answers = {}
    for route in routes:
        own = {option.name for option in route.options}
        others = {option.name for option in options} - own
        asked = {name: value for name, value in values.items() if name not in others}
        drawn = seeds if route.sampled else None
        answer = run(kind.id, route.dynamics, route.name, times, seeds=drawn, **asked)
        answers[route.name] = answer.assign_attrs(caution=of_question(kind, route, times, asked))
    compared = comparisons(routes, answers)
    means = {name: summarise(answer) for name, answer in answers.items()}
    residuals = {route: each.residuals for route, each in compared.items()}
    found = stated(routes, means, compared)
    return joined(kind, routes, means, residuals, agreement=json.dumps(found))


def joined(
    problem: Problem,
    routes: Sequence[Route],
    means: Mapping[str, xr.Dataset],
    residuals: Mapping[str, xr.Dataset],
    **attrs: Any,
) -> xr.Dataset:
    """Answers by route as one dataset along `route`.

    residuals: by the route that is subtracted; they are of the one route that is not among those.
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


def comparisons(routes: Sequence[Route], answers: Mapping[str, xr.Dataset]) -> dict[str, Comparison]:
    """The simulation among these routes compared with each other one, by name; none where there is none.

    Where no simulation draws, the first route that draws and is exact takes its place, and after these a
    simulation that is approximate: what it draws judges others too, if with a proviso.
    """
    from teacherstudent.api.compare import compare

    simulating = [route for route in routes if route.sampled and ".sims." in route.entry]
    drawing = [route for route in routes if (route.sampled and not route.approximate) or route in simulating]
    drawing.sort(key=lambda route: (bool(route.approximate), route not in simulating))
    if not drawing:
        return {}
    measured = drawing[0].name
    return {name: compare(answers[measured], answer) for name, answer in answers.items() if name != measured}


def _measured(means: Mapping[str, Any], compared: Mapping[str, Any]) -> str:
    """The route that others are compared with."""
    return next(name for name in means if name not in compared)


def stated(
    routes: Sequence[Route], means: Mapping[str, xr.Dataset], compared: Mapping[str, Comparison]
) -> list[dict[str, Any]]:
    """How each observable agrees, one entry for each pair of routes: `route` compared with `against`.

    Where draws judge: at how many of the `points` errors as large as the value would pass (`undecided`), of
    up to `undetected`, whether there are `too_few_draws`, `agrees`, the largest residual `statistic` and the
    `threshold`, both in standard errors, and `resolution`, the smallest error that could be detected, in the
    observable's unit and as a `share` of the other route's median magnitude. Where none do: the largest
    `difference`, and whether anything was `drawn`. Where one does not give it: which is `lacking` it.
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
        return judged(verdict, other[name])
    gap = float(abs(one[name] - other[name]).max())  # where both are certain
    drawn = any(f"{name}_stderr" in each for each in (one, other))
    return {"difference": gap if isfinite(gap) else None, "drawn": drawn}


def judged(verdict: Verdict, claimed: xr.DataArray) -> dict[str, Any]:
    """What `stated` says where draws judge, first what they cannot tell; None for what is not finite."""
    size = float(abs(claimed).median())
    numbers = {key: getattr(verdict, key) for key in ("undetected", "statistic", "threshold", "resolution")}
    numbers["share"] = verdict.resolution / size if size else inf
    told = {key: getattr(verdict, key) for key in ("undecided", "points", "too_few_draws", "agrees")}
    return {**told, **{key: each if isfinite(each) else None for key, each in numbers.items()}}


def untold(each: Mapping[str, Any], unit: str = "") -> str:
    """What leads where draws see no disagreement and cannot tell; "" where they can.

    That is so where errors as large as the value would pass, and where more than half of what is allowed is
    due to few draws (`Verdict.too_few_draws`).
    """
    few, undecided, share = (each.get(key) for key in ("too_few_draws", "undecided", "share"))
    if not each["agrees"] or not (few or undecided):
        return ""
    if undecided:
        why, where = "few draws" if few else "noisy", f" at {undecided} of {each['points']} points"
        wide = f"errors up to {_short(each['undetected'])}{unit}, larger than the value,"
    else:
        why, where = "few draws", ""
        part = "as large as the value" if share is None or share >= 1 else f"{100 * share:.2g} % of the value"
        wide = f"errors below {_short(each['resolution'])}{unit}, {part},"
    return f"too {why} to tell{where}: {wide} would pass; no disagreement seen"


def sentences(answer: xr.Dataset) -> list[str]:
    """What `stated` says of an answer by several routes, a line for each observable and pair of routes."""
    stated_of = json.loads(answer.attrs.get("agreement", "[]"))
    provisos = _provisos(answer) if stated_of else {}
    return [_sentence(each, answer, provisos) for each in stated_of]


def _sentence(each: Mapping[str, Any], answer: xr.Dataset, provisos: Mapping[str, str]) -> str:
    name, route, against = each["observable"], each["route"], each["against"]
    unit = "" if (unit := answer[name].attrs["units"]) == "1" else f" {unit}"
    if "lacking" in each:
        return f"{name}: {route} not compared with {against}: {each['lacking']} does not give it"
    if "difference" in each:
        why = (
            "no standard error judges that"
            if each["drawn"]
            else "neither has standard errors to judge that by"
        )
        return f"{name}: {route} and {against} differ by at most {_short(each['difference'])}{unit}; {why}"
    if said := untold(each, unit):
        return (
            f"{name}: {said} between {route} and {against}: largest residual "
            f"{_errors(each['statistic'])} standard errors, {_errors(each['threshold'])} allowed"
        )
    verdict = "agrees" if each["agrees"] else "disagrees"
    proviso = "" if each["agrees"] else provisos.get(route, "") + provisos.get(against, "")
    return (
        f"{name}: {route} {verdict} with {against}: largest residual {_errors(each['statistic'])} standard "
        f"errors, {_errors(each['threshold'])} allowed; detectable error {_short(each['resolution'])}{unit}"
        f"{proviso}"
    )


def _provisos(answer: xr.Dataset) -> dict[str, str]:
    """What a disagreement with each route may be due to, where it is not exact for draws of this size."""
    from teacherstudent.house import catalogue

    kind = catalogue.find_problem(answer.attrs["problem"])
    fixed = json.loads(answer.attrs["fixed"])
    sizes = [
        f"{each.name} = {fixed[each.name]}"
        for each in kind.parameters
        if (each.extensive or each.fractional) and each.name in fixed
    ]
    rate = of_rate(fixed)
    here = f" (here {', '.join(sizes)})" if sizes else ""
    routes = [
        catalogue.find_route(kind, answer.attrs["dynamics"], name) for name in answer["route"].values.tolist()
    ]
    return {
        route.name: f"; {route.name} {route.proviso}{here + rate if route.exact_for == 'limit' else ''}"
        for route in routes
        if route.proviso
    }


def of_rate(fixed: Mapping[str, Any]) -> str:
    """What a disagreement with a limit may be due to as well: the rate "auto"."""
    if fixed.get(LEARNING_RATE.name) != "auto":
        return ""
    return f"; --{LEARNING_RATE.option} auto is one rate there, and each draw's own here: give a number"


def _errors(number: float | None) -> str:
    """A number of standard errors."""
    return "unknown" if number is None else f"{number:.1f}" if number < TENS else f"{number:.0f}"


def _short(number: float | None) -> str:
    return "unknown" if number is None else f"{number:.2g}"


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
    """A sweep by several routes with the residuals of its first simulation that draws.

    Against a route that draws too there are none: their draws are shared, and a sweep keeps means only.
    """
    import numpy as np
    import xarray as xr

    from teacherstudent.house import catalogue

    if "route" not in answer.dims:
        return answer
    kind = catalogue.find_problem(answer.attrs["problem"])
    names = answer["route"].values.tolist()
    routes = {name: catalogue.find_route(kind, answer.attrs["dynamics"], name) for name in names}
    drawing = [name for name, route in routes.items() if route.sampled and ".sims." in route.entry]
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
