"""Lesson 13 says what the theory says: its formulas, its spread, and that images may be replaced by noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.lessons import kit, rows


@pytest.fixture(scope="module")
def defined() -> Iterator[Any]:
    """What the lesson's cells define before the reader simulates."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kit, "on_demand", lambda button, work, doing="": None)
        yield rows.app.run()[1]


@pytest.mark.parametrize("n", [20, 45, 47, 300])
def test_never_stopped_is_ridge_regression_with_a_vanishing_ridge(defined: Any, n: int) -> None:
    for task, target in enumerate(defined["targets"].values()):
        answer = ts.curve(
            "measured-spectrum",
            features=defined["features"],
            targets=target,
            task="regression",
            dynamics="ridge",
            route="asymptotic",
            times=[1e13],
            n=n,
            noise=0.3,
            intercept="pool",
        )
        found = rows.endless(defined["given"], task, n, 0.3)
        assert found == pytest.approx(answer["generalisation_error"].item(), rel=1e-7)


def test_long_training_is_worst_where_there_are_as_many_rows_as_columns(defined: Any) -> None:
    given = defined["given"]
    errors = [rows.endless(given, 0, n, 0.0) for n in (20, 40, 45, 46, 47, 55, 200)]
    assert errors[3] == np.inf
    assert all(np.diff(errors[:3]) > 0)
    assert all(np.diff(errors[4:]) < 0)


def test_its_spread_is_that_of_the_page_on_ones_own_data(defined: Any) -> None:
    labels = defined["targets"]["odd or even"]
    page = ts.mine(
        defined["features"], labels, n=[60], seeds=4, times=[0.01, 1.0, 100.0, 1e4], intercept="pool"
    )
    for size in page["size"].values:
        told = page["spread"].sel(size=size)
        mine = [rows.spread(defined["given"], size, s) for s in told["mark"].values]
        assert mine == pytest.approx(told.values, rel=2e-3)  # of linear interpolation between leverages


def test_noise_in_place_of_digits_is_learned_alike(defined: Any) -> None:
    asked: dict[str, Any] = dict(dynamics="flow", route="instance", n=100, times=[0.1, 3.0], seeds=20)
    seen, clouds = (
        defined["answers"](sampling=each, **asked)["generalisation_error"].values
        for each in ("pool", "population")
    )
    assert clouds == pytest.approx(seen, rel=0.1)
