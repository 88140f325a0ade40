"""Rows at the edges of what formulas assume: equal, alone, of zeros, wide, or without noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.ahead import ahead
from teacherstudent.theory.measured_spectrum.best_ridge import best_ridge
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
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
    with pytest.warns(UnconvergedWarning, match="give a variance below 0"):
        run(
            "measured-spectrum", "ridge", "extrapolation", [0.6],
            features=rows, targets=rows[:, 0] + draw.standard_normal(9), n=18, **new,
        )  # fmt: skip
    draw = np.random.default_rng(0)
    low = draw.standard_normal((40, 19)) @ draw.standard_normal((19, 39))
    asked = {"features": low, "targets": low[:, 0], "n": 40000, "intercept": "none", **new}
    with pytest.warns(UnconvergedWarning, match="smaller than what the estimate is off"):
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
