"""A map from coarse to fine: samples, boundaries between them, finer cells where these do not suffice."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from teacherstudent.maps.budget import Spent
from teacherstudent.maps.crossing import Crossing, Net, boundaries_explain_labels, intersections
from teacherstudent.maps.field import UNKNOWN, Boundary, Curve, Field, Sample, Special
from teacherstudent.maps.grid import DEPTH, UNITS, Cell, Grid, Node, place_of
from teacherstudent.maps.plane import Place

BESIDE = 2e-3
"""Distance from a boundary at which the labels on its sides are read."""

NEARER = 1e-3
"""Another such distance, that from the true boundary which is promised: a boundary is one at both."""

MISSED = 5e-4
"""Distance that a traced boundary may have from the true one: nodes so close say nothing of it."""

SAME = 2e-3
"""Curves closer than that all along are one, and ends closer than `JOINED` are one place."""

JOINED = 6e-3

KNOWN = 4
"""Parts of a first cell's side to which the edge of what is known is shown: 1/64 of an axis."""

VAIN = 12
"""Traces that may add nothing before the rest is left to finer cells: theory is too rough there."""

ROUGH = 8
"""A change between neighbours of so many times the middle one may hide a jump."""


@dataclass
class Chart:
    """Everything that is known of a map; `curves` are as they were traced, `boundaries` what counts."""

    grid: Grid
    curves: list[Curve] = field(default_factory=list)
    boundaries: tuple[Boundary, ...] = ()
    specials: tuple[Special, ...] = ()
    unexplained: int = 0
    """Neighbouring samples whose labels the boundaries between them do not explain."""
    spent: bool = False
    """Whether it was given up before it was as fine as it should be."""


def chart_field(mapped: Field) -> Chart:
    """The map of a field.

    Boundaries are traced from every two neighbouring nodes of the grid whose labels, or a jump of whose
    values, no traced boundary between them explains, and cells are split until nothing is left to explain
    and no label comes near to changing within a cell; or until they are smaller than those of a grid of
    200 x 200 nodes. Where the field's places are spent before, the chart is what is known by then.
    """
    chart = Chart(Grid.coarse())
    chart.grid.fill(mapped, chart.grid.cells)
    try:
        _refine(chart, mapped)
    except Spent:
        chart.spent = True
    net = Net.of(chart.boundaries)
    chart.unexplained = sum(
        _unexplained(chart, net, mapped, *way, math.inf) for way in neighbouring_pairs(chart.grid)
    )
    return chart


def _refine(chart: Chart, mapped: Field) -> None:
    """Trace and split until it is fine enough. Raises `Spent`, and leaves a chart that can be read."""
    for depth in range(DEPTH + 1):
        _trace(chart, mapped)
        if depth == DEPTH:
            break
        coarse = [cell for cell in chart.grid.cells if cell.side == UNITS >> depth]
        split = _to_split(chart, mapped, coarse)
        if not split:
            break
        chart.grid.split(mapped, split)


def neighbouring_pairs(grid: Grid) -> Iterable[tuple[Node, Node]]:
    """Pairs of neighbouring nodes, once each."""
    ways = (tuple(sorted(way)) for cell in grid.cells for way in cell.ways)
    return dict.fromkeys(ways)  # type: ignore[arg-type]


def _trace(chart: Chart, mapped: Field) -> None:
    """Trace from all pairs that are not explained, one after another: each curve explains others.

    The largest changes come first: smaller ones may be no jumps, and are traced in vain.
    """
    rough = _roughness(chart) if math.isfinite(mapped.jump) else math.inf
    net, vain, samples = Net.of(chart.boundaries), 0, chart.grid.samples

    def change(way: tuple[Node, Node]) -> float:
        first, second = (samples[node] for node in way)
        return abs(first.state - second.state) if first.label == second.label else math.inf

    pairs = neighbouring_pairs(chart.grid)
    for one, other in sorted(pairs, key=lambda way: -np.nan_to_num(change(way), posinf=math.inf)):
        if vain > VAIN or not _unexplained(chart, net, mapped, one, other, rough):
            continue
        found = mapped.traced(place_of(one), place_of(other))
        fresh = [curve for curve in found if not runs_along_known_curves(chart.curves, curve)]
        vain += not fresh
        if fresh:
            chart.curves += fresh
            _cut(chart, mapped)
            net = Net.of(chart.boundaries)


def _unexplained(chart: Chart, net: Net, mapped: Field, one: Node, other: Node, rough: float) -> bool:
    first, second = chart.grid.samples[one], chart.grid.samples[other]
    change = abs(first.state - second.state)
    if first.label == second.label and not change > max(mapped.jump, rough):
        return False if not len(net.starts) else _contradicted(chart, net, one, other)
    crossings = _told_apart(one, other, net.crossed(place_of(one), place_of(other)))
    if not boundaries_explain_labels(first.label, second.label, crossings):
        return not _beside(net, one, other)
    jumped = any(boundary.jump or boundary.left != boundary.right for _, boundary, _ in crossings)
    return change > max(mapped.jump, rough) and not jumped and not _beside(net, one, other)


def _contradicted(chart: Chart, net: Net, one: Node, other: Node) -> bool:
    label = chart.grid.samples[one].label
    crossings = _told_apart(one, other, net.crossed(place_of(one), place_of(other)))
    return not boundaries_explain_labels(label, label, crossings) and not _beside(net, one, other)


def _told_apart(one: Node, other: Node, crossings: list[Crossing]) -> list[Crossing]:
    """The crossings, of boundaries that run closer together than labels are read beside them only the first.

    A fold whose time escapes runs into the line of that escape. Between the two no label is ever seen, and
    each seems to part the same two regions.
    """
    close = BESIDE / math.dist(place_of(one), place_of(other))
    kept: list[Crossing] = []
    for share, boundary, from_left in crossings:
        sides = boundary.left, boundary.right
        again = [
            (each.left, each.right) == (sides if left == from_left else sides[::-1])
            for before, each, left in kept[-1:]
            if share - before < close
        ]
        if not any(again):
            kept.append((share, boundary, from_left))
    return kept


def _beside(net: Net, one: Node, other: Node) -> bool:
    """Whether one of two nodes lies as close to a boundary as that may miss the true one."""
    return min(net.distance(place_of(one)), net.distance(place_of(other))) < MISSED


def _roughness(chart: Chart) -> float:
    """A change of the state between neighbours that is large beside those of most others."""
    samples = chart.grid.samples
    changes = [
        abs(samples[one].state - samples[other].state) for one, other in neighbouring_pairs(chart.grid)
    ]
    known = [each for each in changes if each > 0]
    return ROUGH * float(np.median(known)) if known else math.inf


def runs_along_known_curves(curves: Iterable[Curve], new: Curve) -> bool:
    """Whether the new one runs along curves that are there."""
    some = new.points[:: max(1, len(new.points) // 8)]
    net = Net.of([Boundary(each.points, 0, 0) for each in curves])
    return all(net.distance((x, y)) < SAME for x, y in some)


def _cut(chart: Chart, mapped: Field) -> None:
    """Cut all curves where they cross and read what lies beside each piece: what differs is a boundary."""
    curves = _joined(chart.curves)
    at: list[set[float]] = [{0.0, len(each.points) - 1.0} for each in curves]
    crossings: list[Place] = []
    for (i, one), (j, other) in itertools.combinations(enumerate(curves), 2):
        for here, there in intersections(one.points, other.points):
            at[i].add(here)
            at[j].add(there)
            place = _point(one.points, here)
            crossings.append(place)
            for k in set(range(len(curves))) - {i, j}:  # it may run along one of them up to here
                distance, position = _nearest(curves[k].points, np.array(place))
                if distance < BESIDE:
                    at[k].add(position)
    for i, k in itertools.product(range(len(curves)), (0, -1)):
        if curves[i].ends[k] == "end":
            _dock(curves, at, i, k)
    pieces = [
        (curve, part_of(curve.points, low, high))
        for curve, positions in zip(curves, at, strict=True)
        for low, high in itertools.pairwise(sorted(positions))
        if high - low > 1e-9
    ]
    chart.boundaries = tuple(
        boundary
        for (curve, piece), sides in zip(pieces, _read(mapped, [each for _, each in pieces]), strict=True)
        if sides and (boundary := _between(mapped, curve, piece, *sides))
    )
    chart.specials = tuple(_specials(curves, chart.boundaries, crossings))


def _read(mapped: Field, pieces: Sequence[np.ndarray]) -> list[tuple[Sample, Sample] | None]:
    """What lies on both sides of each piece, read alike at two distances, nearer by in a narrow region."""
    found: list[tuple[Sample, Sample] | None] = [None] * len(pieces)
    for away, nearer in ((BESIDE, NEARER), (NEARER, MISSED)):
        left = [i for i, sides in enumerate(found) if sides is None]
        places = [each for i in left for each in (*_sides(pieces[i], away), *_sides(pieces[i], nearer))]
        samples = iter(mapped.samples(places))
        for i, sides, close in zip(
            left, zip(samples, samples, strict=True), zip(samples, samples, strict=True), strict=True
        ):
            if [each.label for each in sides] == [each.label for each in close]:
                found[i] = sides
    return found


def _dock(curves: list[Curve], at: list[set[float]], i: int, k: int) -> None:
    """Let a curve that ends beside another end on it, and cut the other there."""
    place = curves[i].points[k]
    others = [(*_nearest(each.points, place), j) for j, each in enumerate(curves) if j != i]
    distance, position, j = min(others, default=(math.inf, 0.0, -1))
    if distance < JOINED:
        curves[i].points[k] = _point(curves[j].points, position)
        at[j].add(position)


def _nearest(points: np.ndarray, place: np.ndarray) -> tuple[float, float]:
    """Distance of a place from a chain of points, and the position along it that is nearest, in segments."""
    ways, apart = np.diff(points, axis=0), place - points[:-1]
    share = np.clip((apart * ways).sum(1) / np.maximum((ways**2).sum(1), 1e-300), 0, 1)
    distances = np.linalg.norm(apart - share[:, None] * ways, axis=1)
    i = int(distances.argmin())
    return float(distances[i]), i + float(share[i])


def _between(mapped: Field, curve: Curve, piece: np.ndarray, left: Sample, right: Sample) -> Boundary | None:
    jump = right.state - left.state
    jumps = left.label == right.label and abs(jump) > mapped.jump
    if left.label == right.label and not jumps:
        return None
    if UNKNOWN in (left.label, right.label):
        return None
    return Boundary(piece, left.label, right.label, jump if jumps else 0.0, curve.level)


def _joined(curves: list[Curve]) -> list[Curve]:
    """The curves with ends that lie together moved into one place."""
    ends = [(i, k) for i, curve in enumerate(curves) for k in (0, -1) if curve.ends[k] == "meeting"]
    places = {end: curves[end[0]].points[end[1]] for end in ends}
    moved = {i: curve.points.copy() for i, curve in enumerate(curves)}
    while ends:
        first = ends[0]
        group = [end for end in ends if np.linalg.norm(places[end] - places[first]) < JOINED]
        middle = np.mean([places[end] for end in group], axis=0)
        for i, k in group:
            moved[i][k] = middle
        ends = [end for end in ends if end not in group]
    return [replace(curve, points=moved[i]) for i, curve in enumerate(curves)]


def _point(points: np.ndarray, at: float) -> Place:
    i = min(int(at), len(points) - 2)
    x, y = points[i] + (at - i) * (points[i + 1] - points[i])
    return float(x), float(y)


def part_of(points: np.ndarray, low: float, high: float) -> np.ndarray:
    """The points between two positions along a curve, in segments, with both ends."""
    inner = points[int(low) + 1 : math.ceil(high)]
    return np.array([_point(points, low), *inner, _point(points, high)])


def _sides(piece: np.ndarray, away: float) -> list[Place]:
    """A place on the left of the middle of a piece, and one on its right, at that distance."""
    lengths = np.linalg.norm(np.diff(piece, axis=0), axis=1)
    half = np.cumsum(lengths) - lengths.sum() / 2
    i = int(np.argmax(half >= 0))
    way = piece[i + 1] - piece[i]
    middle = piece[i + 1] - half[i] / max(lengths[i], 1e-300) * way
    normal = np.array([-way[1], way[0]]) / max(np.linalg.norm(way), 1e-300) * away
    sides = np.clip([middle + normal, middle - normal], 0, 1)
    return [(float(x), float(y)) for x, y in sides]


def _specials(
    curves: Iterable[Curve], boundaries: Iterable[Boundary], crossings: Iterable[Place]
) -> Iterable[Special]:
    """Ends of boundaries, once each place, by what the curve says of them or because several meet there."""
    kinds = [(tuple(curve.points[k]), curve.ends[k]) for curve in curves for k in (0, -1)]
    kinds += [(place, "meeting") for place in crossings]
    ends = [tuple(each.points[k]) for each in boundaries for k in (0, -1)]
    ends += [corner for curve in curves for corner in curve.corners]
    kinds += [(corner, "corner") for curve in curves for corner in curve.corners]
    seen: list[np.ndarray] = []
    for place, kind in kinds:
        near = [end for end in ends if math.dist(end, place) < SAME]
        if kind == "closed" or not near or any(np.linalg.norm(place - each) < SAME for each in seen):
            continue
        seen.append(np.array(place))
        met = len(near) > 2 or (kind == "end" and len(near) == 2)
        yield Special((float(place[0]), float(place[1])), "meeting" if met else kind)


def _to_split(chart: Chart, mapped: Field, cells: list[Cell]) -> list[Cell]:
    net = Net.of(chart.boundaries)
    return [cell for cell in cells if _poor(chart, mapped, net, cell)]


def _poor(chart: Chart, mapped: Field, net: Net, cell: Cell) -> bool:
    """Whether a cell needs to be split."""
    samples = [chart.grid.samples[node] for node in cell.nodes]
    known = [each.label != UNKNOWN for each in samples]
    if any(known) and not all(known):
        return cell.side > UNITS // KNOWN  # the edge of what is known is shown cell by cell, not traced
    if any(_unexplained(chart, net, mapped, *way, math.inf) for way in cell.ways):
        return True
    reach = cell.width / 2
    crossed = net.distance(place_of(cell.centre)) < 2.5 * reach
    if crossed or any(each.signs != samples[-1].signs for each in samples):
        return False
    near = [each.nearness for each in samples]
    return any(_dips(near[i], near[4], near[i + 2]) for i in (0, 1))


def _dips(one: float, centre: float, other: float) -> bool:
    """Whether what is positive at three places in a row may have been zero between them, on either side.

    So it is where a straight line through the centre and the higher end passes zero before the lower end.
    """
    return centre < 0.4 * max(one, other) and min(one, other) > 0.1 * centre
