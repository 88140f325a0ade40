"""Single questions of all systems: refused, lost, answered alike, answered with known numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError, UnconvergedWarning
from tests.cases import ask, rows

quiet = pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")


@pytest.mark.parametrize(("problem", "route", "values", "said"), rows("REFUSED"))
def test_a_question_without_an_answer_is_refused_in_one_line(
    problem: str, route: str, values: dict[str, Any], said: str
) -> None:
    given = dict(values)
    times = given.pop("times", [1])
    with pytest.raises(InputError, match=said) as refused:
        ask(problem, route, times, given) if route else catalogue.find_problem(problem).instance(**given)
    assert str(refused.value).isprintable()


@quiet
@pytest.mark.parametrize(("problem", "route", "times", "values", "said", "lost"), rows("LOST"))
def test_a_number_that_is_not_certain_is_nan_with_the_reason(
    problem: str, route: str, times: Any, values: dict[str, Any], said: str, lost: Any
) -> None:
    with pytest.warns(UnconvergedWarning, match=said):
        answer = ask(problem, route, times, values)
    for name, missing in (lost if isinstance(lost, dict) else dict.fromkeys(answer.data_vars, lost)).items():
        values_over_time = np.moveaxis(answer[name].values, answer[name].dims.index("time"), 0)
        for found, expected in zip(np.isnan(values_over_time), missing, strict=True):
            assert (found == expected).all(), name


@quiet
@pytest.mark.parametrize(("problem", "row"), [(each.values[0], each.values[1:]) for each in rows("EQUAL")])
def test_two_questions_have_one_answer(problem: str, row: tuple[Any, ...]) -> None:
    one, other, bound, *names = ask(problem, *row[:3]), ask(problem, *row[3:6]), *row[6:]
    for name in names[0] if names else one.data_vars:
        found, expected = one[name].values, np.broadcast_to(other[name].values, one[name].shape)
        size = np.nanmax(np.abs(expected)) or 1.0
        np.testing.assert_allclose(found, expected, rtol=0, atol=bound * size, err_msg=str(name))


@quiet
@pytest.mark.parametrize(("problem", "route", "times", "values", "numbers", "bound"), rows("KNOWN"))
def test_numbers_are_those_known_from_elsewhere(
    problem: str, route: str, times: Any, values: dict[str, Any], numbers: dict[str, Any], bound: float
) -> None:
    answer = ask(problem, route, times, values)
    for name, expected in numbers.items():
        np.testing.assert_allclose(answer[name].values, expected, rtol=0, atol=bound, err_msg=name)
