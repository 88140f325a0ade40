"""Fixed points against sixty digits: the bound of the error holds, and what is certified is right."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

from teacherstudent.house.running import run
from teacherstudent.problems.starvation import PROBLEM
from teacherstudent.theory.starvation import ACCURACY, duality, ends, roots
from tests.starvation.references import DIGITS, end_of_ridge

FOUND = [
    {"s1": 0.1, "s2": 1e6, "delta": 0.99, "ridge": 1e-6},
    {"s1": 1.0, "s2": 1e6, "ridge": 1e-8},
    {"s1": 1e6, "s2": 1e-3, "delta": 0.99, "ridge": 1e-10},
]
"""Problems whose residuals are small far from the fixed point, or whose Jacobian is singular to rounding."""


def drawn(count: int) -> list[dict[str, Any]]:
    """Random problems of two and of four features, over many decades."""
    rng = np.random.default_rng(0)

    def decades(low: float, high: float, *size: int) -> Any:
        return 10 ** rng.uniform(low, high, size or None)

    two = [
        {
            "s1": decades(-6, 6),
            "s2": decades(-6, 6),
            "delta": rng.choice([-1, 1]) * (1 - decades(-6, -0.01)),
            "ridge": decades(-12, 3),
        }
        for _ in range(count)
    ]
    four = [
        {
            "vectors": np.linalg.qr(rng.standard_normal((4, 4)))[0],
            "strengths": decades(-5, 5, 4),
            "ridge": decades(-10, 1),
        }
        for _ in range(count // 4)
    ]
    return [*two, *four]


@pytest.mark.parametrize("question", FOUND, ids=str)
def test_ends_far_from_where_the_residual_is_small_are_right(question: dict[str, Any]) -> None:
    with mp.workdps(DIGITS):
        z, jacobian = end_of_ridge(PROBLEM.instance(**question))
    answer = run("starvation", "primal", "fixed-point", [1.0], **question)
    for j in range(2):
        assert abs(float(answer[f"z{j + 1}"][0]) - z[j]) <= ACCURACY * abs(z[j])
        for i in range(2):
            given = float(answer[f"dz{j + 1}_ds{i + 1}sq"][0])
            assert abs(given - jacobian[j, i]) <= ACCURACY * abs(jacobian[j, i])


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_the_bound_holds_and_little_is_given_up() -> None:
    given_up = 0
    for question in (*FOUND, *(problems := drawn(16))):
        problem = PROBLEM.instance(**question)
        with mp.workdps(DIGITS):
            z, _ = end_of_ridge(problem)
        found = ends.fixed_point(duality.of_ridge(problem))
        unit = problem.s / np.sqrt(problem.ridge)
        errors = np.array([float(abs(z[j] - unit[j] * found.y[j])) for j in range(problem.n)])
        rounding = 4 * roots.EPS * np.abs(unit * found.y)  # of the products themselves
        assert np.all(errors <= unit * found.error + rounding)
        answer = run("starvation", "mirror", "fixed-point", [1.0], **question)
        given = problem.named(unit * found.y)
        given_up += any(np.isnan(answer[name].values).any() for name in given)
    assert given_up <= len(problems) / 10


def test_the_rounding_of_an_inverse_is_bounded() -> None:
    rng = np.random.default_rng(0)
    for _ in range(12):
        X = np.linalg.qr(rng.standard_normal((3, 3)))[0] * 10 ** rng.uniform(-4, 12, 3)
        slope = 10 ** rng.uniform(-20, -0.7, 3)
        with mp.workdps(DIGITS):
            exact = (mp.eye(3) + mp.matrix(X.T) * mp.diag(slope.tolist()) * mp.matrix(X)) ** -1
            inverse, rounding = roots.inverse_curvature(X, slope)
            for i, j in np.ndindex(3, 3):
                largest = mp.sqrt(exact[i, i] * exact[j, j])
                assert abs(inverse[i, j] - exact[i, j]) <= rounding * largest
        assert rounding < 1e-6


def test_a_bound_is_infinite_away_from_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "MOST_STEPS", 0)
    assert not ends.fixed_point(duality.of_ridge(PROBLEM.instance())).converged
    assert not ends.approximate_fixed_point(duality.of_ridge(PROBLEM.instance())).converged


@pytest.mark.parametrize("asked", [{}, {"s1": 2.0, "delta": 2**-0.5}, {"s1": 0.0}, {"s1": 0.0, "s2": 0.0}])
def test_what_vanishes_is_not_given_up(asked: dict[str, Any]) -> None:
    """Derivatives at equal strengths, a response that another cancels, features that are absent."""
    answer = run("starvation", "dual", "fixed-point", [1.0], **{"s1": 2.0, **asked})
    assert all(np.isfinite(values).all() for values in answer.values())
    largest = float(abs(answer["dz1_ds1sq"]).max())
    if asked.get("s1", 2.0) == 2.0:
        assert abs(answer["dz2_ds1sq"]).max() <= 1e-14 * largest
    else:
        assert float(answer["z1"][0]) == float(answer["dz1_ds2sq"][0]) == 0


def test_the_minimum_is_found_from_a_quadratic_part_alone() -> None:
    """Its eigenvectors take the place of the features; less well where strengths lie far apart."""
    dual = duality.of_ridge(PROBLEM.instance())
    alone = ends.fixed_point(duality.Dual(dual.A, dual.offset))
    np.testing.assert_allclose(alone.margins, ends.fixed_point(dual).margins, rtol=1e-12)
