"""One input of a system, what its values may be called, and how given values become an instance's.

A parameter is declared once: the command line, Python's functions, validation and documentation read it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from teacherstudent.house.domains import LARGEST, Domain, Number, Pairs, Several, Whole
from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.grids import Grid, Span, in_digits
from teacherstudent.house.ranges import Single
from teacherstudent.house.schedules import OrSchedule
from teacherstudent.house.suggestions import did_you_mean, one_of
from teacherstudent.house.synonyms import by_name, synonyms

T = TypeVar("T")
REQUIRED = object()


RESERVED = frozenset(
    (
        "accuracy", "along", "as_json", "at_once", "curve", "dynamics", "eigenvalues", "for", "for_", "from",
        "from_", "help", "json", "largest", "methods", "of", "out", "over", "plot", "plot_style",
        "plot_width", "point", "points", "problem", "reason", "resume", "route", "rows", "scatter",
        "scheduler", "seed", "seeds", "sensitivity", "settings", "show", "simulate", "spots", "subject_to",
        "system", "time", "times", "uncertain", "verbose", "where", "workers", "x", "y",
    )
)  # fmt: skip
"""What commands, functions and answers call things of their own: no parameter and no option may."""

ASKING = frozenset(
    (
        "accuracy", "along", "curve", "dynamics", "for_", "largest", "of", "over", "points", "route",
        "scatter", "seed", "seeds", "sensitivity", "simulate", "spots", "subject_to", "times", "uncertain",
        "where", "x", "y",
    )
)  # fmt: skip
"""What a question is asked by, apart from parameters. Files of settings may set only these and parameters."""


@dataclass(frozen=True)
class Parameter:
    """One input: its name in the field, symbol, unit, domain, meaning and default.

    `default` is a valid value, None (absent unless given) or `REQUIRED`. `instead_of` names the
    parameters that this one replaces: giving both is an error, never a silent choice. `also` are other
    words that the field writes for it, beside the symbol (`house/synonyms.py`). `extensive` says that it is
    a size, or a list of sizes: where sizes are infinite only their ratios matter. `fractional` says that what
    draws nothing has an answer between whole numbers as well.
    """

    name: str
    symbol: str
    unit: str
    domain: Domain
    meaning: str
    default: Any = None
    instead_of: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    extensive: bool = False
    fractional: bool = False

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


def resolve(parameters: tuple[Parameter, ...], values: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Canonical values for all parameters: the given ones checked, defaults for the rest."""
    known = {parameter.name: parameter for parameter in parameters}
    values = by_name(parameters, values)
    for name in values:
        if name not in known:
            listed = [f"--{parameter.option}" for parameter in parameters]
            domain = f"one of the parameters of {owner}: {', '.join(listed)}"
            raise InputError(name, values[name], domain, did_you_mean(f"--{name}", listed, values[name]))
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


def with_larger_sizes(
    parameters: tuple[Parameter, ...], values: Mapping[str, Any], largest: float
) -> dict[str, Any]:
    """The values, with all sizes so much larger that the largest is about `largest`, at the same ratios.

    values: by name, those that are not given being their defaults; sizes need not be whole, but become so.
    They stay within their domains, where all of them can.
    """
    given = {name: value for name, value in values.items() if value is not None}
    replaced = {old for each in parameters if each.name in given for old in each.instead_of}
    found = dict(given)
    for each in parameters:
        if each.extensive and each.name not in replaced and each.default is not REQUIRED:
            found.setdefault(each.name, each.default)
    sizes = {each.name: each for each in parameters if each.extensive and found.get(each.name)}
    factors = [
        min(largest, _most(each.domain)) / count
        for name, each in sizes.items()
        for count in _counts(found[name])
    ]
    factor = max(1.0, min(factors, default=1.0))
    for name in sizes:
        found[name] = _times(factor, found[name])
    return {name: value for name, value in found.items() if value is not None}


def _most(domain: Domain) -> float:
    """The largest size that a domain holds."""
    match domain:
        case Several():
            return _most(domain.each)
        case Pairs():
            return _most(domain.count)
        case Whole():
            return LARGEST if domain.high is None else domain.high
    return LARGEST


def _counts(size: Any) -> list[float]:
    parts = size if isinstance(size, tuple) else (size,)
    return [part[0] if isinstance(part, tuple) else part for part in parts]


def _times(factor: float, size: Any) -> Any:
    """A size, or each of a list, so much larger, in whole numbers."""
    if not isinstance(size, tuple):
        return round(size * factor)
    return tuple(
        (round(part[0] * factor), part[1]) if isinstance(part, tuple) else round(part * factor)
        for part in size
    )


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


def pick(
    option: str, name: str, among: Mapping[str, T], listed: str = "", hint: Callable[[], str] = str
) -> T:
    """The entry called `name`, or an `InputError` with the nearest one, and the choices.

    listed: the command that lists them, where they are many. hint: gives what to say where none is near.
    """
    if not isinstance(name, str) or name not in among:
        raise InputError(option, name, one_of(among, listed), did_you_mean(name, among) or hint())
    return among[name]


# Parameters that many systems share, declared once. ------------------------------------------

SEEDS = Parameter(
    "seeds",
    "n_seeds",
    "draws",
    Whole(2, 1_000_000),
    "number of independent draws of a sampled route",
    20,
)
FIRST_SEED = Parameter("seed", "seed", "1", Whole(0, 2**53), "first seed; the others follow by steps of 1", 0)
TIMES = Parameter(
    "times",
    "t",
    "clock of the dynamics",
    Grid(Number(0)),
    "recording times",
    Span(1.0, 1e4, 50),
)
AUTO: Final = "auto"
"""In place of times: those between which something happens (`house.declarations.Window`)."""

LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/loss curvature",
    OrSchedule("auto", Number(0, low_open=True)),
    "learning rate per step; auto: 1 / largest curvature of the loss without ridge, for each draw (in the "
    "limit, the upper edge of the spectrum), reduced for a large ridge or small batches",
    "auto",
    also=("lr",),
)
RIDGE = Parameter(
    "ridge",
    "lambda",
    "curvature of the summed loss",
    Number(0),
    "ridge of the summed loss: ridge/2 |w_hat|^2",
    0.0,
    also=("weight_decay",),
)
STEPS = Parameter("time", "k", "steps", Whole(0), "step of gradient descent")
FLOW_TIME = Parameter("time", "s", "1/curvature", Number(0), "flow time s = eta k")
ADDED_RIDGE = Parameter(
    "time", "1/lambda_added", "1/curvature", Number(0, low_open=True), "inverse of the ridge added to --ridge"
)
