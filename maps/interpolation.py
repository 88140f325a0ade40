"""Values on an even grid: interpolated where computed places confirm it, computed where they do not.

Values are interpolated from the nearest known ones that no boundary separates. A cell may be interpolated
once places within it, far from all known ones, are met to `ACCURACY`; else it is split in four, and where
it is small the points of the even grid are computed one by one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.interpolate import RBFInterpolator
from scipy.spatial import KDTree

from teacherstudent.maps.chart import Chart
from teacherstudent.maps.crossing import Net
from teacherstudent.maps.field import UNKNOWN, Field, Sample
from teacherstudent.maps.grid import Cell, place_of
from teacherstudent.maps.plane import Place

ACCURACY = 0.01
"""Largest error of an interpolated value: of the value where its logarithm is drawn, else of the range."""

FEW = 4
"""Points along a cell's side below which they are computed: to check its quarters costs as much."""

OFFSETS = ((0.5, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 0.5), (0.276, 0.618))
"""Where a cell is checked: halfway along its edges, and where no row of known places passes."""

BUDGET = 8000
"""Places that may be computed for one map."""

LOST = "values vary too strongly to be resolved"
ENDLESS = "there is no value, for example because it grows without bound"

MEASURED = 64
"""Interpolated points at which the error is measured in the end."""


@dataclass
class Filling:
    """What fills a map: `known` values and states by place, and `smooth` cells that may be interpolated."""

    chart: Chart
    mapped: Field
    net: Net
    accuracy: float
    small: float
    known: dict[Place, tuple[float, float]]
    smooth: set[Cell] = field(default_factory=set)
    leaves: list[Cell] = field(default_factory=list)
    spent: int = 0

    def computed(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        """Values and states at places, where the states are about those; NaN beyond the budget."""
        about = {place: state for place, state in zip(places, states, strict=True) if place not in self.known}
        new = list(about)[: max(BUDGET - self.spent, 0)]
        self.spent += len(new)
        if new:
            found = self.mapped.beside(new, [about[place] for place in new])
            self.known.update(zip(new, found, strict=True))
        return [self.known.get(place, (math.nan, math.nan)) for place in places]


def find_interpolable_cells(chart: Chart, mapped: Field, small: float) -> Filling:
    """Cells that may be interpolated to `ACCURACY`, and others below a side, with what is known."""
    samples = chart.grid.samples
    known = {
        place_of(node): (each.value, each.state)
        for node, each in samples.items()
        if each.label != UNKNOWN and math.isfinite(each.value)
    }
    values = [value for value, _ in known.values()]
    spread = max(values) - min(values) if values else math.nan
    accuracy = math.log10(1 + ACCURACY) if mapped.log else ACCURACY * spread
    filling = Filling(chart, mapped, Net.of(chart.boundaries), accuracy, small, known)
    empty = without_values(samples.values())
    cells = [
        cell
        for cell in chart.grid.cells
        if values and not _unknown(chart, cell)
        if _cut(filling.net, cell) or any(samples[node].label not in empty for node in cell.nodes)
    ]
    while cells:
        cloud = Cloud.of(filling.net, filling.known)
        smooth = _checked(filling, cloud, cells)
        filling.smooth.update(smooth)
        rough = [cell for cell in cells if cell not in smooth]
        large = [cell for cell in rough if cell.width > small and cell.side > 2]
        split = large if filling.spent < BUDGET else []
        filling.leaves += set(cells) - set(split)
        cells = [quarter for cell in split for quarter in cell.quarters]
        centres = [place_of(cell.centre) for cell in cells]
        about = zip(centres, cells, strict=True)
        filling.computed(centres, [_guess(cloud.near(at, cell.width), at) for at, cell in about])
    return filling


def without_values(samples: Iterable[Sample]) -> set[int]:
    """The labels of which no sample has a value: nothing is interpolated into their regions."""
    filled = {(each.label, math.isfinite(each.value)) for each in samples}
    return {label for label, some in filled if not some and (label, True) not in filled}


def _unknown(chart: Chart, cell: Cell) -> bool:
    return any(chart.grid.samples[node].label == UNKNOWN for node in cell.nodes)


def _guess(nearby: Nearby, place: Place) -> float:
    found = nearby.interpolated(np.array([place]))
    return nearby.state if found is None else float(found[0, 1])


Expected = list[tuple[Place, float, float]]
"""Where a cell is checked, with value and state as they are interpolated there."""


def _checked(filling: Filling, cloud: Cloud, cells: Sequence[Cell]) -> set[Cell]:
    """The cells in which what is interpolated is what is computed there."""
    expected = {cell: _expected(filling, cloud, cell) for cell in cells}
    smooth = {cell for cell, found in expected.items() if found is not None}
    for k in range(len(OFFSETS)):  # where one place has shown that a cell is rough no other is asked for
        tried = {cell: found[k] for cell in smooth if (found := expected[cell])}
        places, values, states = zip(*tried.values(), strict=True) if tried else ((), (), ())
        known = filling.computed(places, states)
        for cell, value, (computed, _) in zip(tried, values, known, strict=True):
            if not abs(computed - value) <= filling.accuracy:
                smooth.remove(cell)
    return smooth


def _expected(filling: Filling, cloud: Cloud, cell: Cell) -> Expected | None:
    """Nothing to check in a region where there is no value; None where nothing can be interpolated."""
    if _cut(filling.net, cell):
        return None
    (left, low), width = place_of(cell.corner), cell.width
    nearby = cloud.near(place_of(cell.centre), width)
    if not len(nearby.numbers):
        return []
    places = [(left + u * width, low + v * width) for u, v in OFFSETS]
    expected = nearby.interpolated(np.array(places))
    if expected is None:
        return None
    return [(place, value, state) for place, (value, state) in zip(places, expected.tolist(), strict=True)]


def _states(cloud: Cloud, cell: Cell, places: np.ndarray) -> Iterator[float | None]:
    """About the state at each of some places in a cell; None where no value is known on its side."""
    found = None
    if not _cut(cloud.net, cell):
        found = cloud.near(place_of(cell.centre), cell.width).interpolated(places)
    for i, (x, y) in enumerate(places.tolist()):
        if found is not None:
            yield float(found[i, 1])
        else:
            nearby = cloud.near((x, y), cell.width)
            yield nearby.state if len(nearby.numbers) else None


def _cut(net: Net, cell: Cell) -> bool:
    """Whether a boundary may pass through a cell."""
    return net.distance(place_of(cell.centre)) < 0.75 * cell.width


@dataclass(frozen=True)
class Values:
    """Values of an even grid, (N, N), y first, NaN where there are none.

    error: the largest one measured of those that are interpolated, as `ACCURACY` is; at so many `checked`.
    computed: points that are not interpolated. contradicted: checked points of another label than the map's.
    lost: places whose values are not known, each with the reason.
    """

    values: np.ndarray
    error: float
    checked: int
    computed: int
    lost: tuple[tuple[Place, str], ...]
    contradicted: int = 0


def interpolate_to_grid(chart: Chart, mapped: Field, along: np.ndarray, labels: np.ndarray) -> Values:
    """The values at the points of an even grid that have a label, (N, N)."""
    filling = find_interpolable_cells(chart, mapped, FEW / (len(along) - 1))
    values = np.full(labels.shape, np.nan)
    if not filling.known:
        return Values(values, 0.0, 0, 0, ())
    cloud, none = (
        Cloud.of(filling.net, filling.known),
        {UNKNOWN, *without_values(chart.grid.samples.values())},
    )
    interpolated: list[tuple[int, int]] = []
    lost: list[tuple[Place, str]] = []
    computed = 0
    rough: list[tuple[tuple[int, int], Place, float]] = []
    for cell in filling.leaves:
        points = [(i, j) for i, j in points_of(cell, along) if labels[i, j] not in none]
        if not points:
            continue
        places = np.array([(along[j], along[i]) for i, j in points])
        if cell in filling.smooth:
            found = cloud.near(place_of(cell.centre), cell.width).interpolated(places)
            if found is not None:
                values[tuple(np.transpose(points))] = found[:, 0]
                interpolated += points
            continue
        for point, (x, y), state in zip(points, places.tolist(), _states(cloud, cell, places), strict=True):
            if state is not None:
                rough.append((point, (x, y), state))
    found_there = filling.computed([place for _, place, _ in rough], [state for *_, state in rough])
    for (point, place, _), (value, _) in zip(rough, found_there, strict=True):
        within_budget = place in filling.known
        computed += within_budget
        values[point] = value
        if not math.isfinite(value):
            lost.append((place, ENDLESS if within_budget else LOST))
    error, checked, contradicted = _measured(filling, mapped, along, values, labels, interpolated)
    return Values(values, error, checked, computed, tuple(lost), contradicted)


def points_of(cell: Cell, along: np.ndarray) -> Iterator[tuple[int, int]]:
    """Points of the even grid in a cell, row first."""
    (left, low), width = place_of(cell.corner), cell.width
    return itertools.product(points_along_side(along, low, width), points_along_side(along, left, width))


def points_along_side(along: np.ndarray, low: float, width: float) -> list[int]:
    """Points along a cell's side: its lower end is its own, and the upper one where nothing lies beyond."""
    last = low + width > 1 - 1e-9
    inside = (along >= low - 1e-12) & ((along < low + width - 1e-12) | last)
    return [int(each) for each in np.flatnonzero(inside)]


def _measured(
    filling: Filling,
    mapped: Field,
    along: np.ndarray,
    values: np.ndarray,
    labels: np.ndarray,
    points: list[tuple[int, int]],
) -> tuple[float, int, int]:
    """The largest error at some interpolated points, spread evenly over their list, how many of them are
    known, and how many have another label than the map."""
    chosen = points[:: max(1, len(points) // MEASURED)]
    samples = mapped.samples([(float(along[j]), float(along[i])) for i, j in chosen])
    apart = [abs(each.value - values[at]) for each, at in zip(samples, chosen, strict=True)]
    known = [each for each in apart if math.isfinite(each)]
    worst = max(known, default=0.0)
    contradicted = sum(
        each.label not in (UNKNOWN, labels[at]) for each, at in zip(samples, chosen, strict=True)
    )
    error = 10**worst - 1 if mapped.log else worst / (filling.accuracy / ACCURACY or 1.0)
    return error, len(known), contradicted


AROUND = 32
"""Known places from which a value is interpolated."""

FEWEST = 12
"""Known places on one side of all boundaries below which nothing is interpolated."""


@dataclass(frozen=True)
class Cloud:
    """All known places with their numbers, for finding those around another."""

    net: Net
    places: np.ndarray
    numbers: np.ndarray
    tree: KDTree

    @classmethod
    def of(cls, net: Net, known: Mapping[Place, tuple[float, float]]) -> Cloud:
        """net: all boundaries. known: value and state by place; those without a value are left out."""
        finite = [(place, both) for place, both in known.items() if math.isfinite(both[0])]
        places = np.array([place for place, _ in finite])
        return cls(net, places, np.array([both for _, both in finite]), KDTree(places))

    def near(self, place: Place, width: float) -> Nearby:
        """What is known around a place on its side of all boundaries, in units of `width`."""
        count = min(2 * AROUND, len(self.places))
        far, found = (np.atleast_1d(each) for each in self.tree.query(place, count))
        if self.net.distance(place) < far[-1]:
            found = found[~self.net.parted(place, self.places[found])]
        return Nearby(np.array(place), width, self.places[found[:AROUND]], self.numbers[found[:AROUND]])


@dataclass(frozen=True)
class Nearby:
    """Known places and numbers around one."""

    centre: np.ndarray
    width: float
    places: np.ndarray
    numbers: np.ndarray

    @property
    def state(self) -> float:
        """That of the nearest known place; NaN where there is none."""
        return float(self.numbers[0, 1]) if len(self.numbers) else math.nan

    def interpolated(self, places: np.ndarray) -> np.ndarray | None:
        """Values and states at places, (P, 2); None where too little is known."""
        if len(self.places) < FEWEST:
            return None
        whole = np.isfinite(self.numbers).all(axis=0)
        try:
            smooth = RBFInterpolator(
                (self.places - self.centre) / self.width, self.numbers[:, whole], kernel="quintic", degree=2
            )
            found = np.full((len(places), 2), np.nan)
            found[:, whole] = smooth((places - self.centre) / self.width)
        except np.linalg.LinAlgError:  # the known places lie on a line, or on a conic
            return None
        return found
