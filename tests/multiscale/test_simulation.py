"""The simulation witness of the multi-scale model, judged by arithmetic and sampling alone."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.machine import cores
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.comparison import otherwise
from teacherstudent.paper_checks.judging.evidence import run_check
from teacherstudent.paper_checks.multiscale.precision import CPU, DEVICES, no_gpu
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.linear_students import training
from teacherstudent.sims.multiscale import descent as descending
from teacherstudent.sims.multiscale.data import observables, training_set
from teacherstudent.sims.multiscale.descent import curvature, descent, student_trajectory
from teacherstudent.sims.multiscale.ridge import ridge, ridge_students
from teacherstudent.sims.step_limits import STEPWISE
from tests.judged import assert_same
from tests.roundings import same, unrounded

EPS = np.finfo(float).eps
SEEDS = range(3)
TALL = {"n": 9, "d": 6, "p": 3, "kappa": 20.0, "noise": 0.3, "init": 0.5}
WIDE = TALL | {"n": 2}  # n < d/2: the gradient is computed in its other form
TIMES = np.array([0.0, 1.0, 7.0, 40.0, 3000.0])  # the last lies beyond STEPWISE
SHAPES = pytest.mark.parametrize("shape", [TALL, WIDE], ids=["tall", "wide"])


def drawn(shape):
    draws = draw(PROBLEM.instance(**shape), SEEDS)
    return draws, 1 / curvature(draws)


def hand_drawn():
    return Draws(
        inputs=np.array([[[1.0, 2.0], [0.0, 1.0]]]),
        strengths=np.array([1.0, 0.5]),
        teacher=np.array([[1.0, 1.0]]),
        noise=np.array([[0.0, 1.0]]),
        initial=np.array([[1.0, 0.0]]),
    )


def test_one_step_and_its_observables_are_those_computed_by_hand():
    # X = [[1, 1], [0, 1/2]], y = (3, 2), residual (-2, -2), gradient (-2, -3) + (1/2, 0).
    draws = hand_drawn()
    weights = student_trajectory(draws, np.array([0.0, 1.0]), 0.1, ridge=0.5)
    assert_same(weights, [[[1.0, 0.0], [1.15, 0.3]]], 4 * EPS, "a few operations on numbers near 1")
    measured = observables(draws, weights)
    for name, by_hand in {"R": 0.65, "Q": 0.6725, "excess_risk": 0.18625}.items():  # F w_hat = (1.15, 0.15)
        assert_same(measured[name][0, 1], by_hand, 8 * EPS, "a few operations on numbers near 1")


@SHAPES
def test_a_step_follows_the_automatic_gradient_of_the_summed_loss(shape):
    (draws, rates), penalty = drawn(shape), 0.2
    inputs, labels = training_set(draws)

    def loss(weights, inputs, labels):
        return (jnp.sum((labels - inputs @ weights) ** 2) + penalty * jnp.sum(weights**2)) / 2

    weights = student_trajectory(draws, np.arange(5.0), rates, ridge=penalty)
    gradient = jax.vmap(jax.grad(loss))
    for now, then in zip(weights.swapaxes(0, 1)[:-1], weights.swapaxes(0, 1)[1:], strict=True):
        stepped = now - rates[:, None] * gradient(jnp.asarray(now), inputs, labels)
        bound = 4 * sum(inputs.shape[1:]) * EPS * np.max(np.abs(weights))
        assert_same(then, stepped, bound, "one rounding a term of two products, rate times curvature <= 1")


def test_two_condition_numbers_see_common_random_numbers_and_two_seeds_do_not():
    one, other = (draw(PROBLEM.instance(**TALL | {"kappa": kappa}), SEEDS) for kappa in (1.0, 50.0))
    for name in ("inputs", "teacher", "noise", "initial"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        assert not np.any(getattr(one, name)[0] == getattr(one, name)[1])
    assert not np.array_equal(one.strengths, other.strengths)


@SHAPES
def test_the_other_recording_times_do_not_change_a_recorded_value(shape):
    draws, rates = drawn(shape)
    weights = student_trajectory(draws, TIMES, rates)
    others = student_trajectory(draws, np.array([1.0, 3.0, 7.0, 2500.0, 3000.0]), rates)
    roundings = 3000 * shape["d"]  # d a step, and no step enlarges them
    assert same(weights[:, [1, 2, 4]], others[:, [0, 2, 4]], roundings, of=np.max(np.abs(weights)))


@SHAPES
def test_composed_steps_are_the_iterated_steps_up_to_rounding(shape):
    draws, rates = drawn(shape)
    iterated = student_trajectory(draws, TIMES, rates, stepwise=3000)
    bound = TIMES[:, None] * shape["d"] * EPS * np.max(np.abs(iterated)) + EPS
    for stepwise in (0, 5, STEPWISE):
        composed = student_trajectory(draws, TIMES, rates, stepwise=stepwise)
        assert_same(composed, iterated, bound, "d roundings a step, and no step enlarges them")
    late = student_trajectory(draws, TIMES + 1, rates)
    assert not within_bound(late - iterated, bound, "one step more must show").agrees


@SHAPES
def test_the_excess_risk_is_that_of_Eq_4_2_6_in_every_draw(shape):
    for measured in (
        descent(PROBLEM.instance(**shape), TIMES, learning_rate="auto", seeds=SEEDS),
        ridge(PROBLEM.instance(**shape), TIMES[1:], seeds=SEEDS),
    ):
        combined = (1 - 2 * measured["R"] + measured["Q"]) / 2
        bound = shape["d"] * EPS * (1 + 2 * np.abs(measured["R"]) + measured["Q"])
        assert_same(measured["excess_risk"], combined, bound, "one rounding a term of three sums")
        assert measured["R"].shape == (len(SEEDS), combined.shape[1])


@SHAPES
def test_the_ridge_solution_has_no_gradient(shape):
    draws, _ = drawn(shape)
    inputs, labels = training_set(draws)
    ridges = np.array([1e-3, 0.1, 2.0])
    weights = ridge_students(draws, ridges)
    residual = np.einsum("snd,std->stn", inputs, weights) - labels[:, None, :]
    decay = ridges[:, None] * weights
    gradient = np.einsum("snd,stn->std", inputs, residual) + decay
    terms = np.einsum("snd,stn->std", np.abs(inputs), np.abs(residual) + np.abs(labels[:, None, :]))
    bound = 4 * sum(inputs.shape[1:]) ** 2 * EPS * np.max(terms + np.abs(decay))
    assert_same(gradient, 0.0, bound, "backward error of a Cholesky solution")
    assert not within_bound(gradient - decay, bound, "the ridge's own pull must show").agrees


@SHAPES
def test_a_vanishing_ridge_ends_where_descent_from_zero_ends(shape):
    problem = PROBLEM.instance(**shape | {"init": 0.0})
    draws, time = draw(problem, SEEDS), 1e8
    rates = 1 / curvature(draws)
    ended = student_trajectory(draws, TIMES * time / TIMES[-1], rates)[:, -1]
    solved = ridge_students(draws, np.array([1e-3, 0.1, 1 / time]))[:, -1]
    smallest = np.linalg.svd(training_set(draws)[0], compute_uv=False)[:, -1:] ** 2
    assert np.all(time * rates[:, None] * smallest > 40), "descent has not ended"  # exp(-40) < EPS
    size = np.linalg.norm(ended, axis=-1, keepdims=True)
    bound = size * (1 / (time * smallest) + EPS * (time + shape["d"] / smallest / rates[:, None]))
    assert_same(solved, ended, bound, "|w| ridge/smallest curvature, plus rounding of both")


def test_double_precision_is_the_default_and_single_is_possible():
    draws, rates = drawn(TALL)
    double = student_trajectory(draws, TIMES, rates)
    single = student_trajectory(draws, TIMES, rates, dtype=jnp.float32)
    assert double.dtype == np.float64
    assert single.dtype == np.float32
    coarse = (TIMES[:, None] + 1) * TALL["d"] * np.finfo(np.float32).eps * np.max(np.abs(double))
    assert_same(single, double, coarse, "d roundings a step, and no step enlarges them")
    assert not within_bound(single - double, EPS, "single precision must show").agrees


@pytest.mark.parametrize("fading", [0.0, 0.1])
def test_single_precision_is_asked_for_by_name_and_rounding_outlasts_it_earlier(fading):
    problem = PROBLEM.instance(**WIDE, output_penalty=0.2)
    times = np.append(TIMES, 2 * descending.LONGEST["float32"])

    def measured(precision):
        options = {"learning_rate": 0.1, "output_penalty_decay": fading, "precision": precision}
        return descent(problem, times, **options, seeds=SEEDS)

    double = measured("float64")
    with pytest.warns(UnconvergedWarning, match="rounding errors persist"):
        single = measured("float32")
    for name, exact in double.items():
        assert np.array_equal(np.isnan(single[name]), np.broadcast_to(times > 1e5, exact.shape))
        assert not np.array_equal(single[name][:, -2], exact[:, -2])


@pytest.mark.parametrize("in_worker", [False, True])
def test_groups_side_by_side_answer_as_one_after_the_other(
    in_worker: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multiprocessing.parent_process", lambda: in_worker or None)
    parts = [np.array([i, i + 1]) for i in range(7)]
    threads: set[int] = set()

    def work(part: np.ndarray) -> np.ndarray:
        threads.add(threading.get_ident())
        time.sleep(0.01)
        return part**2

    assert unrounded(side_by_side(work, parts), [part**2 for part in parts])
    # The first part goes alone; a worker process has one thread.
    assert len(threads) == (1 if in_worker else 1 + min(cores(), len(parts) - 1))


@pytest.mark.parametrize("fading", [0.0, 0.1])
def test_several_steps_between_two_looks_are_the_same_steps(
    fading: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a GPU: to the recorded step of no whole stride the rest is taken one by one."""
    times = np.array([0.0, 3, 8, 9, 27, 100])
    problem = PROBLEM.instance(**WIDE, output_penalty=0.2)
    options = {"learning_rate": 0.1, "output_penalty_decay": fading, "seeds": SEEDS}
    by_one = descent(problem, times, **options)
    iterated = training._iterated
    monkeypatch.setattr(training, "_iterated", lambda *own, stride, **how: iterated(*own, stride=8, **how))
    for name, found in descent(problem, times, **options).items():
        np.testing.assert_allclose(found, by_one[name], rtol=1e-12, atol=1e-14)


def test_a_device_that_computes_alike_passes_and_every_tooth_bites() -> None:
    outcome = run_check(replace(DEVICES, claim=otherwise({"route": CPU})))
    assert outcome.passed, outcome
    assert all(np.isfinite(each.resolution) for each in outcome.verdict.parts)


def test_what_a_machine_lacks_is_what_jax_does_not_find() -> None:
    assert bool(no_gpu()) == (jax.default_backend() != "gpu")
