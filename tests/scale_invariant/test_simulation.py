"""Simulated training of scale-invariant weights: it is what the problem says, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np
import pytest

from teacherstudent.paper_checks.judging.agreement import at_rate, within_errors
from teacherstudent.problems.scale_invariant import (
    PROBLEM,
    SCHEMES,
    ScaleInvariant,
    draw_samples,
    draw_start,
)
from teacherstudent.sims.scale_invariant import flow as flow_module
from teacherstudent.sims.scale_invariant import training
from teacherstudent.sims.scale_invariant.descent import descent
from teacherstudent.sims.scale_invariant.flow import flow
from teacherstudent.sims.scale_invariant.online import online
from tests.roundings import same

STEPS = np.arange(13.0)
SEED = 5
SMALL: dict[str, Any] = {"d": 5, "learning_rate": 0.1, "angle0": 2.0, "teacher": "random", "beta2": 0.9}
POPULATION: dict[str, Any] = {"data": "population", "n": 1, "batch": 1, "noise": 0.0}
NAMES = ("angle", "radius", "effective_learning_rate")

Gradient = Callable[[np.ndarray], np.ndarray]


def instance(scheme: str = "sgd", **values: Any) -> ScaleInvariant:
    """A small problem; off the sphere with L2 and a radius of its own."""
    free = {} if scheme.startswith(("adamg", "adagradg")) else {"ridge": 0.3, "radius0": 0.8}
    return PROBLEM.instance(scheme=scheme, **{**SMALL, **free, **values})


def steps_of(p: ScaleInvariant, gradient: Gradient, x: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """x_k and the effective learning rate of the step from it, by the problem's text and plain loops.

    The rate is the turn of the step over the length of c, both measured (roburin2020 Eq. 12).
    """
    m, v, old = np.zeros_like(x), p.v0 if "adagradg" in p.scheme else 0.0, x
    for k in range(10**6):
        r = np.linalg.norm(x)
        g = gradient(x) + (0 if p.scheme == "adamw" else p.ridge) * x
        if p.scheme in ("sgd-mrt", "adam-srt"):
            m = ((x @ old) * m - (x @ m) * old) / (x @ x)
            v = v * (old @ old) / (x @ x)
        if p.scheme.startswith("adagradg"):
            a, b = g, np.sqrt(v)
            beyond = (g @ g) ** 2 / (4 * p.beta2 * v) if p.scheme.endswith("exact") else 0.0
            v = p.beta2 * v + g @ g + beyond
        elif p.scheme.startswith("sgd"):
            m = (0.0 if p.scheme == "sgd" else p.momentum) * m + g
            a, b = m, 1.0
        else:
            m = p.beta1 * m + (1 - p.beta1) * g
            square = {"adam-s": g @ g / p.d, "adam-srt": g @ g / p.d, "adamg": g @ g}.get(p.scheme, g**2)
            v = p.beta2 * v + (1 - p.beta2) * square
            correction = (1 - p.beta1 ** (k + 1)) / (1 - p.beta1)
            a, b = m / (1 - p.beta1), correction * (np.sqrt(v / (1 - p.beta2 ** (k + 1))) + p.epsilon)
        old, move = x, p.learning_rate * a / b
        c = r * np.sqrt(np.mean(np.square(b))) * a / b
        across = np.linalg.norm(c - (c @ old) * old / r**2)
        if p.scheme == "adamg":
            length = np.linalg.norm(move)
            x = np.cos(length) * x - np.sin(length) * move / length
            m = m + (m @ move) / length**2 * ((np.cos(length) - 1) * move + np.sin(length) * length * old)
            yield old, length / across
            continue
        x = (1 - p.learning_rate * p.ridge * (p.scheme == "adamw")) * x - move
        if "adagradg" in p.scheme:
            x = x / np.linalg.norm(x)
        along = x @ old / r
        yield old, np.linalg.norm(x - along * old / r) / along / across


def slope(function: Callable[[np.ndarray], float]) -> Gradient:
    """Gradient by central differences of complex-free float64, error about 1e-10."""

    def gradient(x: np.ndarray) -> np.ndarray:
        h = 1e-5 * np.eye(x.size)
        return np.array([(function(x + e) - function(x - e)) / 2e-5 for e in h])

    return gradient


def cost(p: ScaleInvariant, teacher: np.ndarray, samples: Any = None) -> Callable[[np.ndarray], float]:
    """The loss of the problem's table, on the population or on samples."""

    def phi(h: np.ndarray) -> np.ndarray:
        return (h**2 - 1) / np.sqrt(2) if p.loss == "squared-correlation" else h

    def function(x: np.ndarray) -> float:
        u = x / np.linalg.norm(x)
        if samples is None:
            m = u @ teacher
            return 1 - m**2 if p.loss == "squared-correlation" else 1 - m
        z, t = samples
        y = phi(z @ u)
        return float(np.mean((t - y) ** 2 / 2 if p.loss == "mse" else 1 - t * y))

    return function


def expected(p: ScaleInvariant, samples: Any = None) -> np.ndarray:
    """Angle, radius and effective learning rate at `STEPS`, (3, T)."""
    teacher, start = (each[0] for each in draw_start(p, [SEED]))
    path = steps_of(p, slope(cost(p, teacher, samples)), start)
    rows = []
    for _ in STEPS:
        x, rate = next(path)
        r = np.linalg.norm(x)
        rows.append((np.arccos(x @ teacher / r), r, rate))
    return np.transpose(rows)


def simulated(p: ScaleInvariant, **options: Any) -> np.ndarray:
    """The same by the route, (3, T)."""
    answer = descent(p, STEPS, seeds=[SEED], **{**POPULATION, **options})
    return np.stack([answer[name][0] for name in NAMES])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_each_scheme_takes_the_steps_of_the_problem(scheme: str) -> None:
    """To the error of the differences, 1e-10 a gradient."""
    p = instance(scheme, loss="squared-correlation")
    np.testing.assert_allclose(simulated(p), expected(p), rtol=1e-8)


def test_a_batch_of_all_samples_descends_their_mean_loss() -> None:
    p = instance(loss="mse")
    teachers = draw_start(p, [SEED])[0]
    inputs, targets = draw_samples(p, teachers, [SEED], 9, 0.5)
    found = simulated(p, data="minibatch", n=9, batch=9, noise=0.5)
    np.testing.assert_allclose(found, expected(p, (inputs[0], targets[0])), rtol=1e-8)


@pytest.mark.parametrize(
    ("data", "loss"), [("stream", "mse"), ("minibatch", "correlation"), ("stream", "hinge-kr")]
)
def test_samples_move_the_student_as_the_population_does_on_average(data: str, loss: str) -> None:
    """One step of size 1e-3; the square of the step, 1e-6 of the gradient, is the bias."""
    p = instance(loss=loss, learning_rate=1e-3)
    seeds, options = range(4000), {"n": 3, "batch": 2, "noise": 0.0 if loss == "hinge-kr" else 0.7}
    drawn = descent(p, np.array([1.0]), data=data, seeds=seeds, **options)["angle"][:, 0]
    exact = descent(p, np.array([1.0]), seeds=[0], **POPULATION)["angle"][0, 0]
    spread = drawn.std(ddof=1)
    verdict = within_errors(drawn.mean(), exact, spread / np.sqrt(len(seeds)), bias=10 * spread**2)
    assert verdict.agrees, verdict
    assert verdict.resolution < 0.3 * (p.angle0 - exact)


STREAM = {**POPULATION, "data": "stream", "noise": 0.5}


def test_online_time_counts_samples_in_units_of_the_dimension() -> None:
    p, stepwise = instance("adam-srt"), instance("adam-srt", learning_rate=SMALL["learning_rate"] / 5)
    there = online(p, STEPS / p.d, noise=0.5, seeds=[3, 4])
    here = descent(stepwise, STEPS, seeds=[3, 4], **STREAM)
    for name, factor in zip(NAMES, (1, 1, p.d), strict=True):
        assert same(there[name], factor * here[name], 64)


def test_batches_hold_each_sample_at_most_once_and_all_alike() -> None:
    keys = jax.vmap(jax.random.key)(np.arange(4000))
    chosen = np.asarray(jax.vmap(lambda key: training.subset(key, 5, 3))(keys))
    assert np.all(np.sort(chosen) == np.unique(np.sort(chosen), axis=-1))
    assert all(len(set(row)) == 3 for row in chosen)
    sets, counts = np.unique(np.sort(chosen), axis=0, return_counts=True)
    assert len(sets) == 10
    share = 1 / 10
    verdict = within_errors(counts / 4000, share, np.sqrt(share * (1 - share) / 4000))
    assert verdict.agrees, verdict


def test_the_flow_is_the_limit_of_small_steps_at_first_order() -> None:
    p = instance(angle0=1.0)
    exact = flow(p, np.array([2.0]), seeds=[SEED])["angle"][0, 0]
    rates = [0.04, 0.02, 0.01, 0.005]
    errors = [
        abs(
            descent(
                instance(angle0=1.0, learning_rate=rate), np.array([2 / rate]), seeds=[SEED], **POPULATION
            )["angle"][0, 0]
            - exact
        )
        for rate in rates
    ]
    assert at_rate(rates, errors, 1, slack=0.1).agrees  # the next order is about the largest rate


def test_the_flow_is_integrated_to_the_accuracy_that_it_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share four times smaller would leave 1/256 of the error."""
    p, times = instance(loss="mse"), np.array([0.5, 3.0])
    coarse = flow(p, times, seeds=[SEED])
    monkeypatch.setattr(flow_module, "SHARE", flow_module.SHARE / 4)
    fine = flow(p, times, seeds=[SEED])
    for name in NAMES:
        np.testing.assert_allclose(coarse[name], fine[name], rtol=0, atol=1e-8)


def test_the_flow_says_where_the_radius_has_shrunk_too_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_module, "MOST", 1000)
    with pytest.warns(UserWarning, match="the radius becomes too small"):
        answer = flow(instance(ridge=1.0), np.array([1.0, 40.0]), seeds=[SEED])
    assert np.isfinite(answer["angle"][0, 0])
    assert np.isnan(answer["angle"][0, 1])
