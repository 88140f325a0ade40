"""What a map is made of: a field that answers at places, and the boundaries in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from teacherstudent.maps.plane import Place

UNKNOWN = -1
"""The label where theory is not certain."""


@dataclass(frozen=True)
class Sample:
    """What a field says of one place.

    label: of the region that it lies in, or `UNKNOWN`, and then `reason` says why. value: a number that is
    continuous but for jumps, NaN where there is none. nearness: how far the label is from changing, in a
    measure of the field's own that is zero on boundaries; infinite where nothing is known. signs: whatever
    else changes only where the nearness is zero. state: a number whose jumps are traced, NaN where there is
    none.
    """

    label: int
    value: float = math.nan
    nearness: float = math.inf
    signs: tuple[bool, ...] = ()
    state: float = math.nan
    reason: str = ""


@dataclass(frozen=True)
class Curve:
    """A curve on the map along which something may change: its points, (P, 2), and what its ends are.

    Each end is one of `ENDS`; that of a loop is "closed". level: the value all along it, NaN where it is none
    of equal value.
    """

    points: np.ndarray
    ends: tuple[str, str]
    level: float = math.nan
    corners: tuple[Place, ...] = ()


ENDS = {
    "frame": "a boundary leaves the map",
    "cusp": "two boundaries end at the same point",
    "birth": "a maximum appears; a descent begins beyond this point",
    "critical": "two minima become one, and a jump ends",
    "meeting": "boundaries meet",
    "corner": "a boundary turns sharply",
    "end": "a boundary ends",
}
"""What a special place of a map may be."""


@dataclass(frozen=True)
class Boundary:
    """A piece of a curve with what lies on its two sides, looking along it.

    left, right: labels. jump: by how much the state jumps from left to right, 0 where it does not.
    """

    points: np.ndarray
    left: int
    right: int
    jump: float = 0.0
    level: float = math.nan


@dataclass(frozen=True)
class Special:
    """A place where boundaries end, turn sharply or meet; `kind` is one of `ENDS`."""

    place: Place
    kind: str


class Field(Protocol):
    """What is mapped: labels of regions, and values in them.

    `jump` is the least change of the state from one side of a boundary to the other that counts as a jump,
    infinite where there is none. `log` says whether values are logarithms to base 10.
    """

    jump: float
    log: bool

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        """What is there, in the order of the places."""
        ...

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        """Value and state at each place, in a region where the state there is about that one.

        NaN where it is not known. May be quicker than samples: no label is asked for.
        """
        ...

    def traced(self, one: Place, other: Place) -> list[Curve]:
        """Curves that cross between two places that differ, each followed to its ends."""
        ...
