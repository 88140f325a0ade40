"""Onsets: the value of a parameter at which a count that theory gives changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter, pick
from teacherstudent.house.provenance import note
from teacherstudent.house.ranges import Interval, OrInterval, ends_of
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import by_name

ACCURACY = Parameter(
    "accuracy",
    "",
    "relative",
    Number(1e-8, 0.1),
    "relative accuracy of the boundary",
    1e-6,
)


@dataclass(frozen=True)
class Onset:
    """The result of `teacherstudent.onset`: a boundary at which a count changes.

    Attributes:
        problem: Id of the problem.
        curve: Name of the curve.
        counted: The counted quantity, in words.
        parameter: Name of the parameter that was searched.
        value: Value at which the count changes, in the unit of the parameter.
        accuracy: Relative distance within which the boundary lies.
        below: Count just below the boundary.
        above: Count just above the boundary.
        low: Lower end of the interval that was searched.
        high: Upper end of this interval.
        fixed: The other parameters that were given, by name.
        whole: Whether the parameter is a whole number.
        caution: Why the counts may be wrong at the boundary; empty if no reason is known.
    """

    problem: str
    curve: str
    counted: str
    parameter: str
    value: float
    accuracy: float
    below: int
    above: int
    low: float
    high: float
    fixed: Mapping[str, Any]
    whole: bool
    caution: str = ""


def onset(problem: str, *, curve: str | None = None, accuracy: float | None = None, **values: Any) -> Onset:
    """Find the value of a parameter at which the number of descents of the risk changes.

    For some problems, another number is counted. If the count changes several times in the interval, one of
    the changes is returned.

    Args:
        problem: Id of the problem.
        curve: Name of a curve of the theory of the problem (default: its first).
        accuracy: Relative accuracy of the answer (default 1e-6). If the numbers of samples and features are
            whole, the problem changes in steps; the answer then states the accuracy that was possible.
        **values: Parameters as in `teacherstudent.curve`; one of them is the interval to search, a pair
            (low, high) or the text `LO:HI`. The count must differ between its ends.

    Returns:
        The boundary, with the counts on both sides.

    Raises:
        InputError: If there is no interval, if the count is the same at both ends, or if the theory of the
            problem has no counts.

    Examples:
        >>> import teacherstudent as ts
        >>> found = ts.onset("multiscale", curve="flow", n=110, d=100, p=70, kappa=(2, 30))
        >>> f"{found.below} becomes {found.above} at {found.parameter} = {found.value:.2f}"
        '1 becomes 2 at kappa = 5.20'
    """
    kind = catalogue.find_problem(problem)
    counts = catalogue.of_problem(problem, catalogue.counts())
    count = pick("curve", next(iter(counts)) if curve is None else curve, counts)
    name, interval, fixed = _sought(kind, values)
    whole = isinstance(_parameter(kind, name).domain, Whole)

    def instance(x: float) -> Any:
        return kind.instance(**fixed, **{name: round(x) if whole else x})

    from teacherstudent.house.cautions import of_curve
    from teacherstudent.house.rounding import describe_rounding, rounded_values
    from teacherstudent.house.running import given_values
    from teacherstudent.house.theory_queries import ask_count
    from teacherstudent.inverse.roots import Axis, Height, find_roots

    def number(x: float) -> int:
        return ask_count(count, instance(x))

    wanted = _accuracy(accuracy)
    try:
        first = number(interval.low)
        if first == number(interval.high):
            domain = f"a range with different numbers of {count.counted} at its ends ({first} on both ends)"
            raise InputError(name, str(interval), domain)
        (change,) = find_roots(
            lambda places: [Height(0.5 if number(place) != first else -0.5) for place in places],
            Axis(interval.low, interval.high, log=interval.low > 0, whole=whole),
            accuracy=wanted / 2,
            samples=2,
            stepped=True,
        ).roots
        low, high = change.low, change.high
        below, above = number(low), number(high)
    except ArithmeticError as error:
        raise InputError(name, str(interval), f"a range in which every count is certain ({error})") from None
    if whole:
        low, high = round(low), round(high)
    else:
        low, high = _edge(instance, low, interval.low), _edge(instance, high, interval.high)
    note(
        kind.id,
        describe_rounding(
            rounded_values(kind, given_values(kind.parameters, fixed, {name}), instance(end))
            for end in (low, high)
        ),
    )
    doubts = of_curve(kind.id, count.name, instance(high))
    note(kind.id, doubts, kind="warning")
    middle = (low + high) / 2
    return Onset(
        problem,
        count.name,
        count.counted,
        name,
        middle,
        (high - low) / 2 / abs(middle),
        below,
        above,
        interval.low,
        interval.high,
        fixed,
        whole,
        doubts,
    )


def _accuracy(given: float | None) -> float:
    return ACCURACY.check(ACCURACY.default if given is None else given)


def _parameter(kind: Problem, name: str) -> Parameter:
    known = {each.name: each for each in kind.parameters}
    if name not in known:
        listed = [f"--{each.option}" for each in kind.parameters]
        domain = f"one of the parameters of {kind.id}: {', '.join(listed)}"
        raise InputError(name, "(given)", domain, did_you_mean(f"--{name}", listed))
    return known[name]


def _sought(kind: Problem, values: dict[str, Any]) -> tuple[str, Interval, dict[str, Any]]:
    """The parameter to search, its interval, and the values of the others."""
    from teacherstudent.inverse.asking import read_value

    values = by_name(kind.parameters, values)
    read = {name: read_value(_parameter(kind, name), value, OrInterval) for name, value in values.items()}
    sought = [name for name, value in read.items() if isinstance(value, Interval)]
    if not sought:
        number = next((each for each in kind.parameters if ends_of(each.domain)), None)
        example = f", as in --{number.option} LO:HI" if number else ""
        raise InputError("PARAM", "(missing)", f"given once as LO:HI, the interval to search{example}")
    for name in sought[1:]:
        raise InputError(name, str(read[name]), f"a value where {sought[0]} is searched")
    return sought[0], read.pop(sought[0]), read


def _edge(instance: Any, inside: float, outside: float) -> float:
    """How far from `inside` towards `outside` the instance stays the same."""
    same = instance(inside)
    if instance(outside) == same:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if instance(middle) == same else (inside, middle)
    return inside
