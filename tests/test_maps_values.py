"""Values of a map between its nodes are those that theory gives there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.domains import Whole
from teacherstudent.house.running import run
from teacherstudent.maps import answer, filling, grid, labelled, regions
from teacherstudent.maps.asked import field_of
from teacherstudent.maps.asking import question
from teacherstudent.maps.chart import NEARER, charted
from teacherstudent.maps.field import Curve, Sample
from teacherstudent.maps.observed import Observed
from teacherstudent.maps.plane import Axis, Place, Plane
from teacherstudent.maps.question import Question
from teacherstudent.maps.stopping import SEEN, Stopped, lows_of

POINTS = 17

PLACES = 30
"""Random points of the even grid at which a map is compared."""


@pytest.mark.parametrize(
    "of", ["gain", pytest.param("stopping", marks=pytest.mark.thorough), "excess_risk@100", "descents"]
)
def test_random_points_agree_with_theory(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Around alpha = 1, where the gain has no bound and the best time jumps close by."""
    monkeypatch.setattr(grid, "COARSE", 4)
    monkeypatch.setattr(regions, "POINTS", POINTS)
    monkeypatch.setattr(answer, "levels_of", lambda *_: ([], []))
    asked = question("multiscale", x="kappa=4:30", y="alpha=0.8:1.4", of=of, noise=0.3)
    found, theory = answer.mapped(asked), field_of(asked)
    shown = found["label"] if of == "descents" else found["value"]
    log = found.attrs["value_scale"] == "log"
    spread = 1.0 if of == "descents" else float(shown.max() - shown.min())
    along = np.linspace(0, 1, POINTS)
    for row, column in np.random.default_rng(3).integers(0, POINTS, (PLACES, 2)):
        (sample,) = theory.samples([(float(along[column]), float(along[row]))])
        true = sample.label if of == "descents" else 10**sample.value if log else sample.value
        allowed = filling.ACCURACY * (true if log else spread)
        assert abs(float(shown[row, column]) - true) < allowed, (row, column)
    assert of == "descents" or found.attrs["interpolation_error"] < filling.ACCURACY


def refused(*_: Any) -> list[Curve]:
    """Stands for walking step by step."""
    raise AssertionError("walked")


def test_a_gain_that_rounding_hides_ends_on_a_line_that_is_solved_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best time moves to the end of training, and the gain falls below the digits of the error before."""
    monkeypatch.setattr(labelled, "along_labels", refused)
    plane = {"x": "psi1=12:17", "y": "psi2=0.2:0.4"}
    asked = field_of(question("random-features", **plane, of="gain", noise=0.5))
    assert isinstance(asked, Stopped)
    (line,) = asked.traced((0.2, 0.5), (0.8, 0.5))
    assert line.ends == ("frame", "frame")
    for u, v in line.points[1:-1:4]:
        gained = []
        for beside in (u - NEARER, u + NEARER):
            _, _, (*lowest, end), _ = lows_of(asked.curve_at((float(beside), float(v))))
            gained.append(1 - min(lowest, default=end) / end)
        assert gained[0] > SEEN > gained[1]


def test_a_line_of_a_gain_that_grows_without_bound_nearby_is_solved_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ridgeless, the gain has no bound where there are as many features as samples, psi1 = psi2."""
    monkeypatch.setattr(labelled, "along_level", refused)
    plane = {"x": "psi1=0.3:0.4", "y": "psi2=0.2:0.3"}
    asked = field_of(question("random-features", **plane, of="gain", noise=0.5))
    asked.log = True
    (line,) = asked.level(2.0, (0.25, 0.9), (0.0, 1.0))
    for u, v in line.points[1:-1]:
        assert asked.sample((float(u), float(v))).value == pytest.approx(2.0, abs=1e-2)


LIMITS = [each for each in catalogue.routes() if each.exact_for == "limit"]


@pytest.mark.parametrize("route", LIMITS, ids=lambda each: each.id)
def test_maps_of_limits_show_at_whole_sizes_what_their_route_answers_there(route: Any) -> None:
    """Sizes that stand beside others that are none of the parameters, a law's or measured rows', stay."""
    kind = catalogue.find_problem(route.problem)
    for example in kind.examples:
        names = {each.name for each in kind.parameters}
        given = {name: value for name, value in {**example, **route.example}.items() if name in names}
        sizes = [
            each.name for each in kind.parameters if isinstance(each.domain, Whole) and each.name in given
        ]
        for size in sizes:
            fixed = {name: value for name, value in given.items() if name not in (size, "ridge")}
            plane = Plane(Axis(size, given[size], given[size] + 1, False), Axis("ridge", 0.05, 0.15, False))
            values = tuple(
                (each.name, each.check(fixed[each.name])) for each in kind.parameters if each.name in fixed
            )
            asked = {"dynamics": route.dynamics, "route": route.name}
            answered = run(kind.id, times=[2.0], **asked, **{**given, "ridge": 0.1})
            name = next(iter(answered.data_vars))
            field = Observed(Question(kind.id, plane, name, values, **asked, time=2.0, limit=True), name)
            if answered[name].size == 1:
                assert field.sample((0.0, 0.5)).value == pytest.approx(answered[name].item(), rel=1e-8), size


def test_a_map_moves_a_number_of_rows_between_whole_numbers() -> None:
    """Of a pool as of a law: in steps no boundary could be followed."""
    pool = {"features": "wine", "targets": "wine"}
    for rows in (pool, {"modes": "60:0.01:0.6,40:4e-6:0.4"}):
        asked = question("measured-spectrum", x="n=30:32:lin", y="noise=0.2:0.4:lin", of="stopping", **rows)
        low, middle, high = (
            sample.value for sample in field_of(asked).samples([(x, 0.5) for x in (0.45, 0.5, 0.55)])
        )
        assert middle != low
        assert high - middle == pytest.approx(middle - low, rel=0.05)


@dataclass
class Cliff:
    """Two regions on both sides of a line, each with smooth values of its own, and a peak in one of them."""

    wave: Callable[[float, float], float] = lambda x, y: math.sin(5 * x + 2 * y)
    log: bool = False
    jump: float = math.inf

    def value(self, x: float, y: float) -> float:
        if y < 0.37 + 0.3 * x:
            return 30 + self.wave(x, y)
        return self.wave(x, y) - math.log(abs(y - 0.9071))

    def sample(self, place: Place) -> Sample:
        return Sample(int(place[1] < 0.37 + 0.3 * place[0]), self.value(*place))

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        return [self.sample(place) for place in places]

    def beside(self, place: Place, state: float) -> tuple[float, float]:
        return self.value(*place), state

    def traced(self, one: Place, other: Place) -> list[Curve]:
        return labelled.along_labels(self.sample, one, other)

    def level(self, level: float, low: Place, high: Place) -> list[Curve]:
        return []


def test_values_are_not_smeared_across_a_boundary_and_a_peak_is_resolved() -> None:
    cliff = Cliff()
    even = regions.raster(charted(cliff), cliff, 101)
    true = np.array([[cliff.value(x, y) for x in even.along.tolist()] for y in even.along.tolist()])
    x, y = np.meshgrid(even.along, even.along)
    beside = np.abs(y - 0.37 - 0.3 * x) < 1e-3  # the boundary itself is known to that
    spread = true.max() - true.min()
    assert float(np.max(np.abs(even.values - true)[~beside])) < filling.ACCURACY * spread
    assert even.found.computed < true.size / 2


def test_what_the_budget_does_not_allow_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "BUDGET", 700)
    rough = Cliff(wave=lambda x, y: math.sin(400 * x) * math.cos(300 * y))
    even = regions.raster(charted(rough), rough, 41)
    assert {reason for _, reason in even.found.lost} == {filling.LOST}
    lost = np.isnan(even.values)
    assert 0 < lost.sum() == len(even.found.lost)
    assert np.all(even.labels[lost] == -1)
