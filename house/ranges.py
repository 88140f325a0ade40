"""Ranges of a parameter's values: a grid to sweep over, an interval to search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from teacherstudent.house.domains import LARGEST, Domain, Grid, Number, OrWord, Whole


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
    """A value of a domain, or, where that holds numbers, a `Span` of them."""

    each: Domain

    def parse(self, text: str) -> Any:
        ends = ends_of(self.each)
        return Grid(ends).parse(text) if ends and ":" in text else self.each.parse(text)

    def check(self, value: Any) -> Any:
        return self.each.check(value)

    def describe(self) -> str:
        grid = ", or a grid of them LO:HI:COUNT[:log|lin]" if ends_of(self.each) else ""
        return self.each.describe() + grid


@dataclass(frozen=True)
class Interval:
    """LO:HI, between which something is sought."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}:{self.high:g}"


@dataclass(frozen=True)
class OrInterval:
    """A value of a domain, or, where that holds numbers, an `Interval` of them."""

    each: Domain

    def parse(self, text: str) -> Any:
        ends = ends_of(self.each)
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
