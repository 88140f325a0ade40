"""Minima of a function in a box: those that a grid sees, each polished, with how well its place is known.

With one free coordinate the grid is refined until cubic interpolation meets it, with two around each of its
minima; with three it only starts several descents, and nothing is certified. Coordinates are shares of the
sides of the box, from 0 to 1; a constraint takes one of them (`constraint.Box`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.fits import Ask
from teacherstudent.inverse.polishing import (
    FLAT,
    Asked,
    Minimum,
    flat_minimum,
    is_same,
    minimum_at,
    polish,
    polish_drawn,
    polish_whole,
)

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


@dataclass(frozen=True)
class Search:
    """What was found: minima, the lowest first, and all points that were asked, (P, m), with values (P,)."""

    box: Box
    minima: tuple[Minimum, ...]
    points: np.ndarray
    values: np.ndarray
    certified: bool


def find_minima(function: Ask, box: Box, drawn: bool = False) -> Search:
    """Every minimum of a function in a box that its grid sees.

    function: values (P,), or draws of the same seeds at every point (P, S), at points (P, m); NaN where there
    is none. drawn: whether it draws.
    """
    asked, k = Asked(box, function), len(box.free)
    axes = [_nodes(box, i, (DRAWN_NODES if drawn else NODES)[k]) for i in range(k)]
    shares = np.array(list(itertools.product(*axes)))
    values = asked(shares)
    whole = any(each.whole for each in box.free)
    if k == 1 and not drawn and not whole:
        axes[0], values = _refine(asked, axes[0], values)
        shares = axes[0][:, None]
    finite = values[np.isfinite(values)]
    if not k or not finite.size:
        minima = [minimum_at(asked, shares[0])][: finite.size]
    elif np.ptp(finite) <= FLAT * np.abs(finite).max():
        minima = [flat_minimum(asked, shares, values)]
    else:
        starts = _lowest(values.reshape([len(each) for each in axes]), axes)[:STARTS]
        if k == 2 and not drawn:
            starts = _finer(asked, starts)
        refine = polish_drawn if drawn else polish_whole if whole else polish
        minima = []
        for at, width in starts:
            found = refine(asked, at, width)
            if not any(is_same(box, found, each) for each in minima):
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


def _refine(asked: Asked, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


def _finer(asked: Asked, starts: Sequence[Start]) -> list[Start]:
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
