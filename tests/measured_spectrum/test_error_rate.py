"""The error rate from rows: orthants of normal outputs, and what is near to draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import teacherstudent as ts
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.sources import OrBundled
from teacherstudent.theory.measured_spectrum import error_rate, evidence, instance, leverage, per_row
from teacherstudent.theory.measured_spectrum.error_rate import orthant
from tools import evidence as measuring

DRAW = np.random.default_rng(8)
WINE = {"features": "wine", "targets": "wine"}
IRIS = {"features": "iris", "targets": "iris"}


def test_of_one_variable_it_is_phi() -> None:
    means, variances = DRAW.standard_normal(20), DRAW.random(20) + 0.1
    found = orthant(means[:, None], variances[:, None, None])
    np.testing.assert_allclose(found, stats.norm.cdf(means / np.sqrt(variances)), rtol=1e-13)


@pytest.mark.parametrize("m", [2, 3, 9])
def test_of_more_it_is_the_orthant_to_the_stated_error_on_average(m: int) -> None:
    root = DRAW.standard_normal((15, m, m))
    covariances, means = root @ root.transpose(0, 2, 1) / m + 0.3, DRAW.standard_normal((15, m)) + 1
    told = [
        type(stats.multivariate_normal)(seed=0).cdf(mean, cov=covariance, abseps=2e-4)
        for mean, covariance in zip(means, covariances, strict=True)
    ]
    found = orthant(means, covariances)
    assert abs(np.mean(found - told)) < 1e-3
    assert np.max(np.abs(found - told)) < 0.01


def test_outputs_that_do_not_vary_are_compared_as_they_are() -> None:
    """Equal ones count one over how many there are; what rounding leaves of a variance is none."""
    means = np.array([[1.0, 2.0], [1.0, -1.0], [0.0, 1.0], [0.0, 0.0]])
    for variance in (0.0, -1e-20):
        found = orthant(means, variance * np.ones((4, 2, 2)))
        np.testing.assert_allclose(found, [1.0, 0.0, 1 / 2, 1 / 3], rtol=1e-15, atol=1e-15)
    one_certain = np.array([[[1.0, 0.0], [0.0, 0.0]]])
    assert orthant(np.array([[0.5, 2.0]]), one_certain)[0] == pytest.approx(stats.norm.cdf(0.5))
    assert orthant(np.array([[0.5, -2.0]]), one_certain)[0] == pytest.approx(0, abs=1e-15)
    both_the_same = np.ones((1, 2, 2))
    assert orthant(np.array([[0.5, 0.7]]), both_the_same)[0] == pytest.approx(stats.norm.cdf(0.5))


@pytest.mark.parametrize(
    "more",
    [{}, {"intercept": "pool", "noise": 0.5}, {"init": 0.05}, {"task": "classification", "ridge": 3.0}],
)
def test_it_is_near_to_draws_at_any_time(more: dict[str, Any]) -> None:
    """From what a student knows before it learns to the end of training; two and three classes."""
    for name, n in (("wine", 60), ("breast_cancer", 60)):
        features, targets = (OrBundled(part).parse(name).values for part in (0, 1))
        scaled = evidence._standard(features.astype(float))
        problem = PROBLEM.instance(features=scaled, targets=targets, n=n, **more)
        times = np.array([0.0, 1.0, 10.0]) / (n * 10)
        drawn = instance.flow(problem, times, seeds=range(64))["error_rate"]
        error = drawn.std(axis=0, ddof=1) / 8
        found = leverage.flow(problem, times)["error_rate"]
        assert np.all(np.abs(found - drawn.mean(axis=0)) <= 4 * error + 0.1 * drawn.mean(axis=0))


def test_row_by_row_it_is_near_to_leverages_where_rows_are_even() -> None:
    problem = PROBLEM.instance(features="iris", targets="iris", n=75, noise=0.3, init=0.02)
    for dynamics, times in (("ridge", [0.01, 1.0]), ("flow", [0.0, 0.03])):
        one, other = (
            getattr(r, dynamics)(problem, np.array(times))["error_rate"] for r in (leverage, per_row)
        )
        np.testing.assert_allclose(one, other, rtol=0.02)


def test_descent_in_small_steps_is_flow() -> None:
    problem = PROBLEM.instance(features="iris", targets="iris", n=75)
    flow = leverage.flow(problem, np.array([0.1]))["error_rate"]
    descent = leverage.descent(problem, np.array([200]), learning_rate=5e-4)["error_rate"]
    np.testing.assert_allclose(descent, flow, rtol=1e-3)


def test_only_classes_have_one() -> None:
    asked: dict[str, Any] = {"problem": "measured-spectrum", "dynamics": "ridge", "times": [1.0], "n": 30}
    for route in ("leverage", "per-row"):
        assert "error_rate" in ts.curve(route=route, **IRIS, **asked)
        assert "error_rate" not in ts.curve(route=route, **IRIS, task="regression", **asked)
    assert "error_rate" not in ts.curve(route="asymptotic", **IRIS, **asked)


def test_rows_that_fluctuate_alone_are_shared_evenly() -> None:
    """Rows of a class of which few stand for all, and a row that no mode reaches."""
    problem = PROBLEM.instance(**WINE, n=60)
    vectors = np.linalg.qr(DRAW.standard_normal((178, 5)))[0]
    vectors[3] = 0
    found = error_rate.shares(problem, vectors, np.ones(5), 0.0)
    np.testing.assert_allclose(found[:, 0].sum(axis=0), 1)
    np.testing.assert_allclose(found[:, 0, 3], np.array([59, 71, 48]) / 178)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(error_rate, "NEIGHBOURS", 90)
        few = error_rate.shares(problem, vectors, np.ones(5), 0.0)
    assert np.max(np.abs(few - found)[:, 0]) < 0.4
    np.testing.assert_allclose(few[:, 0].mean(axis=1), found[:, 0].mean(axis=1), rtol=0.15)


def test_what_is_declared_is_what_the_tool_measures() -> None:
    found = list(evidence.rate_cases())
    assert len({each.name for each in found}) == len(found) / 2 == 24
    assert evidence.expected_rate_error(0.07, 100) is evidence.RATES[1]
    assert evidence.expected_rate_error(np.nan, 100) is evidence.RATES[-1]
    assert evidence.expected_rate_error(0.0, 8) is evidence.FEW_ROWS_RATES[0]
    case = next(each for each in found if each.name == "iris, columns, n = 75")
    one = measuring.compared(case, range(3), ("error_rate",), measuring.RATED)
    (line,) = measuring.lines([one], 0, [np.inf], "RateMeasured")
    said = eval(line.rstrip(","), vars(evidence) | {"inf": np.inf})
    assert said.comparisons == 5
    assert max(abs(one.off[0, 0])) <= said.leverage.largest < 1.1 * max(abs(one.off[0, 0]))
