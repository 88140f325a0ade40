"""Ranges of a parameter's values: a grid to sweep over, an interval to search."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from teacherstudent.house.domains import LARGEST, Choice, Domain, Number, OrWord, Whole
from teacherstudent.house.errors import Misread
from teacherstudent.house.grids import FORM, Grid, Span, in_digits

UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a domain may raise of a value that it does not hold."""


def ends_of(domain: Domain) -> Number | None:
    """Where a range of such values may begin and end; None where the values are no numbers."""
    match domain:
        case Number():
            return domain
        case Whole():
            return Number(domain.low, LARGEST if domain.high is None else domain.high)
        case OrWord():
            return ends_of(domain.otherwise)
    return None


@dataclass(frozen=True)
class OrGrid:
    """A value of a domain, or several: where it holds numbers a `Span`; of numbers and of words a list."""

    each: Domain

    def parse(self, text: str) -> Any:
        ends = ends_of(self.each)
        if ends and ":" in text:
            return Grid(ends).parse(text)
        if self._lists and "," in text:
            return [self.each.parse(part) for part in text.split(",")]
        return self.each.parse(text)

    def check(self, value: Any) -> Any:
        if isinstance(value, Span) and (ends := ends_of(self.each)):
            return Grid(ends).check(value)
        listed = value.tolist() if getattr(value, "ndim", 0) == 1 else value
        if isinstance(listed, list | tuple) and listed and self._lists:
            return [self.each.check(one) for one in listed]
        return self.each.check(value)

    def describe(self) -> str:
        if not self._lists:
            return self.each.describe()
        grid = f"a grid {FORM}, or " if ends_of(self.each) else ""
        return f"{self.each.describe()}, or {grid}a list, separated by commas"

    @property
    def _lists(self) -> bool:
        """Whether a comma stands between values, and not within one."""
        return ends_of(self.each) is not None or isinstance(self.each, Choice)


@dataclass(frozen=True)
class Single:
    """A value of a domain, where another command takes several; says so where several are given."""

    each: Domain

    def parse(self, text: str) -> Any:
        return self._read(self.each.parse, self.wider.parse, text)

    def check(self, value: Any) -> Any:
        return self._read(self.each.check, self.wider.check, value)

    def describe(self) -> str:
        return self.each.describe()

    @property
    def wider(self) -> OrGrid:
        """What takes several."""
        return OrGrid(self.each)

    def _read(self, one: Callable[[Any], Any], several: Callable[[Any], Any], value: Any) -> Any:
        try:
            return one(value)
        except UNFIT as error:
            try:
                several(value)
            except UNFIT:
                raise error from None
            raise Misread("only `sweep` takes several values") from None


@dataclass(frozen=True)
class Interval:
    """LO:HI, between which something is sought."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{in_digits(self.low)}:{in_digits(self.high)}"


@dataclass(frozen=True)
class OrInterval:
    """A value of a domain, or, where that holds numbers, an `Interval` of them."""

    each: Domain

    def parse(self, text: str) -> Any:
        ends = ends_of(self.each)
        try:
            return self._read(text, ends)
        except ValueError:
            if ends is None or not (meant := self._meant(text, ends)):
                raise
            raise Misread(f"did you mean {meant}?") from None

    def _meant(self, text: str, ends: Number) -> str:
        """The interval that a text in another spelling, or in the other order, stands for; "" for none."""
        low, high, *_ = [part for part in re.split(r"\.\.+|[:,]|(?<=\d)-", text) if part] + [""] * 2
        for each in (f"{low}:{high}", f"{high}:{low}"):
            with suppress(*UNFIT):
                self._read(each, ends)
                return each
        return ""

    def _read(self, text: str, ends: Number | None) -> Any:
        if ends is None or ":" not in text:
            return self.each.parse(text)
        low, high = (ends.parse(part) for part in text.split(":"))
        return self.check(Interval(low, high))

    def check(self, value: Any) -> Any:
        if not isinstance(value, Interval):
            return self.each.check(value)
        if not value.low < value.high:
            raise ValueError("empty or reversed")
        return value

    def describe(self) -> str:
        interval = ", or LO:HI with LO < HI to search between" if ends_of(self.each) else ""
        return self.each.describe() + interval


@dataclass(frozen=True)
class Between(OrInterval):
    """An `Interval` of the numbers of a domain, between which some are drawn; a number is one by itself."""

    def check(self, value: Any) -> Interval:
        if not isinstance(value, Interval):
            return Interval(*2 * (float(self.each.check(value)),))
        ends = [self.each.parse(in_digits(each)) for each in (value.low, value.high)]
        if not value.low <= value.high:
            raise ValueError("reversed")
        return Interval(*map(float, ends))

    def _read(self, text: str, ends: Number | None) -> Any:
        return super()._read(text, ends) if ":" in text else self.check(self.each.parse(text))

    def describe(self) -> str:
        return f"LO:HI with LO <= HI, or one value, each {self.each.describe()}"


@dataclass(frozen=True)
class OrRange:
    """A value of a domain, several as in `OrGrid`, or an `Interval` LO:HI of numbers to search between."""

    each: Domain

    def parse(self, text: str) -> Any:
        return (OrInterval if text.count(":") == 1 and ends_of(self.each) else OrGrid)(self.each).parse(text)

    def check(self, value: Any) -> Any:
        return (OrInterval if isinstance(value, Interval) else OrGrid)(self.each).check(value)

    def describe(self) -> str:
        return OrGrid(self.each).describe() + (", or LO:HI to search between" if ends_of(self.each) else "")
