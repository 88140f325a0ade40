"""The state evolution of convex losses, held to closed forms, to quadrature, and to the spectral tools."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, ndtr, owens_t

from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.theory.perceptron import fields, labels
from teacherstudent.theory.perceptron.asymptotic import examples
from teacherstudent.theory.perceptron.losses import LOSSES, Pulled
from teacherstudent.theory.perceptron.minimum import solve_minimum
from teacherstudent.theory.perceptron.newton import fixed_points
from teacherstudent.theory.perceptron.panels import panels
from teacherstudent.theory.perceptron.saddle import Saddle, unit_of
from tests.perceptron.test_limit import ask

ALPHAS = np.array([0.3, 1.0, 3.0, 40.0])
PLACES = [(0.8, 0.6, 0.5), (3.0, 0.05, 4.0), (40.0, 0.3, 0.3), (0.05, 1.0, 20.0)]
"""sqrt(Q), sqrt(1 - c^2 R^2) and V."""


class Squared:
    """(1 - h)^2/2 as one more loss of the same equations."""

    push = 1.0

    def pulled(self, edges: np.ndarray, V: np.ndarray) -> Pulled:
        """Everything is linear."""
        t, weight = panels(edges, edges[:, :1], edges[:, -1:])
        force = (1 - t) / (1 + V)
        return Pulled(t, weight, force, np.broadcast_to(1 / (1 + V), t.shape), force**2 / 2)


@pytest.mark.parametrize(
    "more", [{}, {"noise": 0.4}, {"kappa": 20.0, "noise": 0.3}, {"labels": "random"}], ids=str
)
@pytest.mark.parametrize("ridge", [1e-3, 2.0])
def test_least_squares_by_state_evolution_are_those_of_the_spectral_tools(
    ridge: float, more: dict[str, Any]
) -> None:
    problem = PROBLEM.instance(rule="square", ridge=ridge, **more)
    route = examples(problem, ALPHAS)
    saddle = Saddle.of(problem, Squared())
    state, found = solve_minimum(saddle, ALPHAS, ridge)
    along, across = saddle.clean * np.exp(state[:, 0]), np.exp(state[:, 1])
    assert found.all()
    np.testing.assert_allclose(along / np.hypot(along, across), route["R"], rtol=1e-11)
    np.testing.assert_allclose(along**2 + across**2, route["Q"], rtol=1e-11)
    remaining = saddle.means(state, unit_of(np.full(ALPHAS.size, ridge))).loss
    np.testing.assert_allclose(remaining, route["training_loss"], rtol=1e-11)


def moments(x: float, delta: float) -> np.ndarray:
    """Of a skew normal law below x, of order 0, 1, 2: integrated by parts."""
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    stretch = np.hypot(1, delta)
    zeroth = ndtr(x) - 2 * owens_t(x, delta)
    first = np.sqrt(2 / np.pi) * delta / stretch * ndtr(x * stretch) - 2 * density * ndtr(delta * x)
    edge = np.exp(-((x * stretch) ** 2) / 2) / np.sqrt(2 * np.pi)
    second = zeroth - 2 * x * density * ndtr(delta * x) - 2 * delta / stretch**2 * edge / np.sqrt(2 * np.pi)
    return np.array([zeroth, first, second])


def found_at(rule: str, size: float, narrow: float, V: float) -> tuple[fields.Means, float]:
    """The means there, and delta."""
    delta = np.sqrt(1 - narrow**2) / narrow
    at = (np.array([each]) for each in (size, narrow, delta, V, 1.0))
    return fields.means(LOSSES[rule], *at), delta


@pytest.mark.parametrize(("size", "narrow", "V"), PLACES)
def test_the_hinge_s_means_are_their_closed_forms(size: float, narrow: float, V: float) -> None:
    found, delta = found_at("hinge", size, narrow, V)
    below, upto = moments((1 - V) / size, delta), moments(1 / size, delta)
    between = upto - below
    polynomial = np.array([1, -2 * size, size**2]) / V**2
    near = dict(rtol=1e-9, atol=1e-11)  # closed forms lose digits
    np.testing.assert_allclose(found.force, below[0] + polynomial @ between, **near)
    np.testing.assert_allclose(found.stiffness, between[0] / V, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(found.loss, (1 - V) * below[0] - size * below[1], **near)
    low, high = (edge / size / narrow for edge in (1 - V, 1.0))
    density = [np.exp(-x * x / 2) / np.sqrt(2 * np.pi) for x in (low, high)]
    taken = ndtr(low) + ((ndtr(high) - ndtr(low)) + size * narrow * (density[1] - density[0])) / V
    np.testing.assert_allclose(found.turning, taken, **near)


@pytest.mark.parametrize(("size", "narrow", "V"), [*PLACES, (30.0, 0.8, 1e9)])
def test_the_logistic_means_are_those_of_adaptive_quadrature(size: float, narrow: float, V: float) -> None:
    found, delta = found_at("logistic", size, narrow, V)

    def prox(t: float) -> float:
        return float(brentq(lambda h: h - t - V * expit(-h), t, t + V + 1, xtol=1e-13, rtol=1e-14))

    def mean(weight: Any, of: Any) -> float:
        edges = sorted({-9.0, *(s * x for s in (narrow, 1.0) for x in (-4, -1, -0.2, 0, 0.2, 1, 4)), 9.0})
        parts = (
            quad(lambda x: weight(x) * of(prox(size * x)), low, high, epsabs=1e-13, epsrel=1e-10)[0]
            for low, high in pairwise(edges)
        )
        return sum(parts) / np.sqrt(2 * np.pi)

    def seen(x: float) -> float:
        return float(2 * np.exp(-x * x / 2) * ndtr(delta * x))

    np.testing.assert_allclose(found.force, mean(seen, lambda h: expit(-h) ** 2), rtol=1e-9)
    doubtful = mean(lambda x: np.exp(-((x / narrow) ** 2) / 2) / narrow, lambda h: expit(-h))
    np.testing.assert_allclose(found.turning, doubtful, rtol=1e-9)


@pytest.mark.parametrize("rule", LOSSES)
def test_several_strengths_are_answered_at_many_examples(rule: str) -> None:
    alphas = np.array([1e3, 2e5, 1e6])
    saddle = Saddle.of(PROBLEM.instance(rule=rule, kappa=3.0), LOSSES[rule])
    state, found = solve_minimum(saddle, alphas, 0.1)
    assert found.all()
    again = saddle.step(alphas, np.full(3, 0.1), state)
    np.testing.assert_allclose(again, state, rtol=0, atol=1e-9)
    assert np.all(np.diff(state[:, 1] - state[:, 0]) < 0)  # the angle
    alone = solve_minimum(saddle, alphas[1:2], 0.1)[0]
    np.testing.assert_allclose(alone[0], state[1], rtol=0, atol=1e-10)


@pytest.mark.parametrize("rule", LOSSES)
def test_another_start_ends_at_the_same_place(rule: str) -> None:
    saddle = Saddle.of(PROBLEM.instance(rule=rule, noise=0.3, kappa=4.0), LOSSES[rule])
    state, found = solve_minimum(saddle, ALPHAS, 0.1)
    ridges = np.full(ALPHAS.size, 0.1)
    far = np.random.default_rng(0).uniform(-2, 2, state.shape)
    again, once_more = fixed_points(lambda rows, at: saddle.step(ALPHAS[rows], ridges[rows], at), far)
    assert found.all()
    assert once_more.all()
    np.testing.assert_allclose(again, state, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("rule", LOSSES)
def test_newton_s_fixed_point_is_one_of_plain_iteration(rule: str) -> None:
    saddle = Saddle.of(PROBLEM.instance(rule=rule, noise=0.5), LOSSES[rule])
    at, ridge, state = np.array([1.0]), np.array([1.0]), np.zeros((1, 3))
    for _ in range(200):
        state = saddle.step(at, ridge, state)
    np.testing.assert_allclose(solve_minimum(saddle, at, 1.0)[0], state, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("rule", LOSSES)
def test_the_cost_is_least_in_the_ridge_s_own_direction(rule: str) -> None:
    """The least cost per input has the slope |w|^2/(2 d) over the ridge: its envelope."""
    at, step = np.array([2.0]), 1e-4
    problem = PROBLEM.instance(rule=rule, noise=0.3, ridge=0.2)

    def cost(ridge: float) -> float:
        own = replace(problem, ridge=ridge)
        answer = examples(own, at)
        return float(
            2.0 * answer["training_loss"][0] + ridge / 2 * answer["Q"][0]
        )  # one strength: |w|^2/d = Q

    slope = (cost(0.2 + step) - cost(0.2 - step)) / (2 * step)
    assert slope == pytest.approx(examples(problem, at)["Q"][0] / 2, rel=1e-6)


LEAST = 1e-15
"""A ridge of the hinge loss, which needs one, that is none to rounding."""


@pytest.mark.thorough
def test_losses_without_ridge_end_at_the_largest_stability_and_go_on_beyond() -> None:
    question: dict[str, Any] = {"noise": 1.0, "kappa": 3.0}
    alphas = [1.0, 2.5, 2.8, 30.0]
    stable = ask(alphas[:2], rule="max-stability", **question)
    for rule, least in {"logistic": 0.0, "hinge": LEAST}.items():
        free, nearly = (ask(alphas, rule=rule, ridge=ridge, **question) for ridge in (least, 1e-13))
        np.testing.assert_allclose(free["R"][:2], stable["R"], rtol=1e-12)
        np.testing.assert_array_equal(free["training_error"][:2], 0)
        assert np.all(free["training_error"][2:] > 0)
        for name in ("R", "Q", "training_loss"):
            np.testing.assert_allclose(free[name][2:], nearly[name][2:], rtol=1e-7)
    assert np.isnan(ask(alphas, rule="logistic", ridge=0.0, **question)["Q"]).tolist() == [
        True,
        True,
        False,
        False,
    ]
    hinge = ask(alphas[:2], rule="hinge", ridge=LEAST, **question)
    np.testing.assert_allclose(hinge["Q"], 1 / stable["margin"] ** 2, rtol=1e-8)


def test_what_the_noise_is_to_a_label() -> None:
    problem = PROBLEM.instance(rule="hebb", noise=1e-9)
    assert labels.unclear(problem) == pytest.approx(1e-9, rel=1e-15)
    delta = labels.skew(problem, np.array([1.0]), np.array([0.0]))
    assert delta[0] == pytest.approx(1e9, rel=1e-14)
