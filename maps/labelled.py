"""Fields of which only labels are known: their boundaries are walked along."""

from __future__ import annotations

import math
from collections.abc import Callable

from teacherstudent.maps.columns import Columns
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.plane import Place
from teacherstudent.maps.walking import TOLERANCE, Elsewhere, sharpened, walked

Sampled = Callable[[Place], Sample]


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


def along_labels(sampled: Sampled, one: Place, other: Place) -> list[Curve]:
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
        walk = walked(side, near, far)
    except Elsewhere:  # a third label lies between the two: finer cells tell
        return []
    points, corners = sharpened(walk.points)
    return [Curve(points, walk.ends, corners=tuple(corners))]


def along_level(
    value: Callable[[Place], float], level: float, low: Place, high: Place, columns: Columns | None = None
) -> Curve:
    """The line on which a value is `level`, between a place where it is below and one where it is above.

    columns: where to look for it first.
    """

    def side(place: Place) -> float:
        found = value(place)
        if not math.isfinite(found):
            raise Elsewhere
        return found - level

    walk = walked(side, low, high, columns)
    return Curve(walk.points, walk.ends, level)
