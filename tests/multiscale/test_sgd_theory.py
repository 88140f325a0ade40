"""Stochastic gradient descent in theory: one pass, batches of n examples, and where both diverge."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale.spectral_task import task_of
from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral import batches, one_pass, replacement
from teacherstudent.theory.spectral.tasks import Task
from tests import batches as other_means
from tests.measured_spectrum.references import edge_of, root
from tests.roundings import same

STEPS = np.array([0, 1, 2, 9, 40, 400])


def task(ridge: float, cross: bool = False) -> Task:
    """Two scales of several modes, and what no feature expresses, with weights that know of the target."""
    strengths, counts, power = np.array([1.0, 0.1, 0.0]), np.array([3.0, 4.0, 0.0]), np.array([0.5, 0.3, 0.2])
    start = np.array([0.2, 0.1, 0.0])
    return Task(
        Spectrum(10, counts, strengths),
        power,
        start,
        0.3,
        ridge,
        0.6 * np.sqrt(power * start) if cross else None,
    )


@pytest.mark.parametrize("ridge", [0.0, 0.4, 40.0])
@pytest.mark.parametrize("cross", [False, True])
def test_one_pass_has_the_moments_of_dense_matrices(ridge: float, cross: bool) -> None:
    of, seen, batch = task(ridge, cross), slice(0, 2), 2
    eta = 0.7 * one_pass.critical_rate(of, batch)
    found = one_pass.over_training(of, STEPS, eta, batch)
    counts = of.spectrum.features[seen].astype(int)
    lam = np.repeat(of.spectrum.strengths[seen] / 7, counts)

    def each(values: np.ndarray) -> np.ndarray:
        return np.repeat(values[seen] / counts, counts) / lam

    for place, steps in enumerate(STEPS):
        error, product = other_means.one_pass(
            10, lam, each(of.power), each(of.start), of.noise + of.power[2],
            ridge=ridge, eta=eta, batch=batch, steps=steps,
            cross=None if of.cross is None else each(of.cross),
        )  # fmt: skip
        total = (found.bias + found.variance + found.start)[place]
        np.testing.assert_allclose(total[:2], np.add.reduceat(lam * error, [0, 3]), rtol=1e-11)
        if not cross:
            missed = -np.add.reduceat(lam * product, [0, 3])
            np.testing.assert_allclose(found.unaligned[place, :2], missed, rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(found.bias[:, 2], of.power[2], rtol=1e-15)


@pytest.mark.parametrize("batch", [1, 3])
def test_one_pass_of_one_strength_ends_where_it_must_and_diverges_where_it_must(batch: int) -> None:
    """E |v|^2 = eta noise^2 d/(2 b - c (b + d + 1)), c = eta s2, in the field's units: eta n here."""
    d, n, noise = 5, 8, 0.3
    of = Task(Spectrum(n, np.array([float(d)]), np.ones(1)), np.ones(1), np.zeros(1), noise, 0.0)
    most = 2 * batch / (batch + d + 1) * d  # s2 = 1/d
    np.testing.assert_allclose(one_pass.critical_rate(of, batch) * n, most, rtol=1e-13)
    eta = 0.4 * most
    found = one_pass.over_training(of, np.array([10**12]), eta / n, batch)
    ended = eta * noise * d / (2 * batch - eta / d * (batch + d + 1)) / d
    np.testing.assert_allclose(found.variance.sum(), ended, rtol=1e-12)
    assert found.bias.sum() < 1e-300


@pytest.mark.parametrize("ridge", [0.0, 0.4, 40.0])
def test_one_pass_diverges_where_its_matrix_has_the_eigenvalue_one(ridge: float) -> None:
    of, batch = task(ridge), 2
    eta = one_pass.critical_rate(of, batch)
    by = one_pass.Steps.of(of, eta, batch)
    matrix = np.diag(1 - by.slopes) + np.outer(by.own * by.counts, np.ones(2))
    np.testing.assert_allclose(np.linalg.eigvals(matrix).max(), 1, rtol=1e-12)
    slower = one_pass.Steps.of(of, 0.5 * eta, batch)
    matrix = np.diag(1 - slower.slopes) + np.outer(slower.own * slower.counts, np.ones(2))
    np.testing.assert_allclose(slower.slowest(), 1 - np.linalg.eigvals(matrix).max(), rtol=1e-10)


def test_one_pass_of_endless_batches_descends_on_the_population() -> None:
    of = task(0.4)
    found = one_pass.over_training(of, STEPS, 0.1, 10**15)
    c = 10 / 7 * of.spectrum.strengths[:2]
    kept = (1 - 0.1 * (c + 0.4)) ** STEPS[:, None]
    missed = kept + (1 - kept) * 0.4 / (c + 0.4)
    np.testing.assert_allclose(found.bias[:, :2], of.power[:2] * missed**2, rtol=1e-12)
    assert found.variance.max() < 1e-14


# Batches of n rows -----------------------------------------------------------------------------------


def one_strength(ridge: float) -> Task:
    """40 rows, 10 features of strength 1/2 and unit label noise, without a target."""
    return Task(Spectrum(40, np.array([10.0]), np.array([0.5])), np.zeros(1), np.zeros(1), 1.0, ridge)


def kernel(ridge: float, eta: float, batch: int) -> float:
    """The kernel's sum over all steps, of `one_strength`, as an average over the Marchenko-Pastur law.

    A step adds kappa c^2/n of what batches made of an eigenvalue to itself.
    """
    law = marchenko_pastur.quadrature(4.0, 10.0)
    c = 0.5 * law.eigenvalues
    x = eta * (c + ridge)
    own = eta**2 * (40 - batch) / (batch * 39) * c**2
    return float(10 * (own / (x * (2 - x) - own)) @ law.weights)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_batches_diverge_where_their_kernel_sums_to_one(ridge: float) -> None:
    of = one_strength(ridge)
    eta = replacement.critical_rate(of, 2)
    assert eta < 1.9 / (of.spectrum.upper_edge() + ridge)
    np.testing.assert_allclose(kernel(ridge, eta, 2), 1, rtol=1e-11)


def test_where_batches_are_large_descent_itself_diverges_first() -> None:
    """Where 1 - p^2 is what a step's noise gives back to the largest eigenvalue: just below 2/(c + ridge)."""
    of = one_strength(0.3)
    largest = of.spectrum.upper_edge()
    a = largest + 0.3
    most = 2 * a / (a**2 + largest**2 / (39 * 39))
    assert kernel(0.3, most * (1 - 1e-12), 39) < 1
    np.testing.assert_allclose(replacement.critical_rate(of, 39), most, rtol=1e-14)
    assert same(replacement.critical_rate(of, 40), 2 / a, 4)


@pytest.mark.parametrize("ridge", [pytest.param(0.0, marks=pytest.mark.thorough), 0.3])
def test_batches_settle_on_what_their_kernel_makes_of_label_noise(ridge: float) -> None:
    """Descent leaves noise ((n - d)/n + d/n mean (ridge/(c + ridge))^2), which the kernel's sum enlarges."""
    of = one_strength(ridge)
    eta = 0.5 * replacement.critical_rate(of, 2)
    total = kernel(ridge, eta, 2)
    law = marchenko_pastur.quadrature(4.0, 10.0)
    left = 0.75 + 0.25 * (ridge / (0.5 * law.eigenvalues + ridge)) ** 2 @ law.weights
    found = replacement.over_training(of, np.array([10**4, 10**12]), eta, 2)
    assert found.converged.all()
    np.testing.assert_allclose(found.examples, left * total / (1 - total), rtol=1e-11)


@pytest.mark.parametrize(
    "n", [4, pytest.param(8, marks=pytest.mark.thorough), pytest.param(20, marks=pytest.mark.thorough)]
)
def test_batches_add_what_the_convolution_does_after_many_steps(n: int) -> None:
    """Below, at and above as many examples as weights, to 30 steps; references hold the first three."""
    asked: dict[str, Any] = {"n": n, "d": 8, "p": 4, "kappa": 3.0, "noise": 0.3, "init": 0.2}
    of = task_of(PROBLEM.instance(**asked))
    eta = 0.9 * replacement.critical_rate(of, 1)
    options = {"learning_rate": eta, "observable": ("training",)}
    mean = run("multiscale", "descent", "asymptotic", [*range(31)], **asked, **options)["training_error"]
    m, lam = of.spectrum.features, of.spectrum.strengths / 8
    means = other_means.missed(n, lam, power=of.power, start=of.start, ridge=0.0, eta=eta, steps=30)
    seen, on_examples = other_means.convolved(
        partial(root, m, lam, n, np.inf), n, m, lam, mean.values[:30, None], sum(means)[:, None],
        pool=np.inf, largest=edge_of(m, lam, n, np.inf), ridge=0.0, eta=eta, batch=1,
    )  # fmt: skip
    found = replacement.over_training(of, np.array([30]), eta, 1)
    np.testing.assert_allclose(found.modes.sum(axis=(0, 1)), seen[0], rtol=1e-9)
    np.testing.assert_allclose(found.examples, on_examples, rtol=1e-9)


STRONG = Spectrum(10**9, np.array([1.0, 9.0]), np.array([1.0, 0.1]))
"""One mode has more than half of the trace, of a billion rows."""


@pytest.mark.parametrize("ridge", [0.0, 1e8])
@pytest.mark.parametrize("batch", [1, 7])
def test_batches_of_endless_rows_are_one_pass_however_strong_a_mode(ridge: float, batch: int) -> None:
    of = Task(STRONG, np.array([0.5, 0.3]), np.array([0.2, 0.1]), 0.3, ridge)
    most = one_pass.critical_rate(of, batch)
    np.testing.assert_allclose(replacement.critical_rate(of, batch), most, rtol=1e-8)
    eta = 0.8 * most
    found = replacement.over_training(of, STEPS, eta, batch)
    fresh = one_pass.over_training(of, STEPS, eta, batch)
    descended = one_pass.over_training(of, STEPS, eta, 10**25)
    added = fresh.bias + fresh.variance + fresh.start
    added -= descended.bias + descended.variance + descended.start
    assert found.converged.all()
    np.testing.assert_allclose(found.modes.sum(axis=0), added, rtol=1e-6, atol=1e-13)
    np.testing.assert_allclose(found.examples, added.sum(axis=1), rtol=1e-6, atol=1e-13)


# Through the front door ------------------------------------------------------------------------------

QUESTION: dict[str, Any] = {"n": 12, "d": 8, "p": 4, "kappa": 3.0, "noise": 0.3, "init": 0.2, "ridge": 0.1}
GROUPS = {"observable": ("generalisation", "training", "outputs")}


def test_an_output_penalty_is_a_faster_and_smaller_student_of_batches_too() -> None:
    """Against every batch there is, given the draws, whose gradients hold the penalty as it is defined."""
    draws = {"seeds": (0,), "batch": 2, "data": "replacement", "learning_rate": 0.1}
    found = run("multiscale", "sgd", "instance", [3], **draws, **QUESTION, **GROUPS, output_penalty=0.5)
    instance = PROBLEM.instance(**QUESTION)
    data = draw(instance, [0])
    Z = data.inputs[0]
    X, labels = Z * data.strengths, np.concatenate([Z, np.eye(12)], axis=1)
    begun = np.diag(np.repeat([0.2**2, 1.0, 0.3**2], [8, 8, 12]))
    moments = other_means.enumerated(
        np.sqrt(1.5) * X, labels / np.sqrt(1.5), begun, ridge=0.1, eta=0.1, batch=2, steps=3
    )
    output = np.concatenate([X, 0 * labels], axis=1)
    squares = np.trace(output @ moments @ output.T) / 12
    np.testing.assert_allclose(found["training_output"].values, [[squares]], rtol=1e-11)


@pytest.mark.parametrize("data", ["fresh", "replacement"])
def test_a_learning_rate_that_diverges_is_refused_with_one_that_does_not(data: str) -> None:
    of = task_of(PROBLEM.instance(**QUESTION))
    most = batches.critical_rate(of, 2, data)
    asked = partial(run, "multiscale", "sgd", "asymptotic", [1], **QUESTION, batch=2, data=data)
    asked(learning_rate=most * (1 - 1e-9))
    with pytest.raises(InputError, match=rf"^--learning-rate .*: must be below {most:g}, where the mean "):
        asked(learning_rate=most * (1 + 1e-9))
