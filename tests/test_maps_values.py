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
from teacherstudent.house.errors import InputError
from teacherstudent.house.ranges import ends_of
from teacherstudent.house.running import run
from teacherstudent.maps import answer, grid, interpolation, levels, regions, walking
from teacherstudent.maps.chart import NEARER, chart_field
from teacherstudent.maps.field import Curve, Sample
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.observed import Observed
from teacherstudent.maps.plane import CLOCK, Axis, Place, Plane
from teacherstudent.maps.question import Question
from teacherstudent.maps.questions import asked_at_infinite_sizes, read_map_question
from teacherstudent.maps.stopping import SEEN, Stopped, lows_of
from tests.support import example_of

POINTS = 17
THOROUGH = pytest.mark.thorough

PROMISED = 1e-3

PLACES = 30
"""Random points of the even grid at which a map is compared."""


@pytest.mark.parametrize(
    "of",
    ["excess_risk@100", "descents", *(pytest.param(each, marks=THOROUGH) for each in ("gain", "stopping"))],
)
def test_random_points_agree_with_theory(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Around alpha = 1, where the gain has no bound and the best time jumps close by."""
    monkeypatch.setattr(grid, "COARSE", 4)
    monkeypatch.setattr(regions, "POINTS", POINTS)
    monkeypatch.setattr(answer, "levels_of", lambda *_: ([], []))
    asked = read_map_question("multiscale", x="kappa=4:30", y="alpha=0.8:1.4", of=of, noise=0.3)
    found, theory = answer.compute_map(asked), field_of(asked)
    shown = found["label"] if of == "descents" else found["value"]
    log = found.attrs["value_scale"] == "log"
    spread = 1.0 if of == "descents" else float(shown.max() - shown.min())
    along = np.linspace(0, 1, POINTS)
    for row, column in np.random.default_rng(3).integers(0, POINTS, (PLACES, 2)):
        (sample,) = theory.samples([(float(along[column]), float(along[row]))])
        true = sample.label if of == "descents" else 10**sample.value if log else sample.value
        allowed = interpolation.ACCURACY * (true if log else spread)
        assert abs(float(shown[row, column]) - true) < allowed, (row, column)
    assert of == "descents" or found.attrs["interpolation_error"] < interpolation.ACCURACY


def refused(*_: Any) -> list[Curve]:
    """Stands for walking step by step."""
    raise AssertionError("walked")


@THOROUGH
def test_a_gain_that_rounding_hides_ends_on_a_line_that_is_solved_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best time moves to the end of training, and the gain falls below the digits of the error before."""
    monkeypatch.setattr(walking, "along_labels", refused)
    plane = {"x": "psi1=12:17", "y": "psi2=0.2:0.4"}
    asked = field_of(read_map_question("random-features", **plane, of="gain", noise=0.5))
    assert isinstance(asked, Stopped)
    (line,) = asked.traced((0.2, 0.5), (0.8, 0.5))
    assert line.ends == ("frame", "frame")
    for u, v in line.points[1:-1:4]:
        gained = []
        for beside in (u - NEARER, u + NEARER):
            (low,) = lows_of(asked.curves_at([(float(beside), float(v))]))
            assert not isinstance(low, ArithmeticError)
            _, _, (*lowest, end), _ = low
            gained.append(1 - min(lowest, default=end) / end)
        assert gained[0] > SEEN > gained[1]


def test_lines_of_a_gain_that_grows_without_bound_nearby_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ridgeless, the gain has no bound where there are as many samples as features, alpha = 1."""
    monkeypatch.setattr(grid, "COARSE", 4)
    monkeypatch.setattr(regions, "POINTS", 41)
    asked = field_of(
        read_map_question("multiscale", x="kappa=1:1.5", y="alpha=0.8:1.4", of="gain", noise=0.3)
    )
    assert isinstance(asked, Stopped)
    asked.log = True
    chart = chart_field(asked)
    even = regions.rasterise(chart, asked)
    lines = levels.level_lines(chart, asked, [-1.0, 0.0], even)
    assert [each.level for each in lines] == [-1.0, -1.0, 0.0, 0.0]
    for line in lines:
        for u, v in line.points:
            above, below = asked.samples([(float(u), float(v) + by) for by in (PROMISED, -PROMISED)])
            assert (above.value - line.level) * (below.value - line.level) < 0


@pytest.mark.parametrize("noise", [1e-2, 0.1, 0.5, 2.0])
def test_the_gain_of_a_ridge_is_measured_against_the_ridgeless_limit(noise: float) -> None:
    """Of one scale: noise^2/(alpha - 1) against k/(1 + k) with k (alpha - 1/(1 + k)) = noise^2, halved."""
    plane = {"x": "kappa=1:100", "y": f"noise={noise}:{2 * noise}"}
    asked = field_of(read_map_question("multiscale", **plane, d=100, p=60, n=130, of="gain", curve="ridge"))
    assert isinstance(asked, Stopped)
    asked.log = False
    one, many = asked.samples([(0.0, 0.0), (1.0, 0.5)])
    half = (0.3 - noise**2) / 2
    root = math.sqrt(half**2 + 1.3 * noise**2)
    k = (root - half) / 1.3 if half < 0 else noise**2 / (half + root)
    assert one.value == pytest.approx((noise**2 / 0.3 - k / (1 + k)) / 2, rel=1e-5)  # a few Newton steps
    assert many.value > 0
    assert asked.beside([(1.0, 0.5)], [many.state])[0][0] == pytest.approx(many.value, rel=1e-9)


def numbers(route: Any, sizes: bool) -> list[tuple[str, float, dict[str, Any]]]:
    """Numbers of the examples, or whole ones that are given: name, value, and the values that are given."""
    kind, found = catalogue.find_problem(route.problem), []
    for example in kind.examples:
        given = example_of(route, example)
        for each in kind.parameters:
            value = given.get(each.name, each.default)
            number = isinstance(value, int | float) and ends_of(each.domain)
            if number and (not sizes or (isinstance(each.domain, Whole) and each.name in given)):
                found.append((each.name, value, given))
    return found


LIMITS = [each for each in catalogue.routes() if each.exact_for == "limit" and not each.sampled]


@pytest.mark.parametrize("route", LIMITS, ids=lambda each: each.id)
def test_maps_of_limits_show_at_whole_sizes_what_their_route_answers_there(route: Any) -> None:
    """Sizes that stand beside others that are none of the parameters, a law's or measured rows', stay, and
    so do all sizes where batches have one. A route refuses some examples, with this ridge or anyhow."""
    kind = catalogue.find_problem(route.problem)
    clock = kind.on_clock(route.dynamics)
    shown = 0
    for size, count, given in numbers(route, sizes=True):
        asked = {"dynamics": route.dynamics, "route": route.name}
        try:
            answered = run(kind.id, times=[2.0], **asked, **given)
        except InputError:
            continue  # a question for another route
        fixed = {name: value for name, value in given.items() if name != size}
        plane = Plane(Axis(size, count, count + 1, False), Axis(CLOCK, 2.0, 4.0, False))
        values, options = (
            tuple((each.name, each.check(fixed[each.name])) for each in own if each.name in fixed)
            for own in (kind.parameters, (*clock.options, *route.options))
        )
        name = next(iter(answered.data_vars))
        whole = Question(
            kind.id,
            plane,
            name,
            values,
            **asked,
            options=options,
            limit=asked_at_infinite_sizes(clock, route),
        )
        field = Observed(whole, name, (0,) * (answered[name].ndim - 1))
        shown += 1
        assert field.sample((0.0, 0.0)).value == pytest.approx(answered[name].values.ravel()[0], rel=1e-8), (
            size
        )
    assert shown


@pytest.mark.parametrize("route", LIMITS, ids=lambda each: each.id)
def test_every_number_can_be_an_axis_of_a_map_of_a_limit(route: Any) -> None:
    """Between whole numbers too: what counts is never asked for in parts."""
    whole = {
        each.name
        for each in catalogue.find_problem(route.problem).parameters
        if isinstance(each.domain, Whole)
    }
    asked = {"dynamics": route.dynamics, "route": route.name, "limit": True}
    for name, value, given in numbers(route, sizes=False):
        if name in whole:
            plane = Plane(Axis(name, value, value + 1, False), Axis(CLOCK, 1.0, 2.0, False))
            found = Question(route.problem, plane, "", tuple(given.items()), **asked).given((0.3, 0.0))[name]
            assert isinstance(found, int), name


def test_a_map_without_any_answer_is_refused_with_the_reason() -> None:
    asked = read_map_question(
        "committee", x="overlap=3:4:lin", y="noise=0.1:0.2:lin", of="R[1][1]", dynamics="online"
    )
    with pytest.raises(InputError, match=r"; here: --overlap "):
        answer.compute_map(asked)


def test_a_map_of_many_numbers_is_refused() -> None:
    asked = read_map_question(
        "committee", x="noise=0:1", y="width=2:3", of="R", dynamics="online", route="asymptotic"
    )
    with pytest.raises(InputError, match=r"^--of R: must be one number: R\[1\]\[1\], say"):
        answer.compute_map(asked)


def test_a_map_moves_a_number_of_rows_between_whole_numbers() -> None:
    """Of a pool as of a law: in steps no boundary could be followed."""
    pool = {"features": "wine", "targets": "wine"}
    for rows in (pool, {"modes": "60:0.01:0.6,40:4e-6:0.4"}):
        asked = read_map_question(
            "measured-spectrum", x="n=30:32:lin", y="noise=0.2:0.4:lin", of="stopping", **rows
        )
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

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        return [(self.value(*place), state) for place, state in zip(places, states, strict=True)]

    def traced(self, one: Place, other: Place) -> list[Curve]:
        return walking.along_labels(self.sample, one, other)


def test_values_are_not_smeared_across_a_boundary_and_a_peak_is_resolved() -> None:
    cliff = Cliff()
    even = regions.rasterise(chart_field(cliff), cliff, 101)
    true = np.array([[cliff.value(x, y) for x in even.along.tolist()] for y in even.along.tolist()])
    x, y = np.meshgrid(even.along, even.along)
    beside = np.abs(y - 0.37 - 0.3 * x) < 1e-3  # the boundary itself is known to that
    spread = true.max() - true.min()
    assert float(np.max(np.abs(even.values - true)[~beside])) < interpolation.ACCURACY * spread
    assert even.found.computed < true.size / 2


def test_what_the_budget_does_not_allow_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpolation, "BUDGET", 700)
    rough = Cliff(wave=lambda x, y: math.sin(400 * x) * math.cos(300 * y))
    even = regions.rasterise(chart_field(rough), rough, 41)
    assert {reason for _, reason in even.found.lost} == {interpolation.LOST}
    lost = np.isnan(even.values)
    assert 0 < lost.sum() == len(even.found.lost)
    assert np.all(even.labels[lost] == -1)
