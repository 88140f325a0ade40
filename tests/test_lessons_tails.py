"""Lesson 14 says what the theory says: where variances end, where training does, and which tail is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi, linregress

import teacherstudent as ts
from teacherstudent.lessons import tails


@pytest.mark.parametrize(("b", "d"), [(1, 1), (2, 3), (10, 10)])
def test_it_finds_the_largest_step_and_the_critical_one(b: int, d: int) -> None:
    end, rates = tails.largest(b, d), tails.shares(b, d)
    found = tails.stationary(b, d, [rates[8], 0.999 * end, 1.001 * end])
    assert rates[8] == pytest.approx(2 * b / (b + d + 1), rel=1e-14)
    assert found["tail_index"].values[0] == pytest.approx(2, rel=1e-11)
    assert np.sign(found["lyapunov"].values).tolist() == [-1, -1, 1]
    assert np.isnan(found["tail_index"].values[2])


@pytest.mark.parametrize("d", [1, 3, 10])
def test_a_power_law_leaves_gibbs_law_where_both_are_as_steep(d: int) -> None:
    eta, b, alpha = 0.5, 2, 1.3
    at, scale = tails.leaves(eta, b, d, alpha), np.sqrt(eta / (2 * b))
    assert tails.beyond(at, eta, b, d) == pytest.approx(chi.sf(at / scale, d), rel=1e-12)
    assert at / scale * chi.pdf(at / scale, d) / chi.sf(at / scale, d) == pytest.approx(alpha, rel=1e-9)


def test_its_students_have_the_tail_that_is_predicted() -> None:
    eta, b, d = 0.79, 2, 3
    sizes = np.sort(tails.students(eta, b, d, 20_000, 225))[::-1]
    ranks = np.arange(1, 401)
    slope = linregress(np.log(sizes[:400]), np.log(ranks - 0.5)).slope
    index = tails.stationary(b, d, [eta])["tail_index"].item()
    assert -slope == pytest.approx(index, abs=4 * index * np.sqrt(2 / 400))


def test_means_grow_while_students_come_closer() -> None:
    asked = dict(dynamics="sgd", route="exact", batch=2, d=3, learning_rate=0.79, noise=0.0, times=[0, 300])
    made = ts.curve("heavy-tails", **asked)
    assert made["excess_risk"].values[1] > 1e3 * made["excess_risk"].values[0]
    assert made["log_separation"].values[1] < -10
