"""How the agreement of routes is said: in numbers, which answers keep, and in sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from teacherstudent.house import catalogue
from teacherstudent.house.labelled import Labelled, in_dataset
from teacherstudent.house.parameters import LEARNING_RATE

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.paper_checks.judging.evidence import Verdict

TENS = 10.0
"""Standard errors from which on they are rounded to whole ones."""


def residual_attributes(measured: str, against: str = "this route") -> dict[str, str]:
    """Attributes of the residuals of the route `measured`, which may be a simulation or another route."""
    named = {"long_name": f"{measured} minus {against}", "measured": measured}
    return {"units": "standard error", "symbol": "z", **named}


def verdict_numbers(verdict: Verdict, claimed: xr.DataArray) -> dict[str, Any]:
    """The entry of a comparison that draws decide; numbers that are not finite become None."""
    size = float(abs(claimed).median())
    numbers = {key: getattr(verdict, key) for key in ("undetected", "statistic", "threshold", "resolution")}
    numbers["share"] = verdict.resolution / size if size else inf
    told = {key: getattr(verdict, key) for key in ("undecided", "points", "too_few_draws", "agrees")}
    return {**told, **{key: each if isfinite(each) else None for key, each in numbers.items()}}


def what_draws_cannot_tell(each: Mapping[str, Any], unit: str = "") -> str:
    """The reason why agreement with the draws is not conclusive; "" if it is conclusive.

    This is the case if errors as large as the value would pass, or if more than half of the tolerance is due
    to few draws (`Verdict.too_few_draws`).
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


def sentences(answer: xr.Dataset | Labelled) -> list[str]:
    """The agreement of several routes in sentences, one for each observable and pair of routes."""
    stated_of = json.loads(answer.attrs.get("agreement", "[]"))
    if not stated_of:
        return []
    whole = in_dataset(answer)
    provisos = _provisos(whole)
    return [_sentence(each, whole, provisos) for each in stated_of]


def _sentence(each: Mapping[str, Any], answer: xr.Dataset, provisos: Mapping[str, str]) -> str:
    name, route, against = each["observable"], each["route"], each["against"]
    unit = "" if (unit := answer[name].attrs["units"]) == "1" else f" {unit}"
    if "lacking" in each:
        return f"{name}: {route} not compared with {against}: {each['lacking']} does not give it"
    if "difference" in each:
        why = (
            "no standard error judges that"
            if each["drawn"]
            else "neither has standard errors by which to judge"
        )
        return f"{name}: {route} and {against} differ by at most {_short(each['difference'])}{unit}; {why}"
    if said := what_draws_cannot_tell(each, unit):
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
    kind = catalogue.find_problem(answer.attrs["problem"])
    fixed = json.loads(answer.attrs["fixed"])
    sizes = [
        f"{each.name} = {fixed[each.name]}"
        for each in kind.parameters
        if (each.extensive or each.fractional) and each.name in fixed
    ]
    rate = automatic_rate_remark(fixed)
    here = f" (here {', '.join(sizes)})" if sizes else ""
    routes = [
        catalogue.find_route(kind, answer.attrs["dynamics"], name) for name in answer["route"].values.tolist()
    ]
    return {
        route.name: f"; {route.name} {route.proviso}{here + rate if route.exact_for == 'limit' else ''}"
        for route in routes
        if route.proviso
    }


def automatic_rate_remark(fixed: Mapping[str, Any]) -> str:
    """Another possible cause of a disagreement with a limit: the learning rate "auto"."""
    if fixed.get(LEARNING_RATE.name) != "auto":
        return ""
    return f"; --{LEARNING_RATE.option} auto is one rate there but one for each draw here: give a number"


def _errors(number: float | None) -> str:
    """A number of standard errors."""
    return "unknown" if number is None else f"{number:.1f}" if number < TENS else f"{number:.0f}"


def _short(number: float | None) -> str:
    return "unknown" if number is None else f"{number:.2g}"
