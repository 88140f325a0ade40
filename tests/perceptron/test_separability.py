"""Thresholds of separability, storage with a margin, and the student of largest stability."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.theory.perceptron import storage
from teacherstudent.theory.perceptron.asymptotic import examples
from teacherstudent.theory.perceptron.separability import cover, edge, segment, threshold
from tests.perceptron.references import normal
from tests.roundings import copied, same


@pytest.mark.parametrize("noise", [0.2, 1.0, 5.0])
def test_the_threshold_is_where_the_best_direction_fails(noise: float) -> None:
    """1/alpha = min over b of E (Z - b T)_+^2, T = y u of density 2 phi(T) Phi(T/noise): a plain minimum."""

    def missed(b: float) -> float:
        def squared(T: float) -> float:
            a = b * T
            tail = float(ndtr(-a))
            return (1 + a * a) * tail - a * math.exp(-a * a / 2) / math.sqrt(2 * math.pi)

        return normal(lambda T: 2 * float(ndtr(T / noise)) * squared(T))

    found = minimize_scalar(missed, bounds=(1e-3, 10 / noise), method="bounded", options={"xatol": 1e-8})
    assert 1 / found.fun == pytest.approx(threshold(noise), rel=1e-9)
    _, angle = edge(1 / math.hypot(1, noise), noise / math.hypot(1, noise))
    assert 1 / math.tan(angle) == pytest.approx(found.x, rel=1e-5)


def test_the_threshold_of_extreme_noise() -> None:
    assert threshold(0.0) == math.inf
    assert copied(threshold(math.inf), 2)
    for noise in (1e-300, 1e-12, 1e-8, 1e-6, 1e-5):
        assert threshold(noise) == pytest.approx(math.pi / (math.sqrt(3) * noise), rel=1e-9)
    assert threshold(1e12) == pytest.approx(2, rel=1e-12)
    falling = [threshold(noise) for noise in np.geomspace(1e-9, 1e3, 60)]
    assert all(one > other for one, other in pairwise(falling))


def test_a_segment_keeps_its_digits() -> None:
    for angle in (1e-9, 1e-3):
        assert segment(angle) == pytest.approx(2 / 3 * angle**3 * (1 - angle**2 / 5), rel=1e-12)
    assert segment(0.3) == pytest.approx(segment(0.3 + 1e-12), rel=1e-10)


def test_storage_and_its_inverse() -> None:
    assert same(storage.capacity(0.0), 2.0, roundings=2)
    assert storage.margin_at(0.5) == pytest.approx(1.03431, abs=5e-6)
    assert storage.margin_at(1.0) == pytest.approx(0.47066, abs=5e-6)
    for alpha in (1e-6, 0.3, 1.999):
        assert storage.capacity(storage.margin_at(alpha)) == pytest.approx(alpha, rel=1e-12)
    printed = normal(lambda t: (t + 0.7) ** 2, -0.7)
    assert storage.capacity(0.7) == pytest.approx(1 / printed, rel=1e-12)
    for refused in (0.0, 2.1, math.nan):
        with pytest.raises(InputError, match="--alpha"):
            storage.margin_at(refused)
    with pytest.raises(InputError, match="--margin"):
        storage.capacity(-0.1)


def test_cover_counts() -> None:
    assert cover(40, 20) == pytest.approx(0.5, rel=1e-13)
    assert copied([cover(7, 7), cover(3, 9)], [1, 1])
    counted = sum(math.comb(29, k) for k in range(20)) / 2**29
    assert cover(30, 20) == pytest.approx(counted, rel=1e-13)


@pytest.mark.parametrize("noise", [0.1, 0.5, 3.0])
def test_the_margin_closes_at_the_threshold_of_every_spectrum(noise: float) -> None:
    last = threshold(noise)
    near = last * (1 - np.array([3e-3, 3e-4]))  # nearer than that rounding may hide its digits
    for more in ({}, {"kappa": 5.0}):
        margin = examples(PROBLEM.instance(rule="max-stability", noise=noise, **more), near)["margin"]
        np.testing.assert_allclose(margin[1:] / margin[:-1], 0.1, rtol=0.01)  # in proportion to what is left
    question: dict[str, Any] = {"rule": "max-stability", "noise": noise}
    with pytest.warns(UnconvergedWarning, match=f"not separable beyond alpha = {last:.6g}"):
        beyond = examples(PROBLEM.instance(**question), np.array([last * 0.9, last * 1.01]))
    assert np.isnan(beyond["margin"]).tolist() == np.isnan(beyond["R"]).tolist() == [False, True]


def test_the_margin_of_coins_is_that_of_storage() -> None:
    alphas = np.array([0.01, 0.5, 1.0, 1.99])
    for more in ({}, {"kappa": 1.0, "d": 10}):
        found = examples(PROBLEM.instance(rule="max-stability", labels="random", **more), alphas)
        np.testing.assert_allclose(found["margin"], [storage.margin_at(a) for a in alphas], rtol=1e-10)
        np.testing.assert_array_equal(found["R"], 0)
