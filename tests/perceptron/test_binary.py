"""Weights of -1 and 1: branches, landmarks, equilibrium, and message passing by its equations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import teacherstudent as ts
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.problems.perceptron.data import draw
from teacherstudent.sims.perceptron import messages
from teacherstudent.theory.perceptron import asymptotic, binary
from teacherstudent.theory.perceptron.asymptotic import examples
from teacherstudent.theory.perceptron.version_space import kernel
from tests.perceptron.references import normal
from tests.roundings import copied, same, unrounded

ALPHAS = np.array([0.5, 1.0, 1.2])


def test_the_low_branch_has_its_known_digits_and_is_a_fixed_point() -> None:
    q, rest, count, converged = binary.low_branch(ALPHAS)
    assert converged.all()
    np.testing.assert_allclose(q, [0.29309, 0.56071, 0.66866], atol=5.1e-6)
    np.testing.assert_allclose(count, [0.37213, 0.10611, 0.01797], atol=5.1e-6)
    np.testing.assert_allclose(q + rest, 1, rtol=1e-14)
    qh = ALPHAS * kernel(q) / (np.pi * np.sqrt(1 - q))
    again = [normal(lambda t, at=at: math.tanh(at + math.sqrt(at) * t)) for at in qh]
    np.testing.assert_allclose(again, q, rtol=1e-11)


def test_the_route_follows_equilibrium() -> None:
    alphas = np.array([0.5, binary.transition() * (1 - 1e-6), binary.transition() * (1 + 1e-6), 50.0])
    gibbs, bayes = (
        examples(PROBLEM.instance(rule=rule, weights="binary"), alphas) for rule in ("gibbs", "bayes")
    )
    assert gibbs["entropy"][1] == pytest.approx(-math.log(2), abs=1e-5)
    assert same(gibbs["entropy"][2:], -math.log(2), 2)
    assert copied(gibbs["R"][2:], [1, 1])
    np.testing.assert_array_equal(bayes["generalisation_error"][2:], 0)
    np.testing.assert_allclose(bayes["R"], np.sqrt(gibbs["R"]), rtol=1e-13)
    np.testing.assert_allclose(bayes["Q"], gibbs["R"], rtol=1e-13)
    assert 0.6 < gibbs["R"][1] < 0.7  # it jumps


def test_the_low_branch_goes_on_to_the_spinodal_and_no_further() -> None:
    at = binary.spinodal()
    q, _, count, converged = binary.low_branch(np.array([1.35, 1.42, at * (1 - 1e-9), at * (1 + 1e-9)]))
    np.testing.assert_allclose(q[:2], [0.7565, 0.8043], atol=5e-5)
    assert converged.tolist() == [True, True, True, False]
    assert np.all(count[:3] < 0)
    assert np.isnan(q[3])
    assert binary.entropy(1.0) == pytest.approx(0.10611, abs=5e-6)
    for refused in (0.0, 1.5, math.nan):
        with pytest.raises(InputError, match="the spinodal"):
            binary.entropy(refused)


BINARY: dict[str, Any] = {"rule": "bayes", "weights": "binary"}


def drawn(d: int, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, labels and the teacher."""
    found = draw(PROBLEM.instance(**BINARY, d=d), [seed], n)
    return found.inputs[0], found.labels[0], found.teacher[0]


@pytest.mark.thorough
def test_the_means_are_about_those_of_all_students_left() -> None:
    """Tried one by one: three times nearer, at least, than the means of about half as many examples."""
    d, n = 14, 7
    patterns = 2.0 * (np.arange(2**d)[:, None] >> np.arange(d) & 1) - 1
    apart, half = [], []
    for seed in range(20):
        inputs, labels, _ = drawn(d, n, seed)
        left = patterns[np.all(labels * (patterns @ inputs.T) > 0, axis=1)]
        apart.append(messages.settled(inputs, labels, len(labels)) - left.mean(axis=0))
        half.append(messages.settled(inputs, labels, 4) - left.mean(axis=0))
    assert 3 * np.sqrt(np.mean(np.square(apart))) < np.sqrt(np.mean(np.square(half)))


def test_what_settles_solves_the_equations() -> None:
    """The pull of an example is the slope of the logarithm of the probability of its label."""
    inputs, labels, _ = drawn(120, 100)
    means = messages.settled(inputs, labels, len(labels))
    variances = inputs**2 @ (1 - means**2)

    def pull(outputs: np.ndarray) -> np.ndarray:
        step = 1e-4
        low, high = (stats.norm.logcdf(labels * (outputs + by) / np.sqrt(variances)) for by in (-step, step))
        return (high - low) / (2 * step)

    pulls = np.zeros(len(labels))
    for _ in range(400):
        pulls = 0.5 * pulls + 0.5 * pull(inputs @ means - variances * pulls)
    outputs = inputs @ means - variances * pulls
    bends = -(pull(outputs + 1e-4) - pull(outputs - 1e-4)) / 2e-4
    solved = np.tanh(inputs.T @ pulls + means * (inputs.T**2 @ bends))
    # a second difference of numbers of size 10 by steps of 1e-4 leaves 10 eps/(2e-4)^2 = 6e-8 to rounding
    np.testing.assert_allclose(means, solved, rtol=0, atol=1e-6)


def test_many_examples_find_the_teacher() -> None:
    inputs, labels, teacher = drawn(200, 600)
    assert unrounded(messages.settled(inputs, labels, len(labels)), teacher)


def test_labels_of_nobody_are_not_settled_by_a_wrong_student(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "ROUNDS", ({0.5: 200},))
    inputs, _, _ = drawn(20, 120)
    labels = np.where(np.random.default_rng(1).random(120) < 0.5, -1.0, 1.0)
    assert np.isnan(messages.settled(inputs, labels, len(labels))).all()


def test_what_does_not_settle_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "ROUNDS", ({0.5: 5},))
    with pytest.warns(UnconvergedWarning, match="messages did not converge"):
        found = ts.sample(
            "perceptron", dynamics="examples", route="message-passing", times=[0.5], d=20, seeds=2, **BINARY
        )
    assert np.isnan(found["R"]).all()
    assert np.isnan(found["training_error"]).all()


def test_the_metastable_route_leaves_equilibrium_between_transition_and_spinodal() -> None:
    alphas = np.array([0.5, 1.2, 1.3, 1.49, 1.5, 9.0])
    problem = PROBLEM.instance(**BINARY)
    late, early = asymptotic.metastable(problem, alphas), asymptotic.examples(problem, alphas)
    q = binary.low_branch(alphas[:4])[0]
    np.testing.assert_allclose(late["R"], [*np.sqrt(q), 1, 1], rtol=1e-13)
    np.testing.assert_array_equal(late["R"] < early["R"] - 0.05, [False, False, True, True, False, False])
    member = asymptotic.metastable(PROBLEM.instance(rule="gibbs", weights="binary"), alphas)
    np.testing.assert_allclose(member["R"], late["Q"], rtol=1e-13)
    with pytest.raises(InputError, match="weights"):
        asymptotic.metastable(PROBLEM.instance(rule="bayes"), alphas)


def test_a_draw_that_goes_round_in_circles_settles_with_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw 19 of 15 weights: one such among many had made their whole mean NaN."""
    problem = PROBLEM.instance(d=15, weights="binary", rule="bayes")
    draws = draw(problem, [19], 22)
    monkeypatch.setattr(messages, "ROUNDS", ({0.5: 100, 0.8: 100}, messages.ROUNDS[-1]))
    means = messages.settled(draws.inputs[0], draws.labels[0], 22)
    assert np.isfinite(means).all()
    monkeypatch.setattr(messages, "ROUNDS", messages.ROUNDS[:1])
    assert np.isnan(messages.settled(draws.inputs[0], draws.labels[0], 22)).all()
