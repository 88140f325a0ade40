"""From what a user writes to a question: axes, what is mapped, and the values of the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import SPACINGS
from teacherstudent.house.nearest import meant
from teacherstudent.house.parameters import TIMES, Parameter, pick
from teacherstudent.house.ranges import ends_of
from teacherstudent.house.synonyms import ambiguous, by_name, meaning
from teacherstudent.maps.plane import Axis, Plane
from teacherstudent.maps.question import Question

OF_TURNS = ("stopping", "gain")
"""What is mapped of a curve's turns."""

AXIS = "PARAM=LO:HI[:log|lin] with LO < HI, PARAM a parameter of {problem} that is a number: {names}"


def question(
    problem: str,
    *,
    x: Any,
    y: Any,
    of: str,
    curve: str | None = None,
    dynamics: str | None = None,
    route: str | None = None,
    **values: Any,
) -> Question:
    """The question that these words ask, every value checked. Raises `InputError`.

    x, y: PARAM=LO:HI[:log|lin]. of: "descents" (or whatever the problem's theory counts), "stopping", "gain",
    or OBSERVABLE[INDEX][@TIME].
    """
    kind = catalogue.find_problem(problem)
    plane = Plane(_axis(kind, "x", x), _axis(kind, "y", y))
    if plane.x.name == plane.y.name:
        raise InputError("y", y, f"another parameter than that of --x, {plane.x.name}")
    values = by_name(kind.parameters, values)
    _demand_free(kind, plane, values)
    if not isinstance(of, str):
        raise InputError("of", of, _choices(kind))
    if of in ("descents", *OF_TURNS):
        return _of_turns(kind, plane, of, curve, dynamics, route, values)
    return _of_observable(kind, plane, of, curve, dynamics, route, values)


def _axis(kind: Problem, option: str, given: Any) -> Axis:
    numeric = {each.name: each for each in kind.parameters if ends_of(each.domain)}
    domain = AXIS.format(problem=kind.id, names=", ".join(numeric))
    match = (
        re.fullmatch(r"([^=]+)=([^:]+):([^:]+?)(?::(\w+))?", given.strip())
        if isinstance(given, str)
        else None
    )
    if not match:
        raise InputError(option, given, domain)
    name, low, high, spacing = match.groups()
    word = name.strip().removeprefix("--").replace("-", "_")
    found = [] if word in numeric else meaning(word, numeric.values())
    if len(found) > 1:
        raise ambiguous(word, given, found)
    name = found[0].name if found else word
    if name not in numeric:
        raise InputError(option, given, domain, meant(word, numeric))
    if spacing and spacing not in SPACINGS:
        raise InputError(option, given, domain, meant(spacing, SPACINGS))
    ends = ends_of(numeric[name].domain)
    assert ends
    try:
        first, last = ends.parse(low), ends.parse(high)
        if not first < last or (spacing == "log" and first <= 0):
            raise ValueError("no range")
    except ValueError:
        within = f"PARAM=LO:HI[:log|lin] with LO < HI (LO > 0 for log), ends of {name} {ends.describe()}"
        raise InputError(option, given, within) from None
    return Axis(name, first, last, first > 0 if spacing is None else spacing == "log")


def _demand_free(kind: Problem, plane: Plane, values: Mapping[str, Any]) -> None:
    """Raise `InputError` where an axis has a value too, or replaces another axis or a value, or they it."""
    declared = {each.name: each for each in kind.parameters}
    given = {name: value for name, value in values.items() if value is not None}
    for axis in (plane.x, plane.y):
        if axis.name in given:
            raise InputError(axis.name, given[axis.name], "absent where it is an axis")
        for name, value in given.items():
            if name in declared and _replace(declared[axis.name], declared[name]):
                raise InputError(name, value, f"absent where an axis stands in its place, {axis.name}")
    if _replace(declared[plane.x.name], declared[plane.y.name]):
        domain = f"another parameter than one in the place of that of --x, {plane.x.name}"
        raise InputError("y", plane.y.name, domain)


def _replace(one: Parameter, other: Parameter) -> bool:
    return one.name in other.instead_of or other.name in one.instead_of


def _of_turns(
    kind: Problem,
    plane: Plane,
    of: str,
    curve: str | None,
    dynamics: str | None,
    route: str | None,
    values: Mapping[str, Any],
) -> Question:
    announced: Any = catalogue.counts() if of == "descents" else catalogue.turns()
    limits = {each.name: each.limit for each in announced if each.problem == kind.id}
    names = list(limits)
    if not names:
        raise InputError("of", of, _choices(kind))
    for option, given in (("dynamics", dynamics), ("route", route)):
        if given is not None:
            raise InputError(
                option, given, f"absent for --of {of}: choose by --curve, one of {', '.join(names)}"
            )
    chosen = names[0] if curve is None else pick("curve", curve, {name: name for name in names})
    return Question(
        kind.id, plane, of, _checked(kind, plane, kind.parameters, values), curve=chosen, limit=limits[chosen]
    )


def _of_observable(
    kind: Problem,
    plane: Plane,
    of: str,
    curve: str | None,
    dynamics: str | None,
    route: str | None,
    values: Mapping[str, Any],
) -> Question:
    match = re.fullmatch(r"(\w+)((?:\[\d+\])*)(?:@(.+))?", of.strip())
    observables = {each.name: each for each in kind.observables}
    if not match or match[1] not in observables:
        raise InputError("of", of, _choices(kind))
    if curve is not None:
        raise InputError("curve", curve, f"absent for --of {of}: choose by --dynamics and --route")
    clock = kind.on_clock(kind.dynamics[0].name if dynamics is None else dynamics)
    among = [
        each
        for each in catalogue.routes()
        if (each.problem, each.dynamics) == (kind.id, clock.name)
        and not each.sampled
        and (not each.gives or match[1] in each.gives)
    ]
    if not among:
        raise InputError("of", of, f"an observable that a route to {clock.name} gives without draws")
    names = {each.name: each for each in among}
    chosen = among[0] if route is None else pick("route", route, names)
    time = _time(clock.time, match[3])
    own = (*clock.options, *chosen.options)
    values = by_name(own, values)
    options = {name: value for name, value in values.items() if name in {each.name for each in own}}
    rest = {name: value for name, value in values.items() if name not in options}
    return Question(
        kind.id,
        plane,
        match[1] + match[2],
        _checked(kind, plane, kind.parameters, rest),
        dynamics=clock.name,
        route=chosen.name,
        options=_checked(kind, plane, own, options),
        time=time,
        limit=chosen.exact_for == "limit",
    )


def _time(clock: Parameter, text: str | None) -> float:
    if text is None:
        return float(TIMES.default.high)
    return float(replace(clock, name="of").parse(text))


def _checked(
    kind: Problem, plane: Plane, parameters: tuple[Parameter, ...], values: Mapping[str, Any]
) -> tuple[tuple[str, Any], ...]:
    known = {each.name: each for each in parameters}
    found = []
    for name, value in values.items():
        if value is None:
            continue
        if name not in known:
            listed = [f"--{each.option}" for each in parameters]
            domain = f"one of the parameters of problem {kind.id}: {', '.join(listed)}"
            raise InputError(name, value, domain, meant(f"--{name}", listed))
        read = known[name].parse if isinstance(value, str) else known[name].check
        found.append((name, read(value)))
    return tuple(found)


def _choices(kind: Problem) -> str:
    """What may be mapped of a problem."""
    words = ["descents"] if any(each.problem == kind.id for each in catalogue.counts()) else []
    words += OF_TURNS if any(each.problem == kind.id for each in catalogue.turns()) else ()
    named = ", ".join(each.name for each in kind.observables)
    observable = f"OBSERVABLE[@TIME], OBSERVABLE one of {named}"
    return f"one of {', '.join(words)}, or {observable}" if words else observable
