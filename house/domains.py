"""The values that a parameter may take: one object parses, validates and describes them.

The same object feeds the command line (parsing and help), the Python functions (validation),
the documentation (`describe`) and the property-based tests (its bounds), so that none of them
can drift from the others. Nothing here imports numpy: `teacherstudent --help` reads it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, Protocol, TypeVar

from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.nearest import meant

T = TypeVar("T")


def flag(option: str, value: Any) -> bool:
    """A truth value, as it is. Raises `InputError` for what is none: much else is true, or neither."""
    if not isinstance(value, bool):
        raise InputError(option, value, "True or False")
    return value


class Domain(Protocol):
    """A set of values. `parse` reads text, `check` takes a value; both raise `ValueError`, or a `Misread`."""

    def parse(self, text: str) -> Any: ...
    def check(self, value: Any) -> Any: ...
    def describe(self) -> str: ...


@dataclass(frozen=True)
class Number:
    """Real numbers between two finite or infinite bounds; never NaN, never infinite."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def parse(self, text: str) -> float:
        try:
            return self.check(float(text))
        except ValueError:
            raise Misread(self._ratio(text)) from None

    def _ratio(self, text: str) -> str:
        """A hint at what a ratio such as 1/3 is as a number."""
        over, slash, under = text.partition("/")
        with suppress(ArithmeticError, ValueError):
            return f"did you mean {self.check(float(over) / float(under))!r}?" if slash else ""
        return ""

    def check(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError("not a number")
        number = float(value)
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        if not (math.isfinite(number) and above and below):
            raise ValueError("outside the domain")
        return number

    def describe(self) -> str:
        bounds = []
        if math.isfinite(self.low):
            bounds.append(f"{'>' if self.low_open else '>='} {self.low:g}")
        if math.isfinite(self.high):
            bounds.append(f"{'<' if self.high_open else '<='} {self.high:g}")
        return "a finite number" + (" " + " and ".join(bounds) if bounds else "")


LARGEST = 2**53
"""The largest whole number below which a float skips none, and 64 bits hold all sums of a few."""


@dataclass(frozen=True)
class Whole:
    """Whole numbers from `low` to `high`, both included; never beyond `LARGEST`."""

    low: int = 0
    high: int | None = None

    def parse(self, text: str) -> int:
        if text.strip().removeprefix("-").isdecimal():
            return self.check(int(text))
        grouped = text.split(",")
        if len(grouped) > 1 and all(len(part) == 3 and part.isdecimal() for part in grouped[1:]):
            raise Misread(f"did you mean {''.join(grouped)}?" if grouped[0].isdecimal() else "")
        number = float(text)  # accepts 1e4, as people write it
        return self.check(int(number) if number.is_integer() else number)

    def check(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise ValueError("not a whole number")
        number = int(value)
        if not self.low <= number <= (LARGEST if self.high is None else self.high):
            raise ValueError("outside the domain")
        return number

    def describe(self) -> str:
        upper = "2^53" if self.high is None else str(self.high)
        return f"a whole number >= {self.low} and <= {upper}"


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def parse(self, text: str) -> str:
        return self.check(text)

    def check(self, value: Any) -> str:
        if value not in self.words:
            raise Misread(meant(value, self.words))
        return str(value)

    def describe(self) -> str:
        return "one of " + ", ".join(self.words)


@dataclass(frozen=True)
class OrWord:
    """A word with a meaning of its own (`auto`), or a value of another domain."""

    word: str
    otherwise: Domain

    def parse(self, text: str) -> Any:
        return text if text == self.word else self.otherwise.parse(text)

    def check(self, value: Any) -> Any:
        return value if isinstance(value, str) and value == self.word else self.otherwise.check(value)

    def describe(self) -> str:
        return f"{self.word} or {self.otherwise.describe()}"


def _split(text: str, read: Callable[[str], T]) -> list[T]:
    """The values between the commas of a text; where only commas are missing, a hint at them."""
    try:
        return [read(part) for part in text.split(",")]
    except ValueError:
        words = text.replace(",", " ").split()
        if len(words) <= text.count(",") + 1:
            raise
        for word in words:
            read(word)
        raise Misread(f"did you mean {','.join(words)}?") from None


@dataclass(frozen=True)
class Several:
    """A comma-separated list of values of one domain, at least one."""

    each: Domain

    def parse(self, text: str) -> tuple[Any, ...]:
        return self.check(_split(text, self.each.parse))

    def check(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str | bytes | Mapping | Set) or len(value) == 0:  # sets have no order
            raise ValueError("not a list")
        return tuple(self.each.check(item) for item in value)

    def describe(self) -> str:
        return f"a comma-separated list, each {self.each.describe()}"


@dataclass(frozen=True)
class Pairs:
    """A comma-separated list of `count:value` pairs, at least one: how often each value occurs."""

    count: Whole
    value: Number

    def parse(self, text: str) -> tuple[tuple[int, float], ...]:
        pairs = [part.split(":") for part in text.split(",")]
        return self.check([(self.count.parse(count), self.value.parse(value)) for count, value in pairs])

    def check(self, value: Any) -> tuple[tuple[int, float], ...]:
        if isinstance(value, str | bytes | Mapping | Set) or len(value) == 0:
            raise ValueError("not a list of pairs")
        return tuple((self.count.check(count), self.value.check(item)) for count, item in value)

    def describe(self) -> str:
        return f"count:value[,count:value...], count {self.count.describe()}, value {self.value.describe()}"


def in_digits(number: float) -> str:
    """A number in as few digits as give it back."""
    return short if float(short := f"{number:g}") == number else repr(number)


SPACINGS = ("log", "lin")
MOST_TIMES = 1_000_000
"""Numbers in a grid."""


@dataclass(frozen=True)
class Span:
    """LO:HI:COUNT[:log|lin], a grid of numbers; log-spaced unless told otherwise.

    Raises `InputError` where that is no grid: an end that is not finite, a reversed or empty range, a
    logarithmic grid that does not start above 0, a count outside 1 to `MOST_TIMES`.
    """

    low: float
    high: float
    count: int
    spacing: str = "log"

    def __post_init__(self) -> None:
        try:
            for name in ("low", "high"):
                object.__setattr__(self, name, Number().check(getattr(self, name)))
            object.__setattr__(self, "count", Whole(1, MOST_TIMES).check(self.count))
            Choice(SPACINGS).check(self.spacing)
            if self.high < self.low or (self.count > 1 and self.high == self.low):
                raise ValueError("empty or reversed")
            if self.spacing == "log" and self.low <= 0 and self.count > 1:
                raise ValueError("a logarithmic grid starts above 0")
            Number().check(self.high - self.low)
        except (TypeError, ValueError, OverflowError):
            given = (self.low, self.high, self.count, self.spacing)
            raise InputError("SPAN", given, Grid(Number()).describe()) from None

    def __str__(self) -> str:
        return f"{in_digits(self.low)}:{in_digits(self.high)}:{self.count}:{self.spacing}"

    def values(self) -> tuple[float, ...]:
        """The grid, from `low` to `high`, both exactly included."""
        if self.count == 1:
            return (self.low,)
        last = self.count - 1
        if self.spacing == "lin":
            inner = [self.low + (self.high - self.low) * (i / last) for i in range(self.count)]
        else:  # in powers of ten, so that decades come out as they are typed
            low, high = math.log10(self.low), math.log10(self.high)
            inner = [10 ** (low + (high - low) * i / last) for i in range(self.count)]
        return (self.low, *inner[1:-1], self.high)


@dataclass(frozen=True)
class Grid:
    """Texts that read as a `Span`, its ends in `ends`, or as a list of such numbers, increasing."""

    ends: Number
    most: int = MOST_TIMES

    def parse(self, text: str) -> Span | tuple[float, ...]:
        if ":" not in text:
            return self.check(_split(text, self.ends.parse))
        try:
            return self._span(text.split(":"))
        except (InputError, ValueError):
            raise Misread(self._hint(text.split(":"))) from None

    def check(self, value: Any) -> Span | tuple[float, ...]:
        if isinstance(value, Span):
            if value.count > self.most:
                raise ValueError("too many numbers")
            self.ends.check(value.low), self.ends.check(value.high)
            return value
        if isinstance(value, str | bytes | Mapping | Set) or not 0 < len(value) <= self.most:
            raise ValueError("no grid, or too many numbers")
        listed = tuple(self.ends.check(each) for each in value)
        if any(later <= earlier for earlier, later in pairwise(listed)):
            raise Misread("a list must increase")
        return listed

    def describe(self) -> str:
        return (
            "LO:HI:COUNT[:log|lin] with LO < HI (LO = HI for COUNT 1), LO > 0 unless lin, "
            f"ends {self.ends.describe()}, COUNT from 1 to {self.most}; or a list 1,5,10 of such numbers"
        )

    def _span(self, parts: Sequence[str]) -> Span:
        low, high, count, *spacing = parts
        if len(spacing) > 1:
            raise ValueError("not LO:HI:COUNT:SPACING")
        span = Span(self.ends.parse(low), self.ends.parse(high), Whole(1).parse(count), *spacing)
        self.check(span)
        return span

    def _hint(self, parts: Sequence[str]) -> str:
        """The first grid nearby that would have been right."""
        low, high, *rest = parts
        count, spacing = rest[:1] or ["20"], rest[1:]
        nearby = [
            [low, high, *count, "lin"],  # a logarithmic grid cannot begin at 0
            [high, low, *count, *spacing],
            *([low, high, *count, word] for word in SPACINGS if "".join(spacing).startswith(word)),
        ]
        if len(parts) == 2:
            nearby.insert(0, [low, high, *count])
        with suppress(ArithmeticError, TypeError, ValueError):  # LO:HI:STEP, as elsewhere
            step = float(*rest)
            if not step.is_integer():
                nearby.append([low, high, str(round((float(high) - float(low)) / step) + 1), "lin"])
        for each in nearby:
            with suppress(InputError, ValueError):
                self._span(each)
                return f"did you mean {':'.join(each)}?"
        return ""
