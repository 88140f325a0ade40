"""Lesson 8 says what the theory says: its formulas, where its peaks are, and what melts or hides them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.lessons import interpolation

THRESHOLD: dict[str, Any] = dict(psi1=3.0, psi2=3.0, noise=0.5)


@pytest.mark.parametrize("noise", [0.0, 0.7])
@pytest.mark.parametrize(("psi1", "psi2"), [(0.4, 3.0), (2.0, 3.0), (5.0, 3.0), (3.0, 0.6)])
def test_its_formulas_are_the_limit_of_vanishing_ridges(psi1: float, psi2: float, noise: float) -> None:
    answer = interpolation.limit("ridge", [1e12], psi1=psi1, psi2=psi2, noise=noise)
    found = interpolation.ridgeless(psi1, psi2, noise)
    assert found == pytest.approx(answer["excess_risk"].item(), rel=1e-9)
    training = (2 * found + noise**2) * max(1 - psi1 / psi2, 0) ** 2
    assert training == pytest.approx(answer["training_error"].item(), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("fixed", ["psi1", "psi2"])
@pytest.mark.parametrize("threshold", [0.5, 4.0])
def test_the_peak_follows_the_threshold_and_needs_no_noise(fixed: str, threshold: float) -> None:
    (moved,) = {"psi1", "psi2"} - {fixed}
    ratios = interpolation.around(threshold)
    risks = [interpolation.risk(1e6, **{fixed: threshold, moved: each}) for each in ratios]
    assert ratios[int(np.argmax(risks))] == threshold


@pytest.mark.parametrize("name", ["psi1", "psi2"])
def test_a_peak_is_told_of_where_there_is_one(name: str) -> None:
    """A ridge melts it: what stands for the picture then says where the risk is largest."""
    (fixed,) = {"psi1", "psi2"} - {name}
    ratios = interpolation.around(3.0)

    def told(ridge: float) -> str:
        settings = ({fixed: 3.0, name: each, "noise": 0.5, "ridge": ridge} for each in ratios)
        risks = [interpolation.risk(1000.0, **each) for each in settings]
        return interpolation.highest(interpolation.over(name, ratios, risks), name)

    ratio, threshold = {"psi1": ("N/d = 2.91", "N = n"), "psi2": ("n/d = 3", "n = N")}[name]
    assert told(0.0).endswith(f"it peaks at {ratio}, and {threshold} is at 3")
    assert told(1.0).endswith(f", at the least {ratio[:3]}, 0.375")


def test_its_parts_add_up() -> None:
    parts = interpolation.parts(1000.0, **THRESHOLD)
    assert sum(parts) == pytest.approx(interpolation.risk(1000.0, **THRESHOLD), rel=1e-9)


def test_more_data_hurts_without_a_ridge_and_not_with_the_best() -> None:
    settings = [THRESHOLD | dict(psi2=each) for each in (1.5, 3.0)]
    few, enough = (interpolation.risk(1000.0, **each) for each in settings)
    assert enough > 2 * few
    ridges = (interpolation.limit("ridge", "1e-3:1e6:61", **each) for each in settings)
    few_best, enough_best = (each["excess_risk"].min().item() for each in ridges)
    assert enough_best < few_best


def test_a_second_descent_over_time_needs_two_strengths_and_nearly_linear_features() -> None:
    def hill(kappa: float, q: float) -> float:
        question = interpolation.two_strengths(kappa, q)
        return interpolation.hill(interpolation.limit("flow", "0.01:1e5:71", **question))

    linear, nearly, hardly = (hill(13.0, q) for q in (0.0, 0.01, 0.1))
    assert linear > nearly > 10 * hardly > 0
    assert hill(1.0, 0.01) < 1e-9


@pytest.mark.parametrize(
    ("risks", "height"), [([3, 2, 1], 0), ([1, 2, 3], 0), ([3, 1, 2, 1.5, 1.75], 0.5), ([3, 2, 2.5, 1], 0.5)]
)
def test_a_hill_is_climbed_and_left_again(risks: list[float], height: float) -> None:
    course = interpolation.over("psi1", [float(each) for each in range(len(risks))], risks)
    assert interpolation.hill(course) == height


@pytest.mark.thorough
def test_its_students_agree_with_the_limit_and_not_with_one_of_other_noise() -> None:
    setting: dict[str, Any] = dict(psi1=1.0, psi2=1.0, noise=0.5)
    seen = interpolation.trained([1.0, 10.0, 100.0], range(20), d=100, **setting)
    limits = (interpolation.limit("flow", [1, 10, 100], **setting | dict(noise=each)) for each in (0.5, 0.8))
    right, wrong = (interpolation.compared(seen, each) for each in limits)
    assert right.agrees
    assert not wrong.agrees
