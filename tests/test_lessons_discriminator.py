"""Lesson 12 says what the theory says: kernels, witness, laws of one point, and what a small width does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.lessons import discriminator as lesson
from teacherstudent.problems.gan import PROBLEM
from teacherstudent.theory.gan import dirac, witness
from teacherstudent.theory.gan.kernels import Gaussian, Relu

KINDS = ("relu", "fourier")
ORIGIN = np.zeros((1, 1))


def asked(kind: str, scale: float, distance: float) -> dict[str, Any]:
    """The question of one point, by its kernel's one scale."""
    return dict(discriminator=kind, bias=scale, length_scale=scale, distance=distance)


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_and_slopes_are_those_of_the_theory_at_kinks_too(kind: str) -> None:
    x = np.random.default_rng(1).normal(size=(5, 2))
    y = np.concatenate([x[:2] + 1e-7, x[2:4], np.zeros((1, 2))])
    exact = Relu(0.7) if kind == "relu" else Gaussian(0.7)
    values, slopes = lesson.pairs(kind, 0.7, x, y)
    assert values == pytest.approx(exact.values(x, y), rel=1e-13, abs=1e-13)
    assert slopes == pytest.approx(exact.slopes(x, y), rel=1e-8, abs=1e-13)  # 1e-16/1e-7 at the kink


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("distance", [0.5, 2.0, 6.0])
def test_the_speed_of_one_point_is_the_slope_of_the_witness(kind: str, distance: float) -> None:
    place = np.array([[distance]])
    found = lesson.witness(kind, 0.8, place, place, ORIGIN)[1].item()
    assert found == pytest.approx(lesson.speed(kind, 0.8, distance), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("scale", "distance"), [(1.0, 0.5), (1.0, 6.0), (0.25, 2.0), (4.0, 6.0)])
def test_halving_times_are_those_of_the_closed_form(kind: str, scale: float, distance: float) -> None:
    exact = dirac.halving_time(PROBLEM.instance(**asked(kind, scale, distance)), 1.0)
    assert lesson.halving(kind, scale, distance) == pytest.approx(exact, rel=1e-9)


def test_the_slope_jumps_at_the_point_by_beta_over_pi_and_the_point_sees_the_mean() -> None:
    at = np.array([[2 - 1e-8], [2.0], [2 + 1e-8]])
    left, here, right = lesson.witness("relu", 0.5, at, at[1:2], ORIGIN)[1][:, 0]
    assert right - left == pytest.approx(-0.5 / np.pi, rel=1e-6)
    assert here == pytest.approx((left + right) / 2, rel=1e-6)


def test_times_of_halving_are_found_between_records_and_missing_where_there_are_none() -> None:
    clock = np.array([1.0, 2.0, 3.0])
    walk = lesson.over(clock, np.array([[1.5, 0.75, 0.5], [2.0, 1.9, 1.8]]))
    walk = walk.rename(distance="time", half="place")
    first, never = lesson.halved(walk, 2.0)
    assert first == pytest.approx(1 + 0.5 / 0.75)
    assert np.isnan(never)


def test_the_discrepancy_of_a_cloud_is_that_of_the_theory() -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 4, 2))
    share = np.full(4, 0.25)
    exact = witness.discrepancy(Relu(1.0), x, share, witness.Masses(y, share))
    assert lesson.discrepancy("relu", 1.0, x, y) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("distance", [2.0, 6.0])
def test_a_cloud_bursts_under_a_gaussian_and_not_under_relu(distance: float) -> None:
    start, data = lesson.starts(range(2), distance)
    ends = {kind: lesson.flowed(kind, 1.0, start[0], data)[-1] for kind in KINDS}
    far = {kind: np.linalg.norm(each, axis=1).max() for kind, each in ends.items()}
    assert far["relu"] < np.linalg.norm(start[0], axis=1).max() < far["fourier"]


def test_far_slopes_of_one_fourier_discriminator_scatter_as_the_lesson_says() -> None:
    """The error of a root mean square over 400 draws is about a share of 1/sqrt(800): five of them."""
    seen = lesson.trained([1.0], "simulation", range(400), width=64, **asked("fourier", 1.0, 6.0))
    found = float(np.sqrt((seen["slope"] ** 2).mean()))
    assert found == pytest.approx(lesson.noise(1.0, 64), rel=5 / np.sqrt(800))


def walked(width: int, steps: int, bias: float = 1.0, trained: float = 0.3) -> ts.Comparison:
    """Points that meet relu discriminators of that width in so many steps, against the theory."""
    clock = np.linspace(0.3, 3, 10)
    question = asked("relu", bias, 2.0)
    walk = lesson.walked(clock, 3 / steps, range(lesson.DRAWS), trained, width=width, **question)
    return ts.compare(walk, lesson.dirac(clock, **question))


@pytest.mark.thorough
def test_a_small_width_fails_and_a_large_one_agrees() -> None:
    assert walked(1024, 500).agrees
    assert not walked(4, 500).agrees
    assert not walked(1024, 500, bias=4.0, trained=1.0).agrees


@pytest.mark.thorough
def test_large_steps_run_ahead() -> None:
    assert (walked(1024, 30).residuals["place"][:6] < 0).all()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_the_cloud_follows_the_flow_in_small_steps(kind: str) -> None:
    """Euler's error at the last time, from steps of 0.05: below a tenth of the way."""
    start, data = lesson.starts(range(2), 2.0)
    path = lesson.flowed(kind, 1.0, start[0], data)
    question = dict(discriminator=kind, seeds=2, seed=0, **lesson.ring(2.0))
    exact = ts.sample("gan", dynamics="generator", route="kernel", times=[1.0], **question)
    gap = np.abs(path[20] - exact["position"].values[0, 0]).max()
    assert gap < 0.1 * np.abs(path[20] - start[0]).max()
