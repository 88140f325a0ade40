"""Rows at the edges of what formulas assume, and what is said of rows that make an error mean less."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.house.tables import as_table
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.odd_rows import FEWEST, notes
from teacherstudent.theory.measured_spectrum.best_ridge import best_ridge
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.predictions_beyond import ahead
from teacherstudent.theory.measured_spectrum.window import window

DRAW = np.random.default_rng(11)
EQUAL: dict[str, Any] = {"features": np.eye(20), "targets": DRAW.standard_normal(20), "task": "regression"}


def errors(dynamics: str, route: str, times: list[float], **asked: Any) -> np.ndarray:
    found: np.ndarray = run("measured-spectrum", dynamics, route, times, **asked).generalisation_error.values
    return found


@pytest.mark.parametrize(("n", "intercept"), [(12, "trained"), (19, "trained"), (5, "none"), (19, "none")])
def test_of_orthonormal_rows_no_ridge_time_or_step_matters(n: int, intercept: str) -> None:
    asked = {**EQUAL, "n": n, "intercept": intercept}
    targets = EQUAL["targets"]
    whole = np.mean(targets**2) if intercept == "none" else (1 + 1 / n) * np.var(targets, ddof=1)
    found = best_ridge(PROBLEM.instance(**asked))
    assert found.rows is not None
    assert found.limit.error == pytest.approx(whole, rel=1e-9)
    assert found.rows.error == pytest.approx(whole, rel=1e-4)  # next to a leverage of 1 digits cancel
    for route in ("asymptotic", "leverage"):
        np.testing.assert_allclose(
            errors("descent", route, [1, 2, 50], learning_rate="auto", **asked), whole, rtol=1e-9
        )


@pytest.mark.parametrize("kernel", ["rbf", "ntk"])
def test_no_ridge_beats_the_best_of_a_kernel_of_full_rank(kernel: str) -> None:
    features = DRAW.standard_normal((9, 27))
    asked = {"features": features, "targets": features[:, 0], "n": 8, "intercept": "none", "kernel": kernel}
    found = best_ridge(PROBLEM.instance(**asked)).limit
    least = errors("ridge", "asymptotic", np.geomspace(1e-3, 1e3, 50).tolist(), **asked).min()
    assert 0 <= found.error <= least * (1 + 1e-9)


def test_a_best_ridge_beside_the_pole_of_a_row_that_is_alone_is_found() -> None:
    """Of 40 rows two differ from all others: near ridge 0 both are fitted, and the error has its minimum."""
    asked = {"features": np.eye(40)[:, :2], "targets": np.eye(40)[:, 0] * 2 + np.eye(40)[:, 1], "n": 39}
    problem = PROBLEM.instance(kernel="rbf", intercept="pool", noise=0.2, task="regression", **asked)
    rows = best_ridge(problem).rows
    assert rows is not None
    grid = np.geomspace(1e-3, 1e3, 200).tolist()
    more = {"kernel": "rbf", "intercept": "pool", "noise": 0.2, "task": "regression"}
    assert rows.error <= errors("ridge", "leverage", grid, **asked, **more).min() * (1 + 1e-9)


@pytest.mark.parametrize("intercept", ["trained", "pool"])
def test_means_far_above_the_spread_change_nothing_of_a_wide_table(intercept: str) -> None:
    features, targets = DRAW.standard_normal((80, 240)), DRAW.standard_normal(80)
    asked = {"targets": targets, "n": 79, "intercept": intercept, "task": "regression"}
    for route in ("asymptotic", "leverage"):
        one, other = (
            errors("flow", route, [1e-5, 1e-2, 1e5], features=x, **asked) for x in (features, features + 300)
        )
        np.testing.assert_allclose(other, one, rtol=1e-9)


def test_what_all_features_express_leaves_no_rounding_as_a_residual() -> None:
    for rows in np.random.default_rng(1).standard_normal((6, 40, 60)):
        asked = {"features": rows, "targets": rows @ np.ones(60), "n": 20, "task": "regression"}
        assert decomposition(PROBLEM.instance(**asked, intercept="none")).residual == 0
        assert decomposition(PROBLEM.instance(**asked, intercept="pool")).residual == 0


@pytest.mark.parametrize(
    ("dynamics", "route"), [("ridge", "per-row"), ("flow", "per-row"), ("flow", "leverage")]
)
def test_rows_of_zeros_have_equal_outputs_and_share_the_error_rate(dynamics: str, route: str) -> None:
    rows = DRAW.random((45, 3)) < 0.3
    asked = {"features": rows * 1.0, "targets": np.arange(45) % 3, "n": 20, "intercept": "none"}
    drawn = run("measured-spectrum", dynamics, "instance", [0.05, 1.0], seeds=range(150), **asked)
    found = run("measured-spectrum", dynamics, route, [0.05, 1.0], **asked).error_rate
    np.testing.assert_allclose(found, drawn.error_rate.mean("seed"), rtol=0.04)


def test_label_noise_of_a_row_that_is_alone_keeps_its_digits() -> None:
    asked = {"features": np.eye(9)[:, 0], "targets": np.arange(9.0), "n": 8, "intercept": "none"}
    without, some, twice = (
        errors("flow", "leverage", [0.1, 1.0, 1e3], noise=each, task="regression", **asked)
        for each in (0.0, 0.2, 0.4)
    )
    added = (some - without) / 0.04
    np.testing.assert_allclose(added, (twice - without) / 0.16, rtol=1e-9)
    assert np.all((added >= 1) & (added < 1.2))  # of the test rows, and of one direction of nine


def test_rows_that_do_not_act_on_each_other_have_an_answer_row_by_row() -> None:
    asked = {"features": np.eye(12)[:, :10], "targets": DRAW.standard_normal(12), "n": 4, "intercept": "none"}
    found = run("measured-spectrum", "flow", "per-row", [0.1, 10.0], task="regression", **asked)
    np.testing.assert_allclose(found.generalisation_error, np.mean(asked["targets"] ** 2), rtol=1e-6)
    assert np.isfinite(found.training_error).all()
    corrected = run("measured-spectrum", "flow", "leverage", [0.1, 10.0], task="regression", **asked)
    assert np.isfinite(corrected.training_error).all()


def test_targets_without_noise_have_no_error_below_zero_on_more_rows() -> None:
    features = DRAW.standard_normal((80, 3))
    targets = 1e8 * features[:, 0] + 1e3
    for each in ahead(PROBLEM.instance(features=features, targets=targets, kernel="ntk", n=40)):
        assert min(each.error, each.stderr, each.scatter, each.leave_one_out) >= 0


def test_estimates_that_few_rows_do_not_give_have_a_reason() -> None:
    draw = np.random.default_rng(41)
    rows = np.linalg.qr(draw.standard_normal((9, 9)))[0][:, :8]
    new = {"sampling": "new-rows", "task": "regression"}
    with pytest.warns(UnconvergedWarning, match="a variance is below 0"):
        run(
            "measured-spectrum", "ridge", "extrapolation", [0.6],
            features=rows, targets=rows[:, 0] + draw.standard_normal(9), n=18, **new,
        )  # fmt: skip
    draw = np.random.default_rng(0)
    low = draw.standard_normal((40, 19)) @ draw.standard_normal((19, 39))
    asked = {"features": low, "targets": low[:, 0], "n": 40000, "intercept": "none", **new}
    with pytest.warns(UnconvergedWarning, match="the estimated error is below 0"):
        found = errors("flow", "extrapolation", (np.array([0.01, 0.2]) / np.sum(low**2)).tolist(), **asked)
    assert np.isnan(found).tolist() == [False, True]


def test_a_window_begins_before_one_mode_has_changed_the_error() -> None:
    features = DRAW.standard_normal(50)
    asked = {"features": features, "targets": features, "n": 48, "intercept": "pool", "task": "regression"}
    begin = window(PROBLEM.instance(**asked)).low
    early = errors("flow", "asymptotic", [0.0, begin], **asked)
    assert early[1] > 0.99 * early[0]


def test_batches_of_rows_without_features_leave_the_student_as_it_is() -> None:
    asked = {"features": np.eye(20)[:, 0], "targets": np.arange(20) % 2, "n": 10, "intercept": "none"}
    batches = {"learning_rate": "auto", "batch": 2, "data": "replacement", "ridge": 0.3}
    np.testing.assert_allclose(
        errors("sgd", "instance", [0, 9], seeds=[0], **batches, **asked), 1.0, rtol=1e-12
    )


P = 60
ODD_DRAW = np.random.default_rng(2)
X = ODD_DRAW.standard_normal((P, 3))
Y = X @ [1.0, 0.5, 0.0] + ODD_DRAW.standard_normal(P)
Rows = tuple[np.ndarray, np.ndarray]


def with_cell(value: float, *rows: int) -> Rows:
    x = X.copy()
    x[list(rows), 1] = value
    return x, Y


def coded() -> Rows:
    y = Y.copy()
    y[[3, 5]] = -999
    return X, y


ODD: dict[str, tuple[Callable[[], Rows], str]] = {
    "copies": (lambda: (np.vstack([X, X[:20]]), np.r_[Y, Y[:20]]), "20 of 80 rows repeat other rows"),
    "one copy": (lambda: (np.vstack([X, X[:1]]), np.r_[Y, Y[:1]]), "1 of 61 rows repeat other rows"),
    "leak": (lambda: (np.c_[X, 1e-4 * Y + 3], Y), "column 3 (counted from 0) is the target up to a factor"),
    "rounded leak": (lambda: (np.c_[-Y.round(4), X], Y), "column 0 (counted from 0) is the target"),
    "outlier": (lambda: with_cell(1e4, 17), "row 17, counted from 0, contributes most of the variance"),
    "code": (lambda: with_cell(-999, 3, 8), "column 1 (counted from 0) holds -999 in 2 rows, far from all"),
    "large code": (lambda: with_cell(9999, 3), "column 1 (counted from 0) holds 9999 in 1 row, far from all"),
    "coded target": (coded, "the target holds -999 in 2 rows"),
}


@pytest.mark.parametrize(("rows", "said"), ODD.values(), ids=ODD)
def test_odd_rows_and_columns_are_said(rows: Callable[[], Rows], said: str) -> None:
    (line,) = notes(*map(as_table, rows()))
    assert line.startswith(said)


PLAIN: dict[str, Rows] = {
    "Gaussian": (X, Y),
    "levels, whose rows are alike by chance": (np.eye(3)[np.arange(P) % 3], np.arange(P) % 2),
    "one rare level": (np.c_[X, np.arange(P) == 9], Y),
    "a range that holds a code": (np.c_[X, np.linspace(900, 999, P)], Y),
    "nearly the target": (np.c_[X, Y + 0.01 * X[:, 2]], Y),
    "constant columns": (np.c_[X, np.full(P, -999.0)], Y),
    "few rows": (np.ones((FEWEST - 1, 1)) * np.arange(FEWEST - 1)[:, None], np.arange(FEWEST - 1)),
}


@pytest.mark.parametrize("rows", PLAIN.values(), ids=PLAIN)
def test_nothing_is_said_of_others(rows: Rows) -> None:
    assert notes(*map(as_table, rows)) == ()
