"""Folds, cusps and lines of equal minima of a family of curves that is solved by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.declarations import Count
from teacherstudent.maps import folds
from teacherstudent.maps.chart import chart_field
from teacherstudent.maps.continuation import jacobian, solve_on_plane
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.question import LARGE
from teacherstudent.maps.questions import read_map_question
from teacherstudent.maps.stopping import NEVER, STOPS, Stopped
from teacherstudent.maps.turning import Counted

PROMISED = 1e-3
HIGH = 4.0


def landau(place: tuple[float, float]) -> Any:
    """F(x) = x^4/4 + a x^2/2 + b x on [-4, 4], a = 4 (u - 0.7), b = v - 0.5.

    F has two minima where 4 a^3 + 27 b^2 < 0, within a cusp at (0.7, 0.5); they are equal where b = 0.
    """
    a, b = 4 * (place[0] - 0.7), place[1] - 0.5

    def at(x: np.ndarray) -> Any:
        parts = np.array([x**3, a * x, b + 0 * x])
        slope, size = parts.sum(axis=0), 1 + np.abs(parts).sum(axis=0)
        return SimpleNamespace(
            value=x**4 / 4 + a * x**2 / 2 + b * x + 3,
            slope=slope,
            bend=3 * x**2 + a,
            size=size,
            clear=np.abs(slope) > 1e-12 * size,
        )

    return SimpleNamespace(low=-HIGH, high=HIGH, at=at)


def minima(family: Any, name: str) -> int:
    """Counted without the profile: real roots of the slope, of which every other one is a minimum."""
    a, b = family
    return 2 if 4 * a**3 + 27 * b**2 < 0 else 1


class Asked:
    """A question whose instance is a and b."""

    def instance(self, place: tuple[float, float]) -> tuple[float, float]:
        return 4 * (place[0] - 0.7), place[1] - 0.5


def smooth(family: tuple[float, float]) -> Any:
    return landau((family[0] / 4 + 0.7, family[1] + 0.5))


TURNS: Any = SimpleNamespace(smooth=smooth, curves="", observable="growth", dynamics="steps")


def test_a_fold_is_solved_for_late_in_training() -> None:
    """Where its two equations are nearly multiples of each other, a long step is solved for at once."""
    asked = read_map_question(
        "random-features",
        x="psi1=0.3:20",
        y="psi2=0.2:3",
        of="descents",
        hermite=(0.0, 0.99498743710662, 0.0, 0.1),
        p=22,
        kappa=13,
    )
    field: Any = field_of(asked)
    equations, later = folds.fold_equations(field.curves_at), np.array([0.0, 0.0, 1.0])
    here = solve_on_plane(equations, np.array([0.58155, 0.2248, 0.46]), later, 0.1)
    there = solve_on_plane(equations, here.at + 0.02 * here.tangent, here.tangent, 0.02)
    assert (there.at - here.at)[2] > 0.019
    # both psi are ratios of whole sizes, off by up to half of 1/LARGE when solved for and when seen again
    _, slopes = jacobian(equations, there.at)
    sides = [asked.plane.x, asked.plane.y]
    step = [
        1 / LARGE / side.value(at) / math.log(side.high / side.low)
        for side, at in zip(sides, there.at, strict=False)
    ]
    assert (np.abs(equations(there.at)) <= np.abs(slopes[:, :2]) @ step).all()


@pytest.fixture(scope="module")
def counts() -> Any:
    count = Count("toy", "minima", f"{__name__}:minima", "minima", "of F")
    asked: Any = Asked()
    return chart_field(Counted(asked, count, TURNS))


def test_the_region_of_two_minima_ends_in_its_cusp(counts: Any) -> None:
    assert [{each.left, each.right} for each in counts.boundaries] == [{1, 2}, {1, 2}]
    for each in counts.boundaries:
        u, v = each.points.T
        true = 2 * np.maximum(4 * (0.7 - u) / 3, 0) ** 1.5
        assert float(np.max(np.abs(np.abs(v - 0.5) - true))) < PROMISED
    (cusp,) = (each.place for each in counts.specials if each.kind == "cusp")
    assert math.dist(cusp, (0.7, 0.5)) < PROMISED
    assert counts.unexplained == 0


def test_the_lowest_minimum_jumps_on_a_line_that_ends_where_both_are_one() -> None:
    asked: Any = Asked()
    chart = chart_field(Stopped(asked, TURNS, gain=False, log=True))
    (line,) = chart.boundaries
    assert (line.left, line.right) == (STOPS, STOPS)
    assert abs(line.jump) > 0.5
    assert float(np.max(np.abs(line.points[:, 1] - 0.5))) < PROMISED
    assert float(np.ptp(line.points[:, 0])) == pytest.approx(0.7, abs=PROMISED)
    (critical,) = (each.place for each in chart.specials if each.kind == "critical")
    assert math.dist(critical, (0.7, 0.5)) < PROMISED


def test_where_the_end_is_lower_than_the_minimum_training_goes_on() -> None:
    """A minimum of -4/3, and an end that is above or below it, by where it lies."""

    def curve(family: tuple[float, float]) -> Any:
        def at(x: np.ndarray) -> Any:  # F = x - x^3/12 has its minimum -4/3 at -2, and F(h) = h - h^3/12
            slope, size = 1 - x**2 / 4, 1 + x**2 / 4
            clear = np.abs(slope) > 1e-12
            return SimpleNamespace(value=x - x**3 / 12 + 9, slope=slope, bend=-x / 2, size=size, clear=clear)

        return SimpleNamespace(low=-3.0, high=3.0 + 2 * family[1] + family[0] / 5, at=at)

    turns: Any = SimpleNamespace(smooth=curve, curves="")
    asked: Any = SimpleNamespace(instance=lambda place: place)
    chart = chart_field(Stopped(asked, turns, gain=True, log=False))
    (line,) = chart.boundaries
    assert {line.left, line.right} == {NEVER, STOPS}
    true = (1.0 - line.points[:, 0] / 5) / 2  # h - h^3/12 = -4/3 at h = 4
    assert float(np.max(np.abs(line.points[:, 1] - true))) < PROMISED
