"""Lesson 9 says what the theory says: its formulas, its rate of escape, what noise and large steps do."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.lessons import plateau
from teacherstudent.theory.committee import final
from teacherstudent.theory.committee import plateau as theory


@pytest.mark.parametrize("units", [2, 3])
def test_its_formulas_are_those_of_small_learning_rates(units: int) -> None:
    exact = theory.small_rate_plateau(units)
    assert plateau.slowly(units, 0.1) == pytest.approx(
        (exact.excess_risk, 0.1 * exact.escape_rate), rel=1e-12
    )


@pytest.mark.thorough
def test_the_rate_of_escape_is_that_of_the_plateau() -> None:
    """Read off a path from X = 0.01, it is off by the order of X^2."""
    assert plateau.escape(2.0)[1] == pytest.approx(theory.plateau(2, 2.0).escape_rate, rel=2e-4)


def test_final_risks_are_the_floor_of_weak_noise() -> None:
    found = plateau.floor([0.5])["measured"].item()
    assert found == pytest.approx(final.erf_floor(2, 0.5), rel=0.01)


def test_three_units_never_learn_at_the_largest_rate() -> None:
    risks = plateau.limit([300], width=3, teacher_width=3, learning_rate=2.25, overlap=0.1)["excess_risk"]
    assert risks.item() > 0.1


def test_noise_lengthens_the_wait() -> None:
    quiet, noisy = (plateau.limit([60], learning_rate=1.5, noise=each)["R"][0] for each in (0.0, 0.4))
    assert float(quiet[0, 0] - quiet[0, 1]) > 0.5 > float(noisy[0, 0] - noisy[0, 1])


def test_a_slope_without_the_half_is_far_from_straight_waits() -> None:
    sizes, random = np.array([50, 200, 800]), np.random.default_rng(1)
    seen = {d: 4.0 * np.log(d) + random.normal(size=400) for d in sizes}
    right, slope, error = plateau.compared(seen, 1 / 8)
    wrong, *same = plateau.compared(seen, 1 / 4)
    assert right.agrees
    assert not wrong.agrees
    assert abs(slope - 4) < 5 * error < 0.5
    assert same == [slope, error]
