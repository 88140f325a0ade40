"""Boundaries that equations define, followed by pseudo-arclength continuation.

A boundary is the projection of a curve in a space of m numbers, two for the place and the others for what
is solved for beside it (the times at which a curve turns), on which m - 1 equations hold. The curve is smooth
where its projection has a cusp, so that a cusp is passed and then solved for. The predictor goes along the
tangent, the corrector is Newton's method across it (Keller 1977); between two points lies the cubic that has
the right tangents at both, and the step is so short that in its middle it misses the curve by little.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from teacherstudent.maps.field import Curve

Equations = Callable[[np.ndarray], np.ndarray]
"""From (m,) numbers, of which the first two are the place, to (m - 1,) that are 0 on the curve; or from many
such points, (m, P), to (m - 1, P). NaN where nothing can be said.
"""

DIFFERENCE = 3e-5
"""Step of the derivatives."""

SOLVED = 1e-6
"""A correction below this ends Newton's method: its next one would be the square of it."""

MISS = 2e-4
"""Largest distance of the curve from the cubic in the middle of a step."""

SHORTEST, FIRST, LONGEST = 1e-5, 2e-2, 1e-1
"""Steps in the m numbers."""

GRAZING = 0.02
"""Sine of the angle to the frame below which a curve may only touch it."""

MOST = 2000
"""Points of one curve."""

CLOSE = 1e-4
"""Distance between drawn points and the cubic."""

PARTS = 4
"""Straight parts of a step, by which a curve that was followed is known again."""

ONE = 1e-3
"""Distance in the m numbers within which two curves are one: solutions of the same equations do not cross."""


class Unsolved(Exception):
    """Newton's method did not converge to a point of the curve."""


@dataclass(frozen=True)
class Point:
    """A point of the curve, (m,), and the unit tangent there, (m,)."""

    at: np.ndarray
    tangent: np.ndarray


def jacobian(equations: Equations, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The equations' values and derivatives, (m - 1,) and (m - 1, m), by central differences.

    Late in training the equations of a fold are nearly multiples of each other, and one-sided differences
    lose what tells them apart. At the frame, beyond which the map is not, they are one-sided for the place.
    """
    steps = DIFFERENCE * np.eye(at.size)
    low, high = at[:, None] - steps, at[:, None] + steps
    for i in range(2):
        if not 0 <= low[i, i] < high[i, i] <= 1:
            (low if at[i] < 0.5 else high)[:, i] = at
    found = equations(np.concatenate([at[:, None], low, high], axis=1))
    below, above = np.split(found[:, 1:], 2, axis=1)
    return found[:, 0], (above - below) / np.diagonal(high - low)


def tangent_of(derivatives: np.ndarray, along: np.ndarray) -> np.ndarray:
    """The unit vector on which the derivatives vanish, in the direction of `along`."""
    _, _, rows = np.linalg.svd(derivatives)
    return rows[-1] if rows[-1] @ along >= 0 else -rows[-1]


def solve_on_plane(
    equations: Equations,
    guess: np.ndarray,
    across: np.ndarray,
    furthest: float,
    value: float | None = None,
) -> Point:
    """The point of the curve on the plane through `guess` that is perpendicular to `across`.

    value: that of `across` there, where it is not that of the guess. Raises `Unsolved` where Newton's
    method leaves a ball of radius `furthest` around the guess, or does not settle.
    """
    at, fixed = guess.copy(), across @ guess if value is None else value
    try:
        for _ in range(8):
            change, derivatives = _newton_step(equations, at, across, across @ at - fixed)
            at = at + change
            if np.linalg.norm(at - guess) > furthest:
                raise Unsolved
            if np.linalg.norm(change) < SOLVED:
                return Point(at, tangent_of(derivatives, across))
    except (ArithmeticError, ValueError):
        raise Unsolved from None
    raise Unsolved


def _newton_step(
    equations: Equations, at: np.ndarray, across: np.ndarray, off: float
) -> tuple[np.ndarray, np.ndarray]:
    """Newton's step from a point that is `off` a plane, across which it goes back, and the derivatives there.

    Raises `Unsolved`.
    """
    here, derivatives = jacobian(equations, at)
    if not (np.isfinite(here).all() and np.isfinite(derivatives).all()):
        raise Unsolved
    try:
        return np.linalg.solve(np.vstack([derivatives, across]), -np.append(here, off)), derivatives
    except np.linalg.LinAlgError:
        raise Unsolved from None


def follow_curve(
    equations: Equations, start: Point, known: list[np.ndarray] | None = None, shortest: float = SHORTEST
) -> list[Curve]:
    """The whole curve through a point, cut where it has cusps.

    Each piece ends at the "frame", at a "cusp", is "closed", or has an "end" where nothing solves the
    equations any more. known: points, (P, m) each, of the curves on which these equations were followed
    before. None of them is followed again, and the new one is added. shortest: step below which it ends.
    """
    if known is not None and passes_near(known, start.at):
        return []
    points, ends = _from_end_to_end(equations, start, shortest)
    if known is not None:
        steps = itertools.pairwise(points)
        between = [hermite_cubic(*step, i / PARTS)[0] for step in steps for i in range(PARTS)]
        known.append(np.array([*between, points[-1].at]))
    return _pieces(equations, points, ends)


def passes_near(known: Iterable[np.ndarray], at: np.ndarray, near: float = ONE) -> bool:
    """Whether one of some chains of points, (P, m) each, passes so near to this one."""
    for chain in known:
        begin, ways = chain[:-1], np.diff(chain, axis=0)
        share = ((at - begin) * ways).sum(1) / np.maximum((ways**2).sum(1), 1e-300)
        away = at - begin - np.clip(share, 0, 1)[:, None] * ways
        if len(begin) and np.linalg.norm(away, axis=1).min() < near:
            return True
    return False


def _from_end_to_end(
    equations: Equations, start: Point, shortest: float
) -> tuple[list[Point], tuple[str, str]]:
    onward, last = _half(equations, start, shortest)
    if last == "closed":
        return [*onward, start], ("closed", "closed")
    back, first = _half(equations, Point(start.at, -start.tangent), shortest)
    turned = [Point(each.at, -each.tangent) for each in back[:0:-1]]
    return [*turned, *onward], (first, last)


def _half(equations: Equations, start: Point, shortest: float) -> tuple[list[Point], str]:
    points, step = [start], FIRST
    away = 0.0
    while len(points) < MOST:
        here = points[-1]
        target = here.at + step * here.tangent
        beyond = _beyond(target)
        if beyond is not None:
            edge = _onto_frame(equations, here, beyond)
            if edge is not None and math.dist(edge.at[:2], here.at[:2]) <= 2 * step:
                points.append(edge)
                again = _inside_again(equations, edge, beyond[0], step)
                if again is None:
                    return points, "frame"
                points.append(again)
                continue
        try:
            if beyond is not None:
                raise Unsolved
            there = solve_on_plane(equations, target, here.tangent, step)
            if _beyond(there.at) is not None or there.tangent @ here.tangent < 0.5:
                raise Unsolved
            miss = _miss(equations, here, there)
            if miss > MISS:
                raise Unsolved
        except Unsolved:
            step /= 2
            if step < shortest:
                return points, "frame" if _near_frame(here.at) else "end"
            continue
        gone = float(np.linalg.norm(there.at - start.at))
        away = max(away, gone)
        if away > 2 * gone and gone < 1.5 * step and _passes(start, here, there):
            return points, "closed"
        points.append(there)
        if miss < MISS / 8:
            step = min(1.7 * step, LONGEST)
    return points, "end"


def _passes(start: Point, here: Point, there: Point) -> bool:
    """Whether the start lies between the two."""
    return bool((start.at - here.at) @ start.tangent >= 0 >= (start.at - there.at) @ start.tangent) and bool(
        start.tangent @ here.tangent > 0
    )


def _beyond(at: np.ndarray) -> tuple[int, float] | None:
    """Which side of the frame a point lies beyond: the coordinate and its value there."""
    outside = [(max(-at[i], at[i] - 1), i) for i in (0, 1)]
    far, i = max(outside)
    return (i, 0.0 if at[i] < 0 else 1.0) if far > 0 else None


def _near_frame(at: np.ndarray) -> bool:
    return bool(np.min(np.concatenate([at[:2], 1 - at[:2]])) < 10 * SHORTEST)


def _onto_frame(equations: Equations, here: Point, side: tuple[int, float]) -> Point | None:
    """Where the curve meets that side of the frame; None where it does not do so nearby."""
    i, value = side
    if abs(here.tangent[i]) < 1e-9:
        return None
    share = (value - here.at[i]) / here.tangent[i]
    across = np.zeros(here.at.size)
    across[i] = 1.0
    try:
        found = solve_on_plane(
            equations, here.at + share * here.tangent, across, 2 * abs(share) + SHORTEST, value
        )
    except Unsolved:
        return None
    found.at[i] = value
    tangent = found.tangent if found.tangent @ here.tangent > 0 else -found.tangent
    outside = any(not 0 <= each <= 1 for each in found.at[:2])
    return None if outside or tangent @ here.tangent < 0.5 else Point(found.at, tangent)


def _inside_again(equations: Equations, edge: Point, i: int, step: float) -> Point | None:
    """The next point of a curve that touches the frame and stays on the map; None where it leaves."""
    if abs(edge.tangent[i]) > GRAZING:
        return None
    target = edge.at + step * edge.tangent
    target[:2] = np.clip(target[:2], 0, 1)
    try:
        found = solve_on_plane(equations, target, edge.tangent, step)
    except Unsolved:
        return None
    return found if _beyond(found.at) is None and found.tangent @ edge.tangent > 0.5 else None


def _miss(equations: Equations, here: Point, there: Point) -> float:
    """How far the curve is from the cubic, in the middle of a step: by Newton's method, of which one step
    tells as much where that is little."""
    middle, along = hermite_cubic(here, there, 0.5)
    return float(np.linalg.norm(_newton_step(equations, middle, along / np.linalg.norm(along), 0.0)[0]))


def hermite_cubic(here: Point, there: Point, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Point and derivative of the cubic between two points with their tangents."""
    length = float(np.linalg.norm(there.at - here.at))
    t, a, b = share, length * here.tangent, length * there.tangent
    at = (
        (2 * t**3 - 3 * t**2 + 1) * here.at
        + (t**3 - 2 * t**2 + t) * a
        + (3 * t**2 - 2 * t**3) * there.at
        + (t**3 - t**2) * b
    )
    along = (6 * t**2 - 6 * t) * (here.at - there.at) + (3 * t**2 - 4 * t + 1) * a + (3 * t**2 - 2 * t) * b
    return at, along


def _pieces(equations: Equations, points: list[Point], ends: tuple[str, str]) -> list[Curve]:
    """The curve cut at its cusps, with as many places as chords need to be close to the cubics."""
    pieces, run, first = [], [points[0]], ends[0]
    for here, there in itertools.pairwise(points):
        if here.tangent[:2] @ there.tangent[:2] < 0:
            cusp = _cusp(equations, here, there)
            pieces.append(_drawn([*run, cusp], (first, "cusp")))
            run, first = [cusp], "cusp"
        run.append(there)
    last = _drawn(run, (first, ends[1]))
    if ends[0] == "closed" and pieces:  # it begins between two cusps: join both ends there
        begun = pieces[0]
        joined = np.concatenate([last.points, begun.points[1:]])
        pieces[0] = Curve(joined, (first, begun.ends[1]))
        return pieces
    return [*pieces, last]


def _cusp(equations: Equations, here: Point, there: Point) -> Point:
    """The point between two where the place stands still: bisection along the cubic, then solved."""
    forth = here.tangent[:2]
    low, high = here, there
    for _ in range(40):
        guess, along = hermite_cubic(low, high, 0.5)
        try:
            middle = solve_on_plane(equations, guess, along / np.linalg.norm(along), 1.0)
        except Unsolved:
            break
        if np.linalg.norm(high.at - low.at) < SHORTEST:
            return middle
        low, high = (middle, high) if middle.tangent[:2] @ forth > 0 else (low, middle)
    return low


def _drawn(points: list[Point], ends: tuple[str, str]) -> Curve:
    places = [points[0].at[:2]]
    for here, there in itertools.pairwise(points):
        bend = math.acos(min(max(float(here.tangent @ there.tangent), -1.0), 1.0))
        chord = float(np.linalg.norm(there.at - here.at))
        parts = max(1, math.ceil(math.sqrt(bend * chord / 8 / CLOSE)))
        places += [hermite_cubic(here, there, i / parts)[0][:2] for i in range(1, parts)]
        places.append(there.at[:2])
    return Curve(np.clip(np.array(places), 0.0, 1.0), ends)
