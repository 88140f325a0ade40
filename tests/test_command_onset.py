"""Boundaries as numbers: known ones are met to the accuracy stated, and steps are owned up to."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Count
from teacherstudent.house.errors import InputError
from tests.roundings import unrounded
from tests.support import say

FIGURE_4 = ("onset", "multiscale", "--n", "110", "--d", "100", "--p", "70")

HERE = "tests.test_command_onset"


def answer(text: str) -> dict[str, float]:
    (row,) = csv.DictReader(io.StringIO(text))
    return {name: float(value) for name, value in row.items() if name != "parameter"}


@pytest.mark.parametrize(("curve", "onset"), [("printed", 11.336), ("ridge", 7.353), ("flow", 5.1999)])
def test_onsets_in_the_setting_of_figure_4(curve: str, onset: float) -> None:
    said = say(*FIGURE_4, "--curve", curve, "--kappa", "2:30")
    assert (said.status, said.err) == (0, "")
    found = answer(said.out)
    assert found["value"] == pytest.approx(onset, abs=1e-4)
    assert 0 < found["accuracy"] <= 1e-6
    assert (found["below"], found["above"]) == (1, 2)


def test_json_is_a_list_of_one_object_with_the_same_numbers() -> None:
    asked = (*FIGURE_4, "--curve", "printed", "--kappa", "2:30")
    (found,) = json.loads(say(*asked, "--json").out)
    assert found["id"] == found["parameter"] == "kappa"
    assert found["curve"] == "printed"
    assert answer(say(*asked).out).items() <= found.items()


def test_a_problem_of_which_nothing_is_counted_is_refused_with_those_that_have_counts() -> None:
    counted = ", ".join(sorted({each.problem for each in catalogue.counts()}))
    with pytest.raises(InputError, match=f"^--problem starvation: must be one of {counted}$"):
        teacherstudent.onset("starvation", s1=(1, 2))


@pytest.fixture
def step(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of the toy with boundaries known beforehand, one of them uncertain."""
    counts = (
        Count(
            "toy",
            "strong",
            "tests.test_command_onset:strong",
            "halves of strength",
            "strength in units of 0.37",
        ),
        Count("toy", "large", f"{HERE}:large", "sizes", "whole above part"),
        Count("toy", "unsure", f"{HERE}:unsure", "doubts", "nobody knows"),
    )
    monkeypatch.setattr(catalogue, "counts", lambda: counts)


def strong(toy: Any, _: str) -> int:
    return int(toy.strength / 0.37)


def large(toy: Any, _: str) -> int:
    return 1 + (toy.whole > 10 * toy.part)


def unsure(toy: Any, _: str) -> int:
    raise ArithmeticError("the slope is not finite everywhere")


@pytest.mark.usefixtures("step")
@pytest.mark.parametrize("accuracy", [1e-3, 1e-8])
def test_a_boundary_is_within_the_accuracy_asked_for(accuracy: float) -> None:
    found = teacherstudent.onset("toy", strength=(0.1, 0.7), accuracy=accuracy)
    assert found.accuracy <= accuracy
    assert abs(found.value - 0.37) <= found.accuracy * found.value
    assert (found.below, found.above) == (0, 1)


@pytest.mark.usefixtures("step")
def test_of_several_changes_one_is_found() -> None:
    found = teacherstudent.onset("toy", strength=(0.1, 2))
    assert found.above - found.below == 1
    assert found.value / 0.37 == pytest.approx(round(found.value / 0.37), rel=1e-6)


@pytest.mark.usefixtures("step")
def test_whole_numbers_are_searched_to_the_gap_between_two() -> None:
    found = teacherstudent.onset("toy", curve="large", strength=1.0, part=2, whole="3:1000")
    assert unrounded(found.value, 20.5)
    assert found.accuracy * found.value == pytest.approx(0.5)


def test_a_ratio_of_whole_numbers_is_known_to_its_steps_only_and_says_so() -> None:
    """A hundred features: n = alpha d changes at alpha = 1.575, 1.585, 1.595."""
    asked = ("onset", "multiscale", "--curve", "ridge", "--kappa", "12", "--accuracy", "1e-5")
    coarse = say(*asked, "--d", "100", "--p", "70", "--alpha", "1.1:5")
    fine = say(*asked, "--d", "100000000", "--p", "70000000", "--alpha", "1.1:5")
    assert coarse.status == fine.status == 0
    assert coarse.err.startswith("warning: --accuracy 1e-05: 0.0")
    assert coarse.err.count("\n") == 1
    assert fine.err == ""
    near, exact = answer(coarse.out), answer(fine.out)
    assert near["accuracy"] * near["value"] == pytest.approx(0.01)
    assert abs(near["value"] - exact["value"]) <= near["accuracy"] * near["value"]


def test_ranges_may_begin_at_zero() -> None:
    found = teacherstudent.onset("multiscale", n=110, d=100, p=70, kappa=8, ridge="0:1", accuracy=1e-4)
    above = teacherstudent.onset("multiscale", n=110, d=100, p=70, kappa=8, ridge=(0.05, 1), accuracy=1e-4)
    assert (found.below, found.above) == (2, 1)
    assert found.value == pytest.approx(above.value, rel=2e-4)


@pytest.mark.usefixtures("step")
def test_where_a_count_is_not_certain_nothing_is_claimed() -> None:
    with pytest.raises(
        InputError, match=r"^--strength 0.1:0.7: must be a range in which every count is certain"
    ):
        teacherstudent.onset("toy", curve="unsure", strength=(0.1, 0.7))


def test_the_boundary_is_where_the_maximum_is_born() -> None:
    """Just above the onset the risk has a minimum and a maximum close together, just below none."""
    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale import landmarks

    found = teacherstudent.onset("multiscale", n=110, d=100, p=70, kappa=(2, 30))
    setting = {"n": 110, "d": 100, "p": 70}
    born = landmarks.extrema(PROBLEM.instance(kappa=found.value * (1 + 4e-6), **setting))
    assert landmarks.extrema(PROBLEM.instance(kappa=found.value * (1 - 4e-6), **setting)) == ()
    assert [each.is_minimum for each in born] == [True, False]
    assert np.log(born[1].time / born[0].time) < 0.05
