"""Turns of the excess risk over gradient flow: the published kind, and none that is not there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.problems.random_features import PROBLEM, RandomFeatures
from teacherstudent.theory.random_features import landmarks
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.random_features.motion import Flow

TWO_SCALES: dict[str, Any] = {
    "hermite": (0.0, 0.99**0.5, 0.0, 0.01**0.5),
    "psi1": 6.5,
    "psi2": 0.55,
    "scales": ((220, 13.0), (780, 1.0)),
}


def made(**values: Any) -> RandomFeatures:
    found: RandomFeatures = PROBLEM.instance(**values)
    return found


def test_two_scales_descend_twice() -> None:
    found = ts.turns("random-features", **TWO_SCALES)
    assert found["is_minimum"].values.tolist() == [True, False]
    assert landmarks.descents(made(**TWO_SCALES)) == 2
    times = [0.3, 3, 1000]
    curve = ts.curve("random-features", dynamics="flow", route="asymptotic", times=times, **TWO_SCALES)
    np.testing.assert_allclose(2 * curve["excess_risk"], [0.9187, 1.1364, 0.8822], atol=6e-5)


@pytest.mark.parametrize("seed", range(5))
def test_alike_inputs_learned_from_nothing_never_descend_twice_by_much(seed: int) -> None:
    """What rises and falls again does so by less than 2e-4 of the least risk."""
    random = np.random.default_rng(seed)
    psi1, psi2 = 10 ** random.uniform(-1, 1, 2)
    noise, activation = random.choice([0.0, 0.5]), random.choice(["relu", "erf", "sign", "tanh"])
    curve = landmarks.risk_curve(made(psi1=psi1, psi2=psi2, d=1000, noise=noise, activation=str(activation)))
    risk = curve.value(np.linspace(curve.low, curve.high, 400))
    before, after = np.minimum.accumulate(risk), np.minimum.accumulate(risk[::-1])[::-1]
    bump = np.minimum(risk - before, risk - after).max()
    assert bump < 2e-4 * risk.min()


@pytest.mark.parametrize(
    "question",
    [
        {**TWO_SCALES, "init": 0.5, "noise": 0.3, "ridge": 1e-4},
        {"n": 50, "width": 50, "d": 30, "init": 1.0, "teacher": "sign"},
        {"n": 50, "width": 80, "d": 50, "activation": "linear", "noise": 0.3},
    ],
)
def test_slope_and_bend_are_those_of_the_curve(question: dict[str, Any]) -> None:
    flow, x, step = Flow.of(Model.of(made(**question))), np.linspace(-3, 6, 7), 1e-4
    here, after, before = flow.at(x), flow.at(x + step), flow.at(x - step)
    scale = here.size + step**2 * np.abs(here.value)
    for found, curve in ((here.slope, "value"), (here.bend, "slope")):
        difference = (getattr(after, curve) - getattr(before, curve)) / (2 * step)
        assert np.all(np.abs(found - difference) < 1e-6 * scale)


@pytest.mark.parametrize(
    "question",
    [
        {"n": 50, "width": 50, "d": 30},
        {"n": 50, "width": 80, "d": 50, "activation": "linear"},
        {"n": 80, "width": 50, "d": 50, "activation": "linear"},
        {"n": 50, "width": 10**9, "d": 30, "hermite": (0.0, 0.0, 1.0)},
        {"n": 1, "width": 1, "d": 10**9},
        {"n": 500, "width": 501, "d": 30, "init": 1.0, "ridge": 1e-9},
    ],
)
def test_sizes_that_are_equal_or_far_apart_are_answered(question: dict[str, Any]) -> None:
    curve = landmarks.risk_curve(made(noise=0.3, **question))
    assert curve.low < curve.high
    assert np.isfinite(curve.slope(np.linspace(curve.low, curve.high, 50))).all()
    found = landmarks.extrema(made(noise=0.3, **question))
    assert [each.is_minimum for each in found] == [True, False, True, False][: len(found)]


def test_a_ridge_that_works_beyond_all_times_is_refused() -> None:
    with pytest.raises(InputError, match="beyond all times"):
        landmarks.extrema(made(n=50, width=80, init=0.1, ridge=1e-200))


def test_a_linear_student_of_a_linear_teacher_without_noise_only_gains() -> None:
    assert landmarks.extrema(made(n=300, width=200, d=100, activation="linear")) == ()
    assert landmarks.descents(made(n=300, width=200, d=100, activation="linear")) == 1
