"""The simulated students of gradient starvation do what gradient descent and ascent do, step by step."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.problems.starvation import PROBLEM
from teacherstudent.sims.starvation import objectives, paths, small_steps
from teacherstudent.sims.starvation.dynamics import DYNAMICS
from teacherstudent.sims.starvation.objectives import Features
from teacherstudent.sims.starvation.slopes import response_slopes
from tests.judged import assert_same

EPS = np.finfo(float).eps
NAMES = list(DYNAMICS)
TWO = PROBLEM.instance(s1=4.0, s2=2.0, delta=0.5, ridge=0.5)
OTHER = PROBLEM.instance(s1=1.0, s2=3.0, delta=-0.3, ridge=0.2)
ALPHA0, SHIFT = 0.2, 0.3
END = 400.0
"""Every rate of TWO is at least its ridge or 1/ridge: exp(-END/2) is far below rounding."""
RATE = 1 / 64
"""A step far below every inverse curvature of TWO, unless a test says otherwise."""


def starts(name):
    return {"alpha0": ALPHA0 if DYNAMICS[name].dual else 1e-8} | (
        {"shift": SHIFT} if name.endswith("decoupled") else {}
    )


def trained(problems, name, times, learning_rate=RATE):
    return paths.paths(problems, name, np.array(times), learning_rate=learning_rate, **starts(name))


def velocity_by_hand(name, state, problem):
    """The declaration's own words, in NumPy."""
    U, s, ridge = problem.U, problem.s, problem.ridge
    gram = U @ np.diag(s**2) @ U.T
    if name == "mirror":
        return gram @ (1 / (1 + np.exp(state))) - ridge * state
    if name == "dual":
        return np.log((1 - state) / state) - gram @ state / ridge
    if name == "decoupled":
        return np.log((1 - state) / state) - SHIFT - state / ridge
    design = U @ np.diag(s)
    m = design @ state
    pull = 1 / (1 + np.exp(m))
    if name == "primal":
        return design.T @ pull - ridge * state
    return design.T @ (pull - ridge * (m - SHIFT))


def margins_by_hand(name, state, problem):
    U, s, ridge = problem.U, problem.s, problem.ridge
    return {
        "mirror": lambda: state,
        "dual": lambda: U @ np.diag(s**2) @ U.T @ state / ridge,
        "decoupled": lambda: SHIFT + state / ridge,
    }.get(name, lambda: U @ (s * state))()


@pytest.mark.parametrize("name", NAMES)
def test_two_and_a_half_steps_are_those_computed_by_hand(name):
    state = np.full(2, ALPHA0 if DYNAMICS[name].dual else 0.0)
    states = [state]
    for part in (1.0, 1.0, 0.5):
        states.append(states[-1] + part * RATE * velocity_by_hand(name, states[-1], TWO))
    expected = [TWO.U.T @ margins_by_hand(name, state, TWO) for state in states[1:]]
    z = trained([TWO], name, [RATE, 2 * RATE, 2.5 * RATE])[0]
    assert_same(z, expected, 200 * EPS, "a few dozen roundings of numbers below 10")


def features_of(problem):
    return Features(problem.U, problem.s, problem.ridge, SHIFT)


@pytest.mark.parametrize(
    ("name", "objective", "sign"),
    [
        ("primal", objectives.ridge_loss, -1),
        ("primal-decoupled", objectives.decoupled_loss, -1),
        ("dual", objectives.ridge_dual, 1),
        ("decoupled", objectives.decoupled_dual, 1),
    ],
)
def test_the_steps_go_along_the_finite_differences_of_the_objective(name, objective, sign):
    state, h, features = np.array([0.3, 0.6]), 1e-4, features_of(OTHER)
    nearby = [(state + h * unit, state - h * unit) for unit in np.eye(2)]
    slope = [(objective(more, features) - objective(less, features)) / (2 * h) for more, less in nearby]
    bound = h**2 * 20 + 40 * EPS / h
    reason = "h^2/6 third derivatives below 120, and rounding/h"
    assert_same(velocity_by_hand(name, state, OTHER), sign * np.array(slope), bound, reason)


def test_the_mirror_ascends_the_dual_in_the_entropy_metric():
    alpha = np.array([0.3, 0.6])
    natural = OTHER.ridge * alpha * (1 - alpha) * velocity_by_hand("dual", alpha, OTHER)
    in_margins = -natural / (alpha * (1 - alpha))  # m = log((1-alpha)/alpha)
    velocity = velocity_by_hand("mirror", np.log((1 - alpha) / alpha), OTHER)
    assert_same(velocity, in_margins, 100 * EPS, "a few dozen roundings of numbers below 10")


def test_the_mirror_takes_the_steps_of_primal_descent():
    times = [RATE, 1.0, 8.0]
    mirror, primal = (trained([TWO], name, times) for name in ("mirror", "primal"))
    assert_same(mirror, primal, 512 * 10 * EPS, "ten roundings a step, which no step enlarges")


def test_all_dynamics_of_a_loss_end_together_where_its_gradient_vanishes():
    for names in (("primal", "mirror", "dual"), ("primal-decoupled", "decoupled")):
        ends = np.stack([trained([TWO], name, [0.1, 1.0, END])[0, -1] for name in names])
        assert_same(ends, ends[0], 1e-11, "a step's rounding over FRACTION and the rates' ratio")
        gradient = velocity_by_hand(names[0], ends[0] / TWO.s, TWO)
        assert_same(gradient, 0.0, 1e-11, "the same")
        early = trained([TWO], names[0], [0.1, 1.0, END])[0, -2]
        assert not within_bound(early - ends[0], 1e-3, "an early student must show").agrees


@pytest.mark.parametrize("name", ["primal", "dual"])
def test_halved_steps_halve_the_distance_to_the_flow(name):
    rates = np.array([1 / 128, 1 / 256, 1 / 512, 1 / 1024]) / (8 if name == "dual" else 1)
    z = np.stack([trained([TWO], name, [0.0, 0.25, 0.5], rate)[0, 1:] for rate in rates])
    changes = np.abs(z[:-1] - z[1:]).max(axis=(1, 2))
    assert at_rate(rates[:-1], changes, 1.0, slack=0.1).agrees  # steps up to 1/8 of the inverse curvature


@pytest.mark.parametrize("name", ["primal", "dual"])
def test_automatic_steps_follow_the_flow_to_the_same_end(name):
    fine = RATE / 64
    times = [fine * 64, fine * 256, END]
    automatic = trained([TWO], name, times, "auto")
    followed = trained([TWO], name, [*times[:2], times[1] + fine], fine)
    assert_same(automatic[0, :2], followed[0, :2], small_steps.FRACTION, "first order, z below 2")
    assert_same(automatic[0, 2], trained([TWO], name, times)[0, 2], 1e-11, "rounding over FRACTION and rates")


def test_a_state_of_which_one_entry_leaves_its_domain_is_nan_as_a_whole():
    """Recorded within the step that leads out, where the state itself is still finite."""
    above_zero = small_steps.Motion(lambda state, _: jnp.log(state), lambda *_: jnp.ones(()))
    initial, times = jnp.array([0.5, 4.0]), jnp.array([0.5, 0.9])  # 0.5 + 0.9 log 0.5 < 0
    states = small_steps.follow(above_zero, None, initial, times, jnp.ones(()))
    assert np.array_equal(np.isnan(states), [[False] * 2, [True] * 2])


def test_paths_of_too_many_steps_are_nan_with_a_warning(monkeypatch):
    monkeypatch.setattr(small_steps, "MOST", 100)
    three = {
        "strengths": (3.0, 2.0, 1.0),
        "vectors": np.eye(3),
    }  # a shape of its own: compiled now
    with pytest.warns(UnconvergedWarning, match="too many"):
        z = run("starvation", "mirror", "simulation", [0.5, 2.5], **three, learning_rate=RATE).z
    assert z.dims == ("time", "feature")
    assert np.array_equal(np.isnan(z), [[False] * 3, [True] * 3])


def test_slopes_of_trained_students_are_those_of_coarser_differences():
    slopes = response_slopes([TWO], "mirror", END)
    h = 1e-2
    for i, changed in enumerate(
        [{"s1": np.sqrt(16 + h), "s2": 2.0}, {"s1": 4.0, "s2": np.sqrt(4 + h)}],
    ):
        problem = PROBLEM.instance(**changed, delta=0.5, ridge=0.5)
        end, base = (trained([each], "mirror", [0.1, 1.0, END])[0, -1] for each in (problem, TWO))
        assert_same(slopes[0, :, i], (end - base) / h, h, "a one-sided difference, curvature below 2")
    assert slopes[0, 0, 0] > 0.0 > slopes[0, 1, 0], "feature 1 grows and starves feature 2"
    assert slopes.shape == (1, 2, 2)
