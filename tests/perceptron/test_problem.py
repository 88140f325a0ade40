"""The problem reads rules, sizes and strengths as it says, and refuses what contradicts itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.house.synonyms import by_name
from teacherstudent.problems.perceptron import PROBLEM, Perceptron
from teacherstudent.problems.perceptron.data import draw, numbers
from teacherstudent.problems.perceptron.parameters import LOSSES, RULES


def made(**values: Any) -> Perceptron:
    found: Perceptron = PROBLEM.instance(**values)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_a_ridge_belongs_to_the_rules_that_have_a_loss(rule: str) -> None:
    if rule in LOSSES:
        assert made(rule=rule).ridge == 0.1
        assert made(rule=rule, ridge=0.5).ridge == 0.5
    else:
        assert made(rule=rule).ridge == made(rule=rule, ridge=0).ridge == 0
        with pytest.raises(
            InputError, match=rf"^--ridge 0\.5: must be absent for rule {rule}, which has none"
        ):
            made(rule=rule, ridge=0.5)


def test_other_names_of_rules_are_understood() -> None:
    assert made(**by_name(PROBLEM.parameters, {"loss": "hinge", "lambda_": 0.3})) == made(
        rule="hinge", ridge=0.3
    )
    with pytest.raises(InputError, match="did you mean hinge"):
        made(rule="svm")


def test_strengths_that_were_divided_are_noted() -> None:
    said = PROBLEM.remarks(made(scales=((1, 3.0), (3, 1.0))))
    assert said == "--scales: strengths are divided by their root mean square 1.73205"
    assert not PROBLEM.remarks(made(p=3, kappa=2.0))


def test_there_is_at_least_one_example_and_no_more_than_can_be_counted() -> None:
    assert numbers(made(d=10), np.array([1e-9, 0.14, 0.26, 3.0])).tolist() == [1, 1, 3, 30]
    with pytest.raises(
        InputError, match=r"--times 1e\+12: must be such that alpha d \(here 1e\+13 examples\)"
    ):
        numbers(made(d=10), np.array([1e12]))


def test_more_examples_of_a_seed_begin_with_the_fewer() -> None:
    problem = made(d=3, noise=0.4, kappa=2.0)
    fewer, more = draw(problem, [4, 9], 5), draw(problem, [4, 9], 8)
    np.testing.assert_array_equal(more.inputs[:, :5], fewer.inputs)
    np.testing.assert_array_equal(more.labels[:, :5], fewer.labels)
    np.testing.assert_array_equal(more.teacher, fewer.teacher)
    np.testing.assert_allclose(fewer.strengths, [1.3333333333333333, 1.3333333333333333, 1 / 3], rtol=1e-15)


def test_teachers_lie_on_the_sphere_or_at_its_corners() -> None:
    spherical = draw(made(d=7), range(3), 1).teacher
    np.testing.assert_allclose(np.sum(spherical**2, axis=1), 7, rtol=1e-15)
    binary = draw(made(d=7, rule="gibbs", weights="binary"), range(3), 1).teacher
    np.testing.assert_allclose(np.abs(binary), 1, rtol=1e-15)
