"""What was asked, in words: the fixed parameters, the clock, the routes, and what the numbers mean.

All of it is read from the attributes of an answer and from what its problem declares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import xarray as xr

from teacherstudent.figures.kit import style
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Observable, Problem, Route
from teacherstudent.house.domains import Whole
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.tables import WITH_DIGEST

UNSAID = ("", "1", "ratio")
"""Units that say nothing beside a value."""

ALONE = re.compile(r"(min\(|max\()?(\w+)(\[\d+\])?(:[\w/-]+)?(@[\w.+-]+)?\)?")
"""A quantity that is an observable, at a time or over all of them."""


def prose(text: str) -> str:
    """A declared phrase as it stands on a picture: arrows and infinity by their signs."""
    return text.replace("-> infinity", "→ ∞").replace("->", "→")


def problem_of(answer: xr.Dataset) -> Problem:
    """The problem that it answers. Raises `InputError` for one that is not known here."""
    return catalogue.find_problem(answer.attrs["problem"])


def clock_of(answer: xr.Dataset) -> Dynamics | None:
    """The dynamics that its times belong to, where it has times."""
    name = answer.attrs.get("dynamics")
    return problem_of(answer).on_clock(name) if name else None


def routes_of(answer: xr.Dataset) -> list[Route]:
    """The routes that gave it: those along its axis `route`, or its only one."""
    names = answer["route"].values.ravel().tolist() if "route" in answer.coords else []
    names = names or [name for name in answer.attrs["route"].split(",") if name]
    kind = problem_of(answer)
    return [catalogue.find_route(kind, answer.attrs["dynamics"], name) for name in names]


def declared(answer: xr.Dataset) -> dict[str, Parameter]:
    """Every parameter and option that the question may have, by name, in the order of declaration."""
    clock = clock_of(answer)
    options = clock.options if clock else ()
    own = [option for route in (routes_of(answer) if clock else ()) for option in route.options]
    return {each.name: each for each in (*problem_of(answer).parameters, *options, *own)}


def observables(answer: xr.Dataset) -> dict[str, Observable]:
    """The declared observables that it holds, by name, without standard errors, which are drawn as bands."""
    held = {each.name: each for each in problem_of(answer).observables if each.name in answer}
    return {name: each for name, each in held.items() if name.removesuffix("_stderr") not in {*held} - {name}}


def stated(answer: xr.Dataset, quantity: str) -> str:
    """A quantity made of observables, with its unit if it is one."""
    units = {each.name: each.unit for each in problem_of(answer).observables}
    unit = units.get(found[2], "") if (found := ALONE.fullmatch(quantity)) else ""
    return quantity if unit in UNSAID else f"{quantity} [{style.unit(unit)}]"


def symbol(parameter: Parameter) -> str:
    """A parameter as mathematics; by its name where it has no symbol, or a word for one."""
    word = parameter.symbol.isalpha() and len(parameter.symbol) > 2 and parameter.symbol not in style.GREEK
    if not parameter.symbol or word:
        return parameter.name.replace("_", " ")
    return style.mathematics(parameter.symbol)


def valued(parameter: Parameter, value: Any, digits: int = 6) -> str:
    """A parameter with its value, and the unit of a number that needs one."""
    unit = (
        "" if parameter.unit in UNSAID or isinstance(value, str) or not value else style.unit(parameter.unit)
    )
    if unit.startswith("1/"):
        unit = f"[{unit}]"
    if isinstance(value, float):
        value = float(f"{value:.{digits}g}")
    return f"{symbol(parameter)} = {_text(value)} {unit}".rstrip()


def named(parameter: Parameter, value: Any) -> str:
    """The same after the parameter's name, which a letter alone does not tell."""
    words = parameter.name.replace("_", " ")
    told = words in (parameter.symbol, symbol(parameter))
    return valued(parameter, value) if told else f"{words} {valued(parameter, value)}"


def _text(value: Any) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return style.number(value)
    if isinstance(value, str) and (table := WITH_DIGEST.fullmatch(value)):
        return Path(table[1]).name  # what the numbers are called; the digest stands with the answer
    if not isinstance(value, list | tuple):
        return str(value)
    parted = all(isinstance(each, list | tuple) for each in value)
    return ", ".join(":".join(map(_text, each)) if parted else _text(each) for each in value)


def fixed(answer: xr.Dataset) -> Iterator[str]:
    """Every parameter that has one value in this answer: asked for, by default, or since selected."""
    parameters = declared(answer)
    values = json.loads(answer.attrs.get("fixed", "{}"))
    chosen = {name: each.item() for name, each in answer.coords.items() if not each.ndim}
    if answer.attrs.get("limit"):
        ratios = _ratios(parameters, values, {answer.attrs["x"], answer.attrs["y"]})
        values = {
            name: value for name, value in values.items() if not (ratios and parameters[name].extensive)
        }
        sized = any(each.extensive for each in parameters.values())
        yield from ratios or [f"limit of infinite sizes{': only their ratios matter' if sized else ''}"]
    for name, parameter in parameters.items():
        if name in values or name in chosen:
            yield named(parameter, chosen.get(name, values.get(name)))
    if "time" in chosen and (clock := clock_of(answer)):
        yield valued(clock.time, chosen["time"])


REFERENCE = "d"
"""The symbol of the size that others are divided by where all of them are infinite."""


def _ratios(parameters: Mapping[str, Parameter], values: Mapping[str, Any], axes: set[str]) -> list[str]:
    """That the answer is a limit, and at which ratios of sizes; none where sizes vary, or are lists."""
    sizes = [each for name, each in parameters.items() if each.extensive and name in values]
    plain = all(isinstance(values[each.name], int) for each in sizes)
    if not plain or not sizes or any(parameters[name].extensive for name in axes & set(parameters)):
        return []
    below = next((each for each in sizes if each.symbol == REFERENCE), sizes[0])
    infinite = [each for each in parameters.values() if each.extensive and isinstance(each.domain, Whole)]
    limit = f"limit {', '.join(map(symbol, infinite))} $\\to\\infty$"
    ratio = [
        f"{style.mathematics(f'{each.symbol}/{below.symbol}')} = {values[each.name] / values[below.name]:.6g}"
        for each in sizes
        if each is not below
    ]
    return [limit, *ratio]


def notes(answer: xr.Dataset, shown: Sequence[str]) -> list[list[str]]:
    """What stands below a picture, paragraph by paragraph: phrases that are not broken.

    shown: the observables on the picture, which are defined where their axis does not say enough.
    """
    kind, clock = problem_of(answer), clock_of(answer)
    setting = list(fixed(answer))
    if "seed" not in answer.dims and (count := answer.attrs.get("n_seeds")):
        first = int(answer.attrs.get("first_seed", 0))
        setting.append(f"{count} draws, seeds {first} to {first + int(count) - 1}, the same at every point")
    meanings = [
        f"{style.mathematics(each.symbol)}: {prose(each.meaning)}"
        for name, each in observables(answer).items()
        if name in shown and "," in each.meaning
    ]
    conventions = [f"dynamics {clock.name}, time: {clock.time.meaning}"] if clock else []
    if kind.convention:
        conventions.append(kind.convention)
    caveats = [f"{route.name} is approximate: {prose(route.approximate)}" for route in _approximate(answer)]
    found = [doubts(answer), setting, [*conventions, *meanings], caveats, [kind.source]]
    return [paragraph for paragraph in found if paragraph]


def doubts(answer: xr.Dataset) -> list[str]:
    """Why numbers may be off, and where too few draws judge them, as phrases."""
    stated = json.loads(answer.attrs.get("agreement", "[]"))
    untold = [each for each in stated if each.get("too_few_draws") or each.get("undecided")]
    few = sorted({each["against"] for each in untold if each["agrees"]})
    said = [f"too few draws to judge {', '.join(few)}: wide errors stay inside the band"] if few else []
    caution = str(answer.attrs.get("caution", ""))
    return [f"caution: {caution}", *said] if caution else said


def _approximate(answer: xr.Dataset) -> list[Route]:
    return [route for route in (routes_of(answer) if clock_of(answer) else ()) if route.approximate]


def title(answer: xr.Dataset) -> str:
    """The problem, and how the student is trained."""
    dynamics = answer.attrs.get("dynamics", "")
    return problem_of(answer).title + (f": {re.sub('-', ' ', dynamics)}" if dynamics else "")
