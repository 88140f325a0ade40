"""From what a user writes to a question asked backwards: a condition, what is searched, and where."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import SPACINGS, Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import Interval, OrRange, ends_of
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import ambiguous_word, by_name, parameters_meant
from teacherstudent.inverse.objective import TIME, Objective
from teacherstudent.inverse.quantity import Quantity, quantity
from teacherstudent.inverse.roots import Axis

FORM = "QUANTITY = VALUE, or QUANTITY = QUANTITY, as excess_risk@end = 0.1"
FORM_FOR = "NAME or NAME=LO:HI[:log|lin] with LO < HI"

DECADE = 10.0
"""Ratio of the ends of a range from which on it is searched evenly in the logarithm."""


@dataclass(frozen=True)
class Condition:
    """That a quantity reaches a level."""

    text: str
    quantity: Quantity
    level: float


@dataclass(frozen=True)
class Searched:
    """What is searched: its name and declaration, the range, and whether that was given or is a default."""

    name: str
    parameter: Parameter
    axis: Axis
    given: bool


def read_condition(text: Any, problem: Problem) -> Condition:
    """The condition that a text states. Raises `InputError` naming `--where`."""
    if not isinstance(text, str):
        raise InputError("where", text, FORM)
    if sign := re.search(r"[<>≤≥]=?|==|!=", text):
        hint = "write = instead; the answer says where the quantity is above or below the value"
        raise InputError("where", text, FORM, hint if sign[0][0] in "<>≤≥" else "")
    left, equals, right = text.partition("=")
    if not equals or "=" in right or not left.strip() or not right.strip():
        raise InputError("where", text, FORM)
    one, other = quantity(left, problem), quantity(right, problem)
    if one.terms and other.terms:
        return Condition(text.strip(), quantity(f"{left.strip()} - ({right.strip()})", problem), 0.0)
    if not one.terms:
        one, other = other, one
    level = float(other.evaluate({})[0])
    if not one.terms or not math.isfinite(level):
        raise InputError("where", text, f"{FORM}, QUANTITY with an observable, VALUE a finite number")
    return Condition(text.strip(), one, level)


def read_searched(asked: Objective, text: Any, values: Mapping[str, Any]) -> tuple[Searched, dict[str, Any]]:
    """What is searched and between which ends; the other values, each a value or several.

    text: NAME[=LO:HI[:log|lin]], or None where one of the `values` is an interval. Raises `InputError`.
    """
    known = searchable(asked)
    name, rest = _name(asked, text, known) if text is not None else ("", None)
    declared = {each.name: each for each in asked.parameters()}
    for word in by_name(declared.values(), values):
        if word not in declared:
            asked.parameter(word, values.get(word))
    read = {
        word: read_value(
            declared[word], value, searched=word == name or (text is None and isinstance(value, tuple))
        )
        for word, value in by_name(declared.values(), values).items()
        if value is not None
    }
    intervals = [word for word, value in read.items() if isinstance(value, Interval)]
    name = name or next(iter(intervals), "")
    if not name:
        raise InputError("for", "(missing)", f"given: {FORM_FOR}")
    for word in intervals:
        if word != name:
            raise InputError(word, str(read[word]), f"a value where {name} is searched")
    own = read.pop(name, None)
    if own is not None and (rest or not isinstance(own, Interval)):
        shown = own if isinstance(own, int | float) else str(own)
        raise InputError(name, shown, f"absent where it is searched: write --for {name}=LO:HI")
    for word in read:
        if word in known[name].instead_of or name in declared[word].instead_of:
            raise InputError(word, str(values.get(word)), f"absent where {name} is searched instead")
    swept = [word for word, value in read.items() if isinstance(value, list | Span)]
    for word in swept[1:]:
        raise InputError(word, str(read[word]), f"one value if several values of {swept[0]} are asked")
    return _searched(asked, name, known[name], rest, own), read


def searchable(asked: Objective) -> dict[str, Parameter]:
    """Everything that can be searched: parameters and options that are numbers, and time."""
    found = {each.name: each for each in asked.parameters() if ends_of(each.domain)}
    return {**found, TIME: asked.parameter(TIME)}


def _name(asked: Objective, text: Any, known: Mapping[str, Parameter]) -> tuple[str, str | None]:
    if not isinstance(text, str):
        raise InputError("for", text, FORM_FOR)
    word, equals, rest = text.strip().partition("=")
    word = word.strip().removeprefix("--").replace("-", "_")
    found = [] if word in known else parameters_meant(word, asked.parameters())
    if len(found) > 1:
        raise ambiguous_word("for", text, found)
    name = found[0].name if found else word
    if name not in known:
        clock = asked.parameter(TIME)
        hint = f"did you mean {TIME}?" if word == clock.symbol else did_you_mean(word, known)
        raise InputError("for", text, f"{FORM_FOR}, NAME one of {', '.join(known)}", hint)
    return name, rest if equals else None


def read_value(parameter: Parameter, value: Any, wider: type = OrRange, searched: bool = True) -> Any:
    """A value, or what `wider` takes beside one; a pair is an interval of what is searched."""
    ends = ends_of(parameter.domain)
    if searched and ends and isinstance(value, list | tuple) and len(value) == 2:
        low, high = (replace(parameter, domain=ends).check(end) for end in value)
        value = Interval(low, high)
    return replace(parameter, domain=wider(parameter.domain)).check(value)


def _searched(
    asked: Objective, name: str, parameter: Parameter, rest: str | None, own: Interval | None
) -> Searched:
    ends, spacing = ends_of(parameter.domain), ""
    assert ends
    if rest is not None:
        first, _, last = rest.partition(":")
        last, _, spacing = last.partition(":")
        try:
            own = Interval(ends.parse(first), ends.parse(last))
            if (
                not own.low < own.high
                or spacing not in ("", *SPACINGS)
                or (spacing == "log" and own.low <= 0)
            ):
                raise ValueError("no range")
        except ValueError:
            domain = f"{FORM_FOR} (LO > 0 for log), ends of {name} {ends.describe()}"
            raise InputError("for", f"{name}={rest}", domain) from None
    low, high = (own.low, own.high) if own else _default_range(asked, name, parameter)
    whole = asked.is_whole(name)
    if whole:
        low, high = math.ceil(low), math.floor(high)
        if not low < high:
            raise InputError("for", f"{name}={rest or own}", "a range with two whole numbers or more")
    log = spacing == "log" if spacing else low > 0 and high >= DECADE * low
    return Searched(name, parameter, Axis(float(low), float(high), log, whole), own is not None)


def _default_range(asked: Objective, name: str, parameter: Parameter) -> tuple[float, float]:
    """Where to search when nobody says: the whole domain, or three decades around the default value.

    Whole numbers: up to a hundred times the default, ten where a route draws. Time: between the first and
    the last recorded one.
    """
    ends = ends_of(parameter.domain)
    assert ends
    if name == TIME:
        times = asked.every_time()
        return (times[0] or times[1], times[-1]) if len(times) > 2 else (1.0, 1e4)
    usual = parameter.default if isinstance(parameter.default, int | float) else 0.0
    around = abs(usual) or 1.0
    if asked.is_whole(name):
        times_more = 10 if asked.sampled else 100  # large draws are dear
        return max(ends.low, 1.0), min(ends.high, times_more * max(around, ends.low, 1.0))
    if math.isfinite(ends.low) and math.isfinite(ends.high):
        edge = 1e-6 * (ends.high - ends.low)
        return ends.low + edge * ends.low_open, ends.high - edge * ends.high_open
    if not math.isfinite(ends.low):
        return -10 * around, min(ends.high, 10 * around)
    return max(ends.low, 1e-3 * around), 1e3 * max(around, ends.low)


def conditions(given: Any, problem: Problem) -> Sequence[Condition]:
    """One condition or several. Raises `InputError`."""
    listed = [given] if isinstance(given, str) or not isinstance(given, list | tuple) else given
    if not listed:
        raise InputError("where", "(missing)", f"given: {FORM}")
    return [read_condition(each, problem) for each in listed]
