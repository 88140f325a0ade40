"""How many places a map may ask theory about before it gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

MOST = 6000
"""Places: a map of smooth boundaries and some ten level lines takes half of them, or fewer.

Where a curve runs over a parameter at each place, each value of it beyond the first grid counts as one.
"""


class Spent(Exception):
    """No place may be asked about any more."""


@dataclass
class Budget:
    """The places that are left."""

    left: int = MOST

    def take(self, cost: int = 1) -> None:
        """Take one place, or what costs as much as so many. Raises `Spent`."""
        if self.left <= 0:
            raise Spent
        self.left -= cost

    def afforded(self, places: Sequence[T]) -> Sequence[T]:
        """Take as many of these as are left, and return them. Raises `Spent` where none is."""
        some = places[: max(self.left, 0)]
        self.take(len(some))
        return some
