"""Thresholds of separability, storage with a margin, and what captions say holds for the numbers drawn."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats

from teacherstudent.figures.perceptron import (
    map_separability,
    pc_losses,
    pc_rules,
    pc_storage,
    setting,
)
from teacherstudent.figures.perceptron.setting import ERROR
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.paper_checks.perceptron.kit.separating import most_separable, separable
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.problems.perceptron.data import Draws
from teacherstudent.theory.perceptron import storage
from teacherstudent.theory.perceptron.asymptotic import examples
from teacherstudent.theory.perceptron.separability import segment, threshold
from tests.drawing import numbers
from tests.perceptron.references import normal
from tests.roundings import copied, same


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


@pytest.mark.parametrize("noise", [0.1, 0.5, 3.0])
def test_the_margin_closes_at_the_threshold_of_every_spectrum(noise: float) -> None:
    last = threshold(noise)
    near = last * (1 - np.array([3e-3, 3e-4]))  # nearer than that rounding may hide its digits
    for more in ({}, {"kappa": 5.0}):
        margin = examples(PROBLEM.instance(rule="max-stability", noise=noise, **more), near)["margin"]
        np.testing.assert_allclose(margin[1:] / margin[:-1], 0.1, rtol=0.01)  # in proportion to what is left
    question: dict[str, Any] = {"rule": "max-stability", "noise": noise}
    with pytest.warns(UnconvergedWarning, match=f"not separable for alpha above {last:.6g}"):
        beyond = examples(PROBLEM.instance(**question), np.array([last * 0.9, last * 1.01]))
    assert np.isnan(beyond["margin"]).tolist() == np.isnan(beyond["R"]).tolist() == [False, True]


def test_the_margin_of_coins_is_that_of_storage() -> None:
    alphas = np.array([0.01, 0.5, 1.0, 1.99])
    for more in ({}, {"kappa": 1.0, "d": 10}):
        found = examples(PROBLEM.instance(rule="max-stability", labels="random", **more), alphas)
        np.testing.assert_allclose(found["margin"], [storage.margin_at(a) for a in alphas], rtol=1e-10)
        np.testing.assert_array_equal(found["R"], 0)


def errors(alpha: float) -> dict[str, float]:
    """By rule the error in the limit."""
    return {rule: float(setting.limit([alpha], rule=rule)[ERROR][0]) for rule in pc_rules.LOOKS}


def test_hebb_is_nearly_best_first_and_slowest_later_and_bayes_always_best() -> None:
    """pc-rules, as its caption says."""
    few, some, many = (errors(alpha) for alpha in (0.2, 2.0, 100.0))
    for each in (few, some, many):
        assert min(each, key=lambda rule: each[rule]) == "bayes"
        assert each["max-stability"] < 1.15 * each["bayes"] < each["gibbs"]
    assert few["hebb"] < 1.02 * few["bayes"]
    assert max(many, key=lambda rule: many[rule]) == "hebb"


def test_least_squares_are_no_better_than_chance_where_examples_are_as_many_as_inputs() -> None:
    near = [setting.limit([alpha], rule="pseudo-inverse")[ERROR][0] for alpha in (0.6, 1 - 1e-9, 2.0)]
    assert float(near[1]) == pytest.approx(0.5, abs=1e-4)
    assert float(near[1]) > max(map(float, (near[0], near[2])))
    for span in (pc_rules.FEW_EXAMPLES, pc_rules.MANY_EXAMPLES):
        drawn = setting.limit(pc_rules.with_peak(span), rule="pseudo-inverse")[ERROR]
        assert float(drawn.max()) == pytest.approx(0.5, abs=1e-4)


def test_the_best_ridge_of_the_square_loss_is_that_of_a_linear_law_with_noise() -> None:
    """pc-losses: (1 - c^2)/c^2 at any alpha, to a step of the grid."""
    found = pc_losses.best("square")["ridge"].values
    best = math.pi * (1 + pc_losses.ASKED["noise"] ** 2) / 2 - 1
    grid = pc_losses.SEARCHED
    step = (grid.high / grid.low) ** (1 / (grid.count - 1))
    assert np.all(np.abs(np.log(found / best)) < np.log(step))


@pytest.mark.parametrize(
    "loss",
    [
        pytest.param(each, marks=[] if each == "square" else [pytest.mark.thorough])
        for each in pc_losses.LOSSES
    ],
)
def test_at_the_best_ridge_a_loss_gains_by_every_example(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """pc-losses; with hardly a ridge the square loss does not."""
    for name in ("ALPHAS", "SEARCHED"):
        span = getattr(pc_losses, name)
        monkeypatch.setattr(pc_losses, name, type(span)(span.low, span.high, 9))
    least = pc_losses.best(loss)[ERROR].values
    assert np.all(np.diff(least) < 0)
    hardly = setting.limit([0.6, 1.0, 3.0], rule=loss, ridge=pc_losses.RIDGES[0], **pc_losses.ASKED)
    assert np.array_equal(np.diff(hardly[ERROR]) > 0, [loss == "square", False])


def test_the_metastable_branch_goes_on_where_equilibrium_jumps() -> None:
    """pc-binary: from the overlap of the transition, with less entropy than the teacher alone has."""
    found = numbers("pc-binary")
    for rule, name in (("bayes", "R"), ("gibbs", "R")):
        ends, branch = found[f"limit_{rule}"], found[f"metastable_{rule}"]
        before = setting.limit([ends.attrs["transition"] * (1 - 1e-9)], rule=rule, weights="binary")
        assert float(ends[name][-1]) == 1.0
        # a part in 1e9 of alpha apart, by a slope below 1000
        assert float(branch[name][0]) == pytest.approx(float(before[name][0]), abs=1e-6)
        assert np.all(np.diff(branch[name]) > 0)
    assert np.all(found["metastable_gibbs"]["entropy"][1:] < -math.log(2))


def test_the_boundary_of_the_map_is_inside_it_and_drawn_sets_reach_beyond() -> None:
    ends = [threshold(noise) for noise in (map_separability.SHADED.low, map_separability.SHADED.high)]
    assert ends[1] == pytest.approx(2.0, abs=0.1)
    assert (
        map_separability.ALPHAS.low < ends[1] < ends[0] < map_separability.ROWS * map_separability.ALPHAS.high
    )


# Separability, certified ------------------------------------------------------------------------------
OPPOSITE = np.array([[1.0, 0.2], [1.0, -0.2], [-1.0, 0.0]])


def test_opposite_rows_are_proved_inseparable_and_others_separated() -> None:
    assert separable(OPPOSITE[:2])
    assert not separable(OPPOSITE)
    assert not separable(np.array([[1.0, 0.0], [-1.0, 0.0]]))  # a margin of 0 is none


def test_the_most_separable_examples_of_a_draw_end_before_the_first_that_contradicts() -> None:
    rows = np.vstack([OPPOSITE, OPPOSITE])
    draws = Draws(rows[None], np.ones((1, len(rows))), np.ones((1, 2)), np.ones(2))
    assert most_separable(draws).tolist() == [2]
    flipped = np.array([[1.0, 1.0, -1.0]])
    all_met = Draws(OPPOSITE[None], flipped, np.ones((1, 2)), np.ones(2))
    assert most_separable(all_met).tolist() == [3]


def test_shares_are_scored_by_exact_tails() -> None:
    """pc-storage: no count has a score beyond a normal number more often than that number has."""
    for chance in (0.02, 0.5, 0.999, 1.0):
        counts = np.arange(41)
        scores = pc_storage.scored(counts, 40, np.full(41, chance))
        odds = stats.binom.pmf(counts, 40, chance)
        for reached in (1.0, 2.0, 4.0):
            assert odds[scores >= reached].sum() <= stats.norm.sf(reached)
            assert odds[scores <= -reached].sum() <= stats.norm.sf(reached)
    assert pc_storage.scored(np.array([39]), 40, np.array([1 - 1e-6]))[0] < -3
