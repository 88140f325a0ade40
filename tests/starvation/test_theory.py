"""The theory of gradient starvation: hand-computed cases, invariances, and what happens at the edges."""

import numpy as np
import pytest

from teacherstudent.api.curve import curve
from teacherstudent.api.writing import as_csv
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.starvation import PROBLEM
from teacherstudent.theory.starvation import duality, ends, flow, multiclass, roots, starving, uncoupled
from teacherstudent.theory.starvation.features import features
from tests.roundings import same

EPS = np.finfo(float).eps
DYNAMICS = [clock.name for clock in PROBLEM.dynamics]
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


@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_a_curve_has_the_promised_columns_and_every_dynamics_ends_at_its_fixed_point(dynamics):
    asked = {"s1": 4, "s2": 2, "delta": 0.5, "ridge": 0.01}
    answer = curve("starvation", dynamics=dynamics, route="theory", times=[0.0, 1.0, 1e5], **asked)
    assert as_csv(answer).splitlines()[0] == "time,z1,z2"
    end = curve("starvation", dynamics=dynamics, route="fixed-point", times=[1.0], **asked)
    for name in ("z1", "z2"):
        assert float(answer[name][-1]) == pytest.approx(float(end[name][0]), rel=1e-9)
        assert abs(float(answer[name][0])) < 1e-4  # the untrained network's output is 0


def test_the_fixed_point_route_gives_the_jacobian_by_names():
    columns = as_csv(curve("starvation", dynamics="dual", route="fixed-point", times=[1.0])).splitlines()[0]
    assert columns == "time,z1,z2,dz1_ds1sq,dz1_ds2sq,dz2_ds1sq,dz2_ds2sq"
    answer = run("starvation", "dual", "fixed-point", [1.0, 2.0], **THREE)
    problem = PROBLEM.instance(**THREE)
    jacobian = starving.starvation_jacobian(problem, fixed(problem).alpha)
    assert answer["dz_dssq"].dims == ("time", "feature", "strength")
    np.testing.assert_allclose(answer["dz_dssq"][1], jacobian, rtol=1e-12)


def test_the_jacobian_is_the_slope_of_the_fixed_point_routes_own_answer():
    def z(s1_squared):
        answer = run("starvation", "dual", "fixed-point", [1.0], s1=np.sqrt(s1_squared))
        return np.array([float(answer["z1"][0]), float(answer["z2"][0])])

    step = 1e-4
    slopes = (z(16 + step) - z(16 - step)) / (2 * step)
    answer = run("starvation", "dual", "fixed-point", [1.0], s1=4.0)
    # The central difference errs by step^2 times a third derivative, here below 1, and EPS z/step.
    assert float(answer["dz1_ds1sq"][0]) == pytest.approx(slopes[0], abs=1e-8)
    assert float(answer["dz2_ds1sq"][0]) == pytest.approx(slopes[1], abs=1e-8)


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


def test_uncoupled_features_starve_nothing():
    problem = PROBLEM.instance(delta=0.0)
    jacobian = starving.starvation_jacobian(problem, fixed(problem).alpha)
    assert jacobian[0, 1] == jacobian[1, 0] == 0
    assert starving.two_feature_starvation(problem, fixed(problem).alpha) == 0


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


def test_decoupled_margins_do_not_know_the_features_but_know_the_shift():
    ends_at = [
        run("starvation", "decoupled", "fixed-point", [1.0], s1=s1, shift=1.5, delta=0.0) for s1 in (2.0, 6.0)
    ]
    assert same(ends_at[0]["z1"][0], ends_at[1]["z1"][0], 16)
    m = float(ends_at[0]["z1"][0])
    assert 0.01 * (m - 1.5) == pytest.approx(1 / (1 + np.exp(m)), rel=1e-12)
    assert float(ends_at[0]["dz2_ds1sq"][0]) == 0


def test_two_classes_with_a_logit_each_share_half_the_ridge_of_one_logit():
    one_logit = ends.fixed_point(duality.of_decoupling(PROBLEM.instance(ridge=0.05)))
    assert multiclass.decoupled_margin(0.1, 2) == pytest.approx(one_logit.margins[0], rel=1e-13)


def test_lambert_forms_solve_the_equation_that_defines_them():
    problem = PROBLEM.instance(s1=3.0, s2=3.0, delta=0.4, ridge=0.2)
    for alpha in (uncoupled.equal_strengths(problem)[0], uncoupled.perturbed(PROBLEM.instance(delta=0.0))):
        assert np.all((alpha > 0) & (alpha < 1))
    alpha, z = uncoupled.equal_strengths(problem)
    velocity = duality.approximate_ascent(duality.of_ridge(problem), alpha)
    assert np.abs(velocity).max() < 64 * EPS * 3.0**2 / 0.2
    assert duality.responses(problem, alpha) == pytest.approx(z, rel=64 * EPS)


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


def test_the_ridge_loss_does_not_need_every_feature():
    answer = run("starvation", "dual", "fixed-point", [1.0], s2=0.0)
    assert float(answer["z2"][0]) == 0
    assert float(answer["dz2_ds2sq"][0]) > 0


def test_a_root_that_is_not_reached_is_reported_and_not_drawn(monkeypatch):
    monkeypatch.setattr(roots, "MOST_STEPS", 2)
    with pytest.warns(UnconvergedWarning, match="nothing certified"):
        answer = run("starvation", "dual", "fixed-point", [1.0])
    assert np.isnan(answer["z1"][0])
    assert np.isnan(answer["dz2_ds1sq"][0])


def test_a_flow_that_is_stuck_is_reported_and_not_drawn(monkeypatch):
    monkeypatch.setattr(flow, "MOST_EVALUATIONS", 20)
    with pytest.warns(UnconvergedWarning, match="stuck at time"):
        answer = run("starvation", "primal", "theory", [1.0, 10.0])
    assert np.all(np.isnan(answer["z1"]))
