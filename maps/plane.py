"""The plane of a map: two axes, each from 0 to 1 along the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

from teacherstudent.house.grids import in_digits

Place = tuple[float, float]
"""A place on the map, both coordinates from 0 to 1."""

CLOCK = "time"
"""The axis of this name is no parameter: it is the clock of the dynamics."""


@dataclass(frozen=True)
class Axis:
    """A parameter from `low` to `high`, spaced by ratios where `log` says so."""

    name: str
    low: float
    high: float
    log: bool

    def __str__(self) -> str:
        return f"{self.name}={in_digits(self.low)}:{in_digits(self.high)}"

    def value(self, along: float) -> float:
        """The parameter's value at a share of the axis; the ends are met exactly."""
        if along <= 0 or along >= 1:
            return self.low if along <= 0 else self.high
        if self.log:
            return math.exp((1 - along) * math.log(self.low) + along * math.log(self.high))
        return (1 - along) * self.low + along * self.high

    def along(self, value: float) -> float:
        """The share of the axis at which the parameter has that value."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Along(Axis):
    """A parameter over which a curve runs at each place, first looked at at `count` values."""

    count: int


@dataclass(frozen=True)
class Plane:
    """The two axes, x to the right and y upwards."""

    x: Axis
    y: Axis

    def values(self, place: Place) -> dict[str, float]:
        """What both axes say at a place, by name: parameters, and the time where one is the clock."""
        return {self.x.name: self.x.value(place[0]), self.y.name: self.y.value(place[1])}

    def parameters(self, place: Place) -> dict[str, float]:
        """The parameters at a place, by name."""
        return {name: value for name, value in self.values(place).items() if name != CLOCK}

    @property
    def clock(self) -> int | None:
        """Which coordinate of a place is the time: 0, 1, or None."""
        return next((i for i, each in enumerate((self.x, self.y)) if each.name == CLOCK), None)
