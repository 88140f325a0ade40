"""The output penalty on every route: what it leaves alone, its limits, and what is refused."""

from __future__ import annotations

import warnings
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import shrinking_bias, within_bound
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.problems.multiscale.fading import FADED, fading_penalty
from teacherstudent.sims.multiscale.data import training_set
from teacherstudent.sims.multiscale.descent import faded_trajectory
from teacherstudent.theory.multiscale import asymptotic, fading, instance, landmarks
from teacherstudent.theory.multiscale.spectral_task import spectrum_of, task_of
from tests.roundings import same

EPS = np.finfo(float).eps
SHAPE = {"n": 9, "d": 6, "p": 3, "kappa": 3.0, "noise": 0.3, "ridge": 0.05, "init": 0.4}
WIDE = SHAPE | {"n": 2}
TIMES = np.array([0.0, 1.0, 7.0, 40.0])
RATE = 0.03
SEEDS = range(3)


def problem(**values):
    return PROBLEM.instance(**SHAPE | values)


def test_the_schedule_is_that_of_the_published_script():
    asked = problem(output_penalty=0.6)
    steps = np.array([0, 1, 500, 30_000])
    penalties = fading_penalty(asked, 1e-3, 100_000)
    assert same(penalties[steps], 0.6 * np.log1p(np.exp(-0.001 * steps)) / np.log(2), 8)
    assert penalties[0] == pytest.approx(0.6, rel=2 * EPS)
    assert penalties.size == round(FADED / 1e-3)
    assert fading_penalty(asked, 1e-3, 7).size == 7


@pytest.mark.parametrize("shape", [SHAPE, WIDE], ids=["tall", "wide"])
def test_simulated_steps_follow_the_gradient_of_the_penalised_loss(shape):
    """By automatic differentiation, with the penalty of each step; one step beyond the fading."""
    draws = draw(PROBLEM.instance(**shape), SEEDS)
    inputs, labels = training_set(draws)
    penalties = np.array([0.6, 0.5, 0.2])

    def loss(weights, penalty, inputs, labels):
        outputs = inputs @ weights
        squares = jnp.sum((labels - outputs) ** 2) + penalty * jnp.sum(outputs**2)
        return (squares + shape["ridge"] * jnp.sum(weights**2)) / 2

    gradient = jax.vmap(jax.grad(loss), in_axes=(0, None, 0, 0))
    steps = np.arange(5.0)
    weights = faded_trajectory(draws, steps, RATE, penalties=penalties, ridge=shape["ridge"])
    for k, penalty in enumerate([*penalties, 0.0]):
        stepped = weights[:, k] - RATE * gradient(jnp.asarray(weights[:, k]), penalty, inputs, labels)
        bound = 4 * sum(inputs.shape[1:]) * EPS * np.max(np.abs(weights))
        verdict = within_bound(weights[:, k + 1] - stepped, bound, "one rounding a term of two products")
        assert verdict.agrees, verdict


@pytest.mark.parametrize("n", [9, 4])
@pytest.mark.parametrize("kappa", [3.0, 1e4])
def test_the_contour_of_a_fading_penalty_agrees_with_the_closed_form_of_a_constant_one(n, kappa):
    """Two derivations: one contour for all times and a recursion, against shrinking and rescaling."""
    asked = problem(n=n, kappa=kappa, output_penalty=0.6)
    times = np.unique(np.rint(np.geomspace(1, 3000, 9)))
    names = ["training", "outputs", "parts"]
    closed = asymptotic.descent(asked, times, learning_rate=0.2, observable=names)
    edge = spectrum_of(asked).upper_edge()
    plain = replace(asked, output_penalty=0.0)
    filters = [(np.arange(times.size), fading.descent(asked, times, 0.2, np.full(3000, 0.6), edge))]
    stepped = asymptotic._measured(plain, task_of(plain), filters, times.size, names)
    for name, values in closed.items():
        np.testing.assert_allclose(stepped[name], values, atol=1e-11)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
@pytest.mark.parametrize(("n", "kappa"), [(100, 1.0), (999, 1e6), (1001, 50.0), (10_000, 1e6)])
def test_the_contour_of_a_fading_penalty_is_accurate_to_any_step(n, kappa, share, monkeypatch):
    """Another contour with other nodes gives the same to 1e-9, at any stable learning rate."""
    asked = PROBLEM.instance(n=n, d=1000, p=600, kappa=kappa, noise=0.3, init=0.2, output_penalty=0.6)
    rate = share * 2 / (1.6 * spectrum_of(asked).upper_edge())
    options = {"learning_rate": rate, "output_penalty_decay": 0.1, "observable": ["training", "outputs"]}
    times = np.array([1, 10, 300, 1e6, 1e10])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)  # of interpolated examples, n < d
        usual = asymptotic.descent(asked, times, **options)
        monkeypatch.setattr(fading, "GROWTH", 2.5)
        monkeypatch.setattr(fading, "ACCURACY", 1e-14)
        other = asymptotic.descent(asked, times, **options)
    assert np.all(np.isfinite(usual["excess_risk"]))
    for name, values in usual.items():
        np.testing.assert_allclose(other[name], values, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("decay", [pytest.param(0.0, marks=pytest.mark.thorough), 0.3])
def test_instance_approaches_the_limit_like_one_over_d(decay):
    values = {"kappa": 3.0, "noise": 0.5, "init": 0.3, "ridge": 0.05, "times": [1.0, 10.0, 100.0]}
    values |= {"learning_rate": 0.1, "output_penalty": 0.6, "output_penalty_decay": decay}
    values["observable"] = ["generalisation", "training", "outputs"]

    def answer(route, d, **more):
        got = run("multiscale", "descent", route, **values, n=3 * d // 2, d=d, p=3 * d // 5, **more)
        return np.concatenate([got[name].values for name in got.data_vars], axis=-1)

    draws = {10: 3000, 20: 1500, 40: 700}
    differences = [
        answer("instance", d, seeds=range(count)) - answer("asymptotic", d) for d, count in draws.items()
    ]
    assert shrinking_bias(list(draws), differences, -1).verdict(-1).agrees


def test_the_slope_of_the_penalised_risk_is_its_derivative():
    """Central difference over log s: its error is h^2/6 of the third derivative, of order one."""
    curve = landmarks.flow_curve(problem(output_penalty=0.6))
    x, h = np.log([0.5, 5.0, 500.0]), 1e-4
    difference = (curve.value(x + h) - curve.value(x - h)) / (2 * h)
    np.testing.assert_allclose(curve.slope(x), difference, atol=h**2)


def test_a_constant_penalty_removes_the_bump_when_it_is_large():
    def descents(penalty):
        return landmarks.descents(PROBLEM.instance(n=120, p=70, kappa=30.0, output_penalty=penalty))

    assert [descents(penalty) for penalty in (0.0, 0.6, 2.0)] == [2, 2, 1]


@pytest.mark.parametrize("dynamics", ["descent", "ridge"])
def test_parts_given_the_data_add_up_to_the_risk(dynamics):
    options = {"learning_rate": RATE} if dynamics == "descent" else {}
    asked = {"times": [1.0, 40.0], "seeds": SEEDS, "observable": ["parts"], **SHAPE, **options}
    answer = run("multiscale", dynamics, "instance", output_penalty=0.6, **asked)
    total = sum(answer[part].sum("scale") for part in ("bias", "variance", "start"))
    np.testing.assert_allclose(total, answer["excess_risk"], atol=64 * EPS)


def test_the_largest_penalty_sets_the_stable_learning_rate():
    stable = 2 / (1.6 * spectrum_of(problem()).upper_edge() + SHAPE["ridge"])
    asked = problem(output_penalty=0.6)
    for decay in (0.0, 0.1):
        with pytest.raises(InputError, match=f"{stable:g}"):
            asymptotic.descent(asked, TIMES, learning_rate=1.01 * stable, output_penalty_decay=decay)
        asymptotic.descent(asked, TIMES, learning_rate=0.99 * stable, output_penalty_decay=decay)


def test_after_the_fading_descent_goes_on_as_usual():
    """The instance route from a step beyond the schedule equals plain steps from where it ended."""
    draws, penalties = draw(problem(), SEEDS), np.array([0.6, 0.3])
    rule = instance.fading_rule(SHAPE["ridge"], RATE, penalties)
    late = instance.students(draws, np.array([2.0, 12.0]), rule)
    faded = draws.__class__(draws.inputs, draws.strengths, draws.teacher, draws.noise, late[:, 0])
    plain = instance.students(faded, np.array([10.0]), instance.descent_rule(SHAPE["ridge"], RATE))
    np.testing.assert_allclose(late[:, 1], plain[:, 0], atol=100 * EPS)
