"""The equations of all overlaps: printed sums, closed forms, symmetries, paths that are hard to follow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import teacherstudent
from teacherstudent.house.errors import InputError
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.problems.committee.instance import Committee
from teacherstudent.theory.committee import integration, ode, perceptron, routes
from teacherstudent.theory.committee.moments import OF
from teacherstudent.theory.committee.ode import State
from teacherstudent.theory.committee.plateau import plateau
from tests.committee.loops import slopes
from tests.roundings import repeated, unrounded

CASE: dict[str, Any] = {
    "width": 3,
    "teacher_width": 2,
    "teacher_overlaps": [[1, 0.3], [0.3, 0.8]],
    "initial_overlaps": [[0.2, -0.1], [0.1, 0.3], [-0.2, 0.05]],
    "student_overlaps": [[0.5, 0.1, 0], [0.1, 0.6, -0.05], [0, -0.05, 0.4]],
    "initial_second_layer": (1, 0.7, -0.5),
    "teacher_second_layer": (1, -0.8),
    "learning_rate": 0.6,
    "second_layer_learning_rate": 0.4,
    "noise": 0.3,
    "weight_decay": 0.1,
    "second_layer_weight_decay": 0.05,
}
TIMES = np.array([1.0, 8.0])
EPS = float(np.finfo(float).eps)


def case(**changes: Any) -> Committee:
    return PROBLEM.instance(**{**CASE, **changes})


def test_a_case_with_everything_has_the_values_of_a_third_program() -> None:
    """Five digits of an integration in small steps, which training at d = 400 confirmed."""
    path = ode.solve(case(), TIMES)
    found = np.stack([path.excess_risk, path.R[:, 0, 0], path.Q[:, 0, 0]])
    assert np.abs(found.T - [[0.14256, 0.24508, 0.41819], [0.03477, 0.32240, 0.28860]]).max() <= 0.6e-5


@pytest.mark.parametrize("activation", ["erf", "linear"])
def test_slopes_are_those_of_loops_over_the_printed_sums(activation: str) -> None:
    problem = case(activation=activation)
    found, expected = ode.right_hand_side(problem, ode.start(problem)), slopes(problem, ode.start(problem))
    for name, values in vars(expected).items():
        np.testing.assert_allclose(getattr(found, name), values, rtol=0, atol=1e-14)


@pytest.mark.parametrize("activation", ["erf", pytest.param("relu", marks=pytest.mark.thorough)])
def test_the_solver_is_as_accurate_as_its_route_declares(activation: str) -> None:
    """Beside an explicit method of eighth order at a thousandth of the tolerance."""
    problem = case(activation=activation)
    whole = ode.reduced(problem, ode.start(problem))
    solved = solve_ivp(
        lambda _, y: whole.field(y),
        (0, 8),
        whole.packed(whole.begun),
        "DOP853",
        TIMES,
        rtol=1e-12 if activation == "erf" else 1e-9,
        atol=1e-14,
    )
    path = ode.solve(problem, TIMES)
    for at, y in enumerate(solved.y.T):
        for name, values in vars(whole.unpacked(y)).items():
            assert np.max(np.abs(getattr(path, name)[at] - values)) <= 1e-8


@pytest.mark.parametrize("activation", ["erf", "relu", "linear"])
def test_the_teacher_stays_itself_without_noise(activation: str) -> None:
    T = np.array([[1.0, 0.3], [0.3, 0.8]])
    problem = PROBLEM.instance(
        learning_rate=0.5, activation=activation, teacher_overlaps=T, initial_overlaps=T, student_overlaps=T
    )
    path = ode.solve(problem, np.array([1.0, 1e3, 1e12]))
    assert not path.status.lost.any()
    assert np.max(np.abs(path.R - T)) <= 1e-12
    assert np.max(path.excess_risk) <= 1e-12


def test_linear_units_do_not_drift_where_slopes_are_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """All move along one vector, by v_i: whatever order a processor sums in, nothing moves across it."""
    third, rng = OF["linear"].third, np.random.default_rng(0)

    def elsewhere(*given: Any) -> np.ndarray:
        exact = third(*given)
        return exact * (1 + EPS * rng.integers(-1, 2, exact.shape))

    monkeypatch.setattr(OF["linear"], "third", elsewhere)
    T, v = np.array([[1.0, 0.3, 0.1], [0.3, 0.8, 0.2], [0.1, 0.2, 0.9]]), np.array([1, 0.7, -0.5])
    problem = PROBLEM.instance(
        width=3,
        teacher_width=3,
        activation="linear",
        teacher_overlaps=T,
        initial_second_layer=v,
        teacher_second_layer=v,
    )
    whole = ode.reduced(problem, State(T, T, v))
    slopes = whole.unpacked(whole.field(whole.packed(whole.begun)))
    across = np.array([0.7, -1.0, 0.0])
    assert 0 < np.max(np.abs(slopes.R)) < 1e-14
    assert np.max(np.abs(across @ slopes.R)) <= 16 * EPS * np.max(np.abs(slopes.R))
    assert abs(across @ slopes.Q @ across) <= 16 * EPS * np.max(np.abs(slopes.Q))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_pair_of_layers_may_change_its_place_and_its_sign(sign: int) -> None:
    order, signs = [2, 0, 1], np.array([1, sign, 1])
    first = ode.start(case())
    other = State(
        first.R[order] * signs[:, None],
        first.Q[np.ix_(order, order)] * np.outer(signs, signs),
        first.second_layer[order] * signs,
    )
    one, two = ode.solve(case(), TIMES), ode.solve(case(), TIMES, other)
    np.testing.assert_allclose(two.excess_risk, one.excess_risk, rtol=1e-8)
    np.testing.assert_allclose(two.R, one.R[:, order] * signs[:, None], atol=1e-8)


def test_linear_units_are_one_perceptron_at_the_sum_of_their_rates() -> None:
    problem = case(activation="linear", second_layer_learning_rate=0, second_layer_weight_decay=0)
    v, v_ = np.array(problem.second_layer), np.array(problem.teacher_second_layer)
    path = ode.solve(problem, TIMES)
    R, Q, T = v @ path.R @ v_, path.Q @ v @ v, v_ @ np.array(problem.T) @ v_
    one = PROBLEM.instance(
        width=1,
        teacher_width=1,
        activation="linear",
        learning_rate=problem.learning_rate * v @ v,
        noise=problem.noise / math.sqrt(T),
        weight_decay=problem.weight_decay,
    )
    start = ode.start(problem)
    R1, Q1 = perceptron.limit(one, TIMES, v @ start.R @ v_ / T, v @ start.Q @ v / T)
    np.testing.assert_allclose([R, Q], [R1 * T, Q1 * T], rtol=1e-8)


def test_the_mean_of_one_linear_unit_comes_to_its_limit_as_one_over_d() -> None:
    off = []
    for d in (50, 100, 200):
        one = PROBLEM.instance(
            width=1, teacher_width=1, activation="linear", d=d, learning_rate=0.7, noise=0.3, weight_decay=0.2
        )
        at = 2 * d
        limits = perceptron.limit(one, np.array([2.0]), 0.1, 0.3)
        off.append(
            [
                mean[at] - limit[0]
                for mean, limit in zip(perceptron.mean(one, at, 0.1, 0.3), limits, strict=True)
            ]
        )
    ratios = np.abs(np.array(off)[:-1] / np.array(off)[1:])
    assert np.max(np.abs(ratios - 2)) <= 0.05
    assert perceptron.largest_rate(0.2) == pytest.approx(1 + math.sqrt(1.4))


def test_what_is_not_alike_is_refused() -> None:
    for changes, said in (
        ({"teacher_width": 1}, "--teacher-width 1: must be 2, equal to --width"),
        ({"teacher_overlaps": [[1, 0.1], [0.1, 1]]}, "--teacher-overlaps 1,0.1;0.1,1: must be the identity"),
        ({"second_layer_learning_rate": 0.1}, "--second-layer-learning-rate 0.1: must be 0"),
        ({"initial_second_layer": (1, 2)}, "--initial-second-layer 1,2: must be 1 for all"),
        ({"initial_overlaps": [[0.1, 0], [0, 0.2]]}, "--initial-overlaps 0.1,0;0,0.2: must be one number"),
    ):
        with pytest.raises(InputError) as caught:
            routes.symmetric(PROBLEM.instance(**changes), TIMES)
        assert said in str(caught.value)
    with pytest.raises(InputError, match="222 overlaps differ"):
        ode.solve(PROBLEM.instance(width=12, teacher_width=12), TIMES, _unlike(12))


def _unlike(K: int) -> State:
    w = np.random.default_rng(0).standard_normal((K, 2 * K)) / 5
    return State(w[:, :K], w @ w.T, np.ones(K))


def test_students_that_know_nothing_stay_on_the_plateau_for_ever() -> None:
    """Rounding, which would let them escape after some hundred units of time, is kept out."""
    path = ode.solve(PROBLEM.instance(start="random", learning_rate=1.5), np.array([1e3, 1e6, 1e12]))
    assert np.ptp(path.R) == 0
    assert path.R[-1, 0, 0] == pytest.approx(0.45378, abs=1e-5)


@pytest.mark.thorough
@pytest.mark.parametrize("route", [routes.asymptotic, routes.symmetric])
def test_the_plateau_is_as_much_longer_as_its_escape_takes(route: Any) -> None:
    """By log(ratio of overlaps)/escape rate, to the accuracy that is declared, however small they are."""
    later = math.log(1e3) / plateau(2, 1.5).escape_rate
    times = np.linspace(320, 420, 5)
    first, second = (
        route(PROBLEM.instance(learning_rate=1.5, overlap=overlap), times + wait)
        for overlap, wait in ((1e-12, 0.0), (1e-15, later))
    )
    assert np.ptp(first["excess_risk"]) > 0.03
    for name in ("R", "Q", "excess_risk"):
        np.testing.assert_allclose(second[name], first[name], rtol=0, atol=1e-7)


@pytest.mark.thorough
def test_differences_of_many_units_grow_from_whatever_they_are() -> None:
    """Small ones in all directions: ten thousand times as small, they do the same later."""
    way = np.random.default_rng(0).uniform(-1, 1, (3, 3))
    base = PROBLEM.instance(width=3, teacher_width=3, learning_rate=0.9, overlap=0.0)
    later = math.log(1e4) / plateau(3, 0.9).escape_rate
    first, second = (
        ode.solve(replace(base, R0=tuple(map(tuple, size * way))), np.array([400.0, 600.0, 700.0]) + wait)
        for size, wait in ((1e-8, 0.0), (1e-12, later))
    )
    assert np.ptp(first.excess_risk) > 0.02
    np.testing.assert_allclose(second.R, first.R, rtol=0, atol=2e-7)


LATE: dict[str, Any] = dict(problem="committee", dynamics="online", times=[300.0], learning_rate=1.5)


@pytest.mark.thorough
def test_a_draw_of_start_exact_is_the_limit() -> None:
    exact = teacherstudent.curve(route="asymptotic", **LATE)
    drawn = teacherstudent.sample(route="instance", seeds=2, **LATE)
    assert np.ptp(drawn["R"].values, axis=0).max() == 0
    assert repeated(drawn["R"].values[0], exact["R"].values)


@pytest.mark.thorough
def test_draws_of_start_random_escape() -> None:
    risks = teacherstudent.sample(route="instance", seeds=2, start="random", d=100, **LATE)["excess_risk"]
    assert (risks < 1e-6).all()


def test_slopes_do_not_depend_on_how_fourth_moments_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = case()
    whole = ode.right_hand_side(problem, ode.start(problem))
    monkeypatch.setattr(ode, "TOGETHER", 30)
    split = ode.right_hand_side(problem, ode.start(problem))
    assert all(np.allclose(vars(whole)[name], vars(split)[name], 0, 1e-14) for name in vars(whole))


def test_every_pair_is_in_the_orbit_of_its_own_exchange() -> None:
    """Three extra units of no overlap are alike; a unit with another second layer is not."""
    problem = PROBLEM.instance(width=5, teacher_width=2)
    start = ode.start(problem)
    at = ode.orbits(ode.covariance(problem, start), start.second_layer, np.ones(2))
    assert (len(at.R_at), len(at.Q_at), len(at.v_at)) == (3, 5, 2)
    assert len({int(at.Q[i, j]) for i, j in itertools.permutations((2, 3, 4), 2)}) == 1
    odd = replace(start, second_layer=np.array([1, 1, 1, 1, 2.0]))
    at = ode.orbits(ode.covariance(problem, odd), odd.second_layer, np.ones(2))
    assert at.Q[2, 3] != at.Q[2, 4]
    assert unrounded(at.v, [0, 0, 1, 1, 2])


@pytest.mark.parametrize(("beyond", "risk"), [(0.0, 0.0), (1e-10, 0.0), (1e-3, math.nan)])
def test_a_risk_below_zero_is_zero_only_within_rounding(beyond: float, risk: float) -> None:
    """Overlaps of no student at all: R^2 > Q, of one unit that is the teacher but for that."""
    problem = PROBLEM.instance(width=1, teacher_width=1, activation="linear")
    state = State(np.array([[1.0 + beyond]]), np.array([[1.0]]), np.ones(1))
    assert ode.unclipped_risk(problem, state) == pytest.approx(-beyond, abs=1e-12)
    assert unrounded(ode.excess_risk(problem, state), risk)


BRIEF = integration.Patience(1e-10, 1_000)


def power_and_decay(y: np.ndarray) -> np.ndarray:
    """Slopes of x = (1 + t)^(1/3), and of z = x + e^-t."""
    slope = 1 / (3 * y[0] ** 2)
    return np.array([slope, slope - (y[1] - y[0])])


def test_implicit_steps_follow_a_known_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integration, "EXPLICIT", 0.0)
    times = np.array([0.0, 1.0, 1e2, 1e4])
    found, status = integration.integrate(
        power_and_decay,
        np.array([1.0, 2.0]),
        times,
        integration.Patience(1e-10, 3_000),
        np.zeros(2, dtype=bool),
    )
    x = (1 + times) ** (1 / 3)
    exact = np.stack([x, x + np.exp(-times)], axis=1)
    assert status.why == ""
    assert np.max(np.abs(found - exact) / x[:, None]) < integration.ACCURACY


@pytest.mark.thorough
def test_weights_that_grow_as_a_power_of_time_are_followed_far() -> None:
    """In one go, and begun again on the way, with other steps."""
    problem = PROBLEM.instance(width=3, teacher_width=3, learning_rate=2.25, overlap=0.0)
    whole = ode.solve(problem, np.array([1e4, 1e6]))
    middle = ode.State(whole.R[0], whole.Q[0], whole.second_layer[0])
    rest = ode.solve(problem, np.array([1e6 - 1e4]), middle)
    largest = whole.Q[1, 0, 0]
    assert largest > 10 * whole.Q[0, 0, 0] > 1000
    for one, other in ((whole.R[1], rest.R[0]), (whole.Q[1], rest.Q[0])):
        assert np.max(np.abs(one - other)) < 2 * integration.ACCURACY * largest


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (lambda y: y, "training diverges, its overlaps have grown"),
        (lambda y: y**2, "training diverges, its overlaps have grown"),
        (lambda y: 1 / y, "the weights grow ever more slowly, their overlaps have grown"),
    ],
    ids=["exponential", "finite time", "power"],
)
def test_a_path_that_breaks_says_how_it_grows(field: Callable[[np.ndarray], np.ndarray], why: str) -> None:
    _, status = integration.integrate(
        field, np.array([1.0]), np.array([1e12]), BRIEF, np.zeros(1, dtype=bool)
    )
    assert status.why.startswith(f"result uncertain from time 1e+12 on: {why}")
