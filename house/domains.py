"""The values that a parameter may take: one object parses, validates and describes them.

The same object feeds the command line (parsing and help), the Python functions (validation),
the documentation (`describe`) and the property-based tests (its bounds), so that none of them
can drift from the others. Nothing here imports numpy: `teacherstudent --help` reads it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol, TypeVar

from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.suggestions import did_you_mean

T = TypeVar("T")


def check_flag(option: str, value: Any) -> bool:
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
    """One of a few words. others: what else people say for one of them, each with that word."""

    words: tuple[str, ...]
    others: tuple[tuple[str, str], ...] = ()

    def parse(self, text: str) -> str:
        return self.check(text)

    def check(self, value: Any) -> str:
        if value not in self.words:
            said = next((word for other, word in self.others if other.lower() == str(value).lower()), None)
            raise Misread(f"did you mean {said}?" if said else did_you_mean(value, self.words))
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


@dataclass(frozen=True)
class Switch:
    """True or False. On a command line the option alone means True."""

    def parse(self, text: str) -> bool:
        return {"true": True, "false": False}[text.lower()]

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError("neither True nor False")
        return value

    def describe(self) -> str:
        return "True or False"


def split_at_commas(text: str, read: Callable[[str], T]) -> list[T]:
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
        return self.check(split_at_commas(text, self.each.parse))

    def check(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, Real):  # as one number is typed
            value = (value,)
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


@dataclass(frozen=True)
class Matrix:
    """A matrix, row by row: numbers separated by commas, rows by semicolons. square: as wide as high."""

    entry: Number
    square: bool = False

    def parse(self, text: str) -> tuple[tuple[float, ...], ...]:
        return self.check([Several(self.entry).parse(row) for row in text.split(";")])

    def check(self, value: Any) -> tuple[tuple[float, ...], ...]:
        if isinstance(value, str | bytes | Mapping | Set):
            raise ValueError("not rows")
        if any(isinstance(row, Real) for row in value):  # `Several` takes one for a list
            raise ValueError("not rows")
        rows = tuple(Several(self.entry).check(row) for row in value)
        if not rows or any(len(row) != len(rows if self.square else rows[0]) for row in rows):
            raise ValueError("not a matrix of that form")
        return rows

    def describe(self) -> str:
        kind = "square matrix" if self.square else "matrix"
        of = "" if self.entry == Number() else f", each number {self.entry.describe()}"
        return f"a {kind} a,b;c,d, rows separated by semicolons{of}"
