"""The vocabulary in which systems announce themselves, and nothing about any of them.

A problem declares its parameters, its clocks and its observables once; a room (`theory`,
`sims`) declares its routes to those observables. The command line, validation, documentation
and tests enumerate these declarations; nobody keeps a second list.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from teacherstudent.house.domains import (
    Domain,
    Grid,
    InputError,
    Misread,
    Number,
    OrWord,
    Span,
    Whole,
    in_digits,
)
from teacherstudent.house.nearest import meant, one_of
from teacherstudent.house.ranges import Single
from teacherstudent.house.synonyms import by_name, synonyms

T = TypeVar("T")
REQUIRED = object()

ROUNDING = 1e-12
"""What rounding makes of some thousand operations: the accuracy of a route that says nothing of its own."""


RESERVED = frozenset(
    (
        "accuracy", "as_json", "at_once", "curve", "dynamics", "eigenvalues", "from", "from_",
        "help", "json", "of", "out", "plot", "point", "points", "problem", "reason", "resume", "route",
        "scheduler", "seed", "seeds", "settings", "show", "spots", "time", "times", "verbose", "workers",
        "x", "y",
    )
)  # fmt: skip
"""What commands, functions and answers call things of their own: no parameter and no option may."""


@dataclass(frozen=True)
class Parameter:
    """One input: its name in the field, symbol, unit, domain, meaning and default.

    `default` is a valid value, None (absent unless given) or `REQUIRED`. `instead_of` names the
    parameters that this one replaces: giving both is an error, never a silent choice. `also` are other
    words that the field writes for it, beside the symbol (`house/synonyms.py`).
    """

    name: str
    symbol: str
    unit: str
    domain: Domain
    meaning: str
    default: Any = None
    instead_of: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """The command-line spelling, without the two dashes."""
        return self.name.replace("_", "-")

    @property
    def default_text(self) -> str:
        """The default as one would type it: empty where there is none, `required` where it must be given."""
        if self.default is REQUIRED:
            return "required"
        items = self.default if isinstance(self.default, tuple) else (self.default,)
        return ",".join(
            in_digits(each) if isinstance(each, float) else str(each) for each in items if each is not None
        )

    def parse(self, text: str) -> Any:
        """Read a value from text. Raises `InputError`."""
        return self._in_domain(self.domain.parse, text)

    def check(self, value: Any) -> Any:
        """Return the value in its canonical type; a text is read as `parse` reads it. Raises `InputError`."""
        return self._in_domain(self.domain.parse if isinstance(value, str) else self.domain.check, value)

    def _in_domain(self, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except Misread as misread:
            raise InputError(self.name, value, self.domain.describe(), misread.hint) from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise InputError(self.name, value, self.domain.describe()) from None


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

    `whole_time` says that time counts steps; `options` are the parameters of the dynamics
    itself, not of the problem.
    """

    name: str
    time: Parameter
    whole_time: bool = False
    options: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Problem:
    """A system: what is asked of both witnesses.

    `build` turns validated keyword values into the frozen instance that routes receive. It
    raises `InputError` where parameters contradict each other. `observed` names the observables that a
    question has, from its instance and options: all, unless the problem says otherwise. `coordinates` are
    those along the observables' own axes, (axis, values, attributes) by name. `examples` are questions
    that are answered in no time, values of parameters and options, by which all routes are tested;
    together they ask for every observable. `convention` says in a phrase how the training loss is
    normalised: pictures state it, because the literature has several.
    """

    id: str
    title: str
    source: str
    parameters: tuple[Parameter, ...]
    dynamics: tuple[Dynamics, ...]
    observables: tuple[Observable, ...]
    build: Callable[..., Any] = field(repr=False)
    coordinates: Callable[[Any], Mapping[str, Any]] = field(default=lambda _: {}, repr=False)
    observed: Callable[[Any, Mapping[str, Any]], Collection[str]] | None = field(default=None, repr=False)
    examples: tuple[Mapping[str, Any], ...] = field(default=({},), repr=False, hash=False)
    convention: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        options = [option for clock in self.dynamics for option in dict.fromkeys(clock.options)]
        demand_names_apart(self.id, self.parameters, options, taken={each.name for each in self.observables})

    def instance(self, **values: Any) -> Any:
        """Validate each value against its declaration and build the frozen instance.

        Raises `InputError` for an unknown name, a value outside its domain or a contradiction.
        """
        return self.build(**resolve(self.parameters, values, f"problem {self.id}"))

    def on_clock(self, name: str) -> Dynamics:
        """The dynamics of that name. Raises `InputError`."""
        return pick("dynamics", name, {each.name: each for each in self.dynamics})


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
    `(instance, times, options)`. A sampled route has one. Others may leave it out where what they hold is in
    proportion to their answer.

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
    batch: str = ""
    gives: tuple[str, ...] = ()
    options: tuple[Parameter, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict, hash=False)
    needs: str = ""
    exact_for: Literal["", "question", "draw", "limit", "end"] = ""
    accuracy: float = ROUNDING

    def __post_init__(self) -> None:
        if not self.exact_for:
            object.__setattr__(self, "exact_for", "draw" if self.sampled else "question")

    @property
    def id(self) -> str:
        return f"{self.problem}/{self.dynamics}/{self.name}"

    def function(self) -> Callable[..., Mapping[str, Any]]:
        return load(self.entry)


@dataclass(frozen=True)
class Count:
    """A whole number that theory gives for every instance: where it changes runs a boundary.

    `entry` is `module:function`; the function takes `(instance, name)` and raises
    `ArithmeticError` where it cannot be certain. `counted` says what there are so many of.
    """

    problem: str
    name: str
    entry: str
    counted: str
    meaning: str
    approximate: str = ""

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
    for. A `Count` of the same problem and name changes only where turns of this curve meet.
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

    def function(self) -> Callable[[Any, str], Sequence[Any]]:
        return load(self.entry)

    def smooth(self, instance: Any) -> SmoothCurve:
        """The curve of this instance. Only where `curve` says how; raises as the function does."""
        return load(self.curve)(instance, self.name)


class Motion(Protocol):
    """A curve at some log times, (T,) each: value, slope and bend, its first and second derivative.

    size: the slope's parts without their signs, so that slope/size is 1 or -1 where nothing cancels. clear: where
    the sign of the slope is certain.
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


@dataclass(frozen=True)
class Spectrum:
    """The limiting spectrum of X^T X of a problem's training inputs.

    `entry` is `module:function`; the function takes `(instance, eigenvalues)`, with None for a grid of
    its own in each band, and returns arrays by name: `eigenvalue`, `density` and `share_below`, (J,),
    `band_edge`, (B, 2), and the numbers `zeros` (their share) and `alpha` (n/d).
    """

    problem: str
    entry: str
    source: str

    @property
    def id(self) -> str:
        return self.problem

    def function(self) -> Callable[[Any, Any], Mapping[str, Any]]:
        return load(self.entry)


def load(entry: str) -> Any:
    """The object named by `module:name`, importing the module now."""
    module, name = entry.split(":")
    return getattr(importlib.import_module(module), name)


def resolve(parameters: tuple[Parameter, ...], values: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Canonical values for all parameters: the given ones checked, defaults for the rest."""
    known = {parameter.name: parameter for parameter in parameters}
    values = by_name(parameters, values)
    for name in values:
        if name not in known:
            listed = [f"--{parameter.option}" for parameter in parameters]
            domain = f"one of the parameters of {owner}: {', '.join(listed)}"
            raise InputError(name, values[name], domain, meant(f"--{name}", listed))
    given = {name for name, value in values.items() if value is not None}
    for parameter in parameters:
        for replaced in given.intersection(parameter.instead_of if parameter.name in given else ()):
            raise InputError(replaced, values[replaced], f"absent where --{parameter.option} is given")
    resolved = {}
    for name, parameter in known.items():
        value = values.get(name)
        if value is None:
            value = parameter.default
        if value is REQUIRED:
            raise InputError(name, "(missing)", parameter.domain.describe())
        resolved[name] = None if value is None else _one(parameter, value)
    return resolved


def _one(parameter: Parameter, value: Any) -> Any:
    """The value, checked; where it is several, the refusal says what they are for."""
    try:
        return parameter.check(value)
    except InputError:
        return replace(parameter, domain=Single(parameter.domain)).check(value)


def demand_names_apart(
    owner: str,
    parameters: Iterable[Parameter],
    options: Iterable[Parameter],
    taken: Collection[str] = (),
) -> None:
    """Raise `ValueError` where a name would mean two things, of which one would win in silence.

    options: may be shared, and so may repeat, but then as one and the same declaration. taken: names in
    use beside those that are `RESERVED`. Synonyms may be shared, since one that means two parameters is
    refused when it is used. None is the name of another parameter. A symbol may be a word of the
    commands' own, which then means what it means there.
    """
    seen: dict[str, Parameter] = {}
    for each in (*parameters, *dict.fromkeys(options)):
        if each.name in seen or each.name in RESERVED or each.name in taken:
            raise ValueError(f"{owner}: the name {each.name} is already in use")
        seen[each.name] = each
    for each in seen.values():
        for synonym in synonyms(each):
            if synonym in seen or (synonym in each.also and (synonym in RESERVED or synonym in taken)):
                raise ValueError(f"{owner}: the synonym {synonym} of {each.name} is a name in use")


def pick(option: str, name: str, among: Mapping[str, T], listed: str = "", hint: str = "") -> T:
    """The entry called `name`, or an `InputError` with the nearest one, and the choices.

    listed: the command that lists them, where they are many. hint: to be given where none is near.
    """
    if not isinstance(name, str) or name not in among:
        raise InputError(option, name, one_of(among, listed), meant(name, among) or hint)
    return among[name]


# Parameters that many systems share, declared once. ------------------------------------------

SEEDS = Parameter(
    "seeds",
    "n_seeds",
    "draws",
    Whole(2, 1_000_000),
    "independent draws of a sampled route; bands are one standard error of the mean",
    20,
)
FIRST_SEED = Parameter("seed", "seed", "1", Whole(0, 2**53), "first seed; the others follow it one by one", 0)
TIMES = Parameter(
    "times",
    "t",
    "clock of the dynamics",
    Grid(Number(0)),
    "recording times, on the clock of the dynamics",
    Span(1.0, 1e4, 50),
)
LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/loss curvature",
    OrWord("auto", Number(0, low_open=True)),
    "step size of gradient descent; auto: 1 / largest eigenvalue of X^T X of each draw "
    "(in the limit, the upper edge of the spectrum)",
    "auto",
    also=("lr",),
)
