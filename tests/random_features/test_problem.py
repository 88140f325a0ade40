"""The problem reads sizes, strengths and functions as it says, and refuses what contradicts itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.house.synonyms import by_name
from teacherstudent.problems.multiscale import PROBLEM as MULTISCALE
from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.problems.random_features.data import draw

made = PROBLEM.instance


def test_sizes_may_be_said_by_their_ratios() -> None:
    problem = made(d=40, psi1=1.26, psi2=0.5)
    assert (problem.n, problem.width, problem.d) == (20, 50, 40)
    assert PROBLEM.realised(problem) == {"psi1": 1.25, "psi2": 0.5}
    assert made(scales=((30, 1.0), (10, 2.0)), psi1=2.0).width == 80


STRENGTHS = (
    ({"d": 10}, (10,), [1.0]),
    ({"d": 10, "p": 4, "kappa": 2.0}, (4, 6), [10 / 5.5, 10 / 22]),
    ({"d": 10, "kappa": 2.0}, (5, 5), [1.6, 0.4]),
    ({"d": 1, "kappa": 2.0}, (1,), [1.0]),
    ({"d": 10, "p": 10, "kappa": 2.0}, (10,), [1.0]),
    ({"d": 10, "p": 0, "kappa": 2.0}, (10,), [1.0]),
    ({"scales": ((10, 7.0),)}, (10,), [1.0]),
    ({"scales": ((1, 3.0), (3, 1.0))}, (1, 3), [3.0, 1 / 3]),
    ({"scales": ((1, 3e200), (3, 1e200))}, (1, 3), [3.0, 1 / 3]),
    ({"scales": ((1, 3e-200), (3, 1e-200))}, (1, 3), [3.0, 1 / 3]),
    ({"scales": ((1, 5e-324), (3, 1e308))}, (1, 3), [0.0, 4 / 3]),
)


@pytest.mark.parametrize(
    ("given", "counts", "strengths"), STRENGTHS, ids=[str(each) for each, *_ in STRENGTHS]
)
def test_strengths_have_mean_one_whatever_their_unit(
    given: dict[str, Any], counts: tuple[int, ...], strengths: list[float]
) -> None:
    problem = made(**given)
    assert problem.counts == counts
    np.testing.assert_allclose(problem.strengths, strengths, rtol=1e-15)


def test_both_systems_mean_the_same_inputs_by_p_and_kappa() -> None:
    """Those of the other system have the largest strength 1, and here the mean square is."""
    given = {"d": 10, "p": 4, "kappa": 2.0}
    ours, other = made(**given), MULTISCALE.instance(**given)
    assert ours.counts == other.counts
    squares = np.square(other.sigmas)
    np.testing.assert_allclose(ours.strengths, squares * 10 / np.dot(other.counts, squares), rtol=1e-15)


def test_what_is_divided_or_left_out_is_noted() -> None:
    said = PROBLEM.remarks(made(scales=((1, 3.0), (3, 1.0)), hermite=(0.5, 1.0), teacher_hermite=(2.0, 1.0)))
    assert said == (
        "--scales: strengths are divided by their root mean square 1.73205; "
        "--hermite: the first coefficient 0.5 is the mean of the function and is ignored; "
        "--teacher-hermite: the first coefficient 2 is the mean of the function and is ignored"
    )
    quiet = ({}, {"p": 3, "kappa": 2.0}, {"hermite": (0.0, 1.0)}, {"scales": ((4, 1.0),)})
    assert not any(PROBLEM.remarks(made(**each)) for each in quiet)


def test_a_letter_that_the_field_uses_for_two_ratios_is_refused_with_both() -> None:
    with pytest.raises(InputError) as caught:
        by_name(PROBLEM.parameters, {"alpha": 2.0})
    line = str(caught.value)
    assert line.startswith(
        "--alpha 2.0: must be said by its name: --n (number of training examples) or --psi2 (training "
    )
    assert line.endswith("n is rounded to a whole number)")


def test_zeros_at_the_end_of_a_function_are_no_part_of_it() -> None:
    assert made(hermite=(0.0, 1.0, 0.0)) == made(hermite=(0.0, 1.0))
    assert made(teacher_hermite=(0.0, 0.0, 1.0, 0.0)).teacher == (0.0, 0.0, 1.0)


def test_copies_share_their_teacher_and_nothing_else() -> None:
    """Draws of another copy are other draws under the same rule; longer ones begin as shorter ones do."""
    problem = made(n=5, width=4, d=3, noise=0.1, init=0.2)
    one, other = draw(problem, range(2)), draw(problem, range(2), copy=1)
    np.testing.assert_array_equal(one.teacher, other.teacher)
    for name in ("inputs", "features", "noise", "initial"):
        assert not (getattr(one, name) == getattr(other, name)).any(), name
    longer = draw(made(n=7, width=6, d=3, noise=0.1, init=0.2), range(2))
    for name in ("inputs", "features", "noise", "initial"):
        shorter = getattr(one, name)
        np.testing.assert_array_equal(getattr(longer, name)[:, : shorter.shape[1]], shorter)


def test_drawn_strengths_stand_input_by_input() -> None:
    found = draw(made(scales=((1, 3.0), (3, 1.0)), n=2, width=2), range(1)).strengths
    np.testing.assert_allclose(found, np.sqrt([3.0, 1 / 3, 1 / 3, 1 / 3]), rtol=1e-15)
