"""The theory of gradient starvation: cases by hand, invariances, edges, fixed points against sixty digits."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

from teacherstudent.api.curve import curve
from teacherstudent.api.writing import as_csv
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.starvation import PROBLEM
from teacherstudent.theory.starvation import (
    ACCURACY,
    duality,
    ends,
    flow,
    roots,
    starving,
)
from teacherstudent.theory.starvation.features import features
from tests.starvation.references import DIGITS, end_of_ridge

EPS = np.finfo(float).eps
THREE = {
    "vectors": np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0],
    "strengths": (3.0, 2.0, 1.0),
    "ridge": 0.1,
}


def fixed(problem):
    found = ends.fixed_point(duality.of_ridge(problem))
    assert found.converged
    return found


def test_one_example_with_a_margin_known_by_hand():
    # ridge m = s^2 sigma(-m) at m = log 3: sigma(-m) = 1/4, so ridge/s^2 = 1/(4 log 3).
    problem = PROBLEM.instance(vectors=((1.0,),), strengths=(2.0,), ridge=1 / np.log(3))
    found = fixed(problem)
    assert found.margins[0] == pytest.approx(np.log(3), abs=4 * EPS)
    assert found.alpha[0] == pytest.approx(1 / 4, abs=4 * EPS)
    assert duality.responses(problem, found.alpha)[0] == pytest.approx(np.log(3), abs=8 * EPS)


def test_the_dual_variable_of_the_approximation_can_exceed_one_and_the_exact_one_cannot():
    # One strong feature, u = (1, ..., 1, -1)/sqrt n: the n - 1 majority examples push the last one up.
    n = 8
    u = np.r_[np.ones(n - 1), -1] / np.sqrt(n)
    normal = u - np.eye(n)[0]
    reflection = np.eye(n) - 2 * np.outer(normal, normal) / (normal @ normal)  # its first column is u
    problem = PROBLEM.instance(vectors=reflection, strengths=np.r_[10.0, np.zeros(n - 1)], ridge=0.1)
    approximate = ends.approximate_fixed_point(duality.of_ridge(problem))
    assert approximate.converged
    assert approximate.alpha.max() > 1
    assert np.all((fixed(problem).alpha > 0) & (fixed(problem).alpha < 1))


def test_the_fixed_point_route_gives_the_jacobian_by_names():
    columns = as_csv(curve("starvation", dynamics="dual", route="fixed-point", times=[1.0])).splitlines()[0]
    assert columns == "time,z1,z2,dz1_ds1sq,dz1_ds2sq,dz2_ds1sq,dz2_ds2sq"
    answer = run("starvation", "dual", "fixed-point", [1.0, 2.0], **THREE)
    problem = PROBLEM.instance(**THREE)
    jacobian = starving.starvation_jacobian(problem, fixed(problem).alpha)
    assert answer["dz_dssq"].dims == ("time", "feature", "strength")
    np.testing.assert_allclose(answer["dz_dssq"][1], jacobian, rtol=1e-12)


def test_responses_depend_on_strengths_and_ridge_through_their_ratio_only():
    one = PROBLEM.instance(**THREE)
    other = PROBLEM.instance(**THREE | {"strengths": (6.0, 4.0, 2.0), "ridge": 0.4})
    z = [duality.responses(each, fixed(each).alpha) for each in (one, other)]
    assert z[0] == pytest.approx(z[1], rel=64 * EPS)
    e = [
        starving.elasticities(each, z[0], starving.starvation_jacobian(each, fixed(each).alpha))
        for each in (one, other)
    ]
    assert e[0] == pytest.approx(e[1], rel=1e-12, abs=1e-12)


def test_the_one_line_theorem_is_the_entry_of_the_general_jacobian():
    for delta in (-0.6, 0.2, 0.9):
        problem = PROBLEM.instance(delta=delta, ridge=0.3)
        alpha = fixed(problem).alpha
        general = starving.starvation_jacobian(problem, alpha)[1, 0]
        assert starving.two_feature_starvation(problem, alpha) == pytest.approx(general, rel=1e-11)


def test_the_approximate_flow_ends_at_the_approximate_fixed_point():
    problem = PROBLEM.instance(**THREE)
    end = ends.approximate_fixed_point(duality.of_ridge(problem)).alpha
    answer = run("starvation", "dual", "approximate", [1e3], **THREE)
    assert answer["z"].values[0] == pytest.approx(duality.responses(problem, end), rel=1e-9)
    assert "ridge" in answer.attrs["approximate"]


def test_the_dual_flow_keeps_its_variable_inside_the_unit_interval():
    path = flow.ascent_path(duality.of_ridge(PROBLEM.instance(s1=6.0)), 1e-8, np.geomspace(1e-6, 1e3, 60))
    assert not path.failure
    assert np.all((path.states > 0) & (path.states < 1))


@pytest.mark.parametrize("m", [2, 4, 9], ids=["fewer parameters", "as many", "more parameters"])
def test_features_reproduce_the_kernel_of_the_signed_tangent(m):
    random = np.random.default_rng(m)
    jacobian, labels = random.standard_normal((4, m)), np.array([1.0, -1.0, -1.0, 1.0])
    problem = features(jacobian, labels, 0.1)
    signed = labels[:, None] * jacobian
    kernel = duality.of_ridge(problem).A * problem.ridge
    assert kernel == pytest.approx(signed @ signed.T, abs=64 * EPS * m * 4)
    assert np.count_nonzero(problem.s > 1e-12) == min(m, 4)


# What is refused, and what is not certified -----------------------------------------------------------
def test_a_matrix_is_read_as_it_is_described():
    vectors = next(each for each in PROBLEM.parameters if each.name == "vectors")
    assert vectors.parse("0.8,-0.6;0.6,0.8") == ((0.8, -0.6), (0.6, 0.8))
    for text in ("", "1,2", "1,0;0", "1,x;0,1", "1,nan;0,1"):
        with pytest.raises(InputError, match="square matrix"):
            vectors.parse(text)


def test_a_root_that_is_not_reached_is_reported_and_not_drawn(monkeypatch):
    monkeypatch.setattr(roots, "MOST_STEPS", 2)
    with pytest.warns(UnconvergedWarning, match="no solution certified"):
        answer = run("starvation", "dual", "fixed-point", [1.0])
    assert np.isnan(answer["z1"][0])
    assert np.isnan(answer["dz2_ds1sq"][0])


def test_a_flow_that_is_stuck_is_reported_and_not_drawn(monkeypatch):
    monkeypatch.setattr(flow, "MOST_EVALUATIONS", 20)
    with pytest.warns(UnconvergedWarning, match="stuck at time"):
        answer = run("starvation", "primal", "theory", [1.0, 10.0])
    assert np.all(np.isnan(answer["z1"]))


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
