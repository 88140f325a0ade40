"""Complete commands that run, made from what a problem declares: refusals end with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from teacherstudent.cli.grammar import typed_options
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span, in_digits
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import Interval, ends_of


def completed(
    command: str, problem: Problem, typed: Sequence[str] = (), given: Mapping[str, Any] | None = None
) -> list[str]:
    """A complete command on that problem: the typed words and the missing ones.

    given: the typed values, by name.
    """
    given = given or {}
    route = _route(problem, given.get("dynamics"), given.get("route"), timed=command == "map")
    clock = problem.on_clock(route.dynamics)
    options = (*clock.options, *route.options)
    own = {each.name: each for each in (*problem.parameters, *options)}
    values = {} if given.keys() & own.keys() else _values(problem, route, own)
    more = {} if command in ("onset", "turns") else {"dynamics": route.dynamics, "route": route.name}
    if command == "solve":
        more |= {"where": f"{_observable(problem, route)} = 0.1", "for": _times(clock)}
    elif command == "best":
        more |= {"of": _observable(problem, route), "over": _times(clock)}
    elif command == "map":
        said = dict(typed_options(typed))
        of, axes = said.get("--of") or "", {(said.get(each) or "").split("=")[0] for each in ("--x", "--y")}
        observed = of.partition("@")[0].partition("[")[0] in {each.name for each in problem.observables}
        counted = not observed and any(each.problem == problem.id for each in catalogue.counts())
        counted = counted and bool(of or clock.whole_time)
        slow = route.slow_to_map or (clock.whole_time and "--dynamics" in said)
        if (route.sampled and not counted) or slow:
            raise LookupError("every route draws, or takes minutes")
        own = {each: own[each] for each in own if each not in axes}
        own = dict(sorted(own.items(), key=lambda item: not isinstance(item[1].default, float)))
        name, low, high = _doubled(own, {each: values[each] for each in own if each in values})
        values.pop(name, None)
        upwards = _times(clock)
        if clock.whole_time or counted or "@" in of or "time" in axes:
            other, *ends = _doubled({each: own[each] for each in own if each != name}, values)
            values.pop(other, None)
            upwards = f"{other}={_text(ends[0])}:{_text(ends[1])}"
        wanted = {"of": "descents"} if counted else {**more, "of": _observable(problem, route)}
        more = {"x": f"{name}={_text(low)}:{_text(high)}", "y": upwards, **wanted}
    elif command == "sweep":
        rest = {name: each for name, each in own.items() if name not in given}
        name, low, high = _doubled(rest, values)
        values[name] = (low, high)
    elif command == "onset":
        values = _changing(problem, {name: value for name, value in given.items() if name in own})
    texts: dict[str, str] = {**more, **{own[name].option: _text(value) for name, value in values.items()}}
    words = {word.partition("=")[0] for word in typed}
    added = [[f"--{name}", text] for name, text in texts.items() if f"--{name}" not in words]
    return [command, problem.id, *typed, *(word for pair in added for word in pair if word)]


def _times(clock: Dynamics) -> str:
    """The first half of the decades over which that clock usually runs."""
    span = clock.times if isinstance(clock.times, Span) else Span(1.0, 1e4, 2)
    middle = (span.low * span.high) ** 0.5 if span.low > 0 else span.high / 2
    return f"time={in_digits(span.low)}:{in_digits(float(f'{middle:.1g}'))}"


def compared(problem: Problem) -> list[str]:
    """The words of a command for two routes, one of them sampled, if the problem has such routes."""
    words = completed("curve", problem)
    at = words.index("--route") + 1
    own = [
        each for each in catalogue.routes() if (each.problem, each.dynamics) == (problem.id, words[at - 2])
    ]
    drawing = [each for each in own if each.sampled and each.name != words[at]]
    if drawing:
        words[at] += f",{min(drawing, key=lambda each: (each.witness != 'sims', each.slow)).name}"
    return words


def _route(problem: Problem, dynamics: Any, names: Any, timed: bool = False) -> Route:
    """A route that answers soon: one that draws nothing, if there is one.

    timed: one at any time rather than at whole steps, and ridge regression, the quickest, before others.
    """
    wanted = [names] if isinstance(names, str) else names
    own = [each for each in catalogue.routes() if each.problem == problem.id]
    own = [each for each in own if dynamics in (None, each.dynamics)] or own
    own = [each for each in own if not wanted or each.name in wanted] or own
    last = {each.name: timed and (each.whole_time, each.name != "ridge") for each in problem.dynamics}
    return min(
        own,
        key=lambda one: (one.sampled, last[one.dynamics], one.slow, bool(one.approximate), len(one.example)),
    )


def _values(problem: Problem, route: Route, own: Mapping[str, Parameter]) -> dict[str, Any]:
    """Values without which the question is refused or takes long: none where the defaults answer it."""
    if not route.sampled and not route.example:
        with suppress(InputError):
            problem.instance()
            return {}
    whole = {**problem.examples[0], **route.example}
    return {name: value for name, value in whole.items() if name in own}


def _observable(problem: Problem, route: Route) -> str:
    """A number that the route gives, an error rather than another."""
    among = [each for each in problem.observables if not route.gives or each.name in route.gives]
    chosen = min(among, key=lambda each: (len(each.dims), each.best != "least"))
    return chosen.name + "[1]" * bool(chosen.dims)


def _doubled(own: Mapping[str, Parameter], values: Mapping[str, Any]) -> tuple[str, Any, Any]:
    """A parameter with two numbers, one of them its value."""
    for name in [*values, *own]:
        number = values.get(name, own[name].default) if name in own else None
        if name in own and ends_of(own[name].domain) and isinstance(number, int | float) and number > 0:
            for low, high in ((number, 2 * number), (type(number)(number / 2), number)):
                with suppress(InputError):
                    return name, own[name].check(low), own[name].check(high)
    raise LookupError("no parameter is a number")


def _changing(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a question with a range over which the first count of the problem changes."""
    from teacherstudent.house.theory_queries import ask_count

    count = next(each for each in catalogue.counts() if each.problem == problem.id)
    own = {each.name: each for each in problem.parameters}
    wholes = (
        [dict(given)] if given else [{}, {name: v for name, v in problem.examples[0].items() if name in own}]
    )
    for values in wholes:
        for name, each in own.items():
            number = values.get(name, each.default)
            if not ends_of(each.domain) or type(number) not in (int, float) or number <= 0:
                continue
            with suppress(ArithmeticError, InputError):
                ends = [each.check(type(number)(end)) for end in (number / 10, number * 10)]
                if len({ask_count(count, problem.instance(**{**values, name: end})) for end in ends}) > 1:
                    return {**values, name: Interval(*map(float, ends))}
    raise LookupError("no range is known")


def _text(value: Any) -> str:
    """A value as it is typed; empty for a switch, which takes none."""
    if isinstance(value, tuple):
        parts = (":".join(map(_text, each)) if isinstance(each, tuple) else _text(each) for each in value)
        return ",".join(parts)
    return "" if value is True else in_digits(value) if isinstance(value, float) else str(value)
