"""From what a user writes to a question: axes, what is mapped, and the values of the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem, Route, Turns
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import TIMES, Parameter, pick
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import by_name
from teacherstudent.maps import axes
from teacherstudent.maps.plane import Along, Plane
from teacherstudent.maps.question import Question

OF_TURNS = ("stopping", "gain")
"""What is mapped of a curve's turns."""


def read_map_question(
    problem: str,
    *,
    x: Any,
    y: Any,
    of: str,
    along: Any = None,
    curve: str | None = None,
    dynamics: str | None = None,
    route: str | None = None,
    **values: Any,
) -> Question:
    """The question that these words ask, every value checked. Raises `InputError`.

    x, y: PARAM=LO:HI[:log|lin], PARAM a parameter or time. of: "descents" (or whatever the problem's theory
    counts), "stopping", "gain", or OBSERVABLE[INDEX][@TIME]. along: PARAM=LO:HI[:N][:log|lin], over which
    descents[@TIME] are counted.
    """
    kind = catalogue.find_problem(problem)
    plane = Plane(axes.read_axis(kind, "x", x), axes.read_axis(kind, "y", y))
    over = None if along is None else axes.read_along(kind, along)
    values = by_name(kind.parameters, values)
    named = [("x", plane.x), ("y", plane.y), *([("along", over)] if over else [])]
    axes.demand_free(kind, values, named)
    match = re.fullmatch(r"(\w+)((?:\[\d+\])*)(?:@(.+))?", of.strip()) if isinstance(of, str) else None
    if not match:
        raise InputError("of", of, _choices(kind))
    asked = _Asked(kind, plane, over, of, match[1], match[2], match[3], curve, dynamics, route, values)
    if over and of.partition("@")[0] != "descents":
        raise InputError(
            "along", str(over), f"absent for --of {of}: it is the parameter over which descents are counted"
        )
    if match[1] not in ("descents", *OF_TURNS) or match[2]:
        return _of_observable(asked)
    if over:
        return _along(asked, over)
    return _of_turns(asked)


@dataclass(frozen=True)
class _Asked:
    """What was written; `name`, `index` and `time` are the parts of `of`."""

    kind: Problem
    plane: Plane
    along: Along | None
    of: str
    name: str
    index: str
    time: str | None
    curve: str | None
    dynamics: str | None
    route: str | None
    values: Mapping[str, Any]

    def on(self, clock: Dynamics) -> float:
        """The time at which the plane lies; 0 where it is an axis. Raises `InputError`."""
        if self.plane.clock is None:
            span = clock.times if isinstance(clock.times, Span) else TIMES.default
            default = float(span.high)
            if self.time is None:
                return default
            try:
                return float(clock.time.parse(self.time))
            except InputError as error:
                raise InputError(
                    "of", self.of, f"{self.name}@TIME, TIME {error.domain}", error.hint
                ) from None
        if self.time is not None:
            raise InputError("of", self.of, "without @TIME where time is an axis")
        option, axis = (("x", self.plane.x), ("y", self.plane.y))[self.plane.clock]
        if clock.whole_time:
            domain = f"one with continuous time if time is an axis, {axis}"
            raise InputError("dynamics", clock.name, domain)
        axes.demand_on_clock(option, axis, clock)
        return 0.0

    def checked(self, parameters: tuple[Parameter, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Given values, (name, value) each, as these parameters read them. Raises `InputError`."""
        known = {each.name: each for each in parameters}
        found = []
        for name, value in values.items():
            if value is None:
                continue
            if name not in known:
                listed = [f"--{each.option}" for each in parameters]
                domain = f"one of the parameters of problem {self.kind.id}: {', '.join(listed)}"
                raise InputError(name, value, domain, did_you_mean(f"--{name}", listed))
            read = known[name].parse if isinstance(value, str) else known[name].check
            found.append((name, read(value)))
        return tuple(found)


def _of_turns(asked: _Asked) -> Question:
    """Of what theory announces: counts over training, and turns."""
    announced: Any = catalogue.counts() if asked.name == "descents" else catalogue.turns()
    limits = {each.name: each.limit for each in announced if each.problem == asked.kind.id}
    chosen = _curve(asked, list(limits))
    time = 0.0
    if asked.plane.clock is not None:
        if asked.name != "descents":
            option, axis = (("x", asked.plane.x), ("y", asked.plane.y))[asked.plane.clock]
            raise InputError(option, str(axis), f"a parameter, because --of {asked.name} is about all times")
        time = asked.on(asked.kind.on_clock(_turns(asked, chosen).dynamics))
    elif asked.time is not None:
        raise InputError("of", asked.of, f"{asked.name} without @TIME, because it is about all times")
    return Question(
        asked.kind.id,
        asked.plane,
        asked.name,
        asked.checked(asked.kind.parameters, asked.values),
        curve=chosen,
        time=time,
        limit=limits[chosen],
    )


def _along(asked: _Asked, over: Along) -> Question:
    """Of a curve's observable over a parameter, by the route that gives it at one time."""
    own = [each for each in catalogue.turns() if each.problem == asked.kind.id and each.route]
    turns = _turns(asked, _curve(asked, [each.name for each in own]))
    clock = asked.kind.on_clock(turns.dynamics)
    route = catalogue.find_route(asked.kind, turns.dynamics, turns.route)
    asked.checked(asked.kind.parameters, asked.values)  # options change no curve that is counted
    return replace(
        _by_route(asked, clock, route), of="descents", curve=turns.name, along=over, limit=turns.limit
    )


def _curve(asked: _Asked, names: list[str]) -> str:
    """The curve that is meant, of those announced."""
    if not names:
        raise InputError("of", asked.of, _choices(asked.kind))
    for option, given in (("dynamics", asked.dynamics), ("route", asked.route)):
        if given is not None:
            domain = f"absent for --of {asked.name}: choose by --curve, one of {', '.join(names)}"
            raise InputError(option, given, domain)
    return names[0] if asked.curve is None else pick("curve", asked.curve, {name: name for name in names})


def _turns(asked: _Asked, curve: str) -> Turns:
    """The smooth curve of that name. Raises `InputError` where theory only counts."""
    found = {each.name: each for each in catalogue.turns() if each.problem == asked.kind.id and each.curve}
    return pick("curve", curve, found)


def _of_observable(asked: _Asked) -> Question:
    kind, of = asked.kind, asked.of
    if asked.name not in {each.name for each in kind.observables}:
        raise InputError("of", of, _choices(kind))
    if asked.curve is not None:
        raise InputError("curve", asked.curve, f"absent for --of {of}: choose by --dynamics and --route")
    clock = _clock(asked)
    among = _giving(asked, clock)
    if not among:
        raise InputError("of", of, f"an observable that a route to {clock.name} gives without draws")
    chosen = next(iter(among.values())) if asked.route is None else pick("route", asked.route, among)
    return replace(_by_route(asked, clock, chosen), limit=asked_at_infinite_sizes(clock, chosen))


def asked_at_infinite_sizes(clock: Dynamics, route: Route) -> bool:
    """Whether a route's answer may be asked at infinite sizes: not where an option is a size too, as that of
    batches, for which the route answers at the sizes that are asked."""
    return route.exact_for == "limit" and not any(each.extensive for each in clock.options)


def _clock(asked: _Asked) -> Dynamics:
    """The dynamics that are meant: the first; along a time axis the first with times between steps."""
    if asked.dynamics is not None:
        return asked.kind.on_clock(asked.dynamics)
    first, *others = asked.kind.dynamics
    if asked.plane.clock is None or not first.whole_time:
        return first
    return next((each for each in others if not each.whole_time and _giving(asked, each)), first)


def _giving(asked: _Asked, clock: Dynamics) -> dict[str, Route]:
    """The routes that give what is asked without draws, by name."""
    return {
        each.name: each
        for each in catalogue.routes()
        if (each.problem, each.dynamics) == (asked.kind.id, clock.name)
        and not each.sampled
        and (not each.gives or asked.name in each.gives)
    }


def _by_route(asked: _Asked, clock: Dynamics, route: Route) -> Question:
    """The question to a route, with the options of both."""
    time = asked.on(clock)
    own = (*clock.options, *route.options)
    values = by_name(own, asked.values)
    options = {name: value for name, value in values.items() if name in {each.name for each in own}}
    rest = {name: value for name, value in values.items() if name not in options}
    return Question(
        asked.kind.id,
        asked.plane,
        asked.name + asked.index,
        asked.checked(asked.kind.parameters, rest),
        dynamics=clock.name,
        route=route.name,
        options=asked.checked(own, options),
        time=time,
    )


def _choices(kind: Problem) -> str:
    """What may be mapped of a problem."""
    words = ["descents"] if any(each.problem == kind.id for each in catalogue.counts()) else []
    words += OF_TURNS if any(each.problem == kind.id for each in catalogue.turns()) else ()
    named = ", ".join(each.name for each in kind.observables)
    observable = f"OBSERVABLE[@TIME], OBSERVABLE one of {named}"
    return f"one of {', '.join(words)}, or {observable}" if words else observable
