"""Every announced step in every source of linear students: against a plain loop on the same draws."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems import measured_spectrum, multiscale, random_features
from teacherstudent.problems.multiscale import data as scales_data
from teacherstudent.sims import algorithms
from teacherstudent.sims.algorithms import step_of
from teacherstudent.sims.linear_students.answers import Source
from teacherstudent.sims.linear_students.descent import students
from teacherstudent.sims.linear_students.training import edge
from teacherstudent.sims.measured_spectrum.source import Drawn as Rows
from teacherstudent.sims.multiscale.source import Drawn as Scales
from teacherstudent.sims.random_features.sights import Equivalent, Nonlinear
from teacherstudent.sims.random_features.training import Drawn as Features
from tests.algorithms.stepping import RECURSIONS, own_options

SEEDS = [3, 8]
STEPS = np.array([0, 1, 2, 11, 40])
POOL = np.random.default_rng(5).standard_normal((12, 5))
KERNEL = np.exp(-np.sum((POOL[:, None] - POOL) ** 2, axis=-1) / 6)

LAW: dict[str, Any] = {"modes": ((2, 1.0, 0.6), (5, 0.1, 0.4)), "noise": 0.3, "init": 0.2, "ridge": 0.1}
SCALES: dict[str, Any] = {"d": 6, "p": 3, "kappa": 5.0, "noise": 0.3, "init": 0.4, "ridge": 0.1}
WIDE: dict[str, Any] = {"n": 5, "width": 9, "d": 3, "noise": 0.2, "init": 0.3, "ridge": 0.1}


def scales(n: int, penalty: float = 0.0) -> Source:
    problem = multiscale.PROBLEM.instance(**SCALES, n=n, output_penalty=penalty)
    return Scales(problem, scales_data.draw(problem, SEEDS), SEEDS)


def rows(**values: Any) -> Source:
    return Rows.of(measured_spectrum.PROBLEM.instance(**values), SEEDS)


def features(kind: Callable[..., Any], **values: Any) -> Source:
    return Features.of(kind(random_features.PROBLEM.instance(**{**WIDE, **values})), SEEDS, None)


SOURCES: dict[str, Callable[[], Source]] = {
    "scales": lambda: scales(9, 0.3),
    "scales, few rows": lambda: scales(2),
    "law": lambda: rows(**LAW, n=12),
    "law, few rows": lambda: rows(**LAW, n=4),
    "kernel": lambda: rows(gram=KERNEL, targets=np.tanh(POOL[:, :2]), n=7, noise=0.1, ridge=0.05),
    "features": lambda: features(Nonlinear),
    "equivalent": lambda: features(Equivalent, n=14),
}


class Loop(NamedTuple):
    """A step as a textbook has it, of weights, those before, both gradients and the rate; its options."""

    step: Callable[..., Any]
    options: dict[str, float]


def by_recursion(name: str) -> Loop:
    """As the theory declares it: the gradient is x/eta of what is left, so that both steps follow."""
    own, recursion = own_options(name, {}), RECURSIONS[name].recursion
    assert recursion
    (a0, b0), (a, b) = recursion.step(0.0, **own), recursion.step(1.0, **own)

    def step(w: Any, before: Any, g: Any, g_before: Any, eta: float) -> Any:
        return a0 * w + b0 * before + eta * ((a - a0) * g + (b - b0) * g_before)

    return Loop(step, own)


LOOPS = {
    **{name: by_recursion(name) for name in RECURSIONS},
    "descent": Loop(lambda w, before, g, g_before, eta: w - eta * g, {}),
    "momentum": Loop(lambda w, before, g, g_before, eta: w + 0.8 * (w - before) - eta * g, {"momentum": 0.8}),
}
EACH_STEP = pytest.mark.parametrize("name", LOOPS)
EACH_SOURCE = pytest.mark.parametrize("source", SOURCES)


def test_every_announced_step_has_its_loop() -> None:
    assert {each.name for each in pkgutil.iter_modules(algorithms.__path__)} == set(LOOPS)


def plainly(source: Source, i: int, name: str, rate: float) -> np.ndarray:
    """Weights of draw i, or coefficients of a kernel, by a loop over steps in them, (T, c, q)."""
    inputs, labels, start = (None if each is None else each[i] for each in source.sets[:3])
    assert inputs is not None
    assert labels is not None
    loop, w = LOOPS[name], np.zeros((inputs.shape[1], labels.shape[1])) if start is None else start
    before, g_before, found = w, None, []
    for k in range(STEPS[-1] + 1):
        if k in STEPS:
            found.append(w.T)
        missed = (1 + source.penalty) * (inputs @ w) - labels
        gradient = (missed if source.sets.kernel else inputs.T @ missed) + source.ridge * w
        g_before = gradient if g_before is None else g_before
        w, before, g_before = loop.step(w, before, gradient, g_before, rate), w, gradient
    return np.array(found)


@EACH_STEP
@EACH_SOURCE
def test_a_simulated_step_is_the_plain_loop_and_composed_steps_are_the_iterated_ones(
    name: str, source: str
) -> None:
    drawn, (_, options) = SOURCES[source](), LOOPS[name]
    rates = 1 / (drawn.form.curvature() * (1 + drawn.penalty) + drawn.ridge)
    more: dict[str, Any] = {"how": step_of(name), "options": options}
    wanted = np.array([plainly(drawn, i, name, rate) for i, rate in enumerate(rates)])
    for stepwise in (0, 5, 2000):
        found = students(drawn.form, STEPS, rates, drawn.ridge, drawn.penalty, **more, stepwise=stepwise)
        size = np.max(np.abs(wanted)) + np.max(np.abs(drawn.sets.labels))
        # a rounding a term and step; momentum keeps five steps
        np.testing.assert_allclose(found, wanted, rtol=0, atol=40 * 100 * 2.3e-16 * 5 * size, err_msg=source)
    late = students(drawn.form, STEPS + 1, rates, drawn.ridge, drawn.penalty, **more)
    assert np.max(np.abs(late - wanted)) > 1e-6


def test_a_step_diverges_beyond_its_edge() -> None:
    """2 for descent, 2 (1 + beta) for the heavy ball (Polyak 1964), and what the theory declares."""
    assert edge(step_of("descent"), {}) == pytest.approx(2, rel=1e-12)
    for name, by in RECURSIONS.items():
        own = own_options(name, {})
        assert edge(step_of(name), own) == pytest.approx(by.recursion.edge(**own), rel=1e-6)
    for beta in (0.0, 0.5, 0.9, 0.99):
        assert edge(step_of("momentum"), {"momentum": beta}) == pytest.approx(2 * (1 + beta), rel=1e-6)


QUESTIONS: dict[str, dict[str, Any]] = {
    "multiscale": {**SCALES, "n": 9},
    "measured-spectrum": {**LAW, "n": 6},
    "random-features": WIDE,
    "residual-digits": {"n": 10, "width": 4},
}


@pytest.mark.parametrize("problem", QUESTIONS)
def test_without_momentum_it_is_descent_and_a_seed_is_answered_alone_as_among_others(problem: str) -> None:
    ask = {"times": [0.0, 1.0, 6.0], **QUESTIONS[problem]}
    plain = run(problem, "descent", "simulation", seeds=SEEDS, **ask)
    none = run(problem, "momentum", "simulation", seeds=SEEDS, momentum=0.0, **ask)
    some = run(problem, "momentum", "simulation", seeds=SEEDS, momentum=0.5, **ask)
    alone = run(problem, "momentum", "simulation", seeds=SEEDS[1:], momentum=0.5, **ask)
    for name, values in plain.items():
        np.testing.assert_allclose(none[name], values, rtol=1e-11, atol=1e-12)  # six steps, rounded
        np.testing.assert_allclose(alone[name][0], some[name][1], rtol=1e-11, atol=1e-12)
    assert any(np.max(np.abs(some[name] - values)) > 1e-6 for name, values in plain.items())


@pytest.mark.parametrize("problem", ["multiscale", "measured-spectrum"])
def test_batches_of_all_rows_are_descent(problem: str) -> None:
    ask = {"times": [0.0, 1.0, 6.0], "seeds": SEEDS, "learning_rate": 0.1, **QUESTIONS[problem]}
    plain = run(problem, "descent", "simulation", **ask)
    for data in ("replacement", "reshuffled"):
        whole = run(problem, "sgd", "simulation", data=data, batch=ask["n"], **ask)
        for name, values in plain.items():
            np.testing.assert_allclose(whole[name], values, rtol=1e-11, err_msg=data)  # sums in another order


def test_momentum_beyond_its_edge_is_nan_with_the_edge_and_below_it_finite() -> None:
    ask = {"times": [0.0, 5.0], "seeds": [0], "momentum": 0.5, **QUESTIONS["multiscale"]}
    one = scales_data.draw(multiscale.PROBLEM.instance(**QUESTIONS["multiscale"]), [0])
    largest = np.linalg.norm(one.inputs[0] * one.strengths, 2) ** 2 + SCALES["ridge"]
    below = run("multiscale", "momentum", "simulation", learning_rate=2.99 / largest, **ask)
    assert np.isfinite(below["R"]).all()
    with pytest.warns(UnconvergedWarning, match=r"diverges; it must be below 3/\(largest eigenvalue"):
        beyond = run("multiscale", "momentum", "simulation", learning_rate=3.01 / largest, **ask)
    assert np.array_equal(np.isnan(beyond["R"]), [[False, True]])
