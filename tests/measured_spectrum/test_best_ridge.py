"""The best ridge, negative ones included: reference values, and equal formulas of rows that are even."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import hadamard

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import leverage
from teacherstudent.theory.measured_spectrum.best_ridge import at, best_ridge, error_at, extrema, fold
from teacherstudent.theory.measured_spectrum.task import task_of
from tests.roundings import repeated

made = PROBLEM.instance

TWO = {"modes": ((30, 1.0, 2.7), (70, 0.1, 0.28)), "noise": 0.5}
SPIKE = {"modes": ((1, 20.0, 1.0), (400, 1.0, 0.0)), "noise": 0.3, "n": 30}
DRAW = np.random.default_rng(3)
EVEN = hadamard(64)[:, 1:20] * np.geomspace(1, 0.2, 19)


def test_the_edge_and_errors_are_those_of_reference() -> None:
    """By kappa = x/100: 100 modes; the edge where df2 = n."""
    spectrum = task_of(made(n=75, **TWO)).spectrum
    edge = fold(spectrum)
    assert edge / 100 == pytest.approx(0.02291960, abs=5e-9)
    assert at(spectrum, np.array([edge])).z[0] == pytest.approx(-0.25843, abs=5e-6)
    for n, ridge, error in ((75, 5, 0.724498843), (150, 5, 0.465415769), (300, 20, 0.384801961)):
        assert error_at(made(n=n, **TWO), np.array([ridge]))[0] == pytest.approx(error, abs=5e-10)


@pytest.mark.parametrize("n", [10, 15, 20, 30, 63])
@pytest.mark.parametrize("rows", ["even", "wide"])
@pytest.mark.parametrize("intercept", ["pool", "trained"])
def test_the_edge_of_a_pool_is_that_of_its_spectrum(n: int, rows: str, intercept: str) -> None:
    features = EVEN if rows == "even" else DRAW.standard_normal((64, 90))
    spectrum = task_of(made(features=features, targets=features[:, :1], n=n, intercept=intercept)).spectrum
    x = fold(spectrum)
    lowest = spectrum.lower_edge()
    found = at(spectrum, np.array([x])).z[0]
    assert found == pytest.approx(-lowest, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("n", [10, 30])
@pytest.mark.parametrize("intercept", ["pool", "trained"])
def test_of_even_rows_both_formulas_have_the_same_best_ridge(n: int, intercept: str) -> None:
    targets = EVEN[:, :2] + 0.5 * DRAW.standard_normal((64, 2))
    problem = made(features=EVEN, targets=targets, n=n, intercept=intercept)
    found = best_ridge(problem)
    assert found.rows is not None
    np.testing.assert_allclose(found.rows[:2], found.limit[:2], rtol=1e-6)
    (turn,) = extrema(problem, "ridge")
    assert turn.is_minimum
    assert repeated((turn.time, turn.value), found.limit[:2])
    if found.limit.ridge > 0:
        by_route = leverage.ridge(problem, 1 / np.array([found.limit.ridge]))["generalisation_error"]
        np.testing.assert_allclose(by_route, found.limit.error, rtol=1e-9)


def test_a_strong_mode_among_weak_ones_has_its_best_ridge_below_zero() -> None:
    found = best_ridge(made(**SPIKE))
    assert found.limit.ridge == pytest.approx(-160.042, abs=1e-3)
    assert not found.limit.at_edge
    assert found.rows is None
    assert found.lowest < -200
    beside = found.limit.ridge + np.array([0.0, -5.0, 5.0])
    others = error_at(made(**SPIKE), np.array([*beside, 1e-9, 100.0]))
    assert others[0] == pytest.approx(found.limit.error, rel=1e-9)
    assert np.all(others[1:] > found.limit.error)


def test_where_nothing_is_to_be_learned_no_ridge_is_large_enough() -> None:
    found = best_ridge(made(modes=((20, 1.0, 0.0),), noise=1.0, n=30)).limit
    assert (found.ridge, found.at_edge) == (np.inf, True)
    assert found.error == pytest.approx(1.0, rel=1e-3)


def test_rows_of_full_rank_end_before_a_leverage_of_one() -> None:
    """Below 0 a row that lies far out has its own pole; best is above it, and finite."""
    features = DRAW.standard_normal((64, 4)) ** 3
    targets = features[:, :1] + 0.1 * DRAW.standard_normal((64, 1))
    found = best_ridge(made(features=features, targets=targets, n=40)).rows
    assert found is not None
    assert np.isfinite(found.error)
    assert found.error > 0


def test_turns_are_by_ridge() -> None:
    found = ts.turns("measured-spectrum", curve="ridge", **SPIKE)
    assert list(found.data_vars) == ["ridge", "generalisation_error", "is_minimum"]
    assert float(found.ridge[0]) == pytest.approx(-160.042, abs=1e-3)


def test_ridges_that_cannot_be_asked_are_refused() -> None:
    with pytest.raises(InputError, match=r"^--ridge -300: must be above -2\d\d\.\d+, minus the spectrum"):
        error_at(made(**SPIKE), np.array([-300.0]))
    with pytest.raises(InputError, match=r"^--ridge 1.0: must be 0 for --curve ridge"):
        ts.turns("measured-spectrum", curve="ridge", ridge=1.0, **SPIKE)
    with pytest.raises(InputError, match=r"^--sampling population: must be pool for --curve ridge-by-rows"):
        ts.turns("measured-spectrum", curve="ridge-by-rows", **SPIKE)


@pytest.mark.parametrize("columns", [20, 90, 300])
@pytest.mark.parametrize("intercept", ["trained", "none"])
def test_the_edge_is_where_the_ridge_turns_also_of_more_columns_than_rows(
    columns: int, intercept: str
) -> None:
    """Next to a fold the ridge changes as the square of the distance."""
    draw = np.random.default_rng(columns)
    asked: dict[str, Any] = {"targets": draw.standard_normal(80), "n": 30, "task": "regression"}
    problem = PROBLEM.instance(features=draw.standard_normal((80, columns)), intercept=intercept, **asked)
    spectrum = task_of(problem).spectrum
    edge = fold(spectrum)
    step = 1e-4 * np.abs(edge)
    here, near, far = at(spectrum, edge + step * np.arange(3)).z
    assert far > near > here
    assert (far - here) / (near - here) == pytest.approx(4, rel=1e-3)
