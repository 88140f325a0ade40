"""Scale-invariant weights hold against what the theory does not use: training in R^d, integrators, limits."""

from __future__ import annotations

import warnings
from itertools import islice

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.paper_checks.scale_invariant.kit.training import GENERIC, train
from teacherstudent.problems.scale_invariant import PROBLEM, SCHEMES, draw_samples, draw_start
from teacherstudent.theory.scale_invariant import angle_laws, edge, losses, online, plane, schedules, sphere
from teacherstudent.theory.scale_invariant.equilibria import equilibrium
from teacherstudent.theory.scale_invariant.online_equilibrium import rest
from teacherstudent.theory.scale_invariant.sphere_step import image

EPS = float(np.finfo(float).eps)
COLUMNS = ("angle", "radius", "effective_learning_rate")


def answer(route: str, times: list[float], dynamics: str = "descent", **asked: object) -> np.ndarray:
    """Angle, radius and effective learning rate, (3, T)."""
    found = run("scale-invariant", dynamics, route, times, **asked)
    return np.stack([found[name].values for name in COLUMNS])


def population_gradient(loss: str, teacher: np.ndarray):
    """grad L(x) of the population loss in R^d, by the chain rule."""

    def gradient(_: int, x: np.ndarray) -> np.ndarray:
        r = np.linalg.norm(x)
        m = x @ teacher / r
        by_m = -2 * m if loss == "squared-correlation" else -1.0
        return by_m * (teacher - m * x / r) / r

    return gradient


# The plane -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["correlation", "squared-correlation"])
@pytest.mark.parametrize("scheme", GENERIC)
def test_the_plane_repeats_training_in_space(scheme: str, loss: str) -> None:
    eta = 0.1 if scheme.startswith("sgd") else 0.02
    asked = {"d": 5, "loss": loss, "radius0": 1.3, "ridge": 0.05, "learning_rate": eta, "epsilon": 1e-3}
    by_coordinate = scheme in ("adam", "adamw")
    problem = PROBLEM.instance(
        scheme=scheme, teacher="axis" if by_coordinate else "random", beta2=0.99, **asked
    )
    (teacher,), (x,) = draw_start(problem, [3])
    gradient = population_gradient(loss, teacher)
    t = train(gradient, scheme, x, np.full(60, eta), ridge=0.05, epsilon=1e-3)
    expected = np.array(list(islice(plane.path(problem), 60)))
    rates = image(t.x[:-1], t.a, t.b, eta, t.shrinkage).rate
    bound = 60 * (5 + 12) * EPS  # a dozen operations on d entries in each step
    np.testing.assert_allclose(sphere.angle(t.u[:-1], teacher), np.abs(expected[:, 0]), rtol=0, atol=bound)
    np.testing.assert_allclose(t.r[:-1], expected[:, 1], rtol=bound)
    np.testing.assert_allclose(rates, expected[:, 2], rtol=bound)


def test_squared_correlation_goes_to_the_nearer_of_two_teachers() -> None:
    near = answer("theory", [5, 50], loss="squared-correlation", angle0=1.0)
    far = answer("theory", [5, 50], loss="squared-correlation", angle0=np.pi - 1.0)
    np.testing.assert_allclose(far[0], np.pi - near[0], rtol=0, atol=50 * 16 * EPS)


# L2 as a schedule, SGD as AdaGradG --------------------------------------------------------------------


def test_adagradg_with_its_new_term_is_sgd_with_l2() -> None:
    eta, ridge, r0 = 0.4, 0.2, 1.2
    same = schedules.adagradg_of_sgd(eta, ridge, r0)
    asked = {"learning_rate": same.learning_rate, "beta2": same.beta, "v0": same.v0}
    steps = [0, 1, 2, 5, 10]
    sgd = answer("theory", steps, learning_rate=eta, ridge=ridge, radius0=r0)
    exact = answer("theory", steps, scheme="adagradg-exact", **asked)
    printed = answer("adagradg", steps, learning_rate=eta, ridge=ridge, radius0=r0)
    np.testing.assert_allclose(exact[[0, 2]], sgd[[0, 2]], rtol=10 * 32 * EPS)
    assert 1e-4 < np.max(np.abs(printed - sgd)) < 0.05


def test_second_moments_are_those_of_the_recursion() -> None:
    squares = np.array([0.3, 1.0, 0.2])
    closed = [0.9**3 * 2.0 + 0.9**2 * 0.3 + 0.9 * 1.0 + 0.2]  # Eq. 48
    np.testing.assert_allclose(schedules.second_moment(0.9, 2.0, squares)[-1], closed, rtol=8 * EPS)
    assert schedules.exact_second_moment(0.9, 2.0, squares)[1] == pytest.approx(2.1 + 0.09 / 7.2, abs=4 * EPS)


# Angle laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["correlation", "squared-correlation"])
@pytest.mark.parametrize("angle0", [1e-9, 0.7, 2.5])
def test_the_second_order_law_counts_the_steps_of_its_own_integral(loss: str, angle0: float) -> None:
    """k = integral of r^2/(eta g) - g'/(2 g) over the angle, by quadrature."""
    eta, r0, steps = 0.05, 1.1, 12.0
    end = float(angle_laws.second_order_angle(losses.FREE[loss], np.array(steps), eta, angle0, r0))
    angles = np.geomspace(end, angle0, 20001)
    g = np.array([losses.FREE[loss].slope(a) for a in angles])
    slope = 2 * np.cos(2 * angles) if loss == "squared-correlation" else np.cos(angles)
    r2 = angle_laws.second_order_radius(losses.FREE[loss], angles, eta, angle0, r0) ** 2
    spent = abs(np.trapezoid(r2 / (eta * g) - slope / (2 * g), angles))
    assert spent == pytest.approx(steps, rel=1e-6)  # of the quadrature: (step of ln angle)^2/12


def test_the_second_order_law_at_late_steps_neither_overflows_nor_stops() -> None:
    late = answer("second-order", [3e3, 6e3, 1e9], learning_rate=0.1)
    theory = answer("theory", [3e3, 6e3], learning_rate=0.1)
    assert 0 == late[0, 2] < late[0, 1] < late[0, 0] < 1e-100
    np.testing.assert_allclose(np.log(late[0, :2]), np.log(theory[0]), rtol=0.1**2)
    np.testing.assert_allclose(late[1, :2], theory[1], rtol=0.1**2)


# The edge of stability ----------------------------------------------------------------------------


def test_enormous_steps_keep_their_tiny_rates() -> None:
    found = answer("theory", [1], learning_rate=1e300)
    assert found[2, 0] == pytest.approx(1e300 / found[1, 0] / found[1, 0], rel=4 * EPS)


# Online ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["correlation", "squared-correlation", "mse"])
def test_the_gradients_variance_is_that_of_gaussian_inputs(loss: str) -> None:
    """E of (factor of P_u z)^2 over h = u.z and t = u*.z, of correlation m, by Gauss-Hermite quadrature."""
    points, weights = np.polynomial.hermite_e.hermegauss(12)
    weights = weights / weights.sum()
    h, w = np.meshgrid(points, points)
    for m in (0.0, 0.4, 1.0):
        t = m * h + np.sqrt(1 - m**2) * w
        factor = {"correlation": t, "mse": h - t, "squared-correlation": h * (t**2 - 1)}[loss]
        noise_share = {"correlation": 1.0, "mse": 1.0, "squared-correlation": 2 * h**2}[loss]
        expected = np.sum(np.outer(weights, weights) * (factor**2 + 0.3**2 * noise_share))
        found = losses.FREE[loss].gradient_variance(np.array(1 - m), 0.3)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("loss", ["correlation", "squared-correlation", "mse"])
def test_samples_descend_the_population_loss(loss: str) -> None:
    """The mean of -grad l(u) . u* over samples is the drift of the alignment."""
    problem = PROBLEM.instance(loss=loss, d=4, angle0=1.0, teacher="random")
    teachers, x = draw_start(problem, range(30))
    z, t = draw_samples(problem, teachers, range(30), 20_000, 0.2)
    h, m = np.einsum("snd,sd->sn", z, x), np.cos(1.0)
    factor = {"correlation": -t, "mse": h - t, "squared-correlation": -np.sqrt(2) * t * h}[loss]
    along = np.einsum("snd,sd->sn", z, teachers) - m * h  # P_u z . u*
    means = np.mean(-factor * along, axis=1)
    stderr = means.std(ddof=1) / np.sqrt(len(means))
    drift = losses.FREE[loss].alignment_drift(np.array(1 - m))
    assert abs(means.mean() - drift) < 5 * stderr
    assert stderr < 0.02 * drift


def test_the_effective_learning_rate_of_adamg_is_the_step_size_over_what_it_divides_by() -> None:
    """eta/b with b = (1 - beta1^(k+1))/(1 - beta1) (sqrt(vhat) + epsilon), along its own angles."""
    asked = {"learning_rate": 0.2, "beta1": 0.7, "beta2": 0.9, "epsilon": 0.05, "angle0": 2.0}
    angle, _, rate = answer("theory", list(range(8)), scheme="adamg", **asked)
    v = 0.0
    for k, square in enumerate(np.sin(angle) ** 2):  # |grad (1 - cos)|^2 on the sphere
        v = 0.9 * v + 0.1 * square
        b = (1 - 0.7 ** (k + 1)) / (1 - 0.7) * (np.sqrt(v / (1 - 0.9 ** (k + 1))) + 0.05)
        assert rate[k] == pytest.approx(0.2 / b, rel=1e-12)


@pytest.mark.parametrize("of_d", [1, 4])
def test_the_largest_learning_rate_that_shrinks_weights_without_turning_them_is_named(of_d: int) -> None:
    """eta lambda < 1 in a step of eta or, online, of eta/d; at the limit itself it is refused."""
    for rate, allowed in ((8.0 * of_d, False), (np.nextafter(8.0, 0) * of_d, True)):
        problem = PROBLEM.instance(d=4, ridge=0.125, learning_rate=rate)
        if allowed:
            problem.demand_positive_shrinkage(rate / of_d)
        else:
            with pytest.raises(InputError, match=f"must be below {8 * of_d}: "):
                problem.demand_positive_shrinkage(rate / of_d)


@pytest.mark.parametrize("scheme", [*online.EXACT, *online.AVERAGED])
@pytest.mark.parametrize("loss", ["correlation", "squared-correlation", "mse"])
def test_online_laws_come_to_rest_at_their_equilibrium(scheme: str, loss: str) -> None:
    on_sphere = scheme.startswith("adag") or scheme == "adamg"
    problem = PROBLEM.instance(
        scheme=scheme,
        loss=loss,
        teacher="random",
        ridge=0.0 if on_sphere else 0.3,
        learning_rate=10.0 if on_sphere else 0.5,
        epsilon=0.0 if scheme == "adamg" else 0.2,
        angle0=2.0,
    )
    late = online.solution(problem, np.array([2e3]), 0.5)
    np.testing.assert_allclose([each[0] for each in late], rest(problem, 0.5), rtol=1e-7)


def test_online_laws_are_those_of_a_stream_of_samples() -> None:
    """SGD on the mean squared error of one new sample a step, d = 200: the bias is of order 1/d."""
    d, draws, eta, ridge, noise = 200, 80, 1.0, 0.3, 0.5
    problem = PROBLEM.instance(d=d, loss="mse", learning_rate=eta, ridge=ridge, angle0=1.2, teacher="random")
    teacher, x = draw_start(problem, range(draws))
    rng = np.random.default_rng(0)
    for _ in range(2 * d):
        r = np.linalg.norm(x, axis=1, keepdims=True)
        z, xi = rng.standard_normal((draws, d)), noise * rng.standard_normal((draws, 1))
        h = np.sum(z * x, axis=1, keepdims=True) / r
        residual = h - np.sum(z * teacher, axis=1, keepdims=True) - xi
        x = x - eta / d * (residual * (z - h * x / r) / r + ridge * x)
    radii = np.linalg.norm(x, axis=1)
    angles = sphere.angle(x / radii[:, None], teacher)
    claims = online.solution(problem, np.array([2.0]), noise)
    for found, claim in zip((angles, radii), claims, strict=False):
        stderr = found.std(ddof=1) / np.sqrt(draws)
        assert abs(found.mean() - claim[0]) < 4.5 * stderr + 1 / d
        assert stderr < 0.01


def test_rest_of_sgd_is_the_closed_form() -> None:
    eta, ridge, noise = 0.8, 0.3, 0.7
    V = 1 + noise**2
    problem = PROBLEM.instance(learning_rate=eta, ridge=ridge)
    angle, r, rate = rest(problem, noise)
    m = np.cos(angle)
    assert r**4 == pytest.approx(eta * V / (2 * ridge), rel=1e-12)
    assert 1 - m**2 == pytest.approx(m * np.sqrt(eta * ridge * V / 2), rel=1e-12)
    assert rate == pytest.approx(eta / r**2, rel=1e-12)


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s.startswith("sgd") or s in online.AVERAGED[:4]])
def test_radii_at_rest_are_those_of_pure_noise_at_large_d(scheme: str) -> None:
    """The closed forms of a step, against the laws of the online clock: eta = eta_bar/d, G = d V."""
    d, V, noise, memory = 10**6, 5.0, 2.0, 0.0 if scheme == "sgd" else 0.7
    problem = PROBLEM.instance(
        scheme=scheme,
        d=d,
        teacher="random",
        ridge=0.3,
        learning_rate=0.5,
        momentum=0.7,
        beta1=0.7,
        epsilon=0.0,
    )
    settled = equilibrium(scheme, 0.5 / d, 0.3, d * V, d, memory)
    assert settled.radius == pytest.approx(rest(problem, noise)[1], rel=1e-6)


def test_the_angle_of_a_step_at_rest_is_that_of_its_radius() -> None:
    """Constant gradient norms: alpha^2 r^2 + eta^2 g^2/r^2 = r^2 (Eq. 46 with L2), and Eq. 12."""
    eta, ridge, G = 0.3, 0.7, 2.0
    found = equilibrium("sgd", eta, ridge, G, 50)
    alpha, r2 = 1 - eta * ridge, found.radius**2
    assert alpha**2 * r2 + eta**2 * G / r2 == pytest.approx(r2, rel=8 * EPS)
    assert np.tan(found.angle) == pytest.approx(eta * np.sqrt(G) / (alpha * r2), rel=16 * EPS)


def test_a_scheme_without_a_radius_has_no_equilibrium_of_it() -> None:
    with pytest.raises(ValueError, match="adamg"):
        equilibrium("adamg", 0.1, 0.1, 1.0, 10)


def test_online_without_noise_and_with_small_steps_is_the_flow() -> None:
    """At eta_bar -> 0 the clock of the flow is eta_bar t; what is left is of the order of eta_bar."""
    times, eta = np.array([0.5, 2.0]), 1e-6
    angle, radius, _ = online.solution(PROBLEM.instance(learning_rate=eta, ridge=0.2), times / eta, 0.0)
    flow = answer("theory", list(times), "flow", ridge=0.2)
    np.testing.assert_allclose([np.cos(angle), radius], [np.cos(flow[0]), flow[1]], rtol=10 * eta)


def test_mean_squared_error_without_noise_is_followed_to_any_angle() -> None:
    times = np.array([400.0, 700.0])
    angle, radius, _ = online.solution(PROBLEM.instance(loss="mse", angle0=2.0), times, 0.0)
    e = 0.1 / radius[1] ** 2
    assert 0 < angle[1] < angle[0] < 1e-10
    # ln n falls by 2 e - e^2 a unit of time once m = 1, and angle^2 = 2 n.
    assert np.log(angle[1] / angle[0]) == pytest.approx(-300 * (2 * e - e**2) / 2, rel=1e-6)


# What is refused -----------------------------------------------------------------------------------------


def test_no_ridge_is_needed_at_the_edge_and_none_is_guessed() -> None:
    with pytest.raises(InputError, match="--ridge"):
        edge.steps_to_edge(PROBLEM.instance())
    with pytest.raises(InputError, match="--learning-rate"):
        edge.steps_to_edge(PROBLEM.instance(learning_rate=3.0, ridge=0.01, angle0=0.1))


# The sphere ------------------------------------------------------------------------------------------


def test_angles_are_accurate_where_arccos_is_not() -> None:
    for small in (1e-12, 1e-5, 2.0, np.pi - 1e-5):
        v = sphere.exponential(np.eye(3)[0], small * np.eye(3)[1])
        assert sphere.angle(np.eye(3)[0], v) == pytest.approx(small, rel=8 * EPS)


def test_no_route_warns_on_an_ordinary_question() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for dynamics, route in (
            ("flow", "theory"),
            ("descent", "theory"),
            ("descent", "flow"),
            ("descent", "second-order"),
            ("descent", "schedule"),
            ("descent", "adagradg"),
            ("online", "theory"),
        ):
            assert np.isfinite(answer(route, [0, 1, 30], dynamics)).all()
