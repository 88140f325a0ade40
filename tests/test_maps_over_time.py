"""Maps: how values become columns, what lies over time, and where spots lie."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.maps import answer, grid, observed, regions
from teacherstudent.maps.chart import chart_field
from teacherstudent.maps.descents_begun import Begun
from teacherstudent.maps.field import Boundary, Sample
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.observed import Observed
from teacherstudent.maps.plane import Axis, Place, Plane
from teacherstudent.maps.question import Question
from teacherstudent.maps.questions import read_map_question
from teacherstudent.maps.spot_checks import AWAY, pairs, spots
from teacherstudent.maps.verdicts import AGREES, DISAGREES, OFF, UNTOLD, Claim, Seen, judge_claim
from tests.test_maps_turning import landau

COARSE, POINTS = 4, 33
AXES: dict[str, Any] = {
    "x": "time=1:1e3",
    "y": "kappa=2:50",
    "of": "excess_risk",
    "noise": 0.3,
    "dynamics": "flow",
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "COARSE", COARSE)
    monkeypatch.setattr(regions, "POINTS", POINTS)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many times each question to a route has, one entry a question."""
    found: list[int] = []
    ask = observed.ask_route

    def counted(route: Any, shapes: Any, instance: Any, times: np.ndarray, options: Any) -> Any:
        found.append(len(times))
        return ask(route, shapes, instance, times, options)

    monkeypatch.setattr(observed, "ask_route", counted)
    return found


class Singly(Observed):
    """The same, place by place."""

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        for place in places:
            super().samples([place])
        return super().samples(places)


def over(upwards: bool) -> Question:
    """The question with time along the paper, or upwards."""
    axes = {**AXES, "x": AXES["y"], "y": AXES["x"]} if upwards else AXES
    return read_map_question("multiscale", **axes)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("upwards", [False, True])
def test_an_even_grid_is_asked_by_columns_and_shows_the_same(
    upwards: bool, monkeypatch: pytest.MonkeyPatch, asked: list[int]
) -> None:
    monkeypatch.setattr(answer, "levels_of", lambda *_: ([], []))
    whole = answer.compute_map(over(upwards))
    questions = len(asked)
    asked.clear()
    monkeypatch.setattr("teacherstudent.maps.fields.Observed", Singly)
    singly = answer.compute_map(over(upwards))
    assert set(asked) == {1}
    assert 2 * questions < len(asked)
    np.testing.assert_allclose(whole["value"], singly["value"], rtol=1e-9)


PROMISED = 1e-3
TILT = 0.1
BIRTH = 0.7 - (27 * TILT**2 / 4) ** (1 / 3) / 4
"""Where 4 a^3 + 27 b^2 = 0, a = 4 (u - 0.7), b = 0.1."""
EARLY, LATE = math.exp(-4), math.exp(4)


def roots(u: float) -> np.ndarray:
    """The turns of x^4/4 + a x^2/2 + b x, of which the middle one of three is the maximum."""
    found = np.roots([1, 0, 4 * (u - 0.7), TILT])
    return np.sort(found.real[abs(found.imag) < 1e-9])


def extrema(u: float, name: str) -> list[Any]:
    return [
        SimpleNamespace(time=math.exp(x), value=0.0, is_minimum=i % 2 == 0) for i, x in enumerate(roots(u))
    ]


def begun(upwards: bool) -> Begun:
    """The field over u and time; `upwards` says whether time is the second axis."""
    plane = Plane(Axis("u", 0, 1, False), Axis("time", EARLY, LATE, True))
    plane = plane if upwards else Plane(plane.y, plane.x)
    across = 0 if upwards else 1
    asked: Any = SimpleNamespace(
        plane=plane, instance=lambda place: place[across], moment=lambda place: plane.values(place)["time"]
    )
    turns: Any = SimpleNamespace(
        problem="toy",
        name="growth",
        function=lambda: extrema,
        curves="",
        smooth=lambda u: landau((u, 0.5 + TILT)),
    )
    return Begun(asked, turns)


@pytest.mark.parametrize("upwards", [True, False])
def test_a_descent_begins_at_each_maximum(upwards: bool) -> None:
    chart = chart_field(begun(upwards))
    assert chart.unexplained == 0
    line, curve = sorted(chart.boundaries, key=lambda each: len(each.points))
    across, along = (0, 1) if upwards else (1, 0)
    assert {line.left, line.right} == {curve.left, curve.right} == {1, 2}
    assert np.max(np.abs(line.points[:, across] - BIRTH)) < PROMISED
    for place in curve.points[1:-1]:
        true = roots(float(place[across]))
        assert true.size == 3
        assert abs(place[along] - (true[1] + 4) / 8) < PROMISED
    (birth,) = (each.place for each in chart.specials if each.kind == "birth")
    assert abs(birth[across] - BIRTH) < PROMISED
    assert abs(birth[along] - ((TILT / 2) ** (1 / 3) + 4) / 8) < PROMISED


def test_before_its_first_maximum_a_curve_that_starts_by_rising_has_begun_none() -> None:
    field = begun(True)
    field.turns = SimpleNamespace(  # type: ignore[assignment]
        problem="toy",
        name="growth",
        function=lambda: lambda u, name: [SimpleNamespace(time=1.0, value=1.0, is_minimum=False)],
        curves="",
        smooth=lambda u: SimpleNamespace(low=-4.0, high=4.0, at=_hill),
    )
    assert [field.sample((0.5, v)).label for v in (0.1, 0.49, 0.51, 0.9)] == [0, 0, 1, 1]


def _hill(x: np.ndarray) -> Any:
    """10 - x^2."""
    ones = np.ones_like(x)
    return SimpleNamespace(value=10 - x**2, slope=-2 * x, bend=-2 * ones, size=8 * ones, clear=abs(x) > 1e-9)


@pytest.mark.thorough
def test_of_a_theory_the_count_changes_at_its_own_turns() -> None:
    asked = read_map_question(
        "multiscale", x="kappa=2:100", y="time=0.1:1000", of="descents", n=110, d=100, p=70
    )
    field: Any = field_of(asked)
    (turns,) = (each for each in catalogue.turns() if (each.problem, each.name) == ("multiscale", "flow"))
    instance = asked.instance((0.6, 0.0))
    peak = next(each.time for each in turns.function()(instance, "flow") if not each.is_minimum)
    at = asked.plane.y.along(peak)
    assert [field.sample((0.6, at + by)).label for by in (-1e-9, 1e-9)] == [1, 2]
    (curve, line) = field.traced((0.6, at - 0.02), (0.6, at + 0.02))
    assert abs(np.interp(0.6, *curve.points[np.argsort(curve.points[:, 0])].T) - at) < PROMISED
    onset = math.log(5.19985 / 2) / math.log(50)
    assert line.points[:, 0] == pytest.approx(onset, abs=1e-5)
    claim = field.claim((0.6, at - 0.02), (0.6, at + 0.02))
    assert claim.claimed > 0
    assert claim.times[0] < claim.times[1] < peak
    assert field.claim((0.6, at + 0.02), (0.6, at - 0.02)).claimed < 0


def test_an_observable_over_time_is_asked_for_once_in_a_column() -> None:
    asked = read_map_question("multiscale", x="time=1:100", y="kappa=2:30", of="R", n=110, d=100, p=70)
    assert asked.dynamics == "flow"
    field: Any = field_of(asked)
    before = field.budget.left
    places: list[Place] = [(x, 0.5) for x in (0.1, 0.4, 0.9)]
    found = [each.value for each in field.samples(places)]
    assert before - field.budget.left == 1
    kappa, times = asked.plane.y.value(0.5), [asked.plane.x.value(x) for x, _ in places]
    exact = run("multiscale", "flow", asked.route, times, kappa=kappa, n=110, d=100, p=70)["R"].values
    assert found == pytest.approx(exact, rel=1e-7)


def test_an_axis_has_no_whole_steps() -> None:
    with pytest.raises(InputError, match="--dynamics descent: must be one with continuous time"):
        read_map_question("multiscale", x="time=1:100", y="kappa=2:30", of="R", dynamics="descent", p=70)


def test_of_a_curve_that_rises_first_as_many_have_begun_as_are_counted() -> None:
    """Features that learn nothing of the teacher: the risk rises throughout."""
    given = {"hermite": (0.0, 0.0, 1.0), "psi2": 1.0}
    late: Any = read_map_question("random-features", x="psi1=0.5:3", y="time=1:1e4", of="descents", **given)
    whole: Any = read_map_question("random-features", x="psi1=0.5:3", y="noise=0:1", of="descents", **given)
    assert [field_of(each).samples([(0.5, 1.0)])[0].label for each in (late, whole)] == [0, 0]


ARC = np.linspace(0, math.pi / 2, 40)
LINE = Boundary(0.7 * np.column_stack([np.cos(ARC), np.sin(ARC)]), 0, 1)
"""A quarter of a circle around a corner of the map."""


@pytest.mark.parametrize(("boundaries", "lines"), [([], []), ([], [LINE]), ([LINE], [])])
def test_no_two_spots_lie_in_one_place(boundaries: list[Boundary], lines: list[Boundary]) -> None:
    places = [place for pair in itertools.islice(pairs(boundaries, lines, 40), 12) for place in pair]
    assert len(places) == 24
    assert min(math.dist(one, other) for one, other in itertools.combinations(places, 2)) > 0.01
    assert all(0 <= each <= 1 for place in places for each in place)


def test_without_boundaries_spots_are_spread_over_the_plane() -> None:
    places = np.array(list(itertools.islice(pairs([], [], 40), 8))).reshape(-1, 2)
    quarters = {(x > 0.5, y > 0.5) for x, y in places}
    assert len(quarters) == 4
    x, y = places.T
    assert np.count_nonzero((np.abs(y - x) < 0.02) | (np.abs(x + y - 1) < 0.02)) < 4  # on no diagonal


def test_without_boundaries_every_other_spot_lies_on_a_level_line() -> None:
    radii = np.hypot(*np.array(list(itertools.islice(pairs([], [LINE], 40), 10))).transpose(2, 0, 1))
    assert np.all(np.abs(radii[:, 1] - 0.7) < 1e-3)
    assert np.count_nonzero(np.abs(radii[:, 0] - 0.7) < 1e-3) < 2


def test_spots_lie_on_both_sides_of_a_boundary() -> None:
    radii = np.hypot(*np.array(list(itertools.islice(pairs([LINE], [], 40), 10))).transpose(2, 0, 1))
    assert np.sort(radii, axis=1) == pytest.approx(np.tile([0.7 - AWAY, 0.7 + AWAY], (10, 1)), abs=2e-3)


def test_a_limit_that_finite_size_misses_is_off_and_not_refuted() -> None:
    """Of least squares: the error is d/(n - d - 1) = 2/5 of the noise's variance, not d/(n - d) = 1/3."""
    sizes, plane = dict(n=8, d=2, p=1), dict(x="kappa=2:30", y="noise=2:3")
    asked = read_map_question("multiscale", of="excess_risk@1e4", dynamics="ridge", **plane, **sizes)
    field = Observed(asked, "excess_risk")
    found = spots(asked, field, pairs([], [], 1), 1, range(2000), exact=True).isel(spot=0)
    bound = found.attrs["spot_quantile"]
    assert float(abs(found["off"])) > bound * float(found["stderr"])
    assert found["verdict"].item() == OFF
    assert float(found["off"]) == float(found["simulated"] - found["claimed"])
    assert float(abs(found["apart"])) < bound * float(found["apart_stderr"])


VALUE = Claim("R", "ridge", (1.0,), 0.5)
FALLS = Claim("R", "ridge", (1.0, 2.0), -0.1)


@pytest.mark.parametrize(
    ("claim", "seen", "infinite", "said"),
    [
        (VALUE, Seen(0.51, 0.01), False, AGREES),
        (VALUE, Seen(0.6, 0.01), False, DISAGREES),
        (VALUE, Seen(0.6, 0.01), True, OFF),
        (VALUE, Seen(0.6, 0.01, 0.6, 0.001, 0.01), True, OFF),
        (VALUE, Seen(0.51, 0.01, 0.4, 0.11, 0.01), True, DISAGREES),
        (VALUE, Seen(math.nan, math.nan), True, UNTOLD),
        (FALLS, Seen(-0.3, 0.01), True, AGREES),
        (FALLS, Seen(0.3, 0.01), True, OFF),
        (FALLS, Seen(0.3, 0.01), False, DISAGREES),
        (FALLS, Seen(0.03, 0.01), True, UNTOLD),
        (FALLS, Seen(-0.3, 0.01, -0.2, -0.1, 0.01), True, DISAGREES),
    ],
)
def test_verdicts(claim: Claim, seen: Seen, infinite: bool, said: str) -> None:
    assert judge_claim(claim, seen, 4.0, infinite) == said
