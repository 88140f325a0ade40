"""Lesson 15 says what the theory says: one curve serves all basins, and its exercise asks for what holds."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.api.teaching import function, teaching
from teacherstudent.lessons import leaving


@pytest.mark.parametrize(("stability", "curvature"), [(1.6, 0.5), (2.0, 2.0)])
def test_times_at_one_curvature_give_those_at_all_others(stability: float, curvature: float) -> None:
    at = leaving.units(stability)[::8]
    times = leaving.waits(at, stability, 1.0)["exit_time"].values
    share = curvature ** (1 / stability)
    asked = leaving.waits(at / share, stability, curvature)["exit_time"].values
    assert asked == pytest.approx(times / curvature, rel=1e-6)


def test_a_curve_over_the_curvature_is_read_off_the_same_times() -> None:
    times = leaving.waits(leaving.units(1.6), 1.6, 1.0)["exit_time"].values
    curvatures, found = leaving.curve(times, 1.6, radius=2.0).values()
    asked = [leaving.waits([2.0], 1.6, each)["exit_time"].item() for each in curvatures[::8]]
    assert found[::8] == pytest.approx(asked, rel=1e-6)


def test_steep_wells_wait_for_one_jump_and_gaussian_noise_for_ever_longer() -> None:
    stable, gaussian = (
        [leaving.waits([3.0], stability, each)["exit_time"].item() for each in (1.0, 2.0)]
        for stability in (1.6, 2.0)
    )
    jump = leaving.waits([3.0], 1.6, 2.0, "small-noise")["exit_time"].item()
    assert stable[0] < stable[1] < jump < 1.3 * stable[1]
    assert gaussian[1] > 20 * gaussian[0]


def test_heavy_tails_leave_narrow_basins_late_and_wide_ones_early() -> None:
    narrow, wide = (
        [leaving.waits([radius], stability, 1.0)["exit_time"].item() for stability in (1.6, 2.0)]
        for radius in (0.3, 4.0)
    )
    assert narrow[0] > narrow[1]
    assert wide[0] < wide[1]


def test_the_exercise_finds_the_curvature_at_which_both_wait_alike() -> None:
    exercise = teaching("leaving").exercise
    assert exercise
    for asked in exercise.questions(3):
        curvature = function(exercise.solution)(**asked)
        radius, stability = [asked["radius"]], asked["stability"]
        gaussian = leaving.waits(radius, 2.0, curvature)["exit_time"].item()
        jump = leaving.waits(radius, stability, curvature, "small-noise")["exit_time"].item()
        assert gaussian == pytest.approx(jump, rel=1e-6)


@pytest.mark.thorough
def test_paths_agree_without_the_delay_of_steps_and_would_not_with_another_index() -> None:
    found = leaving.simulated([0.5, 1.3], 1.6, 1.0)
    assert found.agrees
    late = found.simulation["exit_time"].values - leaving.waits([0.5, 1.3], 1.9, 1.0)["exit_time"].values
    assert np.max(np.abs(late) / found.simulation["exit_time_stderr"].values) > 3
