"""Plateaus, rates beyond which the teacher is left, noise floors, and what captions say of them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from teacherstudent.figures.committee import map_committee
from teacherstudent.figures.committee.cm_overparametrised import LATER, question
from teacherstudent.figures.committee.setting import RISK, of_equals, question_of
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.committee.excess import by_equations, by_formula
from teacherstudent.paper_checks.committee.kit.crossing import crossings, specialisation
from teacherstudent.paper_checks.committee.misprints import READINGS
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.theory.committee import final, ode
from teacherstudent.theory.committee.integration import jacobian
from teacherstudent.theory.committee.plateau import (
    critical_rate,
    near_perfect,
    plateau,
    small_rate_plateau,
)
from teacherstudent.theory.committee.symmetric import Symmetric
from tests.roundings import repeated


def test_the_plateau_at_a_finite_rate() -> None:
    found = plateau(2, 1.5)
    values = (found.R, found.Q, found.C, found.excess_risk, found.escape_rate)
    expected = (0.45378, 0.60459, 0.26966, 0.034628, 0.076364)
    assert np.max(np.abs(np.subtract(values, expected))) <= 0.6e-5
    assert not found.stable


@pytest.mark.thorough
@pytest.mark.parametrize("width", [2, 4])
def test_the_plateau_comes_to_its_closed_form_as_the_rate_goes_to_0(width: int) -> None:
    limit = small_rate_plateau(width)
    off = [
        [getattr(found, name) * scale - getattr(limit, name) for name, scale in named]
        for rate in (0.04, 0.02)
        for found in [plateau(width, rate)]
        for named in [(("R", 1), ("Q", 1), ("C", 1), ("excess_risk", 1), ("escape_rate", 1 / rate))]
    ]
    assert np.all(np.abs(np.array(off[0]) / off[1] - 2) <= 0.1)
    assert repeated(list(vars(plateau(width, 0.0)).values()), list(vars(limit).values()))


@pytest.mark.parametrize(
    ("width", "rate", "time"), [(2, 1.66, 12.9), pytest.param(4, 0.68, 64.6, marks=pytest.mark.thorough)]
)
def test_the_escape_is_fastest_at_a_rate(width: int, rate: float, time: float) -> None:
    escape = plateau(width, rate).escape_rate
    assert 1 / escape == pytest.approx(time, abs=0.06)  # of a rate of two digits


@pytest.mark.thorough
def test_at_another_rate_the_escape_ends() -> None:
    assert not plateau(4, 1.390).stable
    assert plateau(4, 1.400).stable


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (2, (0.5246, 0.7178, 0.3830, 0.0736, 0.239)),
        (3, (0.3579, 0.7292, 0.2119, 0.1587, 0.205)),
    ],
)
def test_the_plateau_of_rectified_units(width: int, expected: tuple[float, ...]) -> None:
    found = plateau(width, 0.0, "relu")
    values = (found.R, found.Q, found.C, found.excess_risk, found.escape_rate)
    assert np.all(np.abs(np.subtract(values, expected)) <= [0.6e-4] * 4 + [0.6e-3])


@pytest.mark.thorough
def test_a_path_stays_for_one_e_fold_longer_when_it_starts_that_much_nearer() -> None:
    """The length of the plateau is ln(1/X_0)/escape_rate and a constant."""
    grid, passed = np.linspace(1, 400, 8_000), []
    for overlap in (1e-5, 1e-5 / math.e):
        problem = PROBLEM.instance(learning_rate=1.5, overlap=overlap)
        R = ode.solve(problem, grid).R
        passed.append(np.interp(0.25, R[:, 0, 0] - R[:, 0, 1], grid))
    assert passed[1] - passed[0] == pytest.approx(1 / plateau(2, 1.5).escape_rate, abs=2e-3)


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("rate", [0.2, 1.0])
def test_slopes_beside_the_teacher_are_the_printed_matrices(width: int, rate: float) -> None:
    A, B = near_perfect(width)
    found = jacobian(Symmetric(width, rate).slopes, np.array([1.0, 0, 1, 0]), 1e-5)
    moving = [0, 2] if width == 1 else [0, 1, 2, 3]
    at = np.ix_(moving, moving)
    np.testing.assert_allclose(found[at], (A + rate * B)[at], rtol=0, atol=1e-8)


def test_rates_beyond_which_the_teacher_is_left() -> None:
    found = [critical_rate(width) for width in (1, 2, 3, 4)]
    assert found[0] == pytest.approx(math.pi * math.sqrt(5 / 3), rel=1e-12)
    assert np.max(np.abs(np.subtract(found, (4.055779, 2.306828, 1.620675, 1.249393)))) <= 0.6e-6


def floor(**values: Any) -> float:
    return final.small_noise_floor(PROBLEM.instance(**values))


def test_floors_of_small_noise() -> None:
    for M, more, rate, expected in (
        (2, 0, 0.5, 0.1171255141),
        (2, 1, 0.5, 0.2680255044),
        (2, 2, 0.2, 0.1263902652),
    ):
        found = floor(width=M + more, teacher_width=M, learning_rate=rate)
        assert found == pytest.approx(expected, abs=2e-9)
        if not more:
            assert final.erf_floor(M, rate) == pytest.approx(expected, abs=1e-10)
    rate = 0.5
    one = rate / (2 * math.sqrt(3) * math.pi * (1 - rate / critical_rate(1)))
    assert final.erf_floor(1, rate) == pytest.approx(one, rel=1e-12)
    linear = floor(width=2, teacher_width=2, activation="linear", learning_rate=rate)
    assert linear == pytest.approx(final.linear_floor(rate, np.ones(2)), rel=1e-8)
    relu = floor(width=1, teacher_width=1, activation="relu", learning_rate=1.0)
    assert relu == pytest.approx(final.relu_floor(1.0), rel=1e-4)


@pytest.mark.thorough
def test_the_floor_at_a_noise_is_left_where_two_units_are_too_many() -> None:
    problem = PROBLEM.instance(width=3, teacher_width=1, learning_rate=0.5, noise=0.3)
    saddle = final.noise_floor(problem)
    assert saddle == pytest.approx(0.0308, abs=0.6e-4)
    assert final.small_noise_floor(problem) * 0.09 == pytest.approx(0.0317, abs=0.6e-4)
    risks = ode.solve(problem, np.array([1e4, 1e5])).excess_risk
    assert np.max(np.abs(risks - [0.0081, 0.0062])) <= 0.6e-4
    assert ode.solve(PROBLEM.instance(noise=0.1, learning_rate=0.5), np.array([1e6])).excess_risk[
        0
    ] == pytest.approx(final.noise_floor(PROBLEM.instance(noise=0.1, learning_rate=0.5)), rel=1e-8)


def test_what_has_no_floor_beside_the_teacher_is_refused() -> None:
    for changes in ({"width": 1}, {"weight_decay": 0.1}, {"initial_second_layer": (1, 2)}):
        with pytest.raises(InputError):
            floor(**changes)


def test_means_over_equal_units_are_those_of_diagonals_and_of_the_rest() -> None:
    answer = question_of(overlap=0.2, width=3, teacher_width=3).by("asymptotic", [0.0, 2.0])
    found = of_equals(answer)
    R, Q = answer["R"].values, answer["Q"].values
    for name, values in (("R", R), ("Q", Q)):
        np.testing.assert_allclose(found[f"{name}_own"], values[:, 1, 1])
        np.testing.assert_allclose(found[f"{name}_other"], values[:, 0, 2])
    np.testing.assert_allclose(specialisation(R), found["R_own"] - found["R_other"])


def test_crossings_lie_between_times() -> None:
    times = np.array([0.0, 1.0, 2.0])
    values = np.array([[0.0, 0.4, 0.8], [0.6, 0.7, 0.8], [0.0, 0.1, 0.2]])
    np.testing.assert_allclose(crossings(times, values), [1.25, 0.0, np.nan])


def test_less_overlap_means_a_longer_wait_on_a_plateau() -> None:
    """cm-plateau (a)."""
    values = {"learning_rate": 1.5, "init": 0.5}
    late, long = (
        question_of(overlap=each, **values).by("asymptotic", [12.0, 40.0])[RISK].values
        for each in (0.3, 0.01)
    )
    assert late[1] < 0.1 * late[0]
    assert long[1] > 0.8 * long[0]


def test_the_floor_diverges_at_the_largest_rate() -> None:
    """map-committee, L = 0: the pole of the floor is the rate of the determinant."""
    rates = np.array([2.0, 2.5])
    gone = np.array([map_committee.floor(0, rate) <= 0 for rate in rates])
    # the floor is linearised by differences at a distance of 1e-5, whose error grows beside the pole
    assert map_committee.pole(0, rates, gone) == pytest.approx(critical_rate(2), rel=1e-4)


def test_with_both_layers_in_training_three_units_end_nearer_than_two() -> None:
    """cm-overparametrised: at t = 400 three units end nearer than two where both layers are trained."""
    two, three = (float(question(K, "both").by("asymptotic", [400.0])[RISK][0]) for K in (2, 3))
    assert three < two


@pytest.mark.thorough
def test_more_units_do_not_mean_more_error_once_units_in_excess_have_paired_off() -> None:
    """cm-overparametrised (a): of four units two have no part in the output, of three one has."""
    three, four = (float(question(K, "first").by("asymptotic", [LATER[0]])[RISK][0]) for K in (3, 4))
    assert four < three


def test_the_reading_of_the_saddle_names_the_time_of_its_number() -> None:
    reading = READINGS["cm-final-error-saddle"]
    found = re.search(r"t = ([\d.e]+)", reading.of)
    assert found
    assert reading.error
    equations = by_equations(None, float(found[1]))
    assert reading.error() == pytest.approx(float(abs(by_formula(None)[0] / equations[0] - 1)), rel=1e-6)
