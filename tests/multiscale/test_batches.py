"""Stochastic gradient descent of drawn students, judged by plain loops, counts and arithmetic alone."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import jax
import numpy as np
import pytest
from scipy import stats

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound, within_errors
from teacherstudent.problems.batches import FRESH, REPLACEMENT, RESHUFFLED
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.sims.linear_students import sgd as kit
from teacherstudent.sims.multiscale import sgd as training
from teacherstudent.sims.multiscale.data import training_set
from teacherstudent.sims.multiscale.descent import curvature, descent
from teacherstudent.sims.multiscale.sgd import sgd
from tests.roundings import copied

EPS = np.finfo(float).eps
SEEDS = range(3)
SMALL = {"n": 5, "d": 3, "p": 2, "kappa": 4.0, "noise": 0.3, "init": 0.5, "ridge": 0.2, "output_penalty": 0.1}
RATE = 0.1
thorough = pytest.mark.thorough
every_kind = pytest.mark.parametrize(
    "data", [FRESH, pytest.param(REPLACEMENT, marks=thorough), pytest.param(RESHUFFLED, marks=thorough)]
)


def students(times: Any, batch: int, data: str, n: int = 5) -> np.ndarray:
    """Weights (S, T, d) at a fixed rate."""
    problem = PROBLEM.instance(**SMALL | {"n": n})
    draws = draw(problem, SEEDS)
    inputs, labels = training_set(draws)
    source = training.law(problem, draws) if data == FRESH else kit.Examples(inputs, labels[..., None])
    how = kit.rule(len(SEEDS), RATE, n, batch, problem.ridge, problem.output_penalty)
    start = draws.initial[..., None]
    return kit.train_on_batches(source, start, how, np.asarray(times), SEEDS, batch=batch, data=data)[..., 0]


def choices(now: np.ndarray, then: np.ndarray, batch: int) -> list[tuple[int, ...]]:
    """Of one draw, the batch by which each step came about, from weights (T, d) before and after it."""
    problem = PROBLEM.instance(**SMALL)
    (inputs,), (labels,) = training_set(draw(problem, [0]))
    sets = [*combinations(range(problem.n), batch)]
    missed = (1 + problem.output_penalty) * now @ inputs.T - labels  # (T, n)
    pulls = np.stack([missed[:, each] @ inputs[[*each]] for each in sets])  # (sets, T, d)
    stepped = now - RATE * (problem.n / batch * pulls + problem.ridge * now)
    off = np.abs(stepped - then).max(axis=-1)
    assert within_bound(off.min(axis=0), 1e3 * EPS, "some 20 operations on numbers below 10").agrees
    assert np.sort(off, axis=0)[1].min() > 1e6 * EPS  # no two batches give the same step
    return [sets[place] for place in off.argmin(axis=0)]


@pytest.mark.parametrize("batch", [pytest.param(1, marks=thorough), 2, pytest.param(4, marks=thorough)])
def test_each_step_is_that_of_a_batch_and_all_batches_are_drawn_as_often(batch: int) -> None:
    weights = students(np.arange(3001), batch, REPLACEMENT)[0]
    drawn = choices(weights[:-1], weights[1:], batch)
    sets = [*combinations(range(5), batch)]
    counts = np.array([drawn.count(each) for each in sets])
    assert stats.chisquare(counts).pvalue > 1e-6
    assert stats.chisquare(counts + 200 * (np.arange(len(sets)) == 0)).pvalue < 1e-6  # the test can fail
    pairs = np.array([[one == other for other in sets] for one in drawn], dtype=float)
    following = pairs[:-1].T @ pairs[1:]  # a batch does not depend on the one before
    assert stats.chi2_contingency(following).pvalue > 1e-6


@pytest.mark.parametrize("batch", [pytest.param(1, marks=thorough), 2])
def test_an_epoch_of_reshuffled_data_uses_no_example_twice_and_every_order_comes(batch: int) -> None:
    length = 5 // batch
    weights = students(np.arange(400 * length + 1), batch, RESHUFFLED)[0]
    epochs = np.array(choices(weights[:-1], weights[1:], batch)).reshape(400, -1)
    assert all(len({*epoch}) == length * batch for epoch in epochs.tolist())
    counts = [np.bincount(place, minlength=5) for place in epochs.T]
    if batch == 1:
        assert stats.chisquare(counts, axis=1).pvalue.min() > 1e-6
    assert stats.chisquare(np.sum(counts, axis=0)).pvalue > 1e-6  # left out as often as others


def test_many_places_are_drawn_without_repetition_and_evenly() -> None:
    for batch in (3, 20):  # by either way
        keys = jax.random.split(jax.random.key(1), 600)
        drawn = np.array(jax.vmap(lambda key, size=batch: kit.without_repetition(key, 30, size))(keys))
        assert (np.diff(np.sort(drawn, axis=1)) > 0).all()
        assert stats.chisquare(np.bincount(drawn.ravel(), minlength=30)).pvalue > 1e-6


@pytest.mark.parametrize("data", [REPLACEMENT, pytest.param(RESHUFFLED, marks=thorough)])
def test_a_batch_of_all_examples_is_gradient_descent(data: str) -> None:
    problem = PROBLEM.instance(**SMALL)
    times = np.array([0.0, 1.0, 40.0])
    rate = 1 / float(curvature(draw(problem, SEEDS)).max())
    own = sgd(problem, times, learning_rate=rate, batch=5, data=data, seeds=SEEDS, observable=("parts",))
    full = descent(problem, times, learning_rate=rate, seeds=SEEDS, observable=("parts",))
    for name, values in full.items():
        assert within_bound(own[name] - values, 1e3 * EPS, "40 steps that enlarge no rounding").agrees, name


def test_the_first_step_on_fresh_examples_has_the_moments_of_the_law() -> None:
    """From weights 0 a step is eta n/b sum y x; E[y x] = sigma w/d and E[y^2] = 1 + noise^2."""
    problem = PROBLEM.instance(**SMALL | {"init": 0.0})
    seeds, batch = range(4000), 2
    draws = draw(problem, [0])
    same = draws.__class__(*(np.broadcast_to(each, (4000, *each.shape[1:])) if each.ndim > 1 else each
                             for each in vars(draws).values()))  # fmt: skip
    how = kit.rule(4000, RATE, problem.n, batch, problem.ridge)
    start = np.zeros((4000, 3, 1))
    law = training.law(problem, same)
    steps = kit.train_on_batches(law, start, how, np.ones(1), seeds, batch=batch, data=FRESH)[:, 0, :, 0]
    steps /= RATE * problem.n
    expected = draws.strengths * draws.teacher[0] / 3
    assert within_errors(steps.mean(axis=0), expected, steps.std(axis=0) / np.sqrt(4000)).agrees
    assert not within_errors(steps.mean(axis=0), 1.2 * expected, steps.std(axis=0) / np.sqrt(4000)).agrees
    squares = steps**2  # Wick: E[(y x)^2] = E[y^2] E[x^2] + 2 E[y x]^2, and b of them are averaged
    powers = draws.strengths**2 / 3 * (1 + 0.3**2)
    second = ((powers + 2 * expected**2) + (batch - 1) * expected**2) / batch
    error = squares.std(axis=0) / np.sqrt(4000)
    assert within_errors(squares.mean(axis=0), second, error).agrees
    assert not within_errors(squares.mean(axis=0), second - expected**2 / batch, error).agrees


@every_kind
def test_neither_other_recording_times_nor_other_blocks_change_a_recorded_value(
    data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = students([2.0, 13.0], 2, data)
    monkeypatch.setattr(kit, "BLOCK", 18)  # numbers: blocks of three steps, or nine, are as good as one
    more = students([0.0, 1.0, 2.0, 9.0, 13.0, 20.0], 2, data)
    assert within_bound(some - more[:, [2, 4]], 100 * EPS, "13 steps in other groups").agrees
    assert copied(more[:, 0], draw(PROBLEM.instance(**SMALL), SEEDS).initial)


@thorough
@pytest.mark.parametrize("data", [FRESH, REPLACEMENT, RESHUFFLED])
def test_students_of_the_causes_alone_add_up(data: str) -> None:
    problem = PROBLEM.instance(**SMALL)
    times = np.array([0.0, 3.0, 200.0])
    seeds = range(400)
    answer = sgd(problem, times, learning_rate=RATE, batch=2, data=data, seeds=seeds, observable=("parts",))
    parts = sum(answer[name].sum(axis=-1) for name in ("bias", "variance", "start"))
    off = answer["excess_risk"] - parts  # cross terms, of mean 0
    assert within_errors(off.mean(axis=0), 0.0, off.std(axis=0) / np.sqrt(400)).agrees


@every_kind
def test_the_automatic_rate_of_single_examples_converges(data: str) -> None:
    """So many directions of equal strength that the noise of a batch, not the curvature, bounds the rate."""
    problem = PROBLEM.instance(n=60, d=30, p=30, noise=0.1)
    times, kept = np.array([0.0, 400.0]), {"batch": 1, "data": data, "seeds": range(8)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = sgd(problem, times, learning_rate="auto", **kept)
    assert answer["excess_risk"][:, 1].mean() < answer["excess_risk"][:, 0].mean()
    edge = 60 / 30 * (1 if data == FRESH else (1 + np.sqrt(0.5)) ** 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        unsafe = sgd(problem, times, learning_rate=1 / edge, **kept)["excess_risk"][:, 1]
    assert not (unsafe < 1e3).any()


@pytest.mark.parametrize(
    ("route", "data"),
    [
        ("asymptotic", FRESH),
        ("asymptotic", REPLACEMENT),
        ("instance", REPLACEMENT),
        pytest.param("simulation", FRESH, marks=thorough),
        pytest.param("simulation", REPLACEMENT, marks=thorough),
    ],
)
def test_the_automatic_rate_counts_the_output_penalty(route: str, data: str) -> None:
    """A penalty a makes steps 1 + a times as large of a student 1/(1 + a) as long."""
    asked = {"n": 12, "d": 8, "p": 8, "noise": 0.3, "init": 0.0, "batch": 2, "data": data}
    asked |= {} if route == "asymptotic" else {"seeds": SEEDS}
    plain, penalised = (
        run("multiscale", "sgd", route, [0, 3, 30], learning_rate="auto", output_penalty=penalty, **asked)
        for penalty in (0.0, 3.0)
    )
    for name, power in (("R", 1), ("Q", 2)):
        off = 4**power * penalised[name].values - plain[name].values
        assert within_bound(off, 1e5 * EPS, "30 steps of numbers below 10, and a contour").agrees, name
