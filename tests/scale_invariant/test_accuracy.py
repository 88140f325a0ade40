"""Approximate routes are off by the order that they state; what rounding of the question decides is lost."""

from __future__ import annotations

import math
import warnings
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.scale_invariant import LOSSES, PROBLEM
from teacherstudent.theory.scale_invariant import ACCURACY, ROUTES, edge
from teacherstudent.theory.scale_invariant.losses import law
from tests.roundings import same
from tests.scale_invariant.references import online


def test_descent_may_start_on_the_edge() -> None:
    """eta/((1 - eta lambda) r^2) = 1, the edge of 1 - m^2, at the first step and at the teacher."""
    on_it: dict[str, Any] = {"loss": "squared-correlation", "learning_rate": 0.5, "ridge": 1.0, "angle0": 0.0}
    assert edge.steps_to_edge(PROBLEM.instance(**on_it)) == 0


NAMES = ("angle", "radius", "effective_learning_rate")
TIMES = [1.0, 100.0, 1000.0]
SQUARED: dict[str, Any] = {"loss": "squared-correlation"}


@pytest.mark.parametrize("angle0", [0.3, 1.5, 1.57, 1.570796, 1.5708, 3.0])
def test_a_student_near_the_equator_is_right(angle0: float) -> None:
    """A drift of 1e-10 a step of the integrator was 1e-4 of the distance from there."""
    answer = run(
        "scale-invariant", "online", "theory", TIMES, angle0=angle0, ridge=0.01, noise=0.2, **SQUARED
    )
    problem = PROBLEM.instance(angle0=angle0, ridge=0.01, **SQUARED)
    exact = online(problem, np.array(TIMES), noise=0.2)
    for name in NAMES:
        np.testing.assert_allclose(answer[name], exact[name], rtol=ACCURACY)


def pushed(route: Route, loss: str) -> bool:
    """Whether fresh samples push a student off the direction that is farthest from the teacher."""
    return route.dynamics == "online" and loss != "squared-correlation"


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("route", ROUTES, ids=lambda each: f"{each.dynamics}-{each.name}")
def test_no_route_tells_what_rounding_makes_of_the_farthest_start(route: Route, loss: str) -> None:
    """Every answer of it is the start itself or none, however late; a pushed student has moved."""
    if (route.name, loss) == ("equilibrium", "hinge-kr"):
        pytest.skip("refused")
    farthest = law(PROBLEM.instance(loss=loss)).farthest
    question = {"loss": loss, "angle0": farthest, "ridge": 0.01, **route.example}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        answer = run("scale-invariant", route.dynamics, route.name, [10.0, 300.0, 1000.0], **question)
    angle = answer["angle"].values
    if pushed(route, loss):
        assert np.all(angle < 3.0)
        return
    assert np.all(np.isnan(angle) | (np.abs(angle - question["angle0"]) <= ACCURACY))
    assert np.isnan(angle[-1])
    assert any("rounding" in str(each.message) and "angle0" in str(each.message) for each in said)


def test_nobody_knows_which_teacher_a_student_on_the_equator_rests_at() -> None:
    question: dict[str, Any] = {**SQUARED, "ridge": 0.1}
    ends = [run("scale-invariant", "online", "equilibrium", [1.0], angle0=a, **question) for a in (1.0, 2.0)]
    assert sum(float(end["angle"][0]) for end in ends) == pytest.approx(math.pi, abs=1e-12)
    with pytest.warns(UnconvergedWarning, match="rounding determines the direction"):
        answer = run("scale-invariant", "online", "equilibrium", [1.0], angle0=math.pi / 2, **question)
    assert np.isnan(answer["angle"]).all()
    assert same(answer["radius"][0], ends[0]["radius"][0], 16)


@pytest.mark.parametrize("route", ["theory", "schedule"])
@pytest.mark.parametrize(("gap", "told"), [(0.5, True), (1e-3, True), (1e-11, False)])
def test_a_step_that_takes_nearly_all_of_the_radius(route: str, gap: float, told: bool) -> None:
    """1 - eta lambda = gap: rounding of the product is eps/gap of it, in each step once more."""
    question: dict[str, Any] = {"learning_rate": 1 - gap, "ridge": 1.0, "angle0": 0.7}
    steps = [0, 1, 2, 6]
    if not told:
        with pytest.warns(UnconvergedWarning, match="rounding of angle0 or the ridge"):
            answer = run("scale-invariant", "descent", route, steps, **question)
        assert np.isnan(answer["effective_learning_rate"][1:]).all()
        return
    answer = run("scale-invariant", "descent", route, steps, **question)
    with mp.workdps(40):
        eta, theta, r = mp.mpf(1 - gap), mp.mpf(0.7), mp.mpf(1)
        for step in range(max(steps) + 1):
            if step in steps:
                rate = eta / (1 - eta) / r**2  # Table 1
                exact = dict(zip(NAMES, (abs(theta), r, rate), strict=True))
                for name in NAMES:
                    given = float(answer[name].sel(time=step))
                    assert abs(given - exact[name]) <= ACCURACY * exact[name]
            x, y = r * mp.cos(theta), r * mp.sin(theta)
            tangential = mp.sin(theta) / r  # of the gradient, along growing angle
            x += -eta * (-tangential * mp.sin(theta) + x)
            y += -eta * (tangential * mp.cos(theta) + y)
            theta, r = mp.atan2(y, x), mp.hypot(x, y)
