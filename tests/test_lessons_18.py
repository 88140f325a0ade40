"""Lesson 18 says what the theory says: two times, their law, and the controls that must not grok."""

from __future__ import annotations

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.lessons import grokking as lesson

SETTING = dict(alpha=0.8, ridge=1e-3, init=2.0)


@pytest.mark.parametrize(
    ("changed", "fitted", "general"),
    [
        (dict(ridge=1e-2), 11.62, 183.55),
        (dict(ridge=1e-4), 12.50, 18_491),
        (dict(ridge=1e-5), 12.51, 185_120),
        (dict(init=1.0), 7.30, 1151.8),
        (dict(init=8.0), 42.23, 3246.9),
        (dict(alpha=0.5), 7.75, 1845.5),
        (dict(alpha=0.95), 13.51, 1828.1),
    ],
)
def test_times_are_those_read_off_a_finer_grid(
    changed: dict[str, float], fitted: float, general: float
) -> None:
    """The reference interpolates between 170 times, and takes 10 % above the final error for t2."""
    question = SETTING | changed
    level = 1.1 * lesson.final_error(**question)
    answer = lesson.flow(lesson.TIMES, **question)
    found = lesson.last_time_above(level, "generalisation_error", answer, **question)
    assert lesson.two_times(**question)[0] == pytest.approx(fitted, rel=2e-3)
    assert found == pytest.approx(general, rel=6e-3)


def test_the_law_holds_where_its_conditions_hold() -> None:
    for changed in (dict(), dict(ridge=1e-5), dict(init=8.0), dict(alpha=0.5)):
        question = SETTING | changed
        claimed = lesson.law(lesson.plateau(question["alpha"], question["init"]), question["ridge"])
        assert lesson.two_times(**question)[1] == pytest.approx(claimed, rel=1e-8)


def test_times_are_those_of_solve() -> None:
    where = ["training_error = 0.01", "generalisation_error = 0.02 + generalisation_error@end"]
    asked = dict(dynamics="flow", route="quadrature", for_="time=0.1:1e6", where=where)
    roots = ts.solve(**asked, **lesson.MANY, **SETTING)["time"].values
    assert lesson.two_times(**SETTING) == pytest.approx(roots, rel=1e-7)


def test_controls_do_not_grok() -> None:
    fitted, general = lesson.two_times(**SETTING | dict(init=0.0))
    assert general < 5 * fitted
    late = [lesson.two_times(**SETTING | dict(alpha=1.2, ridge=each))[1] for each in (1e-3, 1e-4, 1e-5)]
    assert late == pytest.approx([late[0]] * 3, rel=0.05)
    assert np.isnan(lesson.two_times(**SETTING | dict(ridge=0.0))[1])


def test_no_time_is_given_where_the_training_error_stays_large() -> None:
    strong = SETTING | dict(ridge=0.1)
    assert np.isnan(lesson.two_times(**strong)[0])
    assert lesson.flow([1e6], **strong)["training_error"].item() == pytest.approx(0.0123, abs=5e-5)
