"""Exact dynamics given drawn rows: against loops, and against exact arithmetic late in training."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house import machine
from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw, law_of, rows_of, teacher_of
from teacherstudent.theory.measured_spectrum import instance, needs

made = PROBLEM.instance

DRAW = np.random.default_rng(2)
X, Y = DRAW.standard_normal((30, 6)) @ np.diag([3, 2, 1, 1, 0.5, 0.1]), DRAW.standard_normal((30, 2))
LABELS = np.repeat([4, 7, 9], 10)
TIMES = np.array([0.0, 1.0, 2.0, 7.0])


def looped(problem: MeasuredSpectrum, seed: int, eta: float) -> dict[str, np.ndarray]:
    """Errors after each of TIMES steps, by taking the steps; of a kernel on its own features."""
    draws = draw(problem, [seed])
    if problem.measured:
        rows = rows_of(problem)
        features = rows.features
        if features is None:
            assert rows.gram is not None
            c, u = np.linalg.eigh(rows.gram)
            features = u * np.sqrt(np.maximum(c, 0.0))
        if draws.chosen is not None:
            mix = np.eye(problem.rows)[draws.chosen[0]]
            others = np.delete(np.arange(problem.rows), draws.chosen[0])
        else:
            assert draws.mixtures is not None
            mix, others = draws.mixtures[0] / np.sqrt(problem.rows), np.arange(problem.rows)
        x, y = mix @ features, mix @ rows.targets + draws.noise[0]
        test_x, test_y, weight = features[others], rows.targets[others], 1 / others.size
    else:
        assert draws.inputs is not None
        counts, values, _ = law_of(problem)
        test_x = np.diag(np.sqrt(np.repeat(values, counts.astype(int))))
        x, test_y, weight = draws.inputs[0], test_x @ teacher_of(problem), 1.0
        y = x @ teacher_of(problem) + draws.noise[0]
    if problem.intercept == "trained":
        mean, constant = x.mean(axis=0), y.mean(axis=0)
        if problem.measured:
            test_x, test_y = test_x - mean, test_y - constant
        else:  # the square of the intercept's own error is one more row
            test_x, test_y = np.vstack([test_x, mean]), np.vstack([test_y, constant])
        x, y = x - mean, y - constant
    w = np.zeros((x.shape[1], y.shape[1])) if draws.initial is None else draws.initial[0]
    test, seen = [], []
    for step in range(int(TIMES[-1]) + 1):
        if step in TIMES:
            test.append(weight * np.sum((test_y - test_x @ w) ** 2) + y.shape[1] * problem.noise**2)
            seen.append(np.sum((y - x @ w) ** 2) / problem.n)
        w = w - eta * (x.T @ (x @ w - y) + problem.ridge * w)
    return {"generalisation_error": np.array(test), "training_error": np.array(seen)}


QUESTIONS: dict[str, dict[str, Any]] = {
    "fewer rows than features": {"features": X, "targets": Y, "n": 4, "init": 0.5, "ridge": 0.3},
    "more": {"features": X, "targets": Y, "n": 15, "init": 0.5, "noise": 0.4},
    "dependent columns": {"features": np.hstack([X, X]), "targets": Y, "n": 8, "init": 0.2},
    "mixtures": {"features": X, "targets": Y, "n": 9, "sampling": "population", "noise": 0.2, "init": 0.1},
    "more mixtures than rows": {"features": X, "targets": Y, "n": 50, "sampling": "population"},
    "kernel": {"features": X, "targets": Y, "n": 9, "kernel": "rbf", "noise": 0.2},
    "mixtures of a kernel": {"features": X, "targets": Y, "n": 9, "kernel": "rbf", "sampling": "population"},
    "law": {"modes": ((3, 1.0, 0.5), (4, 0.1, 0.2)), "n": 5, "init": 0.3, "noise": 0.2, "ridge": 0.1},
    "law of many rows": {"modes": ((3, 1.0, 0.5), (4, 0.1, 0.2)), "n": 12, "init": 0.3, "noise": 0.2},
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_it_gives_what_steps_of_gradient_descent_give(question: dict[str, Any]) -> None:
    problem = made(**question)
    found = instance.descent(problem, TIMES, learning_rate=0.001, seeds=[0, 3])
    for row, seed in enumerate((0, 3)):
        for name, values in looped(problem, seed, 0.001).items():
            np.testing.assert_allclose(found[name][row], values, rtol=1e-11, err_msg=name)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_blocks_of_times_change_nothing(question: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    problem, times = made(**question), np.geomspace(1e-3, 1e3, 7)
    together = instance.flow(problem, times, seeds=[1])
    monkeypatch.setattr(instance, "TOGETHER", 1)
    for name, values in instance.flow(problem, times, seeds=[1]).items():
        np.testing.assert_allclose(values, together[name], rtol=1e-12)


@pytest.mark.parametrize("intercept", ["trained", "pool"])
def test_the_error_rate_counts_rows_whose_largest_output_is_another_class(intercept: str) -> None:
    problem = made(features=X, targets=LABELS, n=9, intercept=intercept, task="classification")
    (found,) = instance.ridge(problem, np.array([2.0]), seeds=[5])["error_rate"]
    rows, chosen = rows_of(problem), draw(problem, [5]).chosen
    assert rows.features is not None
    assert chosen is not None
    x, y = rows.features[chosen[0]], rows.targets[chosen[0]]
    mean, constant = x.mean(axis=0), y.mean(axis=0)
    if intercept == "pool":
        mean, constant = np.zeros_like(mean), np.zeros_like(constant)
    weights = np.linalg.solve((x - mean).T @ (x - mean) + np.eye(6) / 2, (x - mean).T @ (y - constant))
    others = np.delete(np.arange(30), chosen[0])
    named = np.argmax((rows.features[others] - mean) @ weights + constant + rows.means, axis=1)
    assert found[0] == pytest.approx(np.mean(named != np.searchsorted([4, 7, 9], LABELS[others])), rel=1e-14)


# Late in training ----------------------------------------------------------------------------------


def exact_training_error(problem: MeasuredSpectrum, time: float) -> float:
    """Of gradient flow from zero, mean |e^{-s X X^T} y|^2, in arithmetic of sixty digits."""
    rows, chosen = rows_of(problem), draw(problem, [0]).chosen
    assert rows.features is not None
    assert chosen is not None
    with mp.workdps(60):
        x, y = (mp.matrix(each[chosen[0]].tolist()) for each in (rows.features, rows.targets))
        if problem.intercept == "trained":
            centring = mp.eye(problem.n) - mp.ones(problem.n) / problem.n
            x, y = centring * x, centring * y
        values, vectors = mp.eigsy(x * x.T)
        left = vectors.T * y
        total = mp.fsum(
            (mp.exp(-time * values[i]) * left[i, j]) ** 2 for i in range(left.rows) for j in range(left.cols)
        )
        return float(total / problem.n)


@pytest.mark.parametrize("intercept", ["trained", "pool"])
def test_a_student_that_fits_all_rows_keeps_the_digits_of_its_error(intercept: str) -> None:
    problem = made(features=X, targets=Y, n=4, intercept=intercept)
    for time in (1e-6, 1.0, 100.0, 2000.0):
        found = instance.flow(problem, np.array([time]), seeds=[0])["training_error"][0, 0]
        assert found == pytest.approx(exact_training_error(problem, time), rel=1e-9, abs=1e-110)
    assert found < 1e-40


def test_what_the_features_cannot_express_stays_in_the_training_error() -> None:
    problem = made(features=X, targets=Y, n=15, noise=0.3)
    draws, rows = draw(problem, [0]), rows_of(problem)
    assert rows.features is not None
    assert draws.chosen is not None
    labels = rows.targets[draws.chosen[0]] + draws.noise[0]
    columns = np.column_stack([rows.features[draws.chosen[0]], np.ones(15)])
    _, (one, other), *_ = np.linalg.lstsq(columns, labels, rcond=None)
    late = instance.flow(problem, np.array([1e4, 1e28]), seeds=[0])["training_error"][0]
    np.testing.assert_allclose(late, (one + other) / 15, rtol=1e-12)


def test_a_teacher_that_is_learned_is_missed_by_as_little_as_is_left() -> None:
    """Of a law without noise the error falls far below rounding of the target."""
    problem = made(modes=((2, 1.0, 0.6), (3, 0.5, 0.4)), n=40)
    early, late = instance.flow(problem, np.array([4.0, 8.0]), seeds=[0])["generalisation_error"][0]
    inputs = draw(problem, [0]).inputs
    assert inputs is not None
    slowest = np.linalg.svd(inputs[0])[1][-1] ** 2
    assert late < 1e-60
    assert np.log(early / late) == pytest.approx(8 * slowest, rel=0.05)


# Learning rates ------------------------------------------------------------------------------------


def test_the_automatic_rate_is_that_of_each_draw() -> None:
    problem = made(features=X, targets=Y, n=9)
    rows, chosen = rows_of(problem), draw(problem, [0, 1]).chosen
    assert rows.features is not None
    assert chosen is not None
    auto = instance.descent(problem, TIMES, learning_rate="auto", seeds=[0, 1])
    for row, places in enumerate(chosen):
        drawn = rows.features[places]
        eta = 1 / np.linalg.norm(drawn - drawn.mean(axis=0), 2) ** 2
        alone = instance.descent(problem, TIMES, learning_rate=eta, seeds=[row])
        for name, values in alone.items():
            np.testing.assert_allclose(auto[name][row], values[0], rtol=1e-12)


# Memory ---------------------------------------------------------------------------------------------


def test_many_features_do_not_take_their_square() -> None:
    wide = made(features=DRAW.standard_normal((20, 4000)), targets=Y[:20], n=5)
    assert needs.instance(wide, TIMES, {}).numbers(n=5, times=4, seeds=1) < 4000**2 / 10
    late = instance.flow(wide, np.array([1e3]), seeds=[0])
    assert late["training_error"][0, 0] == 0.0


def test_a_law_of_too_many_modes_is_refused_by_its_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "memory", lambda: 2.0**33)
    question = {"problem": "measured-spectrum", "dynamics": "flow", "route": "instance", "times": [1.0]}
    with pytest.raises(InputError, match=r"^--modes 1000000000003: must be at most .* \(8 GB\)$"):
        ts.curve(modes=((10**12, 1.0, 0.5), (3, 0.1, 0.2)), n=5, **question)
    with pytest.raises(InputError, match=r"^--n 1000000: must be at most .* beside size 1000, "):
        ts.curve(size=1000, n=10**6, **question)
