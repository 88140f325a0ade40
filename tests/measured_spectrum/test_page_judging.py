"""How the page about somebody's rows judges its numbers: verdicts, descents and best times."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import judging
from teacherstudent.figures.measured_spectrum.mine.stopping import descents, stop


@pytest.mark.parametrize(
    ("difference", "stderr", "spread", "verdict"),
    [
        (0.01, 0.01, 0.05, judging.TRUST),
        (-0.04, 0.01, 0.05, judging.BAND),
        (0.01, 0.03, 0.05, judging.BAND),
        (0.01, 0.01, 0.15, judging.BAND),
        (0.01, 0.01, 0.4, judging.DISTRUST),
        (0.3, 0.1, 0.05, judging.BAND),
        (-0.3, 0.01, 0.05, judging.DISTRUST),
        (0.0, 0.0, float("nan"), judging.DISTRUST),
    ],
)
def test_a_verdict_follows_from_what_was_measured_and_from_the_rows(
    difference: float, stderr: float, spread: float, verdict: str
) -> None:
    assert judging.verdict(difference, 2 * stderr, spread) == verdict


def test_the_least_certain_time_decides_and_few_subsets_know_little() -> None:
    """Three times before the best one to stop, measured on four subsets, relative to theory."""

    def judged(*measured: tuple[float, float, float]) -> tuple[str, float]:
        difference, stderr, spread = (np.array([[*each, 0.0]]) for each in zip(*measured, strict=True))
        along = {"mark": [1.0, 2.0, 3.0, 4.0], "time": [1.0, 2.0, 3.0, 4.0], "size": [9], "n": [9]}
        theory = np.full((1, 4), 7.0)
        numbers = {
            "error": (("size", "time"), theory),
            "corrected": (("size", "mark"), theory),
            "measured": (("size", "mark"), theory * (1 - difference)),
            "measured_stderr": (("size", "mark"), theory * stderr),
            "spread": (("size", "mark"), spread),
            "stopping": ("n", [4.0]),
            "variance": 7.0,
        }
        before, _ = judging.judged(xr.Dataset(numbers, along, {"n_seeds": 4}), 9)
        return before.verdict, before.bound

    even = 0.01
    verdict, bound = judged((0.02, 0.1, even), (0.01, 0.2, even), (0.03, 0.001, even))
    assert (verdict, bound > 0.4) == (judging.BAND, True)
    assert judged((0.45, 0.15, even), (0.4, 0.01, even), (0.0, 0.0, even))[0] == judging.DISTRUST
    assert judged((0.0, 0.0, even), (0.0, 0.0, np.nan), (0.0, 0.0, even))[0] == judging.DISTRUST
    # of so few subsets theory may well be a third above the mean
    assert judged((0.25, 0.08, even), (0.0, 0.0, even), (0.0, 0.0, even))[0] == judging.BAND
    assert judged((0.0, 0.0, even), (0.01, 0.001, even), (0.0, 0.0, even)) == (
        judging.TRUST,
        pytest.approx(0.017, abs=2e-3),
    )


def test_the_best_time_lies_between_the_times_that_were_asked_about() -> None:
    times = np.geomspace(0.5, 8, 5)
    assert stop(times, np.log(times / 1.7) ** 2).time == pytest.approx(1.7)
    assert stop(times, times).time == 0.5
    assert stop(times, -times).time == 8.0


@pytest.mark.parametrize(
    ("values", "count", "rise"),
    [
        ([3, 2, 1], 1, 0.0),
        ([3, 1, 2], 1, 0.0),
        ([3, 1, 2, 1.5], 2, 1.0),
        ([1, 2, 3], 0, 0.0),
        ([2, 3, 1], 1, 0.0),
        ([4, 2, 3, 1, 1.1, 0.5], 3, 0.5),
        ([4, np.nan, 2, 3, 1], 2, 0.5),
    ],
)
def test_descents_are_counted_with_the_largest_rise_between_them(
    values: list[float], count: int, rise: float
) -> None:
    assert descents(np.array(values)) == (count, pytest.approx(rise))
    assert stop(np.arange(1.0, len(values) + 1), np.array(values)).value == np.nanmin(values)
