"""From PARAM=LO:HI to an axis: of a map's plane, or of the parameter over which descents are counted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from teacherstudent.house.declarations import Dynamics, Problem
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import SPACINGS
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import ends_of
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import ambiguous_word, parameters_meant
from teacherstudent.maps.plane import CLOCK, Along, Axis

FORM = "PARAM=LO:HI[:log|lin]"
FORM_ALONG = "PARAM=LO:HI[:N][:log|lin]"

FEWEST, USUAL, MOST = 5, 25, 400
"""Values of the parameter over which descents are counted at which its curve is first looked at."""


def read_axis(kind: Problem, option: str, given: Any) -> Axis:
    """The axis that a text names: a parameter that is a number, or time. Raises `InputError`."""
    name, low, high, (spacing, *more) = _read(kind, option, given, FORM, timed=True)
    if more:
        raise InputError(option, given, _domain(kind, FORM, timed=True))
    return Axis(name, low, high, low > 0 if spacing is None else spacing == "log")


def read_along(kind: Problem, given: Any) -> Along:
    """The parameter over which descents are counted, with how many values. Raises `InputError`."""
    name, low, high, (spacing, *counts) = _read(kind, "along", given, FORM_ALONG, timed=False)
    log = low > 0 if spacing is None else spacing == "log"
    count = counts[0] if counts else str(USUAL)
    if len(counts) > 1 or not count.isdecimal() or not FEWEST <= int(count) <= MOST:
        raise InputError("along", given, f"{FORM_ALONG} with N from {FEWEST} to {MOST}")
    return Along(name, low, high, log, int(count))


def _read(
    kind: Problem, option: str, given: Any, form: str, timed: bool
) -> tuple[str, float, float, list[Any]]:
    """Name and ends of a text, then its spacing, None where it has none, and what else it says."""
    numeric = _ends(kind, timed)
    match = re.fullmatch(r"([^=]+)=([^:]+):([^:]+?)((?::\w+)*)", given.strip()) if _is_text(given) else None
    if not match:
        raise InputError(option, given, _domain(kind, form, timed))
    name, low, high, rest = match.groups()
    parts = rest.split(":")[1:]
    word = name.strip().removeprefix("--").replace("-", "_")
    among = [each for each in kind.parameters if each.name in numeric]
    found = [] if word in numeric else parameters_meant(word, among)
    if len(found) > 1:
        raise ambiguous_word(option, given, found)
    name = found[0].name if found else word
    if name not in numeric:
        raise InputError(option, given, _domain(kind, form, timed), did_you_mean(word, numeric))
    spacing = parts.pop() if parts and not parts[-1].isdecimal() else None
    if spacing and spacing not in SPACINGS:
        raise InputError(option, given, _domain(kind, form, timed), did_you_mean(spacing, SPACINGS))
    ends = numeric[name]
    try:
        first, last = ends.parse(low), ends.parse(high)
        if not first < last or (spacing == "log" and first <= 0):
            raise ValueError("no range")
    except ValueError:
        within = f"{form} with LO < HI (LO > 0 for log), ends of {name} {ends.describe()}"
        raise InputError(option, str(given), within) from None
    return name, first, last, [spacing, *parts]


def _is_text(given: Any) -> bool:
    return isinstance(given, str)


def _ends(kind: Problem, timed: bool) -> dict[str, Number]:
    """What may be an axis, each with the numbers that its ends may be."""
    numeric = {each.name: ends for each in kind.parameters if (ends := ends_of(each.domain))}
    return {**numeric, CLOCK: Number(0)} if timed else numeric


def _domain(kind: Problem, form: str, timed: bool) -> str:
    names = ", ".join(_ends(kind, timed))
    return f"{form} with LO < HI, PARAM a parameter of {kind.id} that is a number: {names}"


def demand_free(kind: Problem, values: Mapping[str, Any], axes: Sequence[tuple[str, Axis | Along]]) -> None:
    """Raise `InputError` where an axis has a value too, or replaces another axis or a value, or they it.

    axes: each with the option that names it, the one that is at fault last.
    """
    declared = {each.name: each for each in kind.parameters}
    given = {name: value for name, value in values.items() if value is not None}
    for i, (option, each) in enumerate(axes):
        if each.name in given:
            raise InputError(each.name, given[each.name], "absent where it is an axis")
        for name, value in given.items():
            if _replace(declared, each.name, name):
                raise InputError(name, value, f"absent where an axis replaces it, {each.name}")
        for before, other in axes[:i]:
            if other.name == each.name:
                raise InputError(
                    option, str(each), f"a parameter other than that of --{before}, {other.name}"
                )
            if _replace(declared, each.name, other.name):
                domain = f"a parameter that does not replace that of --{before}, {other.name}"
                raise InputError(option, str(each), domain)


def _replace(declared: Mapping[str, Parameter], one: str, other: str) -> bool:
    if one not in declared or other not in declared:
        return False
    return one in declared[other].instead_of or other in declared[one].instead_of


def demand_on_clock(option: str, given: Axis, clock: Dynamics) -> None:
    """Raise `InputError` where an axis of time leaves the clock of these dynamics."""
    ends = ends_of(clock.time.domain)
    assert ends
    try:
        ends.check(given.low), ends.check(given.high)
    except ValueError:
        within = f"{FORM}, ends on the clock of {clock.name} {ends.describe()}"
        raise InputError(option, str(given), within) from None
