"""Maps with time as an axis, of a family of curves that is solved by hand, and of a theory."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.maps.asked import field_of
from teacherstudent.maps.asking import question
from teacherstudent.maps.begun import Begun
from teacherstudent.maps.chart import charted
from teacherstudent.maps.plane import Axis, Place, Plane
from tests.test_maps_turning import landau

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
        smooth=lambda u: landau((u, 0.5 + TILT)),
    )
    return Begun(asked, turns)


@pytest.mark.parametrize("upwards", [True, False])
def test_a_descent_begins_at_each_maximum(upwards: bool) -> None:
    chart = charted(begun(upwards))
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
        smooth=lambda u: SimpleNamespace(low=-4.0, high=4.0, at=_hill),
    )
    assert [field.sample((0.5, v)).label for v in (0.1, 0.49, 0.51, 0.9)] == [0, 0, 1, 1]


def _hill(x: np.ndarray) -> Any:
    """10 - x^2."""
    ones = np.ones_like(x)
    return SimpleNamespace(value=10 - x**2, slope=-2 * x, bend=-2 * ones, size=8 * ones, clear=abs(x) > 1e-9)


@pytest.mark.thorough
def test_of_a_theory_the_count_changes_at_its_own_turns() -> None:
    asked = question("multiscale", x="kappa=2:100", y="time=0.1:1000", of="descents", n=110, d=100, p=70)
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
    asked = question("multiscale", x="time=1:100", y="kappa=2:30", of="R", n=110, d=100, p=70)
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
    with pytest.raises(InputError, match="--dynamics descent: must be one with times between steps"):
        question("multiscale", x="time=1:100", y="kappa=2:30", of="R", dynamics="descent", p=70)


def test_of_a_curve_that_rises_first_as_many_have_begun_as_are_counted() -> None:
    """Features that learn nothing of the teacher: the risk rises throughout."""
    given = {"hermite": (0.0, 0.0, 1.0), "psi2": 1.0}
    late: Any = question("random-features", x="psi1=0.5:3", y="time=1:1e4", of="descents", **given)
    whole: Any = question("random-features", x="psi1=0.5:3", y="noise=0:1", of="descents", **given)
    assert [field_of(each).samples([(0.5, 1.0)])[0].label for each in (late, whole)] == [0, 0]
