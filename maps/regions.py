"""Labels and values at the points of an even grid, which respect the traced boundaries.

A point takes its label from that node of its cell that is furthest from all boundaries, changed at each
boundary on the way. `filling` gives its value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.maps.chart import Chart
from teacherstudent.maps.crossing import Net, label_at_end
from teacherstudent.maps.field import UNKNOWN, Field
from teacherstudent.maps.grid import Cell, Grid, place_of
from teacherstudent.maps.interpolation import Values, interpolate_to_grid, points_along_side

POINTS = 201
"""Along a side."""


@dataclass(frozen=True)
class Raster:
    """Along each side the shares of the axis, (N,), and labels and values, (N, N), y first."""

    along: np.ndarray
    labels: np.ndarray
    found: Values

    @property
    def values(self) -> np.ndarray:
        return self.found.values


def rasterise(chart: Chart, mapped: Field, points: int | None = None) -> Raster:
    """The chart of a field on an even grid of so many points a side."""
    points = points or POINTS
    along = np.linspace(0, 1, points)
    labels = np.full((points, points), UNKNOWN)
    net = Net.of(chart.boundaries)
    for cell in chart.grid.cells:
        (left, low), width = place_of(cell.corner), cell.width
        columns, rows = points_along_side(along, left, width), points_along_side(along, low, width)
        if not columns or not rows:
            continue
        where = np.ix_(rows, columns)
        if net.distance(place_of(cell.centre)) > 0.75 * width:
            labels[where] = _whole(chart.grid, cell)
        else:
            labels[where] = _beside(chart.grid, net, mapped, cell, along[columns], along[rows])
    found = interpolate_to_grid(chart, mapped, along, labels)
    for (x, y), _ in found.lost:
        labels[round(y * (points - 1)), round(x * (points - 1))] = UNKNOWN
    return Raster(along, labels, found)


def _whole(grid: Grid, cell: Cell) -> int:
    """The label of a cell without boundaries."""
    known = {grid.samples[node].label for node in cell.nodes}
    return known.pop() if len(known) == 1 else UNKNOWN


def _beside(grid: Grid, net: Net, mapped: Field, cell: Cell, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Labels in a cell that boundaries may cut; those of the field where these contradict each other."""
    base = max(cell.nodes, key=lambda node: net.distance(place_of(node)))  # on the side it seems to be
    centre, label = place_of(base), grid.samples[base].label
    labels = np.full((y.size, x.size), UNKNOWN)
    if label == UNKNOWN:
        return labels
    for i, j in np.ndindex(labels.shape):
        place = float(x[j]), float(y[i])
        met = label_at_end(label, net.crossed(centre, place))
        labels[i, j] = mapped.samples([place])[0].label if met is None else met
    return labels
