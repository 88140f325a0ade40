"""The intercept that is trained: as scikit-learn trains it, and as loops on raw inputs do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.data import draw, rows_of
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from tests.support import say

DIABETES: dict[str, Any] = {"features": "diabetes", "targets": "diabetes", "task": "regression"}
DRAW = np.random.default_rng(11)
X, Y = DRAW.standard_normal((24, 5)) + 3.0, DRAW.standard_normal((24, 2)) + 1.0
RAW: dict[str, Any] = {"features": X, "targets": Y, "n": 9}
CURVE = ("curve", "measured-spectrum", "--features", "diabetes", "--targets", "diabetes", "--n", "20")
FORMULAS = ("asymptotic", "leverage", "per-row")


def error(dynamics: str, route: str, times: Any, **question: Any) -> np.ndarray:
    answer = run("measured-spectrum", dynamics, route, times, **question)
    return np.asarray(answer["generalisation_error"].values)


@pytest.mark.parametrize("n", [8, 15, 30, 60])
def test_it_is_that_of_scikit_learn(n: int) -> None:
    """On the same subsets to rounding; the formulas within the errors of their mean, and 1 % of their own."""
    seeds, given = range(40), {**DIABETES, "n": n, "ridge": 0.5}
    problem = PROBLEM.instance(**given)
    features, targets, chosen = (
        problem.features.values,
        problem.targets.values[:, 0],
        draw(problem, seeds).chosen,
    )
    scores = []
    for train in chosen:
        test = np.delete(np.arange(len(targets)), train)
        fitted = Ridge(alpha=1.0).fit(features[train], targets[train])
        scores.append(np.mean((fitted.predict(features[test]) - targets[test]) ** 2))
    for route in ("instance", "simulation"):
        found = error("ridge", route, [2.0], seeds=seeds, **given)[:, 0]
        np.testing.assert_allclose(found, scores, rtol=1e-10)
    for route in FORMULAS[:2]:
        claimed = error("ridge", route, [2.0], **given)
        assert mean_within_errors(np.array(scores)[:, None], claimed, 0.01 * claimed).agrees


@pytest.mark.parametrize("route", FORMULAS[:2])
def test_the_peak_of_least_squares_is_at_one_row_more_than_columns(route: str) -> None:
    for intercept, peak in (("trained", 11), ("pool", 10)):
        sizes = range(peak - 2, peak + 3)
        errors = [error("ridge", route, [1e9], n=n, intercept=intercept, **DIABETES)[0] for n in sizes]
        assert sizes[int(np.argmax(errors))] == peak


@pytest.mark.parametrize("route", FORMULAS)
def test_the_mean_alone_has_the_error_of_a_mean(route: str) -> None:
    variance = Y.var(axis=0, ddof=1).sum() + 2 * 0.3**2
    answer = run("measured-spectrum", "flow", route, [0.0], **RAW, noise=0.3)
    assert answer["generalisation_error"].item() == pytest.approx(variance * (1 + 1 / 9), rel=1e-12)
    assert answer["training_error"].item() == pytest.approx(variance * (1 - 1 / 9), rel=1e-12)
    early = run("measured-spectrum", "flow", route, [1e-12], **RAW, noise=0.3)
    for name in ("generalisation_error", "training_error"):
        nodes = 1e-6 if route == "per-row" else 1e-8  # what a contour of few nodes leaves
        assert early[name].item() == pytest.approx(answer[name].item(), rel=nodes)


def looped(rate: float, steps: int, places: np.ndarray, penalty: float) -> tuple[float, float]:
    """Test and training error of descent on raw inputs with a bias, as a library takes its steps."""
    w, b = np.zeros((5, 2)), np.zeros(2)
    for _ in range(steps):
        residual = X[places] @ w + b - Y[places]
        w = w - rate * (X[places].T @ residual + penalty * w)
        b = b - rate * (residual.sum(axis=0) + penalty * b)
    squares = np.sum((X @ w + b - Y) ** 2, axis=1)
    return np.delete(squares, places).mean(), squares[places].mean()


@pytest.mark.parametrize("route", ["instance", "simulation"])
def test_a_bias_column_is_a_bias_that_is_trained_on_raw_inputs(route: str) -> None:
    asked = {**RAW, "bias_column": True, "ridge": 0.2}
    chosen = draw(PROBLEM.instance(**asked), [4]).chosen
    answer = run("measured-spectrum", "descent", route, [1, 7, 40], seeds=[4], learning_rate=0.004, **asked)
    for place, steps in enumerate((1, 7, 40)):
        wanted = looped(0.004, steps, chosen[0], 0.2)
        found = [answer[name].values[0, place] for name in ("generalisation_error", "training_error")]
        np.testing.assert_allclose(found, wanted, rtol=1e-11)


@pytest.mark.parametrize("route", ["instance", "simulation"])
def test_its_critical_rate_is_that_of_raw_inputs(route: str) -> None:
    """Here below a tenth of that of centred ones."""
    chosen = draw(PROBLEM.instance(**RAW), [4]).chosen
    raw = np.column_stack([X, np.ones(24)])[chosen[0]]
    curvatures = [np.linalg.norm(each, 2) ** 2 for each in (raw, raw - raw.mean(axis=0))]
    assert curvatures[0] > 10 * curvatures[1]

    def seen(rate: Any, **more: Any) -> np.ndarray:
        asked = {**RAW, **more, "learning_rate": rate, "seeds": [4]}
        answer = run("measured-spectrum", "descent", route, [200, 400], **asked)
        return np.asarray(answer["training_error"].values[0])

    for curvature, column in zip(curvatures, (True, False), strict=True):
        auto, by_hand, below = (
            seen(rate, bias_column=column) for rate in ("auto", 1 / curvature, 1.99 / curvature)
        )
        np.testing.assert_allclose(auto, by_hand, rtol=1e-9)
        assert below[1] < below[0]
        with pytest.warns(UnconvergedWarning, match="gradient descent diverges"):
            assert np.isnan(seen(2.01 / curvature, bias_column=column)).all()


def test_one_decomposition_serves_what_is_centred_by_the_pool() -> None:
    trained, pool, none, column = (
        PROBLEM.instance(**RAW, **more)
        for more in ({}, {"intercept": "pool"}, {"intercept": "none"}, {"bias_column": True})
    )
    assert decomposition(trained) is decomposition(pool)
    assert len({id(decomposition(each)) for each in (pool, none, column)}) == 3
    assert np.array_equal(rows_of(none).features, X)
    assert np.array_equal(rows_of(column).features[:, -1], np.ones(24))
    assert column.columns == none.columns + 1 == 6


def test_the_ridge_in_all_is_noted_and_fresh_rows_have_a_known_mean() -> None:
    asked = {**DIABETES, "n": 20}
    line = (*CURVE, "--dynamics", "ridge", "--route", "asymptotic", "--times", "10", "--ridge", "0.1")
    assert say(*line).err.count("ridge = --ridge + 1/time: 0.2 at time 10") == 1
    assert "ridge = " not in say(*line[:-2]).err
    fresh = {**asked, "sampling": "population", "batch": 2}
    answers = [error("sgd", "asymptotic", [5], **fresh, intercept=each) for each in ("trained", "pool")]
    np.testing.assert_allclose(*answers, rtol=1e-12)  # one computation, on however many threads
    said = run("measured-spectrum", "sgd", "asymptotic", [5], **fresh).attrs["remarks"]
    assert "fresh rows have no training mean" in said
    with pytest.raises(InputError, match=r"^--intercept trained: must be none or pool for --data reshuffled"):
        error("sgd", "asymptotic", [5], **fresh, data="reshuffled")


def test_the_option_alone_says_yes() -> None:
    line = (*CURVE, "--dynamics", "ridge", "--route", "asymptotic", "--times", "1", "--bias-column")
    asked = {**DIABETES, "n": 20, "bias_column": True}
    wanted = error("ridge", "asymptotic", [1.0], **asked).item()
    assert float(say(*line).out.splitlines()[1].split(",")[1]) == pytest.approx(wanted, rel=1e-12)


# Settings of libraries (docs/conventions.md) ------------------------------------------------------------


def test_learning_rate_and_weight_decay_of_pytorch_are_converted_as_the_page_says() -> None:
    """A step of SGD with MSELoss, whose gradient is 2/(n c) times the sum's, and weight decay."""
    lr, decay, n, c = 0.01, 0.05, 24, 2
    w = DRAW.standard_normal((5, 2))
    theirs = w - lr * (2 / (n * c) * X.T @ (X @ w - Y) + decay * w)
    eta, ridge = 2 * lr / (n * c), n * c / 2 * decay
    np.testing.assert_allclose(w - eta * (X.T @ (X @ w - Y) + ridge * w), theirs, rtol=1e-13)


def test_one_over_c_of_logistic_regression_is_the_ridge_of_the_summed_loss() -> None:
    signs = np.where(Y[:, 0] > 1, 1.0, -1.0)
    fitted = LogisticRegression(C=0.4, tol=1e-10, solver="newton-cholesky").fit(X, signs)
    w, margins = fitted.coef_[0], signs * fitted.decision_function(X)
    pull = X.T @ (signs / (1 + np.exp(margins)))  # minus the gradient of sum log(1 + e^-m)
    np.testing.assert_allclose(pull, w / 0.4, atol=1e-5)
