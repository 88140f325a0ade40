"""Labels and values at the points of an even grid, which respect the traced boundaries.

A point takes its label from that node of its cell that is furthest from all boundaries, changed at each
boundary on the way, and its value from nodes around that lie on the same side of all boundaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.maps.chart import Chart
from teacherstudent.maps.crossing import Crossing, Net, arrived
from teacherstudent.maps.field import UNKNOWN
from teacherstudent.maps.grid import Cell, Grid, Node, place_of
from teacherstudent.maps.plane import Place

POINTS = 201
"""Along a side."""


@dataclass(frozen=True)
class Raster:
    """Along each side the shares of the axis, (N,), and labels and values, (N, N), y first."""

    along: np.ndarray
    labels: np.ndarray
    values: np.ndarray


def raster(chart: Chart, points: int | None = None) -> Raster:
    """The chart on an even grid of so many points a side."""
    points = points or POINTS
    along = np.linspace(0, 1, points)
    labels = np.full((points, points), UNKNOWN)
    values = np.full((points, points), np.nan)
    net = Net.of(chart.boundaries)
    for cell in chart.grid.cells:
        (left, low), width = place_of(cell.corner), cell.width
        columns, rows = _within(along, left, width), _within(along, low, width)
        if not columns.size or not rows.size:
            continue
        where = np.ix_(rows, columns)
        if net.distance(place_of(cell.centre)) > 0.75 * width:
            labels[where], values[where] = _whole(chart.grid, cell, along[columns], along[rows])
            continue
        labels[where], values[where] = _beside(chart.grid, net, cell, along[columns], along[rows])
    return Raster(along, labels, values)


def _within(along: np.ndarray, low: float, width: float) -> np.ndarray:
    """Points of a cell: its lower edge is its own, and the upper one where nothing lies beyond."""
    last = low + width > 1 - 1e-9
    return np.flatnonzero((along >= low - 1e-12) & ((along < low + width - 1e-12) | last))


def _whole(grid: Grid, cell: Cell, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of a cell without boundaries: one label, and values interpolated on four triangles."""
    samples = [grid.samples[node] for node in cell.nodes]
    known = {each.label for each in samples}
    label = samples[-1].label if len(known) == 1 else UNKNOWN
    (left, low), width = place_of(cell.corner), cell.width
    u, v = np.meshgrid(2 * (x - left) / width - 1, 2 * (y - low) / width - 1)
    sw, se, ne, nw, centre = (each.value for each in samples)
    far = np.maximum(np.abs(u), np.abs(v))
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.where(far > 0, np.where(np.abs(u) >= np.abs(v), v, u) / far, 0.0)
    low_end = np.select([(np.abs(u) >= np.abs(v)) & (u > 0), np.abs(u) >= np.abs(v), v > 0], [se, sw, nw], sw)
    high_end = np.select(
        [(np.abs(u) >= np.abs(v)) & (u > 0), np.abs(u) >= np.abs(v), v > 0], [ne, nw, ne], se
    )
    rim = (1 - s) / 2 * low_end + (1 + s) / 2 * high_end
    return np.full(u.shape, label), (1 - far) * centre + far * rim


def _beside(grid: Grid, net: Net, cell: Cell, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of a cell that boundaries may cut: on each side a label, and the plane through the values around."""
    base = max(cell.nodes, key=lambda node: net.distance(place_of(node)))  # on the side it seems to be
    centre, label = place_of(base), grid.samples[base].label
    around, middle = _around(grid, cell), place_of(cell.centre)
    sides = [_side(net, centre, place_of(node)) for node in around]
    labels, values = np.full((y.size, x.size), UNKNOWN), np.full((y.size, x.size), np.nan)
    planes: dict[frozenset[int], np.ndarray | None] = {}
    for i, j in np.ndindex(labels.shape):
        place = float(x[j]), float(y[i])
        crossings = net.crossed(centre, place)
        met = UNKNOWN if label == UNKNOWN else arrived(label, crossings)
        side = _odd(crossings)
        if side not in planes:
            same = [node for node, other in zip(around, sides, strict=True) if other == side]
            planes[side] = _plane(grid, cell, same)
        labels[i, j] = UNKNOWN if met is None else met
        plane = planes[side]
        if plane is not None:
            values[i, j] = plane @ [1.0, place[0] - middle[0], place[1] - middle[1]]
    return labels, values


def _around(grid: Grid, cell: Cell) -> list[Node]:
    """Nodes of the cell and of what lies beside it."""
    (i, j), half = cell.corner, cell.side // 2
    shifts = range(-2 * half, 4 * half + 1, half)
    return [(i + a, j + b) for a in shifts for b in shifts if (i + a, j + b) in grid.samples]


def _side(net: Net, centre: Place, place: Place) -> frozenset[int]:
    return _odd(net.crossed(centre, place))


def _odd(crossings: Sequence[Crossing]) -> frozenset[int]:
    """Which boundaries are crossed an odd number of times: equal for two places between which none is."""
    found: set[int] = set()
    for _, boundary, _ in crossings:
        found ^= {id(boundary)}
    return frozenset(found)


def _plane(grid: Grid, cell: Cell, nodes: list[Node]) -> np.ndarray | None:
    """Value in the cell's centre and slopes of the plane through the values at these nodes, nearest first."""
    known = [node for node in nodes if np.isfinite(grid.samples[node].value)]
    if not known:
        return None
    centre = np.array(place_of(cell.centre))
    apart = np.array([place_of(node) for node in known]) - centre
    values = np.array([grid.samples[node].value for node in known])
    width = cell.width
    weights = 1 / (np.sum(apart**2, axis=1) + width**2 / 4)
    if len(known) < 3:
        return np.array([float(np.average(values, weights=weights)), 0.0, 0.0])
    rows = np.column_stack([np.ones(len(known)), apart])
    root = np.sqrt(weights)
    return np.linalg.lstsq(rows * root[:, None], values * root, rcond=1e-9)[0]
