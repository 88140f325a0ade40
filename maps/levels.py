"""Lines of equal value across a chart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from teacherstudent.maps.chart import Chart, ways
from teacherstudent.maps.crossing import Net
from teacherstudent.maps.field import Boundary, Curve, Field
from teacherstudent.maps.grid import place_of
from teacherstudent.maps.labelled import along_level
from teacherstudent.maps.plane import Place

ABOUT = 7
"""Levels of a map."""


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
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1) if low < k * step < high]


def levelled(chart: Chart, mapped: Field, levels: Sequence[float]) -> list[Curve]:
    """The lines of each level, from every two neighbouring nodes that lie on its two sides."""
    return [curve for level in levels for curve in _lines(chart, mapped, level)]


def _lines(chart: Chart, mapped: Field, level: float) -> Iterable[Curve]:
    net, walls = Net.of([]), Net.of(chart.boundaries)
    found: list[Curve] = []
    samples = chart.grid.samples

    def value(place: Place) -> float:
        return mapped.samples([place])[0].value

    for one, other in ways(chart.grid):
        a, b = samples[one].value - level, samples[other].value - level
        if not a * b < 0:
            continue
        low, high = (one, other) if a < 0 else (other, one)
        way = place_of(low), place_of(high)
        if len(net.crossed(*way)) % 2 or walls.crossed(*way):
            continue
        curve = along_level(value, level, *way)
        found.append(curve)
        net = Net.of([Boundary(each.points, 0, 1) for each in found])
    return found
