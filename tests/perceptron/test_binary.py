"""Weights of -1 and 1: the branches, their landmarks, and which of them is in equilibrium."""

from __future__ import annotations

import math

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.theory.perceptron import binary
from teacherstudent.theory.perceptron.asymptotic import examples
from teacherstudent.theory.perceptron.version_space import kernel
from tests.perceptron.references import normal
from tests.roundings import copied, same

ALPHAS = np.array([0.5, 1.0, 1.2])


def test_the_landmarks_have_their_known_digits() -> None:
    assert binary.transition() == pytest.approx(1.244684, abs=5e-7)
    assert binary.spinodal() == pytest.approx(1.492632, abs=5e-7)
    assert binary.storage_capacity() == pytest.approx(0.833079, abs=5e-7)


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
