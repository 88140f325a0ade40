"""Predictions of new rows: exact identities of cross-validation, numbers of the limit, reach and refusals."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.linalg import hadamard

import teacherstudent as ts
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import more_rows, spread_between_sets
from teacherstudent.theory.measured_spectrum.predictions_beyond import ahead
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import at_zero
from teacherstudent.theory.spectral.spread import product_of

DRAW = np.random.default_rng(11)
P, COLUMNS = 24, 40
WIDE = DRAW.standard_normal((P, COLUMNS)) + 1.0
LONG = WIDE[:, :6]
TARGETS = WIDE[:, :2] + 0.5 * DRAW.standard_normal((P, 2)) + 3.0
LAW = ((30, 1.0, 30 * 0.3**2), (70, 0.1, 70 * 0.2**2 * 0.1))
NUMBERS = (
    ((75, 5.0), (0.19276468, 49.0616383, 29.253815), 0.724498843, 0.09416155),
    ((150, 5.0), (0.063344848, 71.0669824, 52.7675514), 0.465415769, 0.03730888),
    ((300, 20.0), (0.0852614995, 65.4275364, 45.8665662), 0.384801961, 0.01850697),
)
"""n and ridge; kappa, df1, df2; test error and its standard deviation: of the law with noise .5."""
LIMIT = {"route": "asymptotic", "sampling": "population", "noise": 0.5, "observable": ("scatter",)}


def asked(dynamics: str, times: list[float], route: str = "extrapolation", **values: Any) -> xr.Dataset:
    question = {"sampling": "new-rows", **values}
    return ts.curve("measured-spectrum", dynamics=dynamics, route=route, times=times, **question)


def predicted(dynamics: str, time: float, name: str = "generalisation_error", **values: Any) -> float:
    return float(asked(dynamics, [time], **values)[name][0])


@pytest.mark.parametrize(("asked_for", "point", "test", "sd"), NUMBERS)
def test_the_limit_and_its_scatter_have_the_known_values(
    asked_for: tuple[int, float], point: tuple[float, ...], test: float, sd: float
) -> None:
    n, ridge = asked_for
    problem = PROBLEM.instance(modes=LAW, n=n, noise=0.5)
    kept, df2, _, _ = spread_between_sets.population(problem, np.array([ridge]))
    found = (ridge / kept[0], n - kept[0], df2.value[0])
    assert found == pytest.approx(point, rel=1e-8)
    answer = asked("ridge", [1 / ridge], **LIMIT, modes=LAW, n=n)
    assert float(answer.generalisation_error[0]) == pytest.approx(test, rel=2e-9)
    assert float(answer.generalisation_error_scatter[0]) == pytest.approx(sd, abs=1e-8)


def test_75_rows_have_the_known_reach_and_predict_300_with_the_known_error() -> None:
    at = at_zero(task_of(PROBLEM.instance(modes=LAW, n=75)).spectrum)
    assert float(at.h[0, 0] / at.learned[0, 0]) == pytest.approx(0.05070685, abs=1e-8)  # kappa
    problem, n = PROBLEM.instance(modes=LAW, n=300, noise=0.5), 75
    kept, df2, shared, _ = spread_between_sets.population(problem, np.array([20.0]))
    left = product_of(n - 300 + kept, 300 - kept - df2.value)  # G G'
    both = left * df2.scaled(-1.0).plus(n).inverse()  # M
    residuals = shared * both.over_outputs()  # Q
    rate = np.sqrt(left.value) / (n - df2.value)  # d log kappa/d log z
    minima = (residuals.square_sum() * both.inverse()).scaled(2.0).along(rate)
    training = np.sqrt(minima.value - 2 * minima.slope + minima.mixed)
    assert training / residuals.value[:, 0, 0] == pytest.approx([0.338349], abs=1e-6)


def test_without_ridge_the_scatter_is_that_of_least_squares() -> None:
    problem = PROBLEM.instance(modes=((40, 1.0, 1.0),), n=100, noise=1.0)
    found = spread_between_sets.at_ridge(problem, np.array([1e-9]))
    assert found == pytest.approx([np.sqrt(2 * 100 * 40 / 60**3)], rel=1e-8)
    isotropic = PROBLEM.instance(modes=((100, 1.0, 1.0),), n=200, noise=0.5)
    assert spread_between_sets.at_ridge(isotropic, np.array([20.0])) == pytest.approx([0.03043921], abs=1e-8)


@pytest.mark.parametrize("unit", [1e-49, 1e49])
def test_the_scatter_of_tiny_and_huge_targets_is_in_proportion(unit: float) -> None:
    question = {"features": np.random.default_rng(0).normal(size=(12, 3)), "task": "regression", "n": 6}
    targets = np.arange(12.0) % 5
    one, other = (
        spread_between_sets.at_ridge(PROBLEM.instance(targets=each, **question), np.array([1.0]))
        for each in (targets, unit * targets)
    )
    np.testing.assert_allclose(other / unit / unit, one, rtol=1e-9)


@pytest.mark.parametrize(("intercept", "lost"), [("trained", (1, 1)), ("pool", (1, 0)), ("none", (0, 0))])
def test_for_as_many_rows_it_is_cross_validation(intercept: str, lost: tuple[int, int]) -> None:
    """Where as many degrees of freedom are trained on as the P rows have; a trained intercept adds 1/n."""
    ridge, of_pool, n = 2.0, P - lost[0], P - lost[0] + lost[1]
    question = {"features": LONG, "targets": TARGETS, "n": n, "intercept": intercept}
    x, y = (each - lost[0] * each.mean(axis=0) for each in (LONG, TARGETS))
    hat = x @ np.linalg.solve(x.T @ x + ridge * np.eye(6), x.T)
    factor, left = 1 + lost[1] / n, np.sum((y - hat @ y) ** 2)
    gcv = factor * of_pool * left / (of_pool - np.trace(hat)) ** 2
    assert predicted("ridge", 1 / ridge, **question) == pytest.approx(gcv, rel=1e-10)
    alone = 0.0
    for row in range(P):
        kept = np.arange(P) != row
        mean, level = (lost[0] * each[kept].mean(axis=0) for each in (LONG, TARGETS))
        x, y = LONG[kept] - mean, TARGETS[kept] - level
        w = np.linalg.solve(x.T @ x + ridge * np.eye(6), x.T @ y)
        alone += factor * of_pool / P**2 * float(np.sum((TARGETS[row] - level - (LONG[row] - mean) @ w) ** 2))
    name = "generalisation_error_leave_one_out"
    assert predicted("ridge", 1 / ridge, name, **question) == pytest.approx(alone, rel=1e-10)


@pytest.mark.parametrize(("dynamics", "time"), [("ridge", 0.2), ("flow", 0.05)])
def test_where_all_leverages_are_equal_both_answers_are_one(dynamics: str, time: float) -> None:
    features, targets = hadamard(32)[:, 1:12] * np.geomspace(1, 0.2, 11), DRAW.standard_normal((32, 2))
    found = asked(dynamics, [time], features=features, targets=targets, n=100, noise=0.3)
    one, other = found.generalisation_error.values, found.generalisation_error_leave_one_out.values
    assert other == pytest.approx(one, rel=1e-9)


def test_flow_is_the_same_on_a_wide_circle() -> None:
    """Around all eigenvalues, by the midpoint rule, from the same rows: another curve, and no refusal."""
    n, s, ridge = 60, 0.01, 0.5
    problem = PROBLEM.instance(features=WIDE, targets=TARGETS, n=n, ridge=ridge, sampling="new-rows")
    pool = more_rows.pool_of(problem)
    centre = pool.values.max()
    z = -centre + (centre + pool.matched(ridge + 1 / s)) * np.exp(1j * np.pi * np.arange(1, 1600, 2) / 800)
    left = pool.zeros + np.sum(z[:, None] / (pool.values + z[:, None]), axis=1)
    v = z + (n - P) * z / left - ridge
    h = z[:, None] / (pool.values + z[:, None])
    slope = 1 + (n - P) * (pool.zeros + np.sum(h**2, axis=1)) / left**2  # of v in z
    weights = np.exp(s * v) / v * slope * (z + centre) / z.size
    assert abs(1 - weights.sum()) < 1e-8
    both = pool.zeros + h @ h.T
    residuals = (h * np.sum(pool.targets**2, axis=1)) @ h.T + np.trace(pool.beyond)
    test = (n - 1) * residuals / ((n - P) * both + np.multiply.outer(left, left))
    expected = (1 + 1 / n) * float((weights @ test @ weights).real)
    assert 2 * more_rows.hyperbola()[1].sum().real == pytest.approx(1.0, abs=1e-12)
    found = predicted("flow", s, features=WIDE, targets=TARGETS, n=n, ridge=ridge)
    assert found == pytest.approx(expected, rel=1e-8)


def test_flow_begins_at_the_mean_and_ends_at_the_ridge() -> None:
    question = {"features": LONG, "targets": TARGETS, "n": 1000, "ridge": 40.0, "noise": 0.2}
    found = asked("flow", [0.0, 1e-12, 1e3], **question).generalisation_error.values
    mean = (1 + 1 / 1000) * (np.sum(TARGETS.var(axis=0, ddof=1)) + 2 * 0.2**2)
    assert found[:2] == pytest.approx([mean, mean], rel=1e-8)
    assert found[2] == pytest.approx(predicted("ridge", 1e12, **question), rel=1e-9)


def test_equal_outputs_err_and_scatter_together_and_added_noise_does_not_err() -> None:
    one, two, noisy = (
        asked("ridge", [0.005], features=WIDE, targets=TARGETS[:, columns], n=80, noise=noise)
        for columns, noise in (([0], 0), ([0, 0], 0), ([0], 1))
    )
    for name in ("generalisation_error", "generalisation_error_stderr", "generalisation_error_scatter"):
        assert two[name].values == pytest.approx(2 * one[name].values, rel=1e-9)
    assert noisy.generalisation_error_stderr.values == pytest.approx(one.generalisation_error_stderr.values)
    assert noisy.generalisation_error[0] > one.generalisation_error[0] + 1


def test_what_is_out_of_reach_is_refused_with_what_is_not() -> None:
    question = {"features": WIDE, "targets": TARGETS}
    with pytest.raises(InputError) as caught:
        asked("ridge", [1.0], **question, n=200)
    line = re.fullmatch(
        r"--n 200: must be at most (\d+) at ridge 1, or --ridge \+ 1/time at least ([\d.]+): below this "
        r"value the 24 measured rows are fitted too closely for a prediction \(df1/N > 0\.65\), and "
        r"below ([\d.]+) no "
        r"ridge on them is equivalent",
        str(caught.value),
    )
    assert line
    most, least, reach = int(line[1]), float(line[2]), float(line[3])
    centred = WIDE - WIDE.mean(axis=0)
    values = np.linalg.eigvalsh(centred @ centred.T)[1:]
    assert reach == pytest.approx((200 - P) / np.sum(1 / values), rel=1e-3)
    assert np.isfinite(predicted("ridge", 1.0, **question, n=most))
    assert np.isfinite(predicted("ridge", 1 / least, **question, n=200))
    for beyond in ({"n": most + 1, "ridge": 0.0}, {"n": 200, "ridge": 0.998 * least - 1}):
        with pytest.raises(InputError, match=r"^--n \d+: must be at most"):
            asked("ridge", [1.0], **question, **beyond)


@pytest.mark.parametrize("dynamics", ["ridge", "flow"])
def test_times_that_are_out_of_reach_are_nan_with_the_reason(dynamics: str) -> None:
    said = "^extrapolation route: n = 200 needs --ridge .*at 1 of 2 times"
    with pytest.warns(UnconvergedWarning, match=said):
        found = asked(dynamics, [1e-3, 1.0], features=WIDE, targets=TARGETS, n=200)
    for values in found.data_vars.values():
        assert np.isfinite(values.values).tolist() == [True, False]


def test_what_is_taken_for_granted_is_said() -> None:
    assert "independent draws" in asked("ridge", [0.1], features=LONG, targets=TARGETS, n=99).attrs["remarks"]
    features = np.where(np.arange(P)[:, None] < 2, 1.0, [[0.0] * 2 + [5.0]]) + LONG[:, :3] * [0, 0, 1]
    said = PROBLEM.remarks(PROBLEM.instance(features=features, targets=TARGETS, n=99, sampling="new-rows"))
    assert "; 2 columns of --features differ from the most frequent value in less than 20%" in said


def test_the_best_ridge_ahead_is_a_minimum_or_says_that_it_is_not() -> None:
    problem = PROBLEM.instance(features=LONG, targets=TARGETS, n=9)
    for each in ahead(problem, (1, 10)):
        assert each.reason == ""
        question = {"features": LONG, "targets": TARGETS, "n": each.n}
        here, less, more = (predicted("ridge", 1 / (each.ridge * f), **question) for f in (1, 0.9, 1.1))
        assert here == pytest.approx(each.error, rel=1e-9)
        assert here <= min(less, more)
    (edge,) = ahead(PROBLEM.instance(features=WIDE, targets=WIDE @ np.ones(COLUMNS), n=9), (4,))
    assert edge.reason.startswith("a smaller ridge may be better")
    with pytest.raises(InputError, match=r"^--factors 0\.5: must be at least 1"):
        ahead(problem, (0.5, 2))
    with pytest.raises(InputError, match=r"^--features \(missing\)"):
        ahead(PROBLEM.instance(modes=LAW))
