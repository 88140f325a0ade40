"""Fields of which only labels are known: their boundaries are walked along."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.plane import Place
from teacherstudent.maps.walking import TOLERANCE, Elsewhere, Spent, Walk, sharpened, walked

Sampled = Callable[[Place], Sample]

MOST = 3000
"""Places of all walks of a map together: what takes more is too rough to be worth the wait."""


@dataclass
class Walks:
    """The places at which one field may still be sampled while its boundaries are walked along."""

    left: int = MOST
    lost: int = 0
    """Lines that are not followed to their ends, as no place was left."""

    def take(self) -> None:
        """One place. Raises `Spent` where none is left."""
        if not self.left:
            raise Spent
        self.left -= 1

    def along(self, side: Callable[[Place], float], left: Place, right: Place) -> list[Walk]:
        """The boundary between a place on the left and one on the right, as far as the places last."""

        def asked(place: Place) -> float:
            self.take()
            return side(place)

        try:
            walk = walked(asked, left, right)
        except Spent:
            self.lost += 1
            return []
        self.lost += "lost" in walk.ends
        return [walk]


def apart(sampled: Sampled, one: Place, other: Place) -> tuple[Place, Place]:
    """Two places close together between which the label of `one` ends, by bisection."""
    label = sampled(one).label
    while math.dist(one, other) > TOLERANCE:
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        if sampled(middle).label == label:
            one = middle
        else:
            other = middle
    return one, other


def along_labels(sampled: Sampled, one: Place, other: Place, walks: Walks) -> list[Curve]:
    """The boundary that first ends the label of `one` on the way to `other`; none of what is not known."""
    near, far = apart(sampled, one, other)
    left, right = sampled(near).label, sampled(far).label
    if UNKNOWN in (left, right) or left == right:
        return []

    def side(place: Place) -> float:
        label = sampled(place).label
        if label not in (left, right):
            raise Elsewhere
        return -1.0 if label == left else 1.0

    try:
        found = walks.along(side, near, far)
    except Elsewhere:  # a third label lies between the two: finer cells tell
        return []
    return [_sharp(walk) for walk in found]


def _sharp(walk: Walk) -> Curve:
    points, corners = sharpened(walk.points)
    return Curve(points, walk.ends, corners=tuple(corners))


def along_level(
    value: Callable[[Place], float], level: float, low: Place, high: Place, walks: Walks
) -> list[Curve]:
    """The line on which a value is `level`, between a place where it is below and one where it is above."""

    def side(place: Place) -> float:
        found = value(place)
        if not math.isfinite(found):
            raise Elsewhere
        return found - level

    return [Curve(walk.points, walk.ends, level) for walk in walks.along(side, low, high)]
