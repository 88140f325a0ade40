"""Lines of equal value across a chart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from contourpy import contour_generator

from teacherstudent.maps.chart import Chart
from teacherstudent.maps.crossing import Net
from teacherstudent.maps.field import Curve, Field
from teacherstudent.maps.grid import place_of
from teacherstudent.maps.interpolation import Cloud
from teacherstudent.maps.regions import Raster

ABOUT = 7
"""Levels of a map."""

NEAR = 0.75
"""Distance from a boundary, in cells of the even grid, within which its lines may be those of a jump."""

STRAIGHT, LONGEST = 1e-4, 0.06
"""Distance of a line from the straight ways between its points, and the longest of these."""

STEPS, FURTHEST = 5, 2.0
"""Looks at the value at each point of a line, and the furthest step between two, in cells."""

SOLVED, MET = 5e-5, 5e-4
"""Distances from a line: within the first a point moves no more, and beyond the second it is none of it."""


def round_levels(low: float, high: float, log: bool) -> list[float]:
    """About `ABOUT` round numbers strictly between; of logarithms to base 10 those of round numbers."""
    if not low < high:
        return []
    if log and high - low >= 1:
        step = max(1, round((high - low) / ABOUT))
        tens = range(math.floor(low), math.ceil(high) + 1, step)
        if high - low < 3:
            fine = [ten + math.log10(part) for ten in tens for part in (1, 2, 5)]
            return [each for each in fine if low < each < high]
        return [float(ten) for ten in tens if low < ten < high]
    raw = (high - low) / ABOUT
    ten = 10 ** math.floor(math.log10(raw))
    step = next(part * ten for part in (1, 2, 5, 10) if part * ten >= raw)
    return [
        k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1) if low < k * step < high
    ]


def level_lines(chart: Chart, mapped: Field, levels: Sequence[float], even: Raster) -> list[Curve]:
    """The lines of each level: seen on the even grid and solved for at their points, all at once."""
    net, cell = Net.of(chart.boundaries), 1 / (len(even.along) - 1)
    look = contour_generator(even.along, even.along, np.ma.masked_invalid(even.values))
    seen = [
        (level, run)
        for level in levels
        for line in look.lines(level)
        for run in _runs(net, cell, np.array(line))
    ]
    if not seen:
        return []
    of = np.repeat(np.arange(len(seen)), [len(run) for _, run in seen])
    wanted = np.array([level for level, _ in seen])[of]
    points, solved = _solved(chart, mapped, even, np.concatenate([run for _, run in seen]), wanted)
    found = []
    for i, (level, _) in enumerate(seen):
        mine = points[(of == i) & solved]
        if len(mine) > 1:
            closed = bool(np.all(mine[0] == mine[-1]))
            whole = mine if closed else _prolonged(net, 2.5 * cell, mine)
            found.append(Curve(whole, ("closed", "closed") if closed else ("end", "end"), level))
    return found


def _runs(net: Net, cell: float, line: np.ndarray) -> Iterator[np.ndarray]:
    """The parts of a line away from boundaries, across which values may jump, with as few points as serve."""
    away = np.array([net.distance((x, y)) > NEAR * cell for x, y in line])
    if away.all():
        yield line[_kept(line)]
        return
    for part in np.split(np.arange(len(line)), np.flatnonzero(np.diff(away)) + 1):
        if away[part[0]] and part.size > 1:
            yield line[part][_kept(line[part])]


def _kept(line: np.ndarray) -> np.ndarray:
    """Points between which straight ways are as good as the line (Douglas and Peucker 1973)."""
    kept, left = {0, len(line) - 1}, [(0, len(line) - 1)]
    while left:
        low, high = left.pop()
        if high - low < 2:
            continue
        way, inner = line[high] - line[low], line[low + 1 : high] - line[low]
        length = float(np.hypot(*way))
        across = np.abs(inner @ [-way[1], way[0]]) / length if length else np.hypot(*inner.T)
        if length > LONGEST or across.max() > STRAIGHT:
            middle = low + 1 + int(across.argmax() if across.max() > STRAIGHT else len(inner) // 2)
            kept.add(middle)
            left += [(low, middle), (middle, high)]
    return np.array(sorted(kept))


def _solved(
    chart: Chart, mapped: Field, even: Raster, points: np.ndarray, levels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Points moved to where the value is their level, along its gradient on the grid, and whether it is."""
    last = len(even.along) - 1
    column, row = np.rint(points.T * last).astype(int)
    gradient = np.stack([each[row, column] for each in _gradient(even.values, 1 / last)], axis=1)
    on_frame = (points == 0) | (points == 1)
    gradient[on_frame] = 0.0  # what lies there stays there
    steep = (gradient**2).sum(axis=1)
    samples = chart.grid.samples
    known = {place_of(node): (each.value, each.state) for node, each in samples.items()}
    cloud = Cloud.of(Net.of(chart.boundaries), known)
    states = [cloud.near((x, y), 1.0).state for x, y in points.tolist()]

    def off(some: np.ndarray) -> np.ndarray:
        """By how much the value differs from the level, as a distance."""
        at = [(x, y) for x, y in points[some].tolist()]
        found = mapped.beside(at, [states[i] for i in some])
        return (np.array([value for value, _ in found]) - levels[some]) / np.sqrt(steep[some])

    with np.errstate(divide="ignore", invalid="ignore"):
        way = gradient / np.sqrt(steep)[:, None]
        apart = np.full(len(points), np.inf)
        rest = np.flatnonzero(np.isfinite(way).all(axis=1))
        slope, moved = np.ones(len(points)), np.zeros(len(points))
        for _ in range(STEPS):
            before, apart[rest] = apart[rest], off(rest)
            seen = np.isfinite(before) & (moved[rest] != 0)
            slope[rest] = np.where(seen, (apart[rest] - before) / moved[rest], 1.0)
            rest = rest[np.abs(apart[rest]) > SOLVED]
            if not rest.size:
                break
            moved[rest] = np.clip(-apart[rest] / slope[rest], -FURTHEST / last, FURTHEST / last)
            points[rest] = np.clip(points[rest] + moved[rest, None] * way[rest], 0, 1)
    return points, np.abs(apart) <= MET


def _gradient(values: np.ndarray, cell: float) -> Iterator[np.ndarray]:
    """Along x and y, by the smaller difference of both sides: the larger may be a jump."""
    for axis in (1, 0):
        change = np.diff(values, axis=axis) / cell
        none = np.full_like(np.take(values, [0], axis=axis), np.nan)
        sides = np.stack([np.concatenate(each, axis=axis) for each in ((change, none), (none, change))])
        size = np.where(np.isfinite(sides), np.abs(sides), np.inf)
        yield np.take_along_axis(sides, size.argmin(axis=0)[None], axis=0)[0]


def _prolonged(net: Net, reach: float, points: np.ndarray) -> np.ndarray:
    """With both ends led on to a boundary that lies straight ahead, nearby."""
    ends = []
    for end, before in ((points[0], points[1]), (points[-1], points[-2])):
        way = (end - before) / np.linalg.norm(end - before) * reach
        met = net.crossed((end[0], end[1]), (end[0] + way[0], end[1] + way[1]))
        beyond = end + met[0][0] * way if met else end
        ends.append([beyond] if met and np.all((beyond >= 0) & (beyond <= 1)) else [])
    return np.array([*ends[0], *points, *ends[1]])
