"""Minima of a function in a box: those that a grid sees, each polished, with how well its place is known.

With one free coordinate the grid is refined until cubic interpolation meets it, with two around each of its
minima; with three it only starts several descents, and nothing is certified. Coordinates are shares of the
sides of the box, from 0 to 1; a constraint takes one of them (`constraint.Box`).
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.fits import Ask, Vertex, fit_minimum

NODES, DRAWN_NODES = {1: 33, 2: 17, 3: 9}, {1: 17, 2: 9, 3: 5}
"""Along each coordinate of the first grid, by how many there are; fewer where each costs draws."""

NEAR_ZERO = 10.0 ** -np.arange(1, 7)
"""Shares of the larger end of an even side around 0: a ridge of 1e-3 may be best between 0 and 10."""

EXHAUSTED = 200
"""Whole numbers of a single parameter that are all asked."""

MISSED, SPLITS, MOST = 0.05, 5, 400
"""Error of interpolation, of the range nearby, above which a cell is halved; how often; values at most."""

STARTS = 8
"""Minima of the grid that are polished, the lowest first."""

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


@dataclass(frozen=True)
class Search:
    """What was found: minima, the lowest first, and all points that were asked, (P, m), with values (P,)."""

    box: Box
    minima: tuple[Minimum, ...]
    points: np.ndarray
    values: np.ndarray
    certified: bool


@dataclass
class _Asked:
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


def find_minima(function: Ask, box: Box, drawn: bool = False) -> Search:
    """Every minimum of a function in a box that its grid sees.

    function: values (P,), or draws of the same seeds at every point (P, S), at points (P, m); NaN where there
    is none. drawn: whether it draws.
    """
    asked, k = _Asked(box, function), len(box.free)
    axes = [_nodes(box, i, (DRAWN_NODES if drawn else NODES)[k]) for i in range(k)]
    shares = np.array(list(itertools.product(*axes)))
    values = asked(shares)
    whole = any(each.whole for each in box.free)
    if k == 1 and not drawn and not whole:
        axes[0], values = _refine(asked, axes[0], values)
        shares = axes[0][:, None]
    finite = values[np.isfinite(values)]
    if not k or not finite.size:
        minima = [_minimum(asked, shares[0])][: finite.size]
    elif np.ptp(finite) <= FLAT * np.abs(finite).max():
        minima = [_flat(asked, shares, values)]
    else:
        starts = _lowest(values.reshape([len(each) for each in axes]), axes)[:STARTS]
        if k == 2 and not drawn:
            starts = _finer(asked, starts)
        polish = _polish_drawn if drawn else _polish_whole if whole else _polish
        minima = []
        for at, width in starts:
            found = polish(asked, at, width)
            if not any(_same(box, found, each) for each in minima):
                minima.append(found)
    points, values = (np.concatenate(each) for each in zip(*asked.seen, strict=True))
    return Search(box, tuple(sorted(minima, key=lambda each: each.value)), points, values, k < 3)


def _nodes(box: Box, i: int, count: int) -> np.ndarray:
    """Shares of the first grid along one coordinate."""
    k = len(box.free)
    side, even = box.reach(np.zeros(k))[0][i], np.linspace(0, 1, count)
    if side.whole and (i == 0 or box.constraint is None):
        ends = math.ceil(side.low), math.floor(side.high)
        few = k == 1 and ends[1] - ends[0] < EXHAUSTED
        numbers = np.arange(ends[0], ends[1] + 1) if few else np.rint([side.place(each) for each in even])
        return np.array([side.share(float(each)) for each in np.unique(np.clip(numbers, *ends))])
    if side.log or side.whole or k > 2 or not side.low <= 0 <= side.high:
        return even
    large = max(-side.low, side.high)
    near = [side.share(sign * each * large) for each in (0.0, *NEAR_ZERO) for sign in (-1, 1)]
    return np.unique([*even, *(each for each in near if 0 < each < 1)])


def _refine(asked: _Asked, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares and values, (P,), with nodes in the middle of each cell that interpolation does not meet."""
    cells = list(itertools.pairwise(x.tolist()))
    for _ in range(SPLITS):
        if not cells or len(x) > MOST:
            break
        middles = np.array([(a + b) / 2 for a, b in cells])
        found = asked(middles[:, None])
        halves = [((a, middle), (middle, b)) for (a, b), middle in zip(cells, middles.tolist(), strict=True)]
        missed = [_missed(x, y, middle, value) for middle, value in zip(middles, found, strict=True)]
        cells = [cell for pair, lost in zip(halves, missed, strict=True) if lost for cell in pair]
        order = np.argsort(np.append(x, middles))
        x, y = np.append(x, middles)[order], np.append(y, found)[order]
    return x, y


def _missed(x: np.ndarray, y: np.ndarray, middle: float, value: float) -> bool:
    """Whether a value is another than the cubic through the four nodes around it says."""
    first = min(max(int(np.searchsorted(x, middle)) - 2, 0), len(x) - 4)
    nodes, known = x[first : first + 4], np.append(y[first : first + 4], value)
    if not np.isfinite(known).all():
        return bool(np.isfinite(known).any())
    weights = [math.prod((middle - b) / (a - b) for b in nodes if b != a) for a in nodes]
    return bool(abs(weights @ known[:4] - value) > max(MISSED * np.ptp(known), FLAT * np.abs(known).max()))


Start = tuple[np.ndarray, np.ndarray]
"""A place in shares and the size of the cells around it, (k,) both."""


def _lowest(grid: np.ndarray, axes: Sequence[np.ndarray]) -> list[Start]:
    """The minima of a grid, the lowest first; of equal neighbours the first."""
    padded = np.pad(np.where(np.isnan(grid), np.inf, grid), 1, constant_values=np.inf)
    inner = padded[tuple(slice(1, -1) for _ in axes)]
    lowest = np.isfinite(inner)
    for shift in itertools.product((-1, 0, 1), repeat=len(axes)):
        beside = padded[tuple(slice(1 + s, n - 1 + s) for s, n in zip(shift, padded.shape, strict=True))]
        lowest &= (inner < beside) if shift < (0,) * len(axes) else (inner <= beside)
    starts = []
    for index in sorted(np.argwhere(lowest).tolist(), key=lambda each: float(grid[tuple(each)])):
        place = np.array([axis[i] for axis, i in zip(axes, index, strict=True)])
        gaps = [np.diff(axis[max(i - 1, 0) : i + 2]) for axis, i in zip(axes, index, strict=True)]
        starts.append((place, np.array([gap.max() if gap.size else 0.0 for gap in gaps])))
    return starts


def _finer(asked: _Asked, starts: Sequence[Start]) -> list[Start]:
    """The minima of finer grids over the cells around these, the lowest first."""
    found: list[tuple[float, Start]] = []
    for at, width in starts:
        axes = [
            np.unique(np.clip(a + w * np.linspace(-1, 1, 5), 0, 1)) for a, w in zip(at, width, strict=True)
        ]
        values = asked(np.array(list(itertools.product(*axes))))
        for each in _lowest(values.reshape([len(axis) for axis in axes]), axes):
            if not any(np.allclose(each[0], other[0]) for _, other in found):
                found.append((asked.one(each[0]), each))
    return [each for _, each in sorted(found, key=lambda one: one[0])][:STARTS]


def _polish(asked: _Asked, start: np.ndarray, width: np.ndarray, among: np.ndarray | None = None) -> Minimum:
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
        found = _minimum(asked, at)
    elif vertex is None or (np.abs(vertex.place - at[inner]) > width[inner]).any():
        found = _unsmooth(asked, at, width, inner, low)
    else:
        at = _placed(at, inner, vertex.place)[0]
        found = _of_vertex(asked, at, inner, vertex)
    return found if np.isnan(ties).all() else _with_ties(asked, found, at, ties)


def _descend(
    asked: _Asked, start: np.ndarray, width: np.ndarray, among: np.ndarray, accuracy: float
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


def _tied(asked: _Asked, at: np.ndarray, width: np.ndarray, among: np.ndarray, low: float) -> np.ndarray:
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


def _with_ties(asked: _Asked, found: Minimum, at: np.ndarray, ends: np.ndarray) -> Minimum:
    """The minimum with the ranges of its parameters over which the value is the same."""
    places = [_with(at, i, end) for i in np.flatnonzero(~np.isnan(ends[0])).tolist() for end in ends[:, i]]
    points = asked.box.points(np.array([at, *places]))
    ties = np.stack([points.min(axis=0), points.max(axis=0)], axis=1)
    if not np.ptp(ties, axis=1).any():  # a corner to which a constraint narrows the box
        return found
    return replace(found, ties=ties, note=found.note or "flat within rounding over a range")


def _unsmooth(asked: _Asked, at: np.ndarray, width: np.ndarray, inner: np.ndarray, low: float) -> Minimum:
    """A lowest place that no polynomial describes: a kink, a step, a pole, or beside values that are lost."""
    step = np.where(np.isin(np.arange(len(at)), inner), width, 0.0)
    nearby = asked(np.clip(np.array([at + step, at - step]), 0, 1))
    at, value = _descend(asked, at, width * ROUGH, inner, TIGHT)
    beside, close = (
        asked(np.clip(np.array([at + step * each, at - step * each]), 0, 1)) for each in (ROUGH, 10 * TIGHT)
    )
    note = "no smooth minimum: a kink, a step or a flat part"
    if np.isnan([*beside, *nearby]).any():
        note = "beside values without an answer, at the edge of them"
    elif value < low - np.abs(nearby - low).max():
        note = "the value falls without bound there, as at a pole"
    off = float(np.nanmax(np.abs(close - value), initial=0.0))
    return replace(_minimum(asked, at, 10 * step * TIGHT), value_error=off, note=note)


def _polish_drawn(asked: _Asked, start: np.ndarray, width: np.ndarray) -> Minimum:
    """A fit to draws around the lowest place of their grid."""
    vertex = fit_minimum(asked.draws, start, 2 * width)
    if vertex is not None and (np.abs(vertex.place - start) <= 2 * width).all():
        return _of_vertex(asked, vertex.place, np.arange(len(start)), vertex)
    draws = asked.draws(start)[0]
    at_end = (start == 0) | (start == 1)
    note = "" if at_end.any() else "not resolved: these draws show no minimum within the cells around it"
    found = _minimum(asked, start, np.where(at_end, 0.0, width))
    return replace(found, value_stderr=float(draws.std(ddof=1) / math.sqrt(draws.size)), note=note)


def _polish_whole(asked: _Asked, start: np.ndarray, width: np.ndarray) -> Minimum:
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
            found = _polish(asked, at, width, smooth) if smooth.size else _minimum(asked, np.clip(at, 0, 1))
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


def _minimum(asked: _Asked, at: np.ndarray, error: np.ndarray | None = None) -> Minimum:
    """A minimum at these shares, whose place is known to so many shares."""
    point, value, unknown = (
        asked.box.points(at[None])[0],
        float(asked(at)[0]),
        np.full(len(asked.box.sides), np.nan),
    )
    moved = _moved(asked.box, at, np.zeros(len(at)) if error is None else error)
    return Minimum(point, value, moved, unknown, unknown, FLAT * abs(value), ends=asked.box.ends(point))


def _of_vertex(asked: _Asked, at: np.ndarray, inner: np.ndarray, vertex: Vertex) -> Minimum:
    found = _minimum(asked, at, _placed(np.zeros(len(at)), inner, vertex.error[None])[0])
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


def _flat(asked: _Asked, shares: np.ndarray, values: np.ndarray) -> Minimum:
    """The value is the same wherever it is known."""
    points = asked.box.points(shares[np.isfinite(values)])
    ties = np.stack([points.min(axis=0), points.max(axis=0)], axis=1)
    found = _minimum(asked, shares[int(np.nanargmin(values))])
    return replace(found, ends=(), ties=ties, note="flat within rounding: no place is best")


def _same(box: Box, one: Minimum, other: Minimum) -> bool:
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
