"""Grids of numbers: a `Span` from one end to the other, or a list that increases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from teacherstudent.house.domains import Choice, Number, Whole, split_at_commas
from teacherstudent.house.errors import InputError, Misread


def in_digits(number: float) -> str:
    """A number in as few digits as give it back."""
    return short if float(short := f"{number:g}") == number else repr(number)


FORM = "LO:HI:N[:log|lin]"
"""How a grid is typed; `GRAMMAR` says what that means."""
SPACINGS = ("log", "lin")
MOST_TIMES = 1_000_000
"""Numbers in a grid."""
GRAMMAR = (
    f"N numbers from LO to HI (LO < HI, both included; N up to {MOST_TIMES:,}), with equal ratios (log, the "
    "default; needs LO > 0) or equal steps (lin)"
)
"""What a grid is, for the end of the help."""


@dataclass(frozen=True)
class Span:
    """LO:HI:N[:log|lin], a grid of numbers with equal ratios (log, the default) or equal steps (lin).

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
            return self.check(split_at_commas(text, self.ends.parse))
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
        return f"{FORM}, or a list, each number {self.ends.describe()}"

    def _span(self, parts: Sequence[str]) -> Span:
        low, high, count, *spacing = parts
        if len(spacing) > 1:
            raise ValueError("not LO:HI:N:SPACING")
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
