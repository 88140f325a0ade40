"""The times that are looked at by default, in any units; turns over them; late times near the edge."""

from __future__ import annotations

import tomllib
import warnings
from typing import Any

import numpy as np
import pytest

import teacherstudent
from teacherstudent.figures.gallery import page
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.window import ENDED, after, recording_times, window
from tests.roundings import copied, same

ROWS, N = 90, 40
DRAW = np.random.default_rng(3)
X = DRAW.standard_normal((ROWS, 4))
Y = X[:, 0] + X[:, 1] / 2 + 0.3 * DRAW.standard_normal(ROWS)
NOISE = DRAW.standard_normal(ROWS)
ASKED: dict[str, Any] = {"targets": Y, "task": "regression", "n": N}
READ = "targets array are read as numbers"


def concluded(features: np.ndarray, **more: Any) -> tuple[float, float, str]:
    """The least error of flow and the one at the end, over the times of the window, and the remarks."""
    question = {**ASKED, "features": features, **more}
    found = teacherstudent.curve("measured-spectrum", dynamics="flow", route="asymptotic", **question)
    errors = found["generalisation_error"].values
    return errors.min(), errors[-1], found.attrs["remarks"]


def least_squares(features: np.ndarray) -> float:
    """The error after infinite training: that of almost no ridge on standardised columns."""
    found = teacherstudent.curve(
        "measured-spectrum", dynamics="ridge", route="asymptotic", standardise=True, times=[1e9],
        features=features, **ASKED,
    )  # fmt: skip
    return float(found["generalisation_error"][-1])


@pytest.mark.parametrize("factor", [1e-6, 1e-2, 1e6])
@pytest.mark.parametrize("column", [0, 3])
def test_no_unit_of_a_column_changes_what_long_training_comes_to(column: int, factor: float) -> None:
    features = X.copy()
    features[:, column] *= factor
    _, end, remark = concluded(features)
    assert end == pytest.approx(least_squares(X), rel=2 * ENDED)
    assert ("--standardise" in remark) == (factor != 1e-2)
    assert f"column {column} (" in remark or factor == 1e-2


NOTHING = {
    "noise": (1e-6 * NOISE, "to column 3|column 4"),
    "large noise": (1e6 * NOISE, "column 4"),
    "identifier": (
        DRAW.choice(10**8, ROWS, replace=False),
        "column 4 (counted from 0) contains a different whole number in every row",
    ),
    "index": (np.arange(ROWS), "column 4 (counted from 0) contains a different whole number"),
    "time": (
        np.linspace(0.0, 9.5, ROWS),
        "column 4 (counted from 0) is sorted from the first row to the last",
    ),
    "constant": (np.full(ROWS, 20240131), "1 of 5 columns"),
    "date": (
        20240101 + 100 * (np.arange(ROWS) * 7 % 12) + np.arange(ROWS) % 28,
        "whole numbers that look like dates",
    ),
    "month": (202301 + np.arange(ROWS) * 5 % 12, "whole numbers that look like dates"),
    "seconds": (1.7e9 + DRAW.integers(0, 10**7, ROWS), "whole numbers that look like dates"),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_a_column_that_carries_nothing_changes_little_and_is_named(kind: str) -> None:
    """A direction that is learned for nothing costs about 1/n of the error, in whatever units it is."""
    column, said = NOTHING[kind]
    best, end, remark = concluded(np.column_stack([X, column]))
    assert end == pytest.approx(least_squares(X), rel=3 / N)
    assert best == pytest.approx(concluded(X)[0], rel=3 / N)
    assert any(each in remark for each in said.split("|"))


def test_ordinary_columns_are_not_remarked() -> None:
    draw = np.random.default_rng(0)
    ages, shares = draw.integers(18, 90, ROWS), np.round(draw.random(ROWS), 2)
    ordered = np.sort(draw.integers(0, 2, ROWS))  # a label may be sorted
    assert (
        PROBLEM.remarks(PROBLEM.instance(features=np.column_stack([ages, shares, ordered]), **ASKED)) == READ
    )
    assert PROBLEM.remarks(PROBLEM.instance(n=9)) == ""


def test_standardised_columns_have_no_units_and_kernels_see_them_so() -> None:
    one, other = X * [1e3, 1, 1, 1e-3], X * [1, 50, 2, 1]
    for more in ({}, {"kernel": "rbf"}):
        (*errors, remark), (*others, _) = (concluded(each, standardise=True, **more) for each in (one, other))
        assert errors == pytest.approx(others, rel=1e-6)
        assert remark == READ
    with pytest.raises(InputError, match=r"^--standardise True: must be left out"):
        PROBLEM.instance(n=9, standardise=True)


def test_what_happens_after_the_end_is_known() -> None:
    """Half of the target is learned at s about 1/n, the other half 1e12 times later."""
    problem = PROBLEM.instance(n=30, modes=((3, 1.0, 0.5), (3, 1e-12, 0.5)))
    whole = window(problem)
    assert whole.low < 1 / 30 < 1e12 / 30 < whole.high
    assert not whole.cut
    unlearned, drift = after(problem, 1e3)
    assert unlearned == pytest.approx(0.5, abs=0.01)
    assert drift > 0.5
    times = np.array(recording_times([whole]))
    between = (times > 1e3) & (times < 1e5)
    assert 0 < between.sum() <= 5  # nothing happens there
    assert times.size < 120
    peak = window(PROBLEM.instance(n=6, modes=((6, 1.0, 1.0),), noise=0.5))
    assert peak.cut
    assert peak.drift > ENDED


def test_what_rounding_takes_is_unlearned() -> None:
    features = X * [1, 1e-14, 1, 1]
    found = window(PROBLEM.instance(features=features, **ASKED))
    assert found.cut
    assert found.unlearned == pytest.approx(0.2, abs=0.05)  # column 1 carries 1/5 of the target
    assert "column 1 (counted from 0) is lost in rounding" in concluded(features)[2]


@pytest.mark.parametrize(
    ("dynamics", "more", "last"),
    [
        ("flow", {}, None),
        ("ridge", {}, None),
        ("descent", {}, None),
        ("descent", {"features": X * [1e12, 1, 1, 1]}, 2**53),
        ("sgd", {"data": "replacement", "batch": 5}, None),
        ("sgd", {"data": "reshuffled", "batch": 5, "sampling": "population", "intercept": "pool"}, N // 5),
    ],
)
def test_each_clock_has_its_times_and_the_answer_holds_them(
    dynamics: str, more: dict[str, Any], last: float | None
) -> None:
    asked = {"features": "iris", "targets": "iris", "n": N, **(ASKED if "features" in more else {}), **more}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)  # of a first epoch no training error is known
        found = teacherstudent.curve(
            "measured-spectrum", dynamics=dynamics, route="asymptotic", times="auto", **asked
        )
    times = found["time"].values
    assert times.size > 4
    assert last is None or same(times[-1], last, 2)
    assert ("times end at" in found.attrs["remarks"]) == (last is not None)
    if "features" not in more:
        assert copied(tomllib.loads(teacherstudent.settings(found))["times"], times)


def test_a_sweep_looks_at_all_of_its_sizes_and_other_systems_have_no_such_times() -> None:
    question: dict[str, Any] = {"dynamics": "flow", "route": "asymptotic", "capacity": 1.5, "size": 20}
    both = teacherstudent.sweep("measured-spectrum", n=[10, 1000], **question)["time"].values
    for n in (10, 1000):
        alone = window(PROBLEM.instance(n=n, capacity=1.5, size=20))
        assert both[0] <= 1.01 * alone.low
        assert both[-1] >= 0.99 * alone.high
    with pytest.raises(InputError, match=r"^--times auto: must be .* do not follow from the question"):
        teacherstudent.curve("multiscale", dynamics="flow", route="asymptotic", times="auto")


def test_the_page_says_until_when_it_looked_and_prints_what_its_verdicts_follow_from() -> None:
    """Targets without noise: 0 within rounding is no number, and has no relative difference."""
    found = teacherstudent.mine(X * [1, 1, 1, 1e-14], X[:, 0] - X[:, 1] + X[:, 3], n=N, seeds=4)
    facts = page().function("facts")(found)
    said = "\n".join(line for lines in page().function("sentences")(found) for line in lines)
    size, _ = facts["sizes"]
    assert size["cut"]
    assert "is not learned yet; later times are not predicted" in said
    assert f"s = {size['end_time']:.2g}"[:5] in said
    exact = teacherstudent.mine(X, X[:, 0] - X[:, 1] / 2, n=N, seeds=4)
    facts = page().function("facts")(exact)
    said = "\n".join(line for lines in page().function("sentences")(exact) for line in lines)
    size, _ = facts["sizes"]
    assert size["error_at_end"]["value"] == size["measured_at_end"]["value"] == 0
    assert "0 (rounding)" in said
    assert "000000000" not in said
    late = [part for part in size["regimes"] if part["regime"] == "after the stop"]
    assert [(part["difference"], part["error"], part["verdict"]) for part in late] == [(0, 0, "trust")]
    assert all(size[name]["kind"].startswith("95 %") for name in ("error", "measured", "error_at_end"))


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


@pytest.mark.parametrize("law", [{"source": 2.3, "n": 1}, {"source": 2.3, "n": 50}])
def test_a_power_law_whose_error_only_falls_is_answered(law: dict[str, Any]) -> None:
    """Its 400 modes are taken together, and no time is left to look at more closely."""
    found = teacherstudent.turns("measured-spectrum", **law)
    assert found["is_minimum"].values.tolist() == []


@pytest.mark.parametrize(
    "asked",
    [
        {"problem": "measured-spectrum", "modes": "17:0.08:3.9,5:0.029:0.13", "n": 3},
        {"problem": "multiscale", "scales": "30:1,20:0.3", "n": 5},
    ],
)
def test_weights_that_only_the_ridge_moves_turn_nothing_at_the_end(asked: dict[str, Any]) -> None:
    """A ridge above the spectrum's lower edge: they are gone before what rows teach comes to rest, and the
    error rises up to the end."""
    found = teacherstudent.turns(**asked, noise=3, ridge=1, init=0.5)
    assert found["is_minimum"].values.tolist() == [True]
    observable = next(iter(set(found.data_vars) - {"time", "is_minimum"}))
    problem = asked["problem"]
    rest = {name: value for name, value in asked.items() if name != "problem"} | {
        "noise": 3,
        "ridge": 1,
        "init": 0.5,
    }
    times = [float(found["time"][0]), 10.0, 1e3]
    values = teacherstudent.curve(problem, dynamics="flow", route="asymptotic", times=times, **rest)[
        observable
    ]
    assert np.all(np.diff(values.values.ravel()) > 0)
