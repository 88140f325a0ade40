"""Boundaries known in closed form are met to a thousandth of an axis; chords of a coarse grid are not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from teacherstudent.maps import interpolation, walking
from teacherstudent.maps.answer import describe_unresolved
from teacherstudent.maps.chart import Chart, chart_field
from teacherstudent.maps.continuation import Equations, follow_curve, solve_on_plane
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.grid import Grid
from teacherstudent.maps.levels import level_lines
from teacherstudent.maps.plane import Place
from teacherstudent.maps.regions import rasterise

PROMISED = 1e-3
"""Of the axis: the distance from the true boundary that a map may have anywhere."""


@dataclass
class Made:
    """A field whose labels, and values, are known functions."""

    label: Callable[[float, float], int]
    value: Callable[[float, float], float] = lambda x, y: math.nan
    near: Callable[[float, float], float] = lambda x, y: math.inf
    jump: float = math.inf
    log: bool = False

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        return [(self.value(*place), state) for place, state in zip(places, states, strict=True)]

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        return [Sample(self.label(*each), self.value(*each), self.near(*each)) for each in places]

    def traced(self, one: Place, other: Place) -> list[Curve]:
        return walking.along_labels(lambda place: self.samples([place])[0], one, other)


def filled(points: np.ndarray) -> np.ndarray:
    """Many points of a chain: its chords count, not only its corners."""
    return np.concatenate(
        [one + np.linspace(0, 1, 20)[:, None] * (other - one) for one, other in itertools.pairwise(points)]
    )


def worst(chart: Chart, distance: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> float:
    """The largest distance of a traced boundary from the true one."""
    return max(float(np.max(distance(*filled(each.points).T))) for each in chart.boundaries)


def wrong(chart: Chart, made: Made, distance: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> int:
    """Points of the even grid with a wrong label, further than promised from the true boundary."""
    even = rasterise(chart, made, 101)
    x, y = np.meshgrid(even.along, even.along)
    true = np.vectorize(made.label)(x, y)
    return int(np.sum((even.labels != true) & (distance(x, y) > PROMISED)))


def ring(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance from two circles, one within the other."""
    radius = np.hypot(x - 0.47, y - 0.52)
    return np.minimum(np.abs(radius - 0.33), np.abs(radius - 0.21))


RING = Made(lambda x, y: int(0.21 < math.hypot(x - 0.47, y - 0.52) < 0.33))


def test_closed_loops_are_closed_and_met() -> None:
    chart = chart_field(RING)
    assert [bool(np.all(each.points[0] == each.points[-1])) for each in chart.boundaries] == [True, True]
    assert worst(chart, ring) < PROMISED
    assert wrong(chart, RING, ring) == 0
    assert chart.unexplained == 0
    assert {(each.left, each.right) for each in chart.boundaries} <= {(0, 1), (1, 0)}


def test_the_chords_of_a_grid_as_coarse_fail_the_same_bound() -> None:
    """What joins the crossings of the coarse grid's edges, each crossing being exact."""
    turns = np.arcsin(np.linspace(-1, 1, 11))  # x or y on lines of a 16 x 16 grid, about
    circle = np.column_stack([0.47 + 0.33 * np.sin(turns), 0.52 + 0.33 * np.cos(turns)])
    assert float(np.max(ring(*filled(circle).T))) > PROMISED


CENTRES = np.array([(0.2, 0.25), (0.85, 0.3), (0.45, 0.9)])


def nearest(x: float, y: float) -> int:
    return int(np.argmin(np.hypot(*(CENTRES - (x, y)).T)))


def between(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance from the lines that are as far from the nearest centre as from another."""
    apart = np.sort(
        np.hypot(*(CENTRES[:, :, None] - np.array([x.ravel(), y.ravel()])).transpose(1, 0, 2)), axis=0
    )
    return (np.abs(apart[1] - apart[0]) / 2).reshape(x.shape)


def circumcentre() -> np.ndarray:
    (a, b, c) = CENTRES
    rows = 2 * np.array([b - a, c - a])
    return np.linalg.solve(rows, [b @ b - a @ a, c @ c - a @ a])


def test_three_regions_meet_in_one_point() -> None:
    made = Made(nearest)
    chart = chart_field(made)
    meetings = [each.place for each in chart.specials if each.kind == "meeting"]
    assert len(meetings) == 1
    assert math.dist(meetings[0], circumcentre()) < PROMISED
    assert len(chart.boundaries) == 3
    assert worst(chart, between) < PROMISED
    assert wrong(chart, made, between) == 0
    assert sum(each.kind == "frame" for each in chart.specials) == 3


def test_a_corner_is_turned() -> None:
    made = Made(lambda x, y: int(x > 0.37 and y > 0.61))

    def distance(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        outside = np.hypot(np.maximum(0.37 - x, 0), np.maximum(0.61 - y, 0))
        inside = np.minimum(np.maximum(x - 0.37, 0), np.maximum(y - 0.61, 0))
        return np.maximum(outside, inside)

    chart = chart_field(made)
    assert worst(chart, distance) < PROMISED
    assert (
        min(math.dist(point, (0.37, 0.61)) for each in chart.boundaries for point in each.points) < PROMISED
    )
    assert wrong(chart, made, distance) == 0


def test_a_loop_that_touches_the_frame_is_followed_past_it() -> None:
    made = Made(lambda x, y: int(math.hypot(x - 0.5, y - 0.3) < 0.3))
    chart = chart_field(made)

    def distance(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.abs(np.hypot(x - 0.5, y - 0.3) - 0.3)

    assert worst(chart, distance) < PROMISED
    assert wrong(chart, made, distance) == 0
    length = sum(np.linalg.norm(np.diff(each.points, axis=0), axis=1).sum() for each in chart.boundaries)
    assert length == pytest.approx(2 * math.pi * 0.3, rel=0.01)


def strip(x: float, y: float) -> float:
    """Positive within a strip that lies between all nodes of the coarse grid."""
    return 0.006 - abs(y - 0.52 - 0.004 * math.sin(6 * x))


def test_a_region_thinner_than_the_grid_is_found_by_its_nearness() -> None:
    seen = Made(lambda x, y: int(strip(x, y) > 0), near=lambda x, y: abs(strip(x, y)))
    chart = chart_field(seen)
    assert len(chart.boundaries) == 2
    assert max(abs(strip(x, y)) for each in chart.boundaries for x, y in each.points) < PROMISED
    blind = chart_field(Made(seen.label))
    assert blind.boundaries == ()


def test_what_is_not_known_is_no_region() -> None:
    made = Made(lambda x, y: UNKNOWN if x + y > 1.5 else int(y > 0.4))
    chart = chart_field(made)
    assert all(UNKNOWN not in (each.left, each.right) for each in chart.boundaries)
    even = rasterise(chart, made, 41)
    assert even.labels[-1, -1] == UNKNOWN
    assert even.labels[0, 0] == 0


def test_lines_of_a_saddle_are_met() -> None:
    made = Made(lambda x, y: 0, value=lambda x, y: (x - 0.51) * (y - 0.47))
    (chart, level) = chart_field(made), 0.02
    lines = level_lines(chart, made, [level], rasterise(chart, made, 101))
    assert len(lines) == 2
    for each in lines:
        x, y = filled(each.points).T - np.array([[0.51], [0.47]])
        assert float(np.max(np.abs(x * y - level) / np.hypot(x, y))) < PROMISED


def swallow(at: np.ndarray) -> np.ndarray:
    """Where t^3 + a t + b has a double root, a = 3 (u - 0.7), b = v - 0.5: a cusp at (0.7, 0.5)."""
    u, v, t = at
    a = 3 * (u - 0.7)
    return np.array([t**3 + a * t + (v - 0.5), 3 * t**2 + a])


def test_a_cusp_is_solved_for() -> None:
    root = math.sqrt(0.3)
    start = solve_on_plane(swallow, np.array([0.4, 0.5 + 2 * root**3, root]), np.array([1.0, 0, 0]), 0.5)
    curves = follow_curve(swallow, start)
    assert [each.ends for each in curves] == [("frame", "cusp"), ("cusp", "frame")]
    for each in curves:
        u, v = filled(each.points).T
        true = 2 * np.maximum(0.7 - u, 0) ** 1.5
        assert float(np.max(np.abs(np.abs(v - 0.5) - true))) < PROMISED
    assert math.dist(curves[0].points[-1], (0.7, 0.5)) < PROMISED


def circle(at: np.ndarray) -> np.ndarray:
    return np.array([(at[0] - 0.5) ** 2 + (at[1] - 0.5) ** 2 - 0.09])


def touching(at: np.ndarray) -> np.ndarray:
    return np.array([at[1] - (at[0] - 0.5) ** 2])


@pytest.mark.parametrize(
    ("equations", "start", "ends"),
    [(circle, (0.5, 0.8), ("closed", "closed")), (touching, (0.3, 0.04), ("frame", "frame"))],
)
def test_equations_are_followed_around_and_along_the_frame(
    equations: Equations, start: tuple[float, float], ends: tuple[str, str]
) -> None:
    point = solve_on_plane(equations, np.array(start), np.array([1.0, 0.0]), 0.1)
    (curve,) = follow_curve(equations, point)
    assert curve.ends == ends
    chords = filled(curve.points)
    assert max(abs(float(equations(each)[0])) for each in chords) < PROMISED / 2  # the gradient is above 1/2
    spans = np.ptp(curve.points, axis=0)
    assert spans == pytest.approx([0.6, 0.6] if ends[0] == "closed" else [1.0, 0.25], abs=2e-3)


def test_no_curve_is_followed_twice() -> None:
    known: list[np.ndarray] = []
    across = np.array([1.0, 0.0])
    assert follow_curve(circle, solve_on_plane(circle, np.array([0.5, 0.8]), across, 0.1), known)
    again = solve_on_plane(circle, np.array([0.52, 0.2]), across, 0.1)
    other = solve_on_plane(touching, np.array([0.3, 0.04]), across, 0.1)
    assert follow_curve(circle, again, known) == []
    assert follow_curve(touching, other, known)


def test_a_region_that_narrows_to_a_point_is_told_from_both_sides() -> None:
    """Between a line and the curve that touches it, in the middle: a fold whose time escapes does so."""

    def label(x: float, y: float) -> int:
        return 3 if x > 0.5 and 0 < y - 0.437 < NARROW * (x - 0.5) ** 2 else 2

    chart = chart_field(Touching(label))
    assert chart.unexplained == 0
    far = [each for each in chart.boundaries if each.points[:, 0].max() == 1]
    assert [{each.left, each.right} for each in far] == [{2, 3}, {2, 3}]
    assert set(np.unique(rasterise(chart, Touching(label)).labels)) == {2, 3}


def test_what_boundaries_do_not_explain_is_said() -> None:
    said = describe_unresolved(Chart(Grid.coarse(), unexplained=3), [])
    assert (
        said == "finer than the grid: 3 pairs of neighbouring places differ without a boundary between them"
    )


def test_values_end_with_their_region_where_a_boundary_is_missing() -> None:
    made = Made(lambda x, y: int(y > 0.52), value=lambda x, y: math.nan if y > 0.52 else x + y)
    chart = chart_field(made)
    (whole,) = chart.boundaries
    chart.boundaries = (replace(whole, points=whole.points[whole.points[:, 0] < 0.5]),)
    even = rasterise(chart, made, 41)
    assert np.isnan(even.values[even.labels == 1]).all()


def test_what_checked_places_contradict_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A region between all nodes, without a value by which a map could find it."""
    monkeypatch.setattr(interpolation, "MEASURED", 10**6)
    made = Made(lambda x, y: int(strip(x, y) > 0), value=lambda x, y: x + y)
    chart = chart_field(made)
    count = rasterise(chart, made, 101).found.contradicted
    assert count > 50
    assert describe_unresolved(chart, [], count).endswith(f"{count} have another label than the map")


NARROW = 0.025
"""Of a region so wide at the frame that labels beside one side of it are beyond the other."""


class Touching(Made):
    """A field in which a line is traced whole, though it parts nothing before another curve touches it."""

    def traced(self, one: Place, other: Place) -> list[Curve]:
        across = np.linspace(0, 1, 41)
        line = np.column_stack([across, 0 * across + 0.437])
        bent = line[20:] + NARROW * np.column_stack([0 * across, (across - 0.5) ** 2])[20:]
        return [Curve(line, ("frame", "frame")), Curve(bent, ("end", "frame"))]


class Doubled(Made):
    """A field in which a stub beside its boundary is traced too."""

    def traced(self, one: Place, other: Place) -> list[Curve]:
        across = np.linspace(0, 1, 30)
        line, stub = (
            np.column_stack([across, 0 * across + 0.4]),
            np.column_stack([across, 0 * across + 0.4015]),
        )
        return [Curve(line, ("frame", "frame")), Curve(stub[8:20], ("cusp", "cusp"))]


def test_a_stub_beside_a_boundary_is_none() -> None:
    chart = chart_field(Doubled(lambda x, y: int(y > 0.4)))
    (line,) = chart.boundaries
    assert np.allclose(line.points[:, 1], 0.4)
    assert [each.kind for each in chart.specials] == ["frame", "frame"]
