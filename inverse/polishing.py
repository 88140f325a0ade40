"""A minimum near a place: descended to, then fitted, where nothing forbids it.

Coordinates are shares of the sides of a box, from 0 to 1. Flat parts, ends of the box, kinks, poles and edges
of values that are missing are told apart.
"""

from __future__ import annotations

import itertools
import math
import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.fits import Ask, Vertex, fit_minimum

ROUGH, TIGHT, DESCENT = 1e-2, 1e-7, 60
"""Shares of a cell to which a descent goes before a fit, and without one; its values for each coordinate."""

FLAT, HALVINGS = 1e-12, 12
"""Differences, of the value, that rounding explains; steps to the end of a flat part."""

SAME = 1e-4
"""Shares within which two minima are one."""

LARGE = 1e300
"""What a descent sees where there is no value."""


@dataclass(frozen=True)
class Minimum:
    """A minimum: point (m,) and value with accuracies, and standard errors, NaN where nothing is drawn.

    ends: at which ends of the box it lies, in words: then it is no minimum. curvature: second derivative by
    each free parameter, or its logarithm on a logarithmic side, (m,). ties: between which values of each
    parameter the value is the same within rounding, (m, 2), or None. note: what else is odd.
    """

    point: np.ndarray
    value: float
    error: np.ndarray
    stderr: np.ndarray
    curvature: np.ndarray
    value_error: float = 0.0
    value_stderr: float = math.nan
    ends: tuple[str, ...] = ()
    ties: np.ndarray | None = None
    note: str = ""


@dataclass
class Asked:
    """The function over shares, and all that it answered."""

    box: Box
    function: Ask
    seen: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def draws(self, shares: np.ndarray) -> np.ndarray:
        """Values (P,), or draws (P, S), NaN where they are not finite."""
        points = self.box.points(np.atleast_2d(shares))
        found = np.asarray(self.function(points), dtype=float)
        found = np.where(np.isfinite(found), found, np.nan)
        self.seen.append((points, found if found.ndim == 1 else found.mean(axis=1)))
        return found

    def __call__(self, shares: np.ndarray) -> np.ndarray:
        self.draws(shares)
        return self.seen[-1][1]

    def one(self, share: np.ndarray) -> float:
        """A value to descend on."""
        value = float(self(share)[0])
        return LARGE if math.isnan(value) else value


def polish(asked: Asked, start: np.ndarray, width: np.ndarray, among: np.ndarray | None = None) -> Minimum:
    """Descend from a start within cells of that width, then fit in what is free of ends and flat parts.

    among: the coordinates that move; None: all.
    """
    among = np.arange(len(start)) if among is None else among
    at, low = _descend(asked, start, width, among, ROUGH)
    for i, end in itertools.product(among, (0.0, 1.0)):
        if abs(at[i] - end) < width[i] and (value := asked.one(_with(at, i, end))) <= low:
            at, low = _with(at, i, end), value
    ties = _tied(asked, at, width, among, low)
    at = np.where(np.isnan(ties[0]), at, ties.mean(axis=0))
    inner = among[(at[among] > 0) & (at[among] < 1) & np.isnan(ties[0, among])]
    vertex = None
    if inner.size:
        vertex = fit_minimum(lambda some: asked.draws(_placed(at, inner, some)), at[inner], width[inner] / 2)
    if not inner.size:
        found = minimum_at(asked, at)
    elif vertex is None or (np.abs(vertex.place - at[inner]) > width[inner]).any():
        found = _unsmooth(asked, at, width, inner, low)
    else:
        at = _placed(at, inner, vertex.place)[0]
        found = _of_vertex(asked, at, inner, vertex)
    return found if np.isnan(ties).all() else _with_ties(asked, found, at, ties)


def _descend(
    asked: Asked, start: np.ndarray, width: np.ndarray, among: np.ndarray, accuracy: float
) -> tuple[np.ndarray, float]:
    """The lowest place near a start and its value, some coordinates moving, to a share of a cell."""
    from scipy.optimize import minimize, minimize_scalar

    def value(some: np.ndarray | float) -> float:
        return asked.one(_placed(start, among, np.atleast_2d(some)))

    begun, size, first = asked.one(start), width[among], start[among]
    if len(among) == 1:
        ends = max(first[0] - size[0], 0.0), min(first[0] + size[0], 1.0)
        tolerance = {"xatol": accuracy * (ends[1] - ends[0])}
        found = minimize_scalar(value, bounds=ends, method="bounded", options=tolerance)
    else:
        steps = np.diag(np.where(first + size / 2 > 1, -size / 2, size / 2))
        options: dict[str, Any] = {
            "xatol": accuracy * float(size.min()),
            "fatol": 0.0,
            "maxfev": DESCENT * len(among),
        }
        options["initial_simplex"] = np.vstack([first, first + steps])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it stopped early: a fit follows
            bounds = [(0.0, 1.0)] * len(among)
            found = minimize(value, first, method="Nelder-Mead", bounds=bounds, options=options)
    if not found.fun <= begun:
        return start, begun
    return _placed(start, among, np.atleast_2d(found.x))[0], float(found.fun)


def _tied(asked: Asked, at: np.ndarray, width: np.ndarray, among: np.ndarray, low: float) -> np.ndarray:
    """Shares between which each coordinate alone leaves the value as it is, (2, k); NaN within a cell."""
    ends = np.full((2, len(at)), np.nan)
    for i, (j, sign) in itertools.product(among, enumerate((-1.0, 1.0))):

        def tied(share: float, i: int = i) -> bool:
            return abs(asked.one(_with(at, i, share)) - low) <= FLAT * abs(low)

        inside, step = float(at[i]), sign * float(width[i])
        outside = min(max(inside + step, 0.0), 1.0)
        while outside != inside and tied(outside):
            inside, step = outside, 2 * step
            outside = min(max(inside + step, 0.0), 1.0)
        for _ in range(HALVINGS if inside not in (at[i], outside) else 0):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if tied(middle) else (inside, middle)
        ends[j, i] = inside
    return np.where(np.ptp(ends, axis=0) > 0, ends, np.nan)


def _with_ties(asked: Asked, found: Minimum, at: np.ndarray, ends: np.ndarray) -> Minimum:
    """The minimum with the ranges of its parameters over which the value is the same."""
    places = [_with(at, i, end) for i in np.flatnonzero(~np.isnan(ends[0])).tolist() for end in ends[:, i]]
    points = asked.box.points(np.array([at, *places]))
    ties = np.stack([points.min(axis=0), points.max(axis=0)], axis=1)
    if not np.ptp(ties, axis=1).any():  # a corner to which a constraint narrows the box
        return found
    return replace(found, ties=ties, note=found.note or "constant within rounding over a range")


def _unsmooth(asked: Asked, at: np.ndarray, width: np.ndarray, inner: np.ndarray, low: float) -> Minimum:
    """A lowest place that no polynomial describes: a kink, a step, a pole, or beside values that are lost."""
    step = np.where(np.isin(np.arange(len(at)), inner), width, 0.0)
    nearby = asked(np.clip(np.array([at + step, at - step]), 0, 1))
    at, value = _descend(asked, at, width * ROUGH, inner, TIGHT)
    beside, close = (
        asked(np.clip(np.array([at + step * each, at - step * each]), 0, 1)) for each in (ROUGH, 10 * TIGHT)
    )
    note = "no smooth minimum: a kink, a step or a flat part"
    if np.isnan([*beside, *nearby]).any():
        note = "next to values without an answer"
    elif value < low - np.abs(nearby - low).max():
        note = "the value decreases without bound there, as at a pole"
    off = float(np.nanmax(np.abs(close - value), initial=0.0))
    return replace(minimum_at(asked, at, 10 * step * TIGHT), value_error=off, note=note)


def polish_drawn(asked: Asked, start: np.ndarray, width: np.ndarray) -> Minimum:
    """A fit to draws around the lowest place of their grid."""
    vertex = fit_minimum(asked.draws, start, 2 * width)
    if vertex is not None and (np.abs(vertex.place - start) <= 2 * width).all():
        return _of_vertex(asked, vertex.place, np.arange(len(start)), vertex)
    draws = asked.draws(start)[0]
    at_end = (start == 0) | (start == 1)
    note = "" if at_end.any() else "not resolved: these draws show no minimum in the neighbouring cells"
    found = minimum_at(asked, start, np.where(at_end, 0.0, width))
    return replace(found, value_stderr=float(draws.std(ddof=1) / math.sqrt(draws.size)), note=note)


def polish_whole(asked: Asked, start: np.ndarray, width: np.ndarray) -> Minimum:
    """The lowest of whole numbers, by ever smaller steps; what is not whole is polished at each of them."""
    sides, point = asked.box.reach(start)
    whole = [i for i, each in enumerate(sides) if each.whole]
    smooth = np.array([i for i, each in enumerate(sides) if not each.whole], dtype=int)
    known: dict[tuple[float, ...], Minimum] = {}

    def minimum(numbers: tuple[float, ...]) -> Minimum:
        if numbers not in known:
            at = start.copy()
            for i, number in zip(whole, numbers, strict=True):
                side = asked.box.reach(at)[0][i]
                at[i] = side.share(number) if side.low < side.high else 0.0
            outside = (at < -SAME) | (at > 1 + SAME)
            found = polish(asked, at, width, smooth) if smooth.size else minimum_at(asked, np.clip(at, 0, 1))
            known[numbers] = replace(found, value=LARGE) if outside.any() else found
        return known[numbers]

    best = tuple(point[sides[i].name] for i in whole)
    steps = [
        max(1, round((sides[i].place(start[i] + width[i]) - sides[i].place(start[i] - width[i])) / 2))
        for i in whole
    ]
    while True:
        before = best
        for i, sign in itertools.product(range(len(whole)), (-1, 1)):
            tried = tuple(each + sign * steps[i] * (i == j) for j, each in enumerate(best))
            side = sides[whole[i]]
            if side.low <= tried[i] <= side.high and minimum(tried).value < minimum(best).value:
                best = tried
        if best == before and max(steps) == 1:
            return minimum(best)
        if best == before:
            steps = [max(1, each // 2) for each in steps]


def _with(at: np.ndarray, i: int, share: float) -> np.ndarray:
    return np.where(np.arange(len(at)) == i, share, at)


def _placed(at: np.ndarray, inner: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Shares of all coordinates, (P, k), from those that move, (P, i)."""
    shares = np.repeat(at[None], len(some), axis=0)
    shares[:, inner] = some
    return shares


def minimum_at(asked: Asked, at: np.ndarray, error: np.ndarray | None = None) -> Minimum:
    """A minimum at these shares, whose place is known to so many shares."""
    point, value, unknown = (
        asked.box.points(at[None])[0],
        float(asked(at)[0]),
        np.full(len(asked.box.sides), np.nan),
    )
    moved = _moved(asked.box, at, np.zeros(len(at)) if error is None else error)
    return Minimum(point, value, moved, unknown, unknown, FLAT * abs(value), ends=asked.box.ends(point))


def _of_vertex(asked: Asked, at: np.ndarray, inner: np.ndarray, vertex: Vertex) -> Minimum:
    found = minimum_at(asked, at, _placed(np.zeros(len(at)), inner, vertex.error[None])[0])
    curvature = found.curvature.copy()
    sides, _ = asked.box.reach(at)
    for i, bend in zip(inner, np.diag(vertex.hessian), strict=True):
        length = math.log(sides[i].high / sides[i].low) if sides[i].log else sides[i].high - sides[i].low
        curvature[asked.box.names.index(sides[i].name)] = bend / length**2
    drawn = not np.isnan(vertex.stderr).any()
    stderr = (
        _moved(asked.box, at, _placed(np.zeros(len(at)), inner, vertex.stderr[None])[0])
        if drawn
        else found.stderr
    )
    off = abs(found.value - vertex.value) + vertex.value_error
    return replace(
        found, value_error=off, value_stderr=vertex.value_stderr, stderr=stderr, curvature=curvature
    )


def _moved(box: Box, at: np.ndarray, error: np.ndarray) -> np.ndarray:
    """How far the point moves, (m,), where each coordinate does so by its error."""
    if not len(at):
        return np.zeros(len(box.sides))
    far, near = (box.points(np.clip(at + sign * np.diag(error), 0, 1)) for sign in (1, -1))
    return np.asarray(np.linalg.norm((far - near) / 2, axis=0))


def flat_minimum(asked: Asked, shares: np.ndarray, values: np.ndarray) -> Minimum:
    """The value is the same wherever it is known."""
    points = asked.box.points(shares[np.isfinite(values)])
    ties = np.stack([points.min(axis=0), points.max(axis=0)], axis=1)
    found = minimum_at(asked, shares[int(np.nanargmin(values))])
    return replace(found, ends=(), ties=ties, note="constant within rounding, so no point is best")


def is_same(box: Box, one: Minimum, other: Minimum) -> bool:
    """Whether two descents came to one minimum, or into one flat part."""
    ranges = []
    for each in (one, other):
        ends = np.repeat(each.point[:, None], 2, axis=1) if each.ties is None else each.ties
        ranges.append(ends + np.outer(each.error, (-1, 1)))
    for side, (a, b), (c, d) in zip(box.sides, *ranges, strict=True):
        low, high = max(a, c), min(b, d)  # of what both have, where they have something
        if low > high and (side.whole or side.share(float(low)) - side.share(float(high)) > SAME):
            return False
    return True
