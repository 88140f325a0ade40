"""Boundaries of a field that says only on which side a place lies, followed step by step.

Around the last point of the boundary lies a circle; the boundary leaves it where the sides change. The
circle is cut off at the frame, so that a boundary that meets the frame is found on it. The step is the
circle's radius: it grows where the boundary is straight and shrinks where it turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.plane import Place

Side = Callable[[Place], float]
"""Below 0 on the left of a boundary, looking along it, above 0 on the right; raises `Elsewhere`."""

TOLERANCE = 1e-4
"""Distance from the boundary within which its points lie, in units of the axes."""

SAGITTA = 2e-4
"""Distance between chord and arc that a step may leave."""

PASSES = 3e-4
"""Distance from the middle of a step within which the boundary passes it."""

SHORTEST, FIRST, LONGEST = 1e-3, 1e-2, 6e-2
"""Steps."""

SHARP = 0.5
"""Radians by which a boundary turns in the shortest step where it has a corner."""

MOST = 600
"""Points of half a boundary: a smooth one that fills a 200 x 200 grid has fewer, a staircase more."""

BEHIND = 2.5
"""Radians from the heading at which a circle is cut in two: beyond lies where the boundary came from."""


class Elsewhere(Exception):
    """A place that lies on neither side."""


@dataclass(frozen=True)
class Walk:
    """Points of a boundary in order, (P, 2), and what both ends are: keys of `field.ENDS`, or "closed"."""

    points: np.ndarray
    ends: tuple[str, str]


def on_circle(centre: Place, radius: float, angle: float) -> Place:
    """A place of the circle around a centre, moved onto the frame where it lies beyond."""
    x, y = centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)


def on_edge(side: Side, left: Place, right: Place) -> Place:
    """Where the sides change between a place on the left and one on the right."""

    def at(share: float) -> Place:
        return left[0] + share * (right[0] - left[0]), left[1] + share * (right[1] - left[1])

    length = math.dist(left, right)
    share = optimize.brentq(lambda share: side(at(share)), 0.0, 1.0, xtol=TOLERANCE / 2 / length)
    return at(float(share))


def walk_boundary(side: Side, left: Place, right: Place) -> Walk:
    """The whole boundary that crosses from a place on the left to one on the right."""
    start = on_edge(side, left, right)
    heading = math.atan2(right[1] - left[1], right[0] - left[0]) + math.pi / 2
    onward, last = _half(side, start, heading)
    if last == "closed":
        return Walk(np.array(onward), (last, last))
    back, first = _half(lambda place: -side(place), start, heading + math.pi)
    return Walk(np.array([*back[:0:-1], *onward]), (first, last))


def _half(side: Side, start: Place, heading: float) -> tuple[list[Place], str]:
    """The boundary from a point of it onwards, and its end."""
    points, step, bend = [start], FIRST, 0.0
    first = True
    while len(points) < MOST:
        here = points[-1]
        angle = _crossing(side, here, step, heading + bend * step, first)
        turn = None if angle is None else _wrapped(angle - heading)
        if angle is None or (not first and abs(turn or 0.0) * step / 8 > SAGITTA and step > SHORTEST):
            if step <= SHORTEST:
                return points, "meeting"
            step = max(step / 2, SHORTEST)
            continue
        there = on_circle(here, step, angle)
        if math.dist(here, there) < TOLERANCE:  # along the frame there is nowhere to go
            return points, "frame"
        if step > SHORTEST and not _between(side, here, there):
            step = max(step / 2, SHORTEST)
            continue
        if len(points) > 3 and _returns(points, there, step):
            return [*points, start], "closed"
        points.append(there)
        if _on_frame(there):
            return points, "frame"
        bend = 0.0 if first or abs(turn or 0.0) > SHARP else _wrapped(angle - heading) / step
        heading, first = angle, False
        if abs(turn or 0.0) * step / 8 < SAGITTA / 4:
            step = min(1.6 * step, LONGEST)
    return points, "end"


def _between(side: Side, here: Place, there: Place) -> bool:
    """Whether the boundary passes by the middle of a step: a corner near its end shows there."""
    length = math.dist(here, there)
    x, y = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
    across = -(there[1] - here[1]) / length * PASSES, (there[0] - here[0]) / length * PASSES
    beside = [(min(max(x + s * across[0], 0), 1), min(max(y + s * across[1], 0), 1)) for s in (1, -1)]
    try:
        sides = [side(place) for place in beside]
    except Elsewhere:
        return False
    return sides[0] <= 0 <= sides[1]


def sharpen_corners(points: np.ndarray) -> tuple[np.ndarray, list[Place]]:
    """The points with each sharp turn drawn as the corner in which the straight ways before and after meet.

    Also returns the corners.
    """
    corners: list[Place] = []
    found = [points[0]]
    i = 1
    while i < len(points):
        j = i
        while j + 1 < len(points) and np.linalg.norm(points[j + 1] - points[j]) < 1.5 * SHORTEST:
            j += 1
        corner = _corner(points, i, j) if j > i and i > 1 and j + 2 < len(points) else None
        if corner is not None:
            corners.append((float(corner[0]), float(corner[1])))
            found.append(corner)
        else:
            found += [points[k] for k in range(i, j + 1)]
        i = j + 1
    return np.array(found), corners


def _corner(points: np.ndarray, i: int, j: int) -> np.ndarray | None:
    """Where the way up to point i and that from point j on meet, if they turn sharply and do so near both."""
    before, after = points[i] - points[i - 1], points[j + 1] - points[j]
    turn = before[0] * after[1] - before[1] * after[0]
    sine = turn / (np.linalg.norm(before) * np.linalg.norm(after))
    if abs(sine) < SHARP:
        return None
    gap = points[j] - points[i]
    corner = points[i] + (gap[0] * after[1] - gap[1] * after[0]) / turn * before
    near = max(np.linalg.norm(corner - points[i]), np.linalg.norm(corner - points[j]))
    return corner if near < 6 * SHORTEST else None


def _wrapped(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def _on_frame(place: Place) -> bool:
    return place[0] in (0.0, 1.0) or place[1] in (0.0, 1.0)


def _returns(points: list[Place], there: Place, step: float) -> bool:
    """Whether the last step passes the start, after the boundary was further away from it."""
    start = points[0]
    away = max(math.dist(start, each) for each in points)
    return away > 2 * step and _distance(start, points[-1], there) < 4 * TOLERANCE


def _distance(place: Place, one: Place, other: Place) -> float:
    """Of a place from a segment."""
    (x, y), (ax, ay), (bx, by) = place, one, other
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))


def _crossing(side: Side, here: Place, step: float, heading: float, wide: bool) -> float | None:
    """The angle near the heading at which the circle crosses from right to left; None where none is found.

    A second crossing near the way back, as at the tip of a wedge, is found by turning from there.
    """

    def at(angle: float) -> float:
        return side(on_circle(here, step, angle))

    try:
        open_by = 0.8 if wide else min(max(4 * TOLERANCE / step, 0.02), 0.4)
        while open_by < BEHIND:
            if at(heading + open_by) < 0 < at(heading - open_by):
                found = optimize.brentq(at, heading - open_by, heading + open_by, xtol=TOLERANCE / 2 / step)
                return float(found)
            open_by *= 2.5
        return _around(at, here, step, heading)
    except Elsewhere:
        return None


def _around(at: Callable[[float], float], here: Place, step: float, heading: float) -> float | None:
    """Turn from where the boundary came, through its right, until its left begins; None if it never does."""
    before = heading - BEHIND - 0.3
    if not at(before) > 0:  # the wedge on the right is narrower than that
        narrow = 0.3
        while narrow * step > TOLERANCE and not at(heading - math.pi + narrow) > 0:
            narrow /= 2
        wide = 2 * narrow
        if not at(heading - math.pi + narrow) > 0 > at(heading - math.pi + wide):
            return None
        return float(
            optimize.brentq(
                at, heading - math.pi + narrow, heading - math.pi + wide, xtol=TOLERANCE / 2 / step
            )
        )
    for angle in np.linspace(before, heading + BEHIND + 0.3, 16)[1:]:
        if at(angle) < 0:
            return float(optimize.brentq(at, before, angle, xtol=TOLERANCE / 2 / step))
        before = float(angle)
    return None


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
        walk = walk_boundary(side, near, far)
    except Elsewhere:  # a third label lies between the two: finer cells tell
        return []
    points, corners = sharpen_corners(walk.points)
    return [Curve(points, walk.ends, corners=tuple(corners))]


def along_level(value: Callable[[Place], float], level: float, low: Place, high: Place) -> Curve:
    """The line on which a value is `level`, between a place where it is below and one where it is above."""

    def side(place: Place) -> float:
        found = value(place)
        if not math.isfinite(found):
            raise Elsewhere
        return found - level

    walk = walk_boundary(side, low, high)
    return Curve(walk.points, walk.ends, level)
