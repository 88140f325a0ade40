"""Late in training the points of theory lie close to the spectrum's edge, and are certified there."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import teacherstudent


@pytest.mark.parametrize("n", [60, 80, 90])
@pytest.mark.parametrize("route", ["asymptotic", "leverage"])
def test_more_columns_than_rows_leave_no_time_without_an_answer(n: int, route: str) -> None:
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((100, 300))
    question = {"features": rows, "targets": rows[:, :1] + draw.standard_normal((100, 1)), "n": n}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # neither numbers that are not certain nor overflows on the way
        times = np.geomspace(1e-2, 1e3, 6).tolist()
        answer = teacherstudent.curve(
            "measured-spectrum", dynamics="flow", route=route, times=times, **question
        )
    assert np.isfinite(answer["generalisation_error"].values).all()
