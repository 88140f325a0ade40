"""Lines of equal value across a chart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from teacherstudent.maps.chart import Chart, neighbouring_pairs, part_of, runs_along_known_curves
from teacherstudent.maps.crossing import Net, intersections
from teacherstudent.maps.field import Boundary, Curve, Field
from teacherstudent.maps.grid import place_of
from teacherstudent.maps.plane import Place

CLOSE = 0.01
"""Error of the value on a level line that tells it from a line of something else, in units of the range."""

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
    return [
        k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1) if low < k * step < high
    ]


def level_lines(chart: Chart, mapped: Field, levels: Sequence[float]) -> list[Curve]:
    """The lines of each level, from every two neighbouring nodes that lie on its two sides."""
    return [curve for level in levels for curve in _lines(chart, mapped, level)]


def _lines(chart: Chart, mapped: Field, level: float) -> list[Curve]:
    net, walls = Net.of([]), Net.of(chart.boundaries)
    found: list[Curve] = []
    samples = chart.grid.samples
    for one, other in neighbouring_pairs(chart.grid):
        a, b = samples[one].value - level, samples[other].value - level
        if not a * b < 0:
            continue
        low, high = (one, other) if a < 0 else (other, one)
        way = place_of(low), place_of(high)
        if len(net.crossed(*way)) % 2 or walls.crossed(*way):
            continue
        fresh = [part for curve in mapped.level(level, *way) for part in _true(chart, mapped, curve, level)]
        found += [curve for curve in fresh if not runs_along_known_curves(found, curve)]
        net = Net.of([Boundary(each.points, 0, 1) for each in found])
    return found


def _true(chart: Chart, mapped: Field, curve: Curve, level: float) -> list[Curve]:
    """The parts of a curve between the boundaries on which the value is what it should be."""
    at = {0.0, len(curve.points) - 1.0}
    for each in chart.boundaries:
        at |= {here for here, _ in intersections(curve.points, each.points)}
    parts = [part_of(curve.points, low, high) for low, high in itertools.pairwise(sorted(at)) if high > low]
    seen = mapped.samples([middle_of(part) for part in parts])
    values = [each.value for each in chart.grid.samples.values() if math.isfinite(each.value)]
    allowed = CLOSE * (max(values) - min(values))
    return [
        Curve(part, curve.ends, level)
        for part, sample in zip(parts, seen, strict=True)
        if abs(sample.value - level) < allowed
    ]


def middle_of(points: np.ndarray) -> Place:
    """The middle one of a curve's points."""
    x, y = points[len(points) // 2] if len(points) > 2 else points.mean(axis=0)
    return float(x), float(y)
