"""A quantity as a function of searched parameters: each point a question to the routes in it.

Sampled routes get the same seeds at every point (common random numbers), so that differences between points
are far more certain than the values themselves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.answers import added_by, ask_route, expected_shapes
from teacherstudent.house.certainty import recorded_doubts
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.running import given_values, instance_and_options, time_grid, unknown_name
from teacherstudent.house.suggestions import one_of
from teacherstudent.house.theory_queries import ask_count
from teacherstudent.inverse.quantity import COUNT, END, SCATTER, SLOPE, Quantity, Term

TIME = "time"
"""The name of a moment among the names of a point."""

LEAST = 3
"""Draws whose standard deviation has a standard error by the jackknife."""

_FOLDS = {"min": np.argmin, "max": np.argmax}

Point = Mapping[str, float]
Key = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Value:
    """The quantity at a point.

    value: NaN where a route gave none; then `reason` says why. stderr: one standard error over the draws; NaN
    where nothing is drawn. draws: (S,), the jackknife's pseudo-values of the draws, whose standard error of
    the mean is `stderr`: those of one seed belong together at all points; None where nothing is drawn.
    rounding: how much of the value the stated accuracy of the routes leaves open.
    """

    value: float
    stderr: float = math.nan
    draws: np.ndarray | None = None
    reason: str = ""
    rounding: float = 0.0


@dataclass(frozen=True)
class Objective:
    """A quantity of a problem, as a function of points that give values of the searched names.

    A point maps names of parameters, of options, or `time` to numbers; all other values are fixed. Whole
    numbers are rounded. Answers are kept: a point is never asked twice. Made by `objective`.

    Attributes:
        problem: The problem.
        quantity: What is computed.
        dynamics: Name of the dynamics of terms that name none.
        route: Name of the route of terms that name none.
        values: Fixed parameters and options, by name.
        times: Times that are asked, increasing, by the name of the dynamics; `@end` is the last.
        seeds: Of sampled routes.
        curve: Name of the curve that is counted, or whose slope is meant.
    """

    problem: Problem
    quantity: Quantity
    dynamics: str
    route: str
    values: Mapping[str, Any] = field(default_factory=dict)
    times: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    curve: str = ""
    known: dict[Key, Value] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, points: Sequence[Point]) -> list[Value]:
        """The value at each point: one call of a route for all points that differ in time only."""
        read = [self._read(each) for each in points]
        groups: dict[Key, list[Key]] = {}
        for key in read:
            if key not in self.known:
                groups.setdefault(tuple(pair for pair in key if pair[0] != TIME), []).append(key)
        for rest, keys in groups.items():
            moments = np.unique([dict(key)[TIME] for key in keys if TIME in dict(key)])
            for key, value in zip(keys, self._at(dict(rest), keys, moments), strict=True):
                self.known[key] = value
        return [self.known[key] for key in read]

    @cached_property
    def clocks(self) -> dict[Term, tuple[Dynamics, Route]]:
        """The dynamics and the route of each observable. Raises `InputError`."""
        return {each: self._clock(each) for each in self.quantity.terms if each.kind == "observable"}

    @property
    def sampled(self) -> bool:
        """Whether any of it is drawn."""
        return any(route.sampled for _, route in self.clocks.values())

    @property
    def accuracy(self) -> float:
        """The largest stated relative error of its routes."""
        return max((route.accuracy for _, route in self.clocks.values()), default=1e-12)

    def parameters(self) -> list[Parameter]:
        """Every parameter and option that the question has: those of all its dynamics and routes."""
        pairs = list(dict.fromkeys(self.clocks.values()))
        options = [each for clock, route in pairs for each in (*clock.options, *route.options)]
        return list(dict.fromkeys((*self.problem.parameters, *options)))

    def parameter(self, name: str, value: object = "(searched)") -> Parameter:
        """The declaration of a parameter, an option, or the clock's `time`. Raises `InputError`."""
        clocks = [clock for clock, _ in self.clocks.values()] or [self.problem.on_clock(self.dynamics)]
        if name == TIME:
            return clocks[0].time
        known = {each.name: each for each in self.parameters()}
        if name not in known:
            chosen = [route for _, route in self.clocks.values()]
            raise unknown_name(self.problem, clocks[0], chosen, name, value)
        return known[name]

    def every_time(self) -> tuple[float, ...]:
        """The recorded times of its first dynamics."""
        clock, *_ = [clock.name for clock, _ in self.clocks.values()] or [self.dynamics]
        return self.times[clock]

    def at(self, point: Point) -> dict[str, Any]:
        """The fixed values, and those of the searched names."""
        whole = {name: round(each) if self.is_whole(name) else each for name, each in point.items()}
        return {**self.values, **whole}

    def instance(self, values: Mapping[str, Any]) -> Any:
        """The problem's instance at these values, of which others are left out."""
        known = {each.name for each in self.problem.parameters}
        return self.problem.instance(**{name: each for name, each in values.items() if name in known})

    def is_whole(self, name: str) -> bool:
        """Whether a name that is searched has whole values only."""
        if name == TIME:
            return any(clock.whole_time for clock, _ in self.clocks.values())
        return isinstance(self.parameter(name).domain, Whole)

    def check(self, searched: Sequence[str]) -> None:
        """Raise `InputError` for a fixed value that nobody knows or that is outside its domain."""
        for name in searched:
            self.parameter(name)
        for name, value in self.values.items():
            if value is not None:
                self.parameter(name, value).check(value)
        if TIME not in searched:
            if any(each.kind == SLOPE for each in self.quantity.terms):
                raise InputError(
                    "where", self.quantity.text, f"searched over time, because {SLOPE} is the slope over time"
                )
            for term, (clock, _) in self.clocks.items():
                if term.moment is None and not term.fold and len(self.times[clock.name]) > 1:
                    domain = f"given a time, as {term.name}@{END} or {term.name}@100, or searched over time"
                    raise InputError("where", self.quantity.text, domain)

    def _clock(self, term: Term) -> tuple[Dynamics, Route]:
        clock = self.problem.on_clock(term.dynamics or self.dynamics)
        name = term.route or self.route
        if not name:
            known = [each for each in catalogue.routes() if each.problem == self.problem.id]
            listed = one_of(each.name for each in known if each.dynamics == clock.name)
            raise InputError(
                "route",
                "(missing)",
                f"given, because no route to {clock.name} computes this without draws: {listed}",
            )
        return clock, catalogue.find_route(self.problem, clock.name, name)

    def _read(self, point: Point) -> Key:
        return tuple(
            (name, float(round(value)) if self.is_whole(name) else float(value))
            for name, value in sorted(point.items())
        )

    def _at(self, rest: dict[str, float], keys: Sequence[Key], moments: np.ndarray) -> list[Value]:
        """Values of points that share all parameters; moments: increasing, all times of these points."""
        values = self.at(rest)
        found: dict[Term, np.ndarray] = {}  # each over moments, (T,) or (S, T)
        size = max(1, moments.size)
        try:
            with recorded_doubts() as said:
                for term, each in self._observed(values, moments).items():
                    found[term] = each
                for term in self.quantity.terms:
                    if term.kind != "observable":
                        found[term] = np.broadcast_to(self._announced(term, values, moments), (size,))
        except (InputError, ArithmeticError) as error:
            option = getattr(error, "option", "")
            if option == "where" or not (rest or option == "times"):
                raise
            return [Value(math.nan, reason=str(error))] * len(keys)
        places = [int(np.searchsorted(moments, dict(key)[TIME])) if TIME in dict(key) else 0 for key in keys]
        return [self._value({term: each[..., i] for term, each in found.items()}, said) for i in places]

    def _value(self, terms: Mapping[Term, np.ndarray], said: Sequence[str]) -> Value:
        """The quantity of means over draws, with the jackknife's standard error."""
        parts = {term: _over_draws(term, each) for term, each in terms.items()}
        means = {term: whole for term, (whole, _) in parts.items()}
        value, size = self.quantity.evaluate(means)
        if not np.isfinite(value):
            lost = [term for term, each in means.items() if not np.isfinite(each)]
            flat = "the curve is flat there" if lost and lost[0].kind == SLOPE else ""
            other = f"{lost[0].name if lost else 'a ratio'} is not finite"
            return Value(math.nan, reason=flat or (lost and "; ".join(said)) or other)
        rounding = float(self.accuracy * size) if np.isfinite(size) else 0.0
        count = max((each.size for each in terms.values()), default=1)
        if not any(each.ndim for each in terms.values()) or count < 2:
            return Value(float(value), rounding=rounding)
        with np.errstate(all="ignore"):
            left = self.quantity.evaluate({term: without for term, (_, without) in parts.items()})
            pseudo = count * value - (count - 1) * left[0]
            error = float(np.std(pseudo, ddof=1) / math.sqrt(count))
        return Value(float(value), error, pseudo, "", rounding)

    def _observed(self, values: Mapping[str, Any], moments: np.ndarray) -> dict[Term, np.ndarray]:
        """Every observable over the moments, (T,), or drawn (S, T); without moments T is 1."""
        wanted: dict[tuple[str, str], list[Term]] = {}
        for term, (clock, route) in self.clocks.items():
            wanted.setdefault((clock.name, route.name), []).append(term)
        found: dict[Term, np.ndarray] = {}
        for terms in wanted.values():
            clock, route = self.clocks[terms[0]]
            own = self.own(values, clock, route, {each.name for each in terms})
            instance, options = instance_and_options(self.problem, clock, route, own)
            asked = {term: self._moments(term, clock, moments) for term in terms}
            grid = time_grid(clock, np.unique(np.concatenate(list(asked.values()))))
            shapes = expected_shapes(self.problem, route, instance, options)
            drawn = self.seeds if route.sampled else None
            answer = ask_route(route, shapes, instance, grid, options, drawn)
            for term, at in asked.items():
                each = _entry(answer, term, clock, route, self.quantity)
                taken = each[..., np.searchsorted(grid, np.rint(at) if clock.whole_time else at)]
                if term.fold:  # the time at which the mean over draws is least
                    mean = taken.mean(axis=0) if route.sampled else taken
                    taken = taken[..., [_FOLDS[term.fold](mean)]]
                size = max(1, moments.size)
                found[term] = taken if taken.shape[-1] == size else np.repeat(taken[..., :1], size, axis=-1)
        return found

    def own(
        self, values: Mapping[str, Any], clock: Dynamics, route: Route, names: set[str]
    ) -> dict[str, Any]:
        """The values that this route takes, with the option that adds observables where that is not given."""
        parameters = {each.name for each in self.problem.parameters}
        options = {each.name for each in (*clock.options, *route.options)}
        found = {k: v for k, v in values.items() if k in parameters | options and v is not None}
        for option in clock.options:
            said = {added_by(clock, [route], name) for name in names} - {""}
            words = [each.split()[1] for each in said if each.startswith(f"--{option.option} ")]
            if words and option.name not in found:
                found[option.name] = tuple(sorted(set(words)))
        return found

    def _moments(self, term: Term, clock: Dynamics, moments: np.ndarray) -> np.ndarray:
        times = self.times[clock.name]
        if term.fold:
            return np.asarray(times, dtype=float)
        if term.moment == END or (term.moment is None and not moments.size):
            return np.array(times[-1:], dtype=float)
        return moments if term.moment is None else np.array([float(term.moment)])

    def _announced(self, term: Term, values: Mapping[str, Any], moments: np.ndarray) -> np.ndarray | float:
        """A count, a slope over the logarithm of time, or the value of a parameter."""
        if term.kind == "parameter":
            return self._own_value(term.name, values, moments)
        instance = self.instance(values)
        if term.kind == COUNT:
            counts = catalogue.of_problem(self.problem.id, catalogue.counts())
            return float(ask_count(counts[self.curve], instance))
        curve = catalogue.of_problem(self.problem.id, catalogue.turns())[self.curve].smooth(instance)
        at = np.log(moments)
        return np.where((at >= curve.low) & (at <= curve.high), curve.at(at).slope, np.nan)

    def _own_value(self, name: str, values: Mapping[str, Any], moments: np.ndarray) -> np.ndarray | float:
        if name == TIME:
            return moments if moments.size else float(self.times[self.dynamics][-1])
        known = {each.name for each in self.problem.parameters}
        given = {k: v for k, v in values.items() if k in known}
        every = given_values(self.problem.parameters, given) | self.problem.derive(given)
        if not isinstance(every.get(name), int | float):
            raise InputError("where", name, f"a parameter that has a value here: give --{name}")
        return float(every[name])


def _over_draws(term: Term, draws: np.ndarray) -> tuple[Any, Any]:
    """The mean over draws, (S,), or their standard deviation, and that of all draws but each; without draws
    the value, ()."""
    if not draws.ndim:
        return draws, draws
    count, off = draws.size, draws - draws.mean()
    if not term.name.endswith(SCATTER):
        return draws.mean(), draws.mean() - off / (count - 1)
    with np.errstate(all="ignore"):
        left = np.maximum((off @ off) - off**2 * count / (count - 1), 0.0) / (count - 2)
    return draws.std(ddof=1), np.sqrt(left)


def _entry(
    answer: Mapping[str, np.ndarray], term: Term, clock: Dynamics, route: Route, quantity: Quantity
) -> np.ndarray:
    """One observable, or one entry of it, over times, and over draws first. Raises `InputError`."""
    name = term.name
    if name not in answer and route.sampled and not route.averages and not term.fold:
        name = name.removesuffix(SCATTER)
        if name in answer and len(answer[name]) < LEAST:
            raise InputError(
                "seeds", len(answer[name]), f"{LEAST} or more for the standard error of a scatter"
            )
    if name not in answer:
        domain = f"made of what route {route.name} gives of this question: {', '.join(answer)}"
        raise InputError("where", quantity.text, domain, added_by(clock, [route], term.name))
    each = answer[name]
    leading = 2 if route.sampled else 1
    if each.ndim - leading != len(term.entry):
        one = f"{term.name}{'[0]' * (each.ndim - leading)}"
        raise InputError("where", quantity.text, f"made of single numbers, for example {one}")
    try:
        for place in reversed(term.entry):
            each = each[..., place]
        return each
    except IndexError:
        domain = f"made of entries of {term.name} that exist, counted from 0: {each.shape[leading:]}"
        raise InputError("where", quantity.text, domain) from None


def objective(
    problem: Problem,
    quantity: Quantity,
    searched: Sequence[str],
    *,
    dynamics: str | None = None,
    route: str | None = None,
    times: Mapping[str, tuple[float, ...]] | None = None,
    seeds: Sequence[int] = (),
    curve: str | None = None,
    values: Mapping[str, Any],
) -> Objective:
    """The objective of a question, its defaults filled in and its values checked.

    Args:
        problem: The problem.
        quantity: What is computed.
        searched: Names that points give.
        dynamics: Of terms that name none (default: the first; if time is searched, the first with continuous
            time that a route without draws answers).
        route: Of terms that name none (default: the first that draws nothing and gives what is asked,
            an exact one if there is one).
        times: Recorded times by dynamics; of others the dynamics' own, of which `AUTO` is not known here.
        seeds: Of sampled routes.
        curve: Of counts and slopes (default: the first that the theory announces).
        values: The fixed values by name.

    Raises:
        InputError: For what cannot be asked.
    """
    names = {each.name for each in quantity.terms if each.kind == "observable"}
    curves: Mapping[str, Any] = {}
    if any(each.kind == COUNT for each in quantity.terms):
        curves = catalogue.of_problem(problem.id, catalogue.counts())
    elif any(each.kind == SLOPE for each in quantity.terms):
        every = catalogue.of_problem(problem.id, catalogue.turns())
        curves = {name: each for name, each in every.items() if each.curve}
    if curve is not None and curve not in curves:
        domain = f"one of {', '.join(curves)}" if curves else f"absent: no {COUNT} or {SLOPE} is asked"
        raise InputError("curve", curve, domain)
    chosen = curve or next(iter(curves), "")
    if any(each.kind == SLOPE for each in quantity.terms):
        dynamics = dynamics or curves[chosen].dynamics
    clock = _default_dynamics(problem, names, TIME in searched) if dynamics is None else dynamics
    if route is None:
        own = _giving(problem, problem.on_clock(clock), names)
        route = own[0] if own else ""
    every_clock = {each.name: _times_of(each) for each in problem.dynamics} | dict(times or {})
    found = Objective(
        problem, quantity, clock, route, dict(values), every_clock, tuple(seeds), chosen if curves else ""
    )
    found.check(searched)
    return found


def _times_of(clock: Dynamics) -> tuple[float, ...]:
    return () if isinstance(clock.times, str) else tuple(time_grid(clock, clock.times).tolist())


def _giving(problem: Problem, clock: Dynamics, names: set[str]) -> list[str]:
    """Routes that draw nothing and give these observables; exact ones for any question first."""
    found = [
        each
        for each in catalogue.routes()
        if (each.problem, each.dynamics) == (problem.id, clock.name)
        and not each.sampled
        and (not each.gives or names <= set(each.gives))
    ]
    return [
        each.name for each in sorted(found, key=lambda each: (bool(each.approximate), bool(each.example)))
    ]


def _default_dynamics(problem: Problem, names: set[str], timed: bool) -> str:
    able = [each for each in problem.dynamics if _giving(problem, each, names)] or list(problem.dynamics)
    smooth = [each for each in able if not each.whole_time]
    return (smooth or able)[0].name if timed else able[0].name
