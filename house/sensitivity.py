"""How much the answer of a route that draws nothing moves with one input: derivatives, with their errors.

The route is asked at values near the one that was asked (`house.differences`). A size whose ratios alone
matter in a limit is moved at sizes so large that rounding them is no step; a number of rows that theory also
takes between whole ones is moved as it is; any other whole number has no derivative.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from teacherstudent.house.answers import ask_route, expected_shapes
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.differences import Slope, slope_at
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.parameters import AUTO, Parameter, with_larger_sizes
from teacherstudent.house.ranges import ends_of
from teacherstudent.house.running import Question, given_values, instance_and_options
from teacherstudent.house.suggestions import did_you_mean, one_of
from teacherstudent.house.synonyms import ambiguous_word, by_name, parameters_meant

TIME = "time"

LARGE, ROUNDED = 1e11, 1e-11
"""Sizes that are moved, and how accurate the answers are whose sizes are rounded there."""

RESOLVED = 0.5
"""The largest error of a derivative that is given, as a share of it."""

NEGLIGIBLE = 1e-6
"""A derivative below that share of value/input is as good as 0: its error may be larger than itself."""


@dataclass(frozen=True)
class Input:
    """What is moved: a parameter, an option or the clock, its value, and where it may move.

    scaled: only the ratios of all sizes matter. between: it is a whole number that theory takes between.
    """

    declared: Parameter
    value: float
    low: float
    high: float
    scaled: bool = False
    between: bool = False

    @property
    def name(self) -> str:
        return self.declared.name


def read_input(question: Question, option: str, word: str) -> Input:
    """The input that a word names, at the value that it has in this question. Raises `InputError`."""
    clock = question.clock
    if word == TIME:
        if clock.whole_time:
            hint = "take differences of the answer between steps, or --dynamics flow"
            raise InputError(option, word, f"another input: time under {clock.name} counts whole steps", hint)
        ends = ends_of(clock.time.domain)
        assert ends
        return Input(clock.time, np.nan, ends.low, ends.high)
    own, kind = inputs_of(question.problem, clock, [question.route]), question.problem
    declared = declared_input(own, option, word)
    values = given_values(own, question.values) | kind.derive(by_name(own, question.values))
    return input_at(question, option, declared, values.get(declared.name))


def inputs_of(kind: Problem, clock: Dynamics, routes: Iterable[Route]) -> tuple[Parameter, ...]:
    """Parameters of the problem and options of dynamics and routes, each once."""
    options = (*clock.options, *(option for route in routes for option in route.options))
    return (*kind.parameters, *dict.fromkeys(options))


def declared_input(own: Sequence[Parameter], option: str, word: Any) -> Parameter:
    """The one of these that a word names. Raises `InputError`."""
    names = {each.name: each for each in own}
    plain = str(word).strip().removeprefix("--").replace("-", "_")
    found = [plain] if plain in names else [each.name for each in parameters_meant(plain, own)]
    if len(found) > 1:
        raise ambiguous_word(option, word, [names[each] for each in found])
    if not found:
        listed = [each.name for each in own if ends_of(each.domain)]
        raise InputError(option, word, one_of(listed), did_you_mean(plain, listed))
    return names[found[0]]


def input_at(question: Question, option: str, declared: Parameter, value: Any) -> Input:
    """That parameter as an input at a value. Raises `InputError` where nothing can be moved there."""
    name, ends = declared.name, ends_of(declared.domain)
    if ends is None:
        raise InputError(option, name, "a parameter that is a number")
    if value is None:
        raise InputError(
            option, name, "a parameter with a value in this question; it is absent or replaced by another"
        )
    if callable(value) or value == AUTO:
        hint, said = f"give it by --{declared.option} VALUE", "a function" if callable(value) else AUTO
        raise InputError(option, name, f"a parameter whose value is a number, not {said}", hint)
    rounded = isinstance(declared.domain, Whole) or name in question.problem.realised(question.instance)
    sizes = {each.name for each in question.problem.parameters if each.extensive}
    scaled = rounded and question.route.exact_for == "limit" and bool(sizes)
    scaled = scaled and (declared.extensive or not isinstance(declared.domain, Whole))
    scaled = scaled and not any(each.extensive for each in question.clock.options)
    if rounded and not (scaled or declared.fractional):
        cure = f"`sweep` with --{declared.option} {value:g},{value + 1:g} gives differences"
        raise InputError(
            option, name, f"a parameter that route {question.route.name} accepts between whole numbers", cure
        )
    return Input(declared, float(value), ends.low, ends.high, scaled, rounded and not scaled)


def moved(question: Question, inputs: Sequence[Input], values: Sequence[float]) -> dict[str, np.ndarray]:
    """The route's answer where the inputs have these values, by observable, (T, ...). Raises `InputError`.

    The clock's value is a factor on all times. What is not certain is NaN, without a warning.
    """
    given: dict[str, Any] = by_name(
        inputs_of(question.problem, question.clock, [question.route]), question.values
    )
    times = question.times
    exactly: dict[str, float] = {}
    for each, value in zip(inputs, values, strict=True):
        if each.declared is question.clock.time:
            times = times * value
        else:
            given[each.name] = round(value) if each.between else value
            exactly |= {each.name: value} if each.between else {}
    if any(each.scaled for each in inputs):
        ratios = [value for each, value in zip(inputs, values, strict=True) if not each.declared.extensive]
        given = with_larger_sizes(question.problem.parameters, given, LARGE / max([1.0, *ratios]))
    kind, route = question.problem, question.route
    instance, options = instance_and_options(kind, question.clock, route, given)
    instance = replace(instance, **exactly) if exactly else instance
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        return ask_route(route, expected_shapes(kind, route, instance, options), instance, times, options)


def derivatives(question: Question, one: Input) -> dict[str, Slope]:
    """The derivative of each observable, (T, ...), with respect to an input; NaN where it is not resolved."""
    if one.declared is question.clock.time:
        return _by_time(question, one)
    return _slopes(question, one, one.value, one.low, one.high)


def _slopes(question: Question, one: Input, point: float, low: float, high: float) -> dict[str, Slope]:
    base = moved(question, [one], [point])
    names, ends = list(base), np.cumsum([each.size for each in base.values()])

    def values(at: float) -> np.ndarray:
        try:
            found = base if at == point else moved(question, [one], [at])
        except InputError:  # outside of what the other values allow
            return np.full(ends[-1], np.nan)
        return np.concatenate([found[name].ravel() for name in names])

    accuracy = max(question.route.accuracy, ROUNDED if one.scaled else 0.0)
    found = slope_at(values, point, low, high, accuracy)
    flat = zip(np.split(found.value, ends), np.split(found.error, ends), strict=True)
    return {
        name: _resolved(
            Slope(value.reshape(here.shape), error.reshape(here.shape), found.reason), here, point
        )
        for (name, here), (value, error) in zip(base.items(), flat, strict=False)
    }


def _resolved(slope: Slope, here: np.ndarray, point: float) -> Slope:
    """The slope where its error leaves a digit of it, or it is as good as 0; NaN elsewhere."""
    size = np.nanmax(np.abs(here), initial=0.0) / (abs(point) or 1.0)
    small = np.maximum(np.abs(slope.value), slope.error) <= NEGLIGIBLE * size
    kept = (slope.error <= RESOLVED * np.abs(slope.value)) | small
    return Slope(np.where(kept, slope.value, np.nan), slope.error, slope.reason)


def _by_time(question: Question, clock: Input) -> dict[str, Slope]:
    """With respect to time: all times are moved by one factor; time 0 by itself, to one side."""
    positive = question.times > 0
    found: dict[str, list[Slope]] = {}
    for some in (~positive, positive):
        if not some.any():
            continue
        times = question.times[some] if some is positive else np.ones(1)
        point = 1.0 if some is positive else 0.0
        low, high = (clock.low / times[0], clock.high / times[-1])
        part = _slopes(replace(question, times=times), clock, point, low, high)
        for name, each in part.items():
            unit = times.reshape(-1, *[1] * (each.value.ndim - 1))
            found.setdefault(name, []).append(Slope(each.value / unit, each.error / unit, each.reason))
    return {
        name: Slope(
            np.concatenate([each.value for each in parts]),
            np.concatenate([each.error for each in parts]),
            "; ".join(dict.fromkeys(each.reason for each in parts if each.reason)),
        )
        for name, parts in found.items()
    }
