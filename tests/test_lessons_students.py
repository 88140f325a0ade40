"""Lesson 11 says what the rank says, and notices students that are on the other side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

from teacherstudent.lessons import students

SQUARES, CUBES = students.system(2, 3, 3, 2, 2), students.system(3, 3, 3, 3, 2)


def drawn(**columns: Any) -> xr.Dataset:
    """Students of two teachers at two, three and four examples, as the theory has them for `SQUARES`."""
    right = {
        "ambiguity": [6.0, 3.0, 3.0],
        "direction_ambiguity": [6.0, 3.0, 3.0],
        "misfit": [1.0, 1e-15, 1e-15],
        "direction_error": [0.9, 0.8, 0.7],
    }
    values = {name: (("seed", "time"), [each] * 2) for name, each in {**right, **columns}.items()}
    return xr.Dataset(values, {"time": [2.0, 3.0, 4.0]})


def test_it_counts_what_is_left_to_be_found_and_how_many_examples_are_enough() -> None:
    assert [students.to_find(of) for of in (SQUARES, CUBES)] == [12, 18]
    assert [students.enough(of) for of in (SQUARES, CUBES)] == [3, 6]
    assert students.free([2, 3, 4], **SQUARES).tolist() == [[6, 3, 3]] * 2


def test_students_on_the_side_of_the_theory_are_counted() -> None:
    whole = {"free parameters": (6, 6), "outputs": (4, 4), "directions": (4, 4)}
    assert students.sides(drawn(), SQUARES) == whole
    lost = drawn(misfit=[1.0, 1e-15, np.nan], direction_error=[0.9, 0.8, np.nan])
    assert students.sides(lost, SQUARES) == {
        "free parameters": (4, 4),
        "outputs": (2, 2),
        "directions": (2, 2),
    }


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"ambiguity": [6.0, 3.0, 2.0]}, "free parameters"),
        ({"direction_ambiguity": [5.0, 3.0, 3.0]}, "free parameters"),
        ({"misfit": [1e-9, 1e-15, 1e-15]}, "outputs"),
        ({"misfit": [1.0, 1e-15, 1e-3]}, "outputs"),
        ({"direction_error": [0.9, 0.8, 1e-12]}, "directions"),
    ],
)
def test_students_on_the_other_side_are_noticed(columns: dict[str, list[float]], name: str) -> None:
    found = students.sides(drawn(**columns), SQUARES)
    assert found[name][0] < found[name][1]
    assert all(seen == told for other, (seen, told) in found.items() if other != name)


def test_where_the_rank_does_not_decide_students_are_not_judged() -> None:
    others = drawn(misfit=[1.0, 1.0, 1e-15], direction_error=[0.9, 1e-15, 0.7])
    assert all(seen == told for seen, told in students.sides(others, SQUARES).values())


@pytest.mark.thorough
def test_trained_students_are_on_the_side_of_the_theory() -> None:
    for of in (SQUARES, CUBES):
        seen = students.trained(0, of)
        assert all(one == told > 0 for one, told in students.sides(seen, of).values())
    assert (seen["misfit"].sel(time=6) > students.ZERO).any(), "others at as many equations as unknowns"
