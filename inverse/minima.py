"""Minima of a function in a box: those that a grid sees, each polished, with how well its place is known.

With one free coordinate the grid is refined until cubic interpolation meets it; with two, around each of its
minima; with three it only starts several descents, and nothing is certified. A constraint takes a coordinate
(`constraint.Box`). Coordinates are shares of the axes, from 0 to 1.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.fits import Vertex, fit_minimum

Ask = Callable[[np.ndarray], np.ndarray]
"""Values (P,), or draws (P, S), at points (P, m) or shares (P, k)."""

NODES, DRAWN_NODES = {1: 33, 2: 17, 3: 9}, {1: 17, 2: 9, 3: 5}
"""Along each coordinate of the first grid, by how many there are; fewer where each costs draws."""

NEAR_ZERO = 10.0 ** -np.arange(1, 7)
"""Of the larger end of an evenly spaced axis that holds 0: a ridge of 1e-3 may be best between 0 and 10."""

EXHAUSTED = 200
"""Whole numbers of one parameter that are all asked."""

MISSED, SPLITS, MOST = 0.05, 5, 400
"""Error of interpolation, of the range nearby, above which a cell is halved; how often; values at most."""

STARTS = 8
"""Minima of the grid that are polished, the lowest first."""

ROUGH, TIGHT = 1e-2, 1e-7
"""Shares of a cell to which a descent goes before a fit, and where none is possible."""

FLAT = 1e-12
"""Differences, of the value, that rounding explains."""

SAME = 1e-4
"""Shares within which two minima are one."""

HALVINGS = 12
"""Of the way to where a flat part ends."""

DESCENT = 60
"""Values that a descent may ask for by each coordinate before the fit."""

LARGE = 1e300
"""What a descent sees where there is no value."""


@dataclass(frozen=True)
class Minimum:
    """A minimum: point (m,) and value with accuracies, and standard errors, which are NaN where nothing is drawn.

    ends: at which ends of the box it lies, in words; then it is the lowest there and no minimum. curvature: of the
    value by each free parameter, or its logarithm where the axis is logarithmic, (m,), NaN where it has none.
    ties: where the value is the same within rounding, (m, 2), None where it is a point. note: what else is odd.
    """

    point: np.ndarray
    value: float
    error: np.ndarray
    value_error: float = 0.0
    stderr: np.ndarray | None = None
    value_stderr: float = math.nan
    ends: tuple[str, ...] = ()
    curvature: np.ndarray | None = None
    ties: np.ndarray | None = None
    note: str = ""


@dataclass(frozen=True)
class Search:
    """What was found: minima, the lowest first, and every point that was asked, (P, m), with its value, (P,)."""

    box: Box
    minima: tuple[Minimum, ...]
    points: np.ndarray
    values: np.ndarray
    cells: int
    certified: bool

    @property
    def lost(self) -> np.ndarray:
        """The points without a value, (L, m)."""
        return self.points[np.isnan(self.values)]


@dataclass
class _Asked:
    """The function over shares, and all that it answered."""

    box: Box
    function: Ask
    seen: list[tuple[np.ndarray, np.ndarray]]

    def draws(self, shares: np.ndarray) -> np.ndarray:
        """Values (P,), or draws (P, S); NaN where they are not finite."""
        points = self.box.points(np.atleast_2d(shares))
        found = np.asarray(self.function(points), dtype=float)
        found = np.where(np.isfinite(found), found, np.nan)
        self.seen.append((points, found if found.ndim == 1 else found.mean(axis=1)))
        return found

    def __call__(self, shares: np.ndarray) -> np.ndarray:
        found = self.draws(shares)
        return found if found.ndim == 1 else found.mean(axis=1)

    def one(self, share: np.ndarray) -> float:
        """A value to descend on: large where there is none."""
        value = float(self(share)[0])
        return LARGE if math.isnan(value) else value


def find_minima(function: Ask, box: Box, drawn: bool = False) -> Search:
    """Every minimum of a function in a box that its grid sees.

    function: values (P,), or draws of the same seeds at each point (P, S), at points (P, m); NaN where there
    is none. drawn: whether it draws.
    """
    asked = _Asked(box, function, [])
    k = len(box.free)
    if k == 0:
        value = float(asked(np.zeros((1, 0)))[0])
        found = [_only(asked, value)] if math.isfinite(value) else []
        return _search(asked, found, 1, True)
    count = (DRAWN_NODES if drawn else NODES)[k]
    axes = [_nodes(asked, i, count) for i in range(k)]
    shares = np.array(list(itertools.product(*axes)))
    values = asked(shares)
    whole = any(each.whole for each in box.free)
    if k == 1 and not drawn and not whole:
        shares, values = _refine(asked, shares[:, 0], values)
        axes = [shares[:, 0]]
    grid = values.reshape([len(each) for each in axes])
    finite = values[np.isfinite(values)]
    if finite.size and np.ptp(finite) <= FLAT * np.abs(finite).max():
        return _search(asked, [_flat(asked, shares, values)], count, k < 3)
    starts = _lowest(grid, axes)[:STARTS]
    if k == 2 and not drawn:
        starts = _finer(asked, starts)
    polish = _polish_drawn if drawn else _polish_whole if whole else _polish
    polished: list[Minimum] = []
    for at, width in starts:
        found = polish(asked, at, width)
        if not any(_same(box, found, each) for each in polished):
            polished.append(found)
    return _search(asked, sorted(polished, key=lambda each: each.value), count, k < 3)


def _search(asked: _Asked, minima: Sequence[Minimum], count: int, certified: bool) -> Search:
    points, values = (np.concatenate(each) for each in zip(*asked.seen, strict=True))
    return Search(asked.box, tuple(minima), points, values, count, certified)


def _nodes(asked: _Asked, i: int, count: int) -> np.ndarray:
    """Shares of the first grid along one coordinate."""
    k = len(asked.box.free)
    axis, even = asked.box.axes_at(np.zeros(k))[0][i], np.linspace(0, 1, count)
    if axis.whole and (i == 0 or asked.box.constraint is None):
        ends = math.ceil(axis.low), math.floor(axis.high)
        every = np.arange(ends[0], ends[1] + 1) if k == 1 and ends[1] - ends[0] < EXHAUSTED else None
        numbers = [np.rint(axis.value(each)) for each in even] if every is None else every
        return np.array([axis.along(float(each)) for each in np.unique(np.clip(numbers, *ends))])
    if axis.log or not axis.low <= 0 <= axis.high or axis.whole or k > 2:
        return even
    large = max(-axis.low, axis.high)
    near = [axis.along(sign * each * large) for each in (0.0, *NEAR_ZERO) for sign in (-1, 1)]
    return np.unique([*even, *(each for each in near if 0 < each < 1)])


def _refine(asked: _Asked, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares, (P, 1), and values, with nodes in the middle of each cell that interpolation does not meet."""
    doubtful = {(a, b) for a, b in itertools.pairwise(x.tolist())}
    for _ in range(SPLITS):
        if not doubtful or len(x) > MOST:
            break
        cells = sorted(doubtful)
        middles = np.array([(a + b) / 2 for a, b in cells])
        found = asked(middles[:, None])
        doubtful = set()
        for (a, b), middle, value in zip(cells, middles.tolist(), found, strict=True):
            if _missed(x, y, a, middle, value):
                doubtful |= {(a, middle), (middle, b)}
        order = np.argsort(np.append(x, middles))
        x, y = np.append(x, middles)[order], np.append(y, found)[order]
    return x[:, None], y


def _missed(x: np.ndarray, y: np.ndarray, low: float, middle: float, value: float) -> bool:
    """Whether the value in a cell that begins at `low` is another than the cubic through four nodes says."""
    i = int(np.searchsorted(x, low))
    first = min(max(i - 1, 0), max(len(x) - 4, 0))
    nodes, values = x[first : first + 4], y[first : first + 4]
    known = np.append(values, value)
    if not np.isfinite(known).all():
        return bool(np.isfinite(known).any())
    weights = [
        math.prod((middle - b) / (a - b) for j, b in enumerate(nodes) if j != i) for i, a in enumerate(nodes)
    ]
    return bool(abs(weights @ values - value) > max(MISSED * np.ptp(known), FLAT * np.abs(known).max()))


def _lowest(grid: np.ndarray, axes: Sequence[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places of the minima of a grid, the lowest first, each with the size of its cells, (k,) both."""
    padded = np.pad(np.where(np.isnan(grid), np.inf, grid), 1, constant_values=np.inf)
    inner = padded[tuple(slice(1, -1) for _ in axes)]
    lowest = np.isfinite(inner)
    for shift in itertools.product((-1, 0, 1), repeat=len(axes)):
        if any(shift):
            beside = padded[tuple(slice(1 + s, n - 1 + s) for s, n in zip(shift, padded.shape, strict=True))]
            first = next(each for each in shift if each) < 0  # of equal ones the first
            lowest &= (inner < beside) if first else (inner <= beside)
    found = sorted(np.argwhere(lowest).tolist(), key=lambda index: float(grid[tuple(index)]))
    starts = []
    for index in found:
        place = np.array([axis[i] for axis, i in zip(axes, index, strict=True)])
        gaps = [
            max(axis[min(i + 1, len(axis) - 1)] - axis[i], axis[i] - axis[max(i - 1, 0)])
            for axis, i in zip(axes, index, strict=True)
        ]
        starts.append((place, np.array(gaps)))
    return starts


def _finer(asked: _Asked, starts: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The minima of finer grids over the cells around these, the lowest first."""
    found: list[tuple[float, tuple[np.ndarray, np.ndarray]]] = []
    for at, width in starts:
        axes = [np.unique(np.clip(a + w * np.linspace(-1, 1, 5), 0, 1)) for a, w in zip(at, width, strict=True)]
        values = asked(np.array(list(itertools.product(*axes))))
        for each in _lowest(values.reshape([len(axis) for axis in axes]), axes):
            if not any(np.allclose(each[0], other[0]) for _, other in found):
                found.append((float(asked.one(each[0])), each))
    return [each for _, each in sorted(found, key=lambda one: one[0])][:STARTS]


def _polish(asked: _Asked, start: np.ndarray, width: np.ndarray, among: np.ndarray | None = None) -> Minimum:
    """Descend from a start within cells of that width, then fit what is free of ends of the box.

    among: the coordinates that move; None: all.
    """
    among = np.arange(len(start)) if among is None else among
    at, low = _descend(asked, start, width, among, ROUGH)
    for i, end in itertools.product(among, (0.0, 1.0)):
        moved = np.where(np.arange(len(at)) == i, end, at)
        if abs(at[i] - end) < width[i] and (value := asked.one(moved)) <= low:
            at, low = moved, value
    ends = _tied(asked, at, width, among, low)
    flat = np.isfinite(ends[:, 0])
    if flat.any():
        at = np.where(flat, ends.mean(axis=1), at)
    inner = among[(at[among] > 0) & (at[among] < 1) & ~flat[among]]
    if not inner.size:
        found = _minimum(asked, at, low)
        return _with_ties(asked, found, at, ends) if flat.any() else found
    vertex = fit_minimum(lambda some: asked.draws(_placed(at, inner, some)), at[inner], width[inner] / 2)
    if vertex is None or (np.abs(vertex.place - at[inner]) > width[inner]).any():
        return _unsmooth(asked, at, width, inner, low)
    at = _placed(at, inner, vertex.place)[0]
    found = _of_vertex(asked, at, inner, vertex)
    return _with_ties(asked, found, at, ends) if flat.any() else found


def _descend(
    asked: _Asked, start: np.ndarray, width: np.ndarray, among: np.ndarray, accuracy: float
) -> tuple[np.ndarray, float]:
    """The lowest place near a start and its value, some coordinates moving, to a share of a cell."""
    from scipy.optimize import minimize, minimize_scalar

    def value(some: np.ndarray | float) -> float:
        return asked.one(_placed(start, among, np.atleast_2d(some))[0])

    begun, size, first = asked.one(start), width[among], start[among]
    if len(among) == 1:
        within = max(first[0] - size[0], 0.0), min(first[0] + size[0], 1.0)
        tolerance = {"xatol": accuracy * (within[1] - within[0])}
        found = minimize_scalar(value, bounds=within, method="bounded", options=tolerance)
    else:
        steps = np.where(first + size / 2 > 1, -size / 2, size / 2)
        options = {
            "xatol": accuracy * float(size.min()),
            "fatol": 0.0,
            "maxfev": DESCENT * len(among),
            "initial_simplex": np.vstack([first, first + np.diag(steps)]),
        }
        bounds = [(0.0, 1.0)] * len(among)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it stopped early; a fit follows
            found = minimize(value, first, method="Nelder-Mead", bounds=bounds, options=options)
    if not found.fun <= begun:
        return start, begun
    return _placed(start, among, np.atleast_2d(found.x))[0], float(found.fun)


def _unsmooth(
    asked: _Asked, at: np.ndarray, width: np.ndarray, inner: np.ndarray, low: float
) -> Minimum:
    """A lowest place that no polynomial describes: a kink, a step, a pole, or one beside values that are lost."""
    step = np.where(np.isin(np.arange(len(at)), inner), width, 0.0)
    nearby = asked(np.clip(np.array([at + step, at - step]), 0, 1))
    at, value = _descend(asked, at, width * ROUGH * 10, inner, TIGHT)
    beside = asked(np.clip(np.array([at + step * ROUGH, at - step * ROUGH]), 0, 1))
    if np.isnan(beside).any() or np.isnan(nearby).any():
        note = "beside values without an answer, at the edge of them"
    elif value < low - np.abs(nearby - low).max():
        note = "the value falls without bound there, as at a pole"
    else:
        note = "no smooth minimum: a kink, a step or a flat part"
    return replace(_minimum(asked, at, value, step * TIGHT), note=note)


def _polish_drawn(asked: _Asked, start: np.ndarray, width: np.ndarray) -> Minimum:
    """A fit to draws around the lowest place of their grid."""
    vertex = fit_minimum(asked.draws, start, 2 * width)
    if vertex is not None and (np.abs(vertex.place - start) <= 2 * width).all():
        return _of_vertex(asked, vertex.place, np.arange(len(start)), vertex)
    draws = asked.draws(start)[0]
    found = _minimum(asked, start, float(draws.mean()), width)
    found = replace(found, error=np.where([axis.at_end(x) != "" for axis, x in zip(asked.box.axes, found.point, strict=True)], 0.0, found.error))
    note = "" if found.ends else "not resolved: these draws show no minimum within the cells around it"
    error = float(draws.std(ddof=1) / math.sqrt(draws.size))
    return replace(found, stderr=np.full(len(found.point), math.nan), value_stderr=error, note=note)


def _polish_whole(asked: _Asked, start: np.ndarray, width: np.ndarray) -> Minimum:
    """The lowest of whole numbers, by ever smaller steps; what is not whole is polished at each of them."""
    axes, _ = asked.box.axes_at(start)
    whole = [i for i, each in enumerate(axes) if each.whole]
    smooth = np.array([i for i, each in enumerate(axes) if not each.whole], dtype=int)
    known: dict[tuple[float, ...], tuple[Minimum, np.ndarray]] = {}

    def at_numbers(at: np.ndarray, numbers: tuple[float, ...]) -> Minimum:
        if numbers not in known:
            exact = asked.box.shares(at, dict(zip(whole, numbers, strict=True)))
            found = _polish(asked, exact, width, smooth) if smooth.size else _minimum(asked, exact, asked.one(exact))
            error = np.where([each.whole for each in asked.box.axes], 0.0, found.error)
            known[numbers] = replace(found, error=error), exact
        return known[numbers][0]

    point = asked.box.points(start[None])[0]
    names = asked.box.names
    best = tuple(float(point[names.index(axes[i].name)]) for i in whole)
    steps = [
        max(1, round(abs(axes[i].value(min(start[i] + width[i], 1)) - axes[i].value(max(start[i] - width[i], 0))) / 2))
        for i in whole
    ]
    low = at_numbers(start, best).value
    while True:
        before = best
        for i, sign in itertools.product(range(len(whole)), (-1, 1)):
            tried = tuple(each + sign * steps[i] * (i == j) for j, each in enumerate(best))
            ends = asked.box.axes_at(known[best][1])[0][whole[i]]
            if ends.low <= tried[i] <= ends.high and at_numbers(known[best][1], tried).value < low:
                best, low = tried, known[tried][0].value
        if best == before and max(steps) == 1:
            return known[best][0]
        if best == before:
            steps = [max(1, each // 2) for each in steps]


def _placed(at: np.ndarray, inner: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Shares of all coordinates, (P, k), from those that move, (P, i)."""
    shares = np.repeat(at[None], len(np.atleast_2d(some)), axis=0)
    shares[:, inner] = some
    return shares


def _minimum(asked: _Asked, at: np.ndarray, value: float, error: np.ndarray | None = None) -> Minimum:
    """A minimum at these shares, whose place is known to so many shares."""
    point = asked.box.points(at[None])[0]
    if math.isnan(value) or value >= LARGE:
        value = math.nan
    spread = np.zeros(len(point)) if error is None else _moved(asked.box, at, error)
    return Minimum(point, value, spread, FLAT * abs(value), ends=asked.box.ends(point))


def _of_vertex(asked: _Asked, at: np.ndarray, inner: np.ndarray, vertex: Vertex) -> Minimum:
    axes, point = asked.box.axes_at(at)
    full = np.zeros(len(at))
    full[inner] = vertex.error
    found = _minimum(asked, at, float(asked(at)[0]), full)
    curvature = np.full(len(asked.box.axes), math.nan)
    for i, bend in zip(inner, np.diag(vertex.hessian), strict=True):
        axis = axes[i]
        length = math.log(axis.high / axis.low) if axis.log else axis.high - axis.low
        curvature[asked.box.names.index(axis.name)] = bend / length**2
    stderr = None
    if not np.isnan(vertex.stderr).any():
        drawn = np.zeros(len(at))
        drawn[inner] = vertex.stderr
        stderr = _moved(asked.box, at, drawn)
    off = abs(found.value - vertex.value) + vertex.value_error
    return replace(
        found, value_error=off, stderr=stderr, value_stderr=vertex.value_stderr, curvature=curvature
    )


def _moved(box: Box, at: np.ndarray, error: np.ndarray) -> np.ndarray:
    """How far the point moves, (m,), where each coordinate does so by its error."""
    steps = np.diag(error)
    far, near = (box.points(np.clip(at + sign * steps, 0, 1)) for sign in (1, -1))
    return np.asarray(np.sqrt((((far - near) / 2) ** 2).sum(axis=0)))


def _only(asked: _Asked, value: float) -> Minimum:
    return replace(_minimum(asked, np.zeros(0), value), note="the only point that meets the constraint")


def _flat(asked: _Asked, shares: np.ndarray, values: np.ndarray) -> Minimum:
    """The value is the same wherever it is known."""
    points = asked.box.points(shares[np.isfinite(values)])
    found = _minimum(asked, shares[int(np.nanargmin(values))], float(np.nanmin(values)))
    ties = np.stack([points.min(axis=0), points.max(axis=0)], axis=1)
    return replace(found, ends=(), ties=ties, note="flat within rounding: no place is best")


def _tied(asked: _Asked, at: np.ndarray, width: np.ndarray, among: np.ndarray, low: float) -> np.ndarray:
    """Shares between which each coordinate leaves the value within rounding, (k, 2): wider than a cell, or NaN."""
    ends = np.full((len(at), 2), np.nan)
    for i in among:

        def tied(share: float, i: int = i) -> bool:
            value = asked.one(np.where(np.arange(len(at)) == i, share, at))
            return abs(value - low) <= FLAT * abs(low)

        for side, sign in enumerate((-1, 1)):
            inside, step = float(at[i]), float(width[i])
            outside = min(max(inside + sign * step, 0.0), 1.0)
            while tied(outside) and outside != inside:
                inside, step = outside, 2 * step
                outside = min(max(inside + sign * step, 0.0), 1.0)
            for _ in range(HALVINGS if inside != at[i] and inside != outside else 0):
                middle = (inside + outside) / 2
                inside, outside = (middle, outside) if tied(middle) else (inside, middle)
            ends[i, side] = inside
        if np.ptp(ends[i]) == 0:
            ends[i] = np.nan
    return ends


def _with_ties(asked: _Asked, found: Minimum, at: np.ndarray, ends: np.ndarray) -> Minimum:
    """The minimum with the ranges of its parameters over which the value is the same."""
    ties = np.repeat(found.point[:, None], 2, axis=1)
    for i in np.flatnonzero(np.isfinite(ends[:, 0])):
        sides = [asked.box.points(np.where(np.arange(len(at)) == i, end, at)[None])[0] for end in ends[i]]
        ties = np.stack([np.minimum(ties[:, 0], np.min(sides, axis=0)), np.maximum(ties[:, 1], np.max(sides, axis=0))], axis=1)
    return replace(found, ties=ties, ends=(), note="flat within rounding over a range")


def _same(box: Box, one: Minimum, other: Minimum) -> bool:
    """Whether two descents came to one minimum."""
    for axis, a, b, error in zip(box.axes, one.point, other.point, one.error + other.error, strict=True):
        if axis.whole and a != b:
            return False
        if abs(axis.along(float(a)) - axis.along(float(b))) > SAME and abs(a - b) > 2 * error:
            return False
    return True
