"""Lesson 9 says what the theory says: its formulas, its rate of escape, what noise and large steps do."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.lessons import plateau
from teacherstudent.theory.committee import final
from teacherstudent.theory.committee import plateau as theory
from tests.roundings import repeated


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


@pytest.mark.thorough
def test_rates_of_escape_are_lower_than_the_formula_most_of_all_with_three_units() -> None:
    lost = {
        units: 1 - theory.plateau(units, 1.5).escape_rate / plateau.slowly(units, 1.5)[1] for units in (2, 3)
    }
    assert 0 < lost[2] < lost[3]


def test_three_units_never_learn_at_the_largest_rate() -> None:
    risks = plateau.limit([300], width=3, teacher_width=3, learning_rate=2.25, overlap=0.1)["excess_risk"]
    assert risks.item() > 0.1


@pytest.mark.thorough
@pytest.mark.parametrize("layer", [0.0, 0.5])
def test_three_units_never_learn_at_the_three_largest_rates(layer: float) -> None:
    """Without noise: at 1.5 they still do, from 1.75 on they come to rest at risks above 0, too long."""
    for rate in (1.5, 1.75, 2.25):
        asked = dict(width=3, teacher_width=3, learning_rate=rate, second_layer_learning_rate=layer)
        last = plateau.limit([1e4, 1e5], overlap=0.3, **asked)
        before, risk = last["excess_risk"].values
        long = last["Q"].values[-1, 0, 0] > 1.01
        assert (risk < 1e-6) == (rate == 1.5)
        assert long == (rate > 1.5)
        assert risk == pytest.approx(before, rel=1e-6, abs=1e-6)


@pytest.mark.thorough
def test_only_some_weights_grow_as_far_as_they_are_followed() -> None:
    asked = dict(width=3, teacher_width=3, learning_rate=2.25)
    for overlap, noise, grow in ((0.3, 0.0, False), (0.0, 0.0, True), (0.3, 0.4, True)):
        Q = plateau.limit([1e3, 1e4], overlap=overlap, noise=noise, **asked)["Q"].values[:, 0, 0]
        assert (Q[1] > 2 * Q[0]) == grow


def apart(time: float, rate: float, noise: float) -> float:
    """Overlap of a unit with its own unit of the teacher, less that with the other."""
    R = plateau.limit([time], learning_rate=rate, noise=noise)["R"][0]
    return float(R[0, 0] - R[0, 1])


def test_noise_lengthens_the_wait() -> None:
    assert apart(60, 1.5, 0.0) > 0.5 > apart(60, 1.5, 0.4)


@pytest.mark.thorough
def test_weak_noise_hardly_does_where_the_rate_is_1() -> None:
    quiet, weak, strong = (apart(80, 1.0, noise) for noise in (0.0, 0.1, 0.4))
    assert quiet > 0.5 > strong
    assert abs(weak - quiet) < 0.05


def test_a_slope_without_the_half_is_far_from_straight_waits() -> None:
    sizes, random = np.array([50, 200, 800]), np.random.default_rng(1)
    seen = {d: 4.0 * np.log(d) + random.normal(size=400) for d in sizes}
    right, slope, error = plateau.compared(seen, 1 / 8)
    wrong, *again = plateau.compared(seen, 1 / 4)
    assert right.agrees
    assert not wrong.agrees
    assert abs(slope - 4) < 5 * error < 0.5
    assert repeated(again, [slope, error])
