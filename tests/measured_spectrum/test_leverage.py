"""Theory by rows: the pool's formula where all rows are alike, and nearer to draws of real rows where not."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.linalg import hadamard

import teacherstudent as ts
from teacherstudent.house import machine
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.memory import NUMBER
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory import fixed_points
from teacherstudent.theory.fixed_points import fixed_point
from teacherstudent.theory.measured_spectrum import asymptotic, evidence, instance, leverage, per_row
from teacherstudent.theory.measured_spectrum.evidence import Case
from teacherstudent.theory.measured_spectrum.needs import rows_at
from teacherstudent.theory.measured_spectrum.trust import trust

DRAW = np.random.default_rng(4)
EVEN = hadamard(64)[:, 1:20] * np.geomspace(1, 0.2, 19)
"""Rows of which each has the same square along every eigenvector."""
TARGETS = DRAW.standard_normal((64, 2))
TIMES = {"flow": [0.0, 1e-9, 0.01, 1.0, 1e8], "descent": [0, 1, 24, 25, 1000], "ridge": [0.01, 1.0, 1e4]}
NAMES = ("generalisation_error", "training_error")


def asked(route: str, dynamics: str, times: list[float], **values: Any) -> xr.Dataset:
    problem = "measured-spectrum"
    return ts.curve(problem=problem, dynamics=dynamics, route=route, times=times, **values)


@pytest.mark.parametrize("n", [10, 30])
def test_theory_row_by_row_is_so_too(n: int) -> None:
    """To the truncation of its contour, e^-14.4, and of ridge regression to rounding."""
    question = {"features": EVEN, "targets": TARGETS, "n": n, "noise": 0.5, "init": 0.3, "ridge": 0.2}
    for dynamics, within in (("ridge", 1e-10), ("flow", 1e-5)):
        one = asked("asymptotic", dynamics, TIMES[dynamics], **question)
        other = asked("per-row", dynamics, TIMES[dynamics], **question)
        for name in NAMES:
            np.testing.assert_allclose(other[name], one[name], rtol=within, atol=within)


@pytest.mark.thorough
def test_a_contour_encloses_the_spectrum_of_rows_that_differ() -> None:
    """It begins below that of rows that are alike. More points, or a wider contour, change nothing."""
    asked = case("wine, Gaussian kernel, n = 29", "flow")
    at = asked.times[3:4]
    few = per_row.flow(asked.problem, at)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(per_row, "NODES", 20)
        many = per_row.flow(asked.problem, at)
    for name in NAMES:
        np.testing.assert_allclose(few[name], many[name], rtol=1e-3)


def case(name: str, dynamics: str) -> Case:
    return next(each for each in evidence.cases() if each.name == name and each.dynamics == dynamics)


@pytest.fixture(scope="module")
def uneven() -> tuple[Case, np.ndarray, np.ndarray]:
    """Rows of breast cancer, whose leverages differ: mean test error of draws, and its error."""
    found = case("breast_cancer, columns, n = 284", "flow")
    draws = instance.flow(found.problem, found.times, seeds=range(120))["generalisation_error"]
    return found, draws.mean(axis=0), draws.std(axis=0, ddof=1) / np.sqrt(len(draws))


def test_on_rows_that_differ_it_is_nearer_than_the_formula_of_the_pool(uneven: Any) -> None:
    asked, mean, error = uneven
    plain = asymptotic.flow(asked.problem, asked.times)["generalisation_error"]
    better = leverage.flow(asked.problem, asked.times)["generalisation_error"]
    best = per_row.flow(asked.problem, asked.times[-1:])["generalisation_error"]
    assert plain[-1] < mean[-1] - 4 * error[-1]  # the rows' differences are seen
    assert abs(best[0] - mean[-1]) < abs(better[-1] - mean[-1]) < abs(plain[-1] - mean[-1])


def test_it_is_as_near_to_draws_as_was_measured(uneven: Any) -> None:
    asked, mean, error = uneven
    found = leverage.flow(asked.problem, asked.times)["generalisation_error"]
    spread = trust(asked.problem, asked.times).spread
    most = np.array([evidence.expected(each).leverage.most for each in spread])
    assert np.all(np.abs(found - mean) <= 4 * error + most * mean)


def test_training_errors_of_digits_need_each_row_taken_for_itself() -> None:
    """Each row takes its own share from its error: the mean share is off where dead pixels light up."""
    asked = case("digits, columns, n = 299", "ridge")
    draws = instance.ridge(asked.problem, asked.times, seeds=range(30))["training_error"]
    found = leverage.ridge(asked.problem, asked.times)
    error = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    learned = found["generalisation_error"] * np.prod(_shares(asked), axis=0)
    gap = np.abs(found["training_error"] - draws.mean(axis=0))
    assert np.all(gap[:3] <= 4 * error[:3])
    assert np.any(np.abs(learned - draws.mean(axis=0)) > 4 * error)


def _shares(asked: Case) -> np.ndarray:
    found = asymptotic.ridge(asked.problem, asked.times)
    share = np.sqrt(found["training_error"] / found["generalisation_error"])
    return np.stack([share, share])


def test_a_row_that_alone_has_a_feature_keeps_the_answer_finite() -> None:
    features = np.hstack([EVEN, np.eye(64)[:, :1]])
    for n in (10, 40):
        question = {"features": features, "targets": TARGETS, "n": n}
        for dynamics, times in TIMES.items():
            found = asked("leverage", dynamics, times, **question)
            assert all(np.isfinite(found[name]).all() for name in NAMES)


def test_too_many_rows_are_refused_by_the_slow_route(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(per_row, "MOST_ROWS", {"ridge": 63, "flow": 63})
    for dynamics in ("ridge", "flow"):
        with pytest.raises(
            InputError, match=r"^--features 64 rows: must be at most 63 rows on this slow route"
        ):
            asked("per-row", dynamics, [1.0], features=EVEN, targets=TARGETS, n=10)


def test_what_rows_hold_in_memory_is_refused_where_it_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "memory", lambda: 2e5)
    for route in ("leverage", "per-row"):
        with pytest.raises(InputError, match=r"^--features 64: must be at most \d+ on this machine "):
            asked(route, "flow", [1.0], features=EVEN, targets=TARGETS, n=10)


@pytest.mark.parametrize("dynamics", ["ridge", "flow"])
def test_what_rows_hold_in_memory_is_what_is_stated(dynamics: str) -> None:
    """Few columns and outputs, and many: what is stated is held, and not twice as much is stated."""
    for rows, columns, outputs in ((6000, 5, 1), (1500, 150, 8)):
        features, targets = DRAW.standard_normal((rows, columns)), DRAW.standard_normal((rows, outputs))
        problem = PROBLEM.instance(features=features, targets=targets, n=rows // 2, noise=0.1)
        vectors = leverage.pool(problem).vectors  # decomposed, and held before it is counted
        tracemalloc.start()
        getattr(leverage, dynamics)(problem, np.array([1e-3]))
        peak = tracemalloc.get_traced_memory()[1] / NUMBER + vectors.size
        tracemalloc.stop()
        stated = rows_at(rows, columns, outputs, leverage.MOST_POINTS[dynamics])
        assert stated / 2 < peak < 1.1 * stated


def test_a_fixed_point_that_is_not_found_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_points, "MOST", 1)
    for dynamics in ("ridge", "flow"):
        with pytest.warns(
            UnconvergedWarning, match="^per-row route: no fixed point found; NaN at 1 of 1 times$"
        ):
            found = asked("per-row", dynamics, [1.0], features=EVEN**3, targets=TARGETS, n=10)
        assert np.isnan(found.generalisation_error).all()


# Fixed points ---------------------------------------------------------------------------------------


def test_a_linear_map_is_solved_where_plain_iteration_would_crawl() -> None:
    matrix = np.diag(np.linspace(-0.999, 0.999, 5)) + 1e-3j
    source = np.arange(1.0, 6.0)
    found = fixed_point(lambda x: source + matrix @ x, source + 0j, 1e-12)
    assert found is not None
    np.testing.assert_allclose(found, np.linalg.solve(np.eye(5) - matrix, source), rtol=1e-8)


def test_a_map_without_a_fixed_point_or_with_an_infinity_gives_none() -> None:
    assert fixed_point(lambda x: x + 1, np.ones(3), 1e-12) is None
    assert fixed_point(lambda x: x * np.inf, np.ones(3), 1e-12) is None
