"""Lesson 17 says what the theory says: where trainings begin and end, and what examples are worth."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.api.teaching import function, teaching
from teacherstudent.lessons import groups


def accuracy(route: str, method: str, few: int, noise: float = 0.5) -> float:
    """Accuracy on the minority, `few` of 200 examples of each class."""
    return groups.on_minority(groups.limit(route, method, groups.asked(few, 2.0, noise, 1.5))).item()


def test_reweighting_begins_right_and_ends_like_plain_training() -> None:
    begins, ends = (accuracy(route, "rwg", 10) for route in ("initial-gradient", "max-margin"))
    assert begins > 0.9
    assert ends == pytest.approx(accuracy("max-margin", "erm", 10), abs=1e-12)
    assert accuracy("max-margin", "subg", 10) > ends + 0.3


def test_examples_are_worth_more_than_balance_where_the_minority_is_frequent() -> None:
    assert accuracy("max-margin", "subg", 60) < accuracy("max-margin", "erm", 60)


def test_curves_cross_where_they_are_equal() -> None:
    p = np.array([0.01, 0.1, 1.0])
    assert groups.crossing(p, np.array([2.0, 1.0, -1.0]), np.zeros(3)) == pytest.approx(10**-0.5)
    assert np.isnan(groups.crossing(p, np.ones(3), np.zeros(3)))


def test_margins_are_densities_times_shares() -> None:
    answer = groups.limit("max-margin", "erm", groups.asked(10, 2.0, 0.5, 1.5))
    many, few, *_ = groups.margins(answer, 0.05, "ERM").marks
    area = [np.trapezoid(each.y, each.x) for each in (many, few)]
    assert area == pytest.approx([0.95, 0.05], rel=0.02)
    left = few.x < 1e-9
    wrong = np.trapezoid(few.y[left], few.x[left]) / 0.05
    assert wrong == pytest.approx(1 - groups.on_minority(answer).item(), abs=0.02)


def test_the_exercise_is_the_first_step_of_reweighted_training() -> None:
    exercise = teaching("groups").exercise
    assert exercise
    for asked in exercise.questions(4):
        question = groups.asked(round(200 * asked["p"]), 2.0, asked["gamma_noise"], asked["ratio"])
        begins = groups.on_minority(groups.limit("initial-gradient", "rwg", question)).item()
        assert function(exercise.solution)(**asked) == pytest.approx(begins, rel=1e-9)


@pytest.mark.thorough
def test_trained_students_begin_and_end_where_theory_says() -> None:
    question = groups.asked(10, 2.0, 0.5, 1.5)
    begins, ends = (
        {method: groups.limit(route, method, question) for method in ("rwg", "subg")}
        for route in ("initial-gradient", "max-margin")
    )
    _, compared = groups.trained(question, begins, ends)
    assert compared.agrees
    _, exchanged = groups.trained(question, ends, begins)
    assert not exchanged.agrees
