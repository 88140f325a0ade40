"""The vocabulary in which systems announce themselves, and nothing about any of them.

A problem declares its parameters, its clocks and its observables once; a room (`theory`,
`sims`) declares its routes to those observables. The command line, validation, documentation
and tests enumerate these declarations; nobody keeps a second list.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import TIMES, Parameter, demand_names_apart, pick, resolve
from teacherstudent.house.suggestions import one_of

WITNESSES = ("theory", "sims")
"""The rooms, and of a system from outside the files, that answer without each other."""

ROUNDING = 1e-12
"""What rounding makes of some thousand operations: the accuracy of a route that says nothing of its own."""


@dataclass(frozen=True)
class Observable:
    """One measured quantity; `dims` are its axes beyond time (and seed).

    `nonnegative` says that it can be zero but not less, as a mean square: no exact route gives less.
    `best` says which of its values is best, where one is: the least of an error, the most of an accuracy.
    """

    name: str
    symbol: str
    unit: str
    meaning: str
    dims: tuple[str, ...] = ()
    nonnegative: bool = False
    best: Literal["", "least", "most"] = ""


@dataclass(frozen=True)
class Dynamics:
    """A way in which the student changes, and the clock it runs on.

    `whole_time` says that time counts steps; `options` are the parameters of the dynamics itself, not of the
    problem. `times` are recorded where none are given; `AUTO` where they follow from the question, which the
    theory's `Window` looks at. `remarks` says in a line what whoever asks must know of an instance at times
    and with options under this dynamics; "" where that is nothing.
    """

    name: str
    time: Parameter
    whole_time: bool = False
    options: tuple[Parameter, ...] = ()
    times: Span | Literal["auto"] = TIMES.default
    remarks: Callable[[Any, Any, Mapping[str, Any]], str] = field(default=lambda *_: "", repr=False)


@dataclass(frozen=True)
class Recursion:
    """Students that keep what two steps have left of their start.

    With x = learning rate times curvature, p of the start is left along an eigenvector of that curvature:
    p' = a p + b p_previous, p = p_previous = 1 at first, where (a, b) = `step`(x, **options) are linear in x
    with a + b = 1 - x. `edge`(**options) is the x from which on p grows.
    """

    step: Callable[..., tuple[Any, Any]]
    edge: Callable[..., float]


@dataclass(frozen=True)
class Algorithm:
    """How students that are linear in their features are trained; declared once, for all sources of these.

    A module of `theory.algorithms` announces it as `ALGORITHM`; one of the same name in `sims.algorithms`
    takes its steps. `name`, `time`, `whole_time` and `options` become those of a `Dynamics` of each problem
    that is `Linear`, and `meaning` says in a phrase what the algorithm is. `place` orders the dynamics of a
    problem; those that say nothing come last.

    `rule` is the `module:function` that says what it makes of each eigenvalue (`theory.rules`), and `limit`
    that of its filter of a matrix of infinite size (`theory.spectral.limits`). Where there is a
    `recursion`, both follow from it. An algorithm without any of these reaches a source only where the
    source itself says how. `scheduled` says that its learning rate may be a function of the step, by routes
    that are `scheduled` too.
    """

    name: str
    time: Parameter
    meaning: str
    whole_time: bool = False
    options: tuple[Parameter, ...] = ()
    place: int = 99
    rule: str = ""
    limit: str = ""
    recursion: Recursion | None = field(default=None, repr=False)
    scheduled: bool = False

    @property
    def composes(self) -> bool:
        """Whether theory follows it for any source."""
        return bool(self.rule or self.recursion)


@dataclass(frozen=True)
class Linear:
    """Says of a problem that its students are linear in their features: every `Algorithm` trains them.

    `options` are the problem's own under every algorithm, `own` those under one, in their place. A parameter
    in `instead` replaces the algorithm's of the same name. `refused` gives the reason why an algorithm does
    not train them, as a phrase. `times` and `remarks` (of an algorithm) are as in `Dynamics`.
    """

    options: tuple[Parameter, ...] = ()
    own: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict, hash=False)
    instead: tuple[Parameter, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict, hash=False)
    times: Span | Literal["auto"] = TIMES.default
    remarks: Mapping[str, Callable[[Any, Any, Mapping[str, Any]], str]] = field(
        default_factory=dict, repr=False, hash=False
    )

    def dynamics(self, algorithms: Sequence[Algorithm]) -> tuple[Dynamics, ...]:
        """Those of the algorithms that train these students."""
        instead = {each.name: each for each in self.instead}
        found = []
        for each in algorithms:
            if each.name not in self.refused:
                options = tuple(instead.get(option.name, option) for option in each.options)
                options += self.own.get(each.name, self.options)
                clock = Dynamics(each.name, each.time, each.whole_time, options, self.times)
                remarks = self.remarks.get(each.name)
                found.append(replace(clock, remarks=remarks) if remarks else clock)
        return tuple(found)


@dataclass(frozen=True)
class Problem:
    """A system: what is asked of both witnesses.

    `build` turns validated keyword values into the frozen instance that routes receive. It
    raises `InputError` where parameters contradict each other. `observed` names the observables that a
    question has, from its instance and options: all, unless the problem says otherwise. `coordinates` are
    those along the observables' own axes, (axis, values, attributes) by name. `examples` are questions
    that are answered in no time, values of parameters and options, by which all routes are tested;
    together they ask for every observable. `convention` says in a phrase how the training loss is
    normalised: pictures state it, because the literature has several. `realised` gives the values that an
    instance has of parameters that are ratios of whole counts, and so are rounded. `derived` gives those that
    an instance has of parameters whose default, None, depends on others. `remarks` says in a line
    what else whoever asks must know of how an instance was read; "" where that is nothing. `linear` says
    that its students are linear in their features: then the catalogue adds a dynamics for each algorithm.
    `question` is the question that the system answers, in one line for its users.
    """

    id: str
    title: str
    source: str
    parameters: tuple[Parameter, ...]
    observables: tuple[Observable, ...]
    build: Callable[..., Any] = field(repr=False)
    dynamics: tuple[Dynamics, ...] = ()
    coordinates: Callable[[Any], Mapping[str, Any]] = field(default=lambda _: {}, repr=False)
    observed: Callable[[Any, Mapping[str, Any]], Collection[str]] | None = field(default=None, repr=False)
    examples: tuple[Mapping[str, Any], ...] = field(default=({},), repr=False, hash=False)
    convention: str = field(default="", repr=False)
    realised: Callable[[Any], Mapping[str, float]] = field(default=lambda _: {}, repr=False)
    derived: Callable[[Any], Mapping[str, Any]] | None = field(default=None, repr=False)
    remarks: Callable[[Any], str] = field(default=lambda _: "", repr=False)
    question: str = field(default="", repr=False)
    linear: Linear | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        options = [option for clock in self.dynamics for option in dict.fromkeys(clock.options)]
        demand_names_apart(self.id, self.parameters, options, taken={each.name for each in self.observables})

    def instance(self, **values: Any) -> Any:
        """Validate each value against its declaration and build the frozen instance.

        Raises `InputError` for an unknown name, a value outside its domain or a contradiction.
        """
        return self.build(**resolve(self.parameters, values, f"problem {self.id}"))

    def derive(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The defaults of one question that depend on its other values; none of a grid of questions.

        values: those given, by name, of parameters and maybe of options.
        """
        if self.derived is None:
            return {}
        known = {each.name: each for each in self.parameters}
        given = {name: value for name, value in values.items() if name in known and value is not None}
        try:
            found = self.derived(self.instance(**given))
        except InputError:  # a grid, or what is refused where it is asked
            return {}
        taken = {*given, *(name for each in given for name in known[each].instead_of)}
        return {name: known[name].check(value) for name, value in found.items() if name not in taken}

    def on_clock(self, name: str) -> Dynamics:
        """The dynamics of that name. Raises `InputError`, with the reason where the problem has one."""
        among = {each.name: each for each in self.dynamics}
        if self.linear and name in self.linear.refused:
            raise InputError("dynamics", name, one_of(among), self.linear.refused[name])
        return pick("dynamics", name, among)


@dataclass(frozen=True)
class Route:
    """One way to the observables of a problem under one dynamics.

    `entry` is `module:function`, imported at the first call only. The function takes
    `(instance, times, **options)` and, if `sampled`, `seeds`; it returns arrays named like the
    observables, with axes (seed if sampled, time, the observable's own). `approximate` marks
    what is known not to be exact in its own limit, and says why.

    `gives` names the observables that it gives, where those are not all of the problem's; `options` are
    its own, beside those of the dynamics. `example` holds values that the problem's examples lack to be
    a question that this route answers.

    An exact route says what it is exact for: `exact_for` is "draw" (the given draws; so by default where
    it is sampled), "limit" (infinite sizes), "end" (infinite time) or "question" (the question as it is
    asked, whatever is drawn). Exact routes to one dynamics agree where they are exact for the same, and
    those for the question agree with those for a draw. They do so within `accuracy`: the largest error
    of a route, relative to the largest magnitude of the observable in that answer.

    `needs` is the `module:function` that says how much memory a question takes (`house.memory.Need`), from
    `(instance, times, options)`; where a route stands for all algorithms it can be a `module`, which has one
    of each name. A sampled route has one. Others may leave it out where what they hold is in proportion to
    their answer.

    `averages` names in a phrase what each draw of a sampled route is averaged over, though data sets differ
    in it: then the scatter of its draws is not that between data sets.

    `assumes` names in a phrase what a limit takes for granted beside its size.

    `cautions` is the `module:function` that says in sentences why the numbers of a question may be off,
    from `(instance, dynamics, times, options)`; times None asks for all of training (`house.cautions`).

    `scheduled` says that the learning rate may be a function of the step (`house.schedules`); of a route that
    stands for all algorithms, under those that are `scheduled` themselves.

    `slow` says that a small question takes seconds: quick tests leave it out. `slow_to_map` says that a map
    takes a minute, so that refusals propose none.

    `batch`, where there is one, is the `module:function` that answers several questions in one
    call, for machines on which one large call is faster than many small ones. It takes
    `(instances, times, *, options, seeds)`, one of each a question, and yields the answers in
    their order, warning of each as it is yielded.
    """

    problem: str
    dynamics: str
    name: str
    entry: str
    meaning: str
    source: str
    sampled: bool = False
    approximate: str = ""
    version: int = 1
    averages: str = ""
    assumes: str = ""
    slow: bool = False
    slow_to_map: bool = False
    scheduled: bool = False
    batch: str = ""
    gives: tuple[str, ...] = ()
    options: tuple[Parameter, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict, hash=False)
    needs: str = ""
    cautions: str = ""
    exact_for: Literal["", "question", "draw", "limit", "end"] = ""
    accuracy: float = ROUNDING

    def __post_init__(self) -> None:
        if not self.exact_for:
            object.__setattr__(self, "exact_for", "draw" if self.sampled else "question")

    @property
    def id(self) -> str:
        return f"{self.problem}/{self.dynamics}/{self.name}"

    @property
    def proviso(self) -> str:
        """Why it need not agree with draws, to be read after its name; empty where it is exact for them."""
        if self.approximate:
            return "is approximate"
        if self.exact_for == "limit":
            assumed = f", for {self.assumes}" if self.assumes else ""
            return f"is the limit of infinite sizes{assumed} and not exact at finite sizes"
        return "is exact only at the end of training" if self.exact_for == "end" else ""

    @property
    def witness(self) -> str:
        """Whose route it is, by the room or the file of its function: `theory` or `sims`."""
        return witness(self.entry)

    def function(self) -> Callable[..., Mapping[str, Any]]:
        return load(self.entry)


@dataclass(frozen=True)
class Count:
    """A whole number that theory gives for every instance: where it changes runs a boundary.

    `entry` is `module:function`; the function takes `(instance, name)` and raises
    `ArithmeticError` where it cannot be certain. `counted` says what there are so many of. `limit` says
    that it is that of infinite sizes, of which only the ratios matter.
    """

    problem: str
    name: str
    entry: str
    counted: str
    meaning: str
    approximate: str = ""
    limit: bool = False

    def function(self) -> Callable[[Any, str], int]:
        return load(self.entry)


@dataclass(frozen=True)
class Turns:
    """Every minimum and maximum, over training, of an observable that theory gives as a smooth curve.

    `entry` is `module:function`; the function takes `(instance, name)` and returns the turns in the
    order of time, each with its `time`, `value` and whether it `is_minimum`. It raises `ArithmeticError`
    where it cannot be certain. `dynamics` says on whose clock; `quantity` is what the observable is
    called in a phrase; `route`, where there is one, gives the observable over any times.

    `curve`, where there is one, is the `module:function` from `(instance, name)` to the `SmoothCurve` whose
    turns these are. With it the places where two turns meet, or where two minima are equally low, are solved
    for. A `Count` of the same problem and name changes only where turns of this curve meet. `curves`, where
    there is one, is the `module:function` from `(instances, name)` to their `SmoothCurves`.
    `limit` is as in `Count`. `over` names the parameter over which the observable turns, where that is not
    time: the turns' `time` is then its value.
    """

    problem: str
    name: str
    entry: str
    dynamics: str
    observable: str
    quantity: str
    source: str
    approximate: str = ""
    route: str = ""
    curve: str = ""
    curves: str = ""
    limit: bool = False
    over: str = ""

    def function(self) -> Callable[[Any, str], Sequence[Any]]:
        return load(self.entry)

    def smooth(self, instance: Any) -> SmoothCurve:
        """The curve of this instance. Only where `curve` says how; raises as the function does."""
        return load(self.curve)(instance, self.name)


class Motion(Protocol):
    """A curve at some log times, (T,) each: value, slope and bend, its first and second derivative.

    size: the slope's parts without their signs, so that slope/size is 1 or -1 where nothing cancels.
    clear: where the sign of the slope is certain.
    """

    @property
    def value(self) -> Any: ...
    @property
    def slope(self) -> Any: ...
    @property
    def bend(self) -> Any: ...
    @property
    def size(self) -> Any: ...
    @property
    def clear(self) -> Any: ...


class SmoothCurve(Protocol):
    """An observable over x = log time on [low, high], outside of which it is flat."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...

    def at(self, points: Any) -> Motion:
        """The motion at log times, (T,). Raises `ArithmeticError` where nothing can be said."""
        ...


class SmoothCurves(Protocol):
    """An observable of B instances over log time on [low, high], (B,) each, asked together."""

    @property
    def low(self) -> Any: ...
    @property
    def high(self) -> Any: ...

    def at(self, which: Any, points: Any) -> Motion:
        """The motions of instances `which` at log times, (R,) each, in range; NaN where nothing is known."""
        ...


@dataclass(frozen=True)
class Spectrum:
    """The limiting spectrum of X^T X of a problem's training inputs.

    `entry` is `module:function`; the function takes `(instance, eigenvalues)`, with None for a grid of
    its own in each band, and returns arrays by name: `eigenvalue`, `density` and `share_below`, (J,),
    `band_edge`, (B, 2), and the numbers `zeros` (their share) and `alpha` (n over the number
    of weights).
    """

    problem: str
    entry: str
    source: str

    @property
    def id(self) -> str:
        return self.problem

    def function(self) -> Callable[[Any, Any], Mapping[str, Any]]:
        return load(self.entry)


@dataclass(frozen=True)
class Window:
    """The times between which something happens, of a problem whose clocks have the times `AUTO`.

    `entry` is `module:function`; the function takes `([(instance, options), ...], dynamics)` and returns one
    increasing list of times for all of these questions, and in a phrase what happens after the last of them,
    "" where that is nothing. It raises `InputError` where no question is answered.
    """

    problem: str
    entry: str

    @property
    def id(self) -> str:
        return self.problem

    def function(self) -> Callable[[Sequence[tuple[Any, Mapping[str, Any]]], str], tuple[Any, str]]:
        return load(self.entry)


def witness(entry: str) -> str:
    """The witness whose function `module:name` is: `theory` or `sims`; "" of any other."""
    parts = entry.partition(":")[0].split(".")
    return next((part for part in parts if part in WITNESSES), "")


def load(entry: str) -> Any:
    """The object named by `module:name`, importing the module now."""
    module, name = entry.split(":")
    return getattr(importlib.import_module(module), name)
