"""Descents over a parameter: against closed forms of a made-up risk, and of least squares."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.maps import descents_along
from teacherstudent.maps.budget import Budget, Spent
from teacherstudent.maps.descents_along import Across
from teacherstudent.maps.field import UNKNOWN
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.plane import Place
from teacherstudent.maps.questions import read_map_question

PROMISED = 1e-3
PLANE = {"x": "ridge=1:2:lin", "y": "time=1:10"}


def field(**asked: Any) -> Across:
    made: Any = field_of(read_map_question("multiscale", of="descents", **{**PLANE, **asked}))
    assert isinstance(made, Across)
    return made


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Any]], list[int]]:
    """Replaces the risk by a function of x = log10(noise), place and times; returns times per call."""

    def replaced(risk: Callable[..., Any]) -> list[int]:
        calls: list[int] = []

        def answered(_: Any, __: str, ___: Any, place: Place, times: Any, more: Any) -> tuple[Any, str]:
            calls.append(len(times))
            return risk(math.log10(more["noise"]), place, np.asarray(times)) * np.ones(len(times)), "said"

        monkeypatch.setattr(descents_along, "values_at", answered)
        return calls

    return replaced


def test_boundaries_are_where_two_turns_meet(made: Any) -> None:
    """log risk = X^4/4 + a X^2/2 + b X over X = 4 x, a = 4 (u - 0.7), b = v - 0.5."""

    def risk(x: float, place: Place, times: np.ndarray) -> np.ndarray:
        a, b = 4 * (place[0] - 0.7), np.log10(times) - 0.5
        return np.exp((4 * x) ** 4 / 4 + a * (4 * x) ** 2 / 2 + b * 4 * x)

    calls, asked = made(risk), field(along="noise=0.1:10")
    places: list[Place] = [(0.5, 0.5), (0.5, 0.95), (0.9, 0.5)]
    assert [each.label for each in asked.samples(places)] == [2, 1, 1]
    assert calls[:25] == [2] * 25  # two times at one value of the other parameter, of one call
    curves = asked.traced(places[0], places[1])
    assert any("cusp" in curve.ends for curve in curves)
    for curve in curves:
        u, v = curve.points.T
        true = 2 * np.maximum(4 * (0.7 - u) / 3, 0) ** 1.5
        assert float(np.max(np.abs(np.abs(v - 0.5) - true))) < PROMISED


@pytest.mark.parametrize("middle", [0.5, 0.0])
def test_a_turn_that_leaves_by_either_end_is_followed_there(made: Any, middle: float) -> None:
    """log risk = (x - c)^2 over -1 < x < 1, c = 4 u - 4 middle: it has a minimum where |c| < 1."""
    made(lambda x, place, times: math.exp((x - 4 * (place[0] - middle)) ** 2))
    asked = field(along="noise=0.1:10")
    inside, outside, at = ((0.5, 0.5), (0.1, 0.5), 0.25) if middle else ((0.1, 0.5), (0.4, 0.5), 0.25)
    assert [asked.sample(inside).label, asked.sample(outside).label] == [1, 0 if middle else 1]
    (found,) = asked.traced(outside, inside)
    assert np.max(np.abs(found.points[:, 0] - at)) < PROMISED


def test_values_along_a_parameter_are_paid_for_beyond_the_first_grid(made: Any) -> None:
    """Each boundary asks for thousands, so that a map of few places could go on without end."""
    made(lambda x, place, times: math.exp((x - 4 * (place[0] - 0.5)) ** 2))
    asked = field(along="noise=0.1:10")
    asked.budget = Budget(200)
    grid: list[Place] = [(u, v) for u in (0.1, 0.2, 0.3, 0.4, 0.5) for v in (0.25, 0.5, 0.75)]
    assert {each.label for each in asked.samples(grid)} == {0, 1}
    with pytest.raises(Spent):
        asked.traced((0.1, 0.5), (0.5, 0.5))


@pytest.mark.parametrize("pole", [0.03, 0.0])
def test_a_peak_of_any_height_is_a_maximum(made: Any, pole: float) -> None:
    """1 + 0.001/|x - pole|, between two values and, infinite, at one."""
    made(lambda x, *_: 1 + 1e-3 / abs(x - pole) if x != pole else math.inf)
    assert field(along="noise=0.1:10").profile((0.5, 0.5)).rising == (True, False)


@pytest.mark.parametrize(("high", "descents"), [(1e-9, 0), (1e-3, 2)])
def test_what_is_flat_neither_rises_nor_falls(made: Any, high: float, descents: int) -> None:
    made(lambda x, *_: 1 + high * math.sin(6 * x))
    assert field(along="noise=0.1:10").sample((0.5, 0.5)).label == descents


@pytest.mark.parametrize(
    ("value", "reason"),
    [(math.nan, "said at noise = 0.1"), (-1, "excess_risk is not above 0 at noise = 0.1")],
)
def test_a_value_that_no_risk_has_is_not_counted(made: Any, value: float, reason: str) -> None:
    made(lambda *_: value)
    sample = field(along="noise=0.1:10").sample((0.5, 0.5))
    assert (sample.label, sample.reason) == (UNKNOWN, reason)


def test_least_squares_has_its_peak_where_samples_are_as_many_as_features() -> None:
    """Of features of one strength, ridgeless, E = 1/2 [(1 - a) + s^2 a/(1 - a)] for a = n/d < 1.

    It begins to rise at 1 - a = s: from a = 0.1 on it falls first where s < 0.9.
    """
    plane = {"x": "noise=0.5:1:lin", "y": "time=100:10000"}
    asked = field(kappa=1, along="alpha=0.1:10", **plane)
    low, high = ((s - 0.5) / 0.5 for s in (0.89, 0.91))
    assert [asked.sample((u, 1.0)).label for u in (low, high)] == [2, 1]
    found = asked.profile((high, 1.0))
    assert found.rising == (True, False)
    peak = (
        asked.curves_at([(high, 1.0)])
        .at(np.zeros(3, dtype=int), 20 * (np.log([0.99, 1.0, 1.01]) / np.log(10) + 1) / 2)
        .value
    )
    assert peak.argmax() == 1


def test_a_count_without_a_curve_is_not_of_a_time() -> None:
    with pytest.raises(InputError, match="--curve max-margin: must be"):
        read_map_question("spurious-groups", x="n=10:20", y="time=1:10", of="descents")
