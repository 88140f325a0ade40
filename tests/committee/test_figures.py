"""Committee machines: what captions and pictures say holds for the numbers drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest

from teacherstudent.figures.committee import map_committee
from teacherstudent.figures.committee.cm_overparametrised import LATER, question
from teacherstudent.figures.committee.setting import RISK, asked, of_equals
from teacherstudent.paper_checks.committee.excess import by_equations, by_formula
from teacherstudent.paper_checks.committee.kit.crossing import crossings, specialisation
from teacherstudent.paper_checks.committee.misprints import READINGS
from teacherstudent.theory.committee.plateau import critical_rate


def test_means_over_equal_units_are_those_of_diagonals_and_of_the_rest() -> None:
    answer = asked(overlap=0.2, width=3, teacher_width=3).by("asymptotic", [0.0, 2.0])
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
        asked(overlap=each, **values).by("asymptotic", [12.0, 40.0])[RISK].values for each in (0.3, 0.01)
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
