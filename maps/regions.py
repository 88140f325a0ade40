"""Labels and values at the points of an even grid, which respect the traced boundaries.

A point takes its label from the node of its cell that it reaches with the fewest crossings, changed at each
boundary on the way; its value from those nodes of its cell that no boundary cuts off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.maps.chart import Chart
from teacherstudent.maps.crossing import Net, arrived
from teacherstudent.maps.field import UNKNOWN
from teacherstudent.maps.grid import COARSE, UNITS, Cell, Grid, place_of
from teacherstudent.maps.plane import Place

POINTS = 201
"""Along a side."""


@dataclass(frozen=True)
class Raster:
    """Along each side the shares of the axis, (N,), and labels and values, (N, N), y first."""

    along: np.ndarray
    labels: np.ndarray
    values: np.ndarray


def raster(chart: Chart, points: int = POINTS) -> Raster:
    """The chart on an even grid of so many points a side."""
    along = np.linspace(0, 1, points)
    labels = np.full((points, points), UNKNOWN)
    values = np.full((points, points), np.nan)
    net = Net.of(chart.boundaries)
    for cell in chart.grid.cells:
        (left, low), width = place_of(cell.corner), cell.side / (COARSE * UNITS)
        columns, rows = _within(along, left, width), _within(along, low, width)
        if not columns.size or not rows.size:
            continue
        where = np.ix_(rows, columns)
        if net.distance(place_of(cell.centre)) > 0.75 * width:
            labels[where], values[where] = _whole(chart.grid, cell, along[columns], along[rows])
            continue
        for i in rows:
            for j in columns:
                labels[i, j], values[i, j] = _cut(chart.grid, net, cell, (float(along[j]), float(along[i])))
    return Raster(along, labels, values)


def _within(along: np.ndarray, low: float, width: float) -> np.ndarray:
    """Points of a cell: its lower edge is its own, and the upper one where nothing lies beyond."""
    last = low + width > 1 - 1e-9
    return np.flatnonzero((along >= low - 1e-12) & ((along < low + width - 1e-12) | last))


def _whole(grid: Grid, cell: Cell, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of a cell without boundaries: one label, and values interpolated on four triangles around the centre."""
    samples = [grid.samples[node] for node in cell.nodes]
    known = {each.label for each in samples}
    label = samples[-1].label if len(known) == 1 else UNKNOWN
    (left, low), width = place_of(cell.corner), cell.side / (COARSE * UNITS)
    u, v = np.meshgrid(2 * (x - left) / width - 1, 2 * (y - low) / width - 1)
    sw, se, ne, nw, centre = (each.value for each in samples)
    far = np.maximum(np.abs(u), np.abs(v))
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.where(far > 0, np.where(np.abs(u) >= np.abs(v), v, u) / far, 0.0)
    low_end = np.select([(np.abs(u) >= np.abs(v)) & (u > 0), np.abs(u) >= np.abs(v), v > 0], [se, sw, nw], sw)
    high_end = np.select([(np.abs(u) >= np.abs(v)) & (u > 0), np.abs(u) >= np.abs(v), v > 0], [ne, nw, ne], se)
    rim = (1 - s) / 2 * low_end + (1 + s) / 2 * high_end
    return np.full(u.shape, label), (1 - far) * centre + far * rim


def _cut(grid: Grid, net: Net, cell: Cell, place: Place) -> tuple[int, float]:
    """Of one place in a cell that boundaries may cut."""
    nodes = sorted(cell.nodes, key=lambda node: _apart(place_of(node), place))
    label, weights, values = UNKNOWN, [], []
    for node in nodes:
        sample = grid.samples[node]
        if sample.label == UNKNOWN:
            continue
        crossings = net.crossed(place_of(node), place)
        if label == UNKNOWN:
            label = UNKNOWN if (met := arrived(sample.label, crossings)) is None else met
        if not crossings and np.isfinite(sample.value):
            weights.append(1 / (_apart(place_of(node), place) + 1e-12))
            values.append(sample.value)
    value = float(np.average(values, weights=weights)) if values else np.nan
    if values and label != UNKNOWN and not any(
        grid.samples[node].label == label for node in nodes
    ):
        value = np.nan
    return label, value


def _apart(one: Place, other: Place) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
