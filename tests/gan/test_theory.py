"""Kernels, witnesses and flows of generators in their limits, under their symmetries, and what is refused."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
import xarray as xr

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.gan import PROBLEM
from teacherstudent.problems.gan.data import points, weights
from teacherstudent.theory.gan import discriminator_output
from teacherstudent.theory.gan.dirac import ROOTS, distances, exponential_integral_law, halving_time
from teacherstudent.theory.gan.drawn_kernels import Units, Waves
from teacherstudent.theory.gan.flow import Flow, positions
from teacherstudent.theory.gan.kernels import Gaussian, Kernel, Relu
from tests.roundings import same

RANDOM = np.random.default_rng(31)
X, Y = RANDOM.standard_normal((5, 3)), RANDOM.standard_normal((4, 3))
KERNELS: tuple[Kernel, ...] = (Relu(0.7), Relu(0.0), Gaussian(1.3))
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=str)
CLOUD: dict[str, Any] = {"target": "gaussian", "n": 4, "particles": 3, "spread": 0.5}


def answer(dynamics: str, route: str, times: list[float], **values: Any) -> xr.Dataset:
    draws = {} if route == "closed-form" else {"seeds": values.pop("seeds", (0,))}
    return run("gan", dynamics, route, times, **draws, **values)


def start(seed: int, **values: Any) -> tuple[np.ndarray, discriminator_output.Masses, np.ndarray]:
    """The generator's points of a draw, the data, and equal shares."""
    drawn = points(PROBLEM.instance(**values), [seed])
    x = drawn.generated[0]
    return x, discriminator_output.distinct(drawn.data[0])[0], np.full(len(x), 1 / len(x))


# Kernels --------------------------------------------------------------------------------------------


@every_kernel
def test_slopes_are_those_of_the_values(kernel: Kernel) -> None:
    """Central differences; at a point of the kernel's own they are the mean of both sides."""
    h = 1e-6
    for y in (Y, X):
        ways = [kernel.values(X + h * way, y) - kernel.values(X - h * way, y) for way in np.eye(3)]
        np.testing.assert_allclose(kernel.slopes(X, y), np.stack(ways, -1) / (2 * h), atol=1e-8)


@pytest.mark.parametrize("beta", [0.7, 3.0])
def test_at_a_point_of_its_own_the_mean_slope_of_the_ntk_is_that_point(beta: float) -> None:
    np.testing.assert_allclose(Relu(beta).slopes(X, X)[range(5), range(5)], X, rtol=1e-15)


@pytest.mark.parametrize("near", [1e-3, 1e-8, 1e-14])
def test_in_one_dimension_the_slope_of_the_ntk_jumps_by_the_bias_over_pi(near: float) -> None:
    """By -beta/pi, but for what the slope changes within the distance. By the arc cosine it would be lost."""
    beta, y = 0.8, np.array([[0.0]])
    jump = Relu(beta).slopes(y + near, y) - Relu(beta).slopes(y - near, y)
    assert abs(jump.item() + beta / np.pi) < 2 * near + 1e-15


def test_the_ntk_is_the_mean_over_the_angle_of_a_unit() -> None:
    """The two inputs of a unit are r cos(phi) |x~| and r cos(phi - p) |y~|, phi uniform, E r^2 = 2."""
    beta = 0.7
    x, y = (np.append(each[0], beta) for each in (X, Y))
    p = np.arccos(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
    nodes, mass = np.polynomial.legendre.leggauss(40)
    half = (np.pi - p) / 2  # both are positive for phi from p - pi/2 to pi/2
    phi = p / 2 + half * nodes
    outer = 2 * np.linalg.norm(x) * np.linalg.norm(y) * half * (mass @ (np.cos(phi) * np.cos(phi - p)))
    inner = x @ y * (np.pi - p)
    assert Relu(beta).values(X, Y)[0, 0] == pytest.approx((outer + inner) / (2 * np.pi), rel=1e-13)


@every_kernel
def test_kernels_do_not_change_under_rotations(kernel: Kernel) -> None:
    turn = np.linalg.qr(RANDOM.standard_normal((3, 3)))[0]
    np.testing.assert_allclose(kernel.values(X @ turn, Y @ turn), kernel.values(X, Y), atol=1e-14)
    np.testing.assert_allclose(kernel.slopes(X @ turn, Y @ turn), kernel.slopes(X, Y) @ turn, atol=1e-13)


def test_only_the_gaussian_is_the_same_everywhere() -> None:
    for kernel, everywhere in ((Gaussian(1.3), True), (Relu(0.7), False)):
        assert bool(same(kernel.values(X + 2, Y + 2), kernel.values(X, Y), 60, of=1)) == everywhere


@pytest.mark.parametrize("discriminator", ["relu", "fourier"])
def test_drawn_kernels_come_to_the_limit(discriminator: str) -> None:
    """By their own standard error: they are means over units."""
    problem = PROBLEM.instance(discriminator=discriminator, width=20_000, d=3)
    drawn = weights(problem, [0])
    one: Waves | Units
    if discriminator == "relu":
        one = Units(drawn.inner[0], 0.7 * drawn.shift[0], drawn.outer[0], 0.7)
        each = [np.maximum(z @ one.inner.T + one.shift, 0) for z in (X, Y)]
        on = [z > 0 for z in each]
        units = (
            each[0][:, None] * each[1] + one.outer**2 * on[0][:, None] * on[1] * ((X @ Y.T + 0.49)[..., None])
        )
        limit: Kernel = Relu(0.7)
    else:
        one = Waves(drawn.inner[0] / 1.3, drawn.shift[0])
        each = [np.cos(z @ one.inner.T + one.phase) for z in (X, Y)]
        units, limit = 2 * each[0][:, None] * each[1], Gaussian(1.3)
    np.testing.assert_allclose(one.values(X, Y), units.mean(-1), rtol=1e-12)
    error = units.std(-1) / np.sqrt(units.shape[-1])
    assert (abs(one.values(X, Y) - limit.values(X, Y)) < 5 * error).all()  # 20 numbers: 1 in 10^5


def test_waves_have_the_slopes_of_their_values() -> None:
    waves, h = Waves(RANDOM.standard_normal((6, 3)), RANDOM.standard_normal(6)), 1e-6
    ways = [waves.values(X + h * way, Y) - waves.values(X - h * way, Y) for way in np.eye(3)]
    np.testing.assert_allclose(waves.slopes(X, Y), np.stack(ways, -1) / (2 * h), atol=1e-8)


# The discriminator ----------------------------------------------------------------------------------


@pytest.mark.parametrize("discriminator", ["relu", "fourier"])
def test_discriminators_are_linear_in_time_and_tell_nothing_from_itself(discriminator: str) -> None:
    found = answer("discriminator", "kernel", [1.0, 3.0], discriminator=discriminator, **CLOUD)
    np.testing.assert_allclose(found.separation[:, 1], 3 * found.separation[:, 0])
    np.testing.assert_allclose(found.slope[:, 1], 3 * found.slope[:, 0])
    assert (found.separation > 0).all()
    same = answer("discriminator", "kernel", [1.0], discriminator=discriminator, distance=0.0)
    assert same.separation == same.slope == 0


# One place against one place ------------------------------------------------------------------------


@pytest.mark.parametrize("u", [1e-9, 0.3, 2.0, 18.0, 60.0, 900.0])
def test_the_exponential_integral_law_is_solved_to_rounding(u: float) -> None:
    """In arbitrary precision, at shares of the time that u needs to fall to 1/1000 of itself."""
    with mp.workdps(60):
        whole = mp.ei(u) - mp.ei(mp.mpf(u) / 1000)
        for share in (1e-6, 0.5, 1 - 1e-9):
            clock = float(min(whole * share, mp.mpf(2) ** 1000))
            found = exponential_integral_law(u, clock)
            defect = (mp.ei(u) - mp.ei(found) - clock) * found * mp.exp(-found)  # in u, from that in time
            near = 4 * np.finfo(float).eps * clock * float(found * mp.exp(-found))  # that clock is rounded
            assert abs(defect) < 1e-14 * found + near


def test_narrow_kernels_leave_far_points_where_they_are() -> None:
    for distance in (1e3, 1e6):
        problem = PROBLEM.instance(discriminator="fourier", distance=distance, length_scale=1e-3)
        assert same(distances(problem, np.array([1e12])), distance, 4)
        assert halving_time(problem) == np.inf


def test_the_kinked_law_solves_its_equation_and_stays_at_0() -> None:
    """By differences of a solution at times around: theta' = -theta + (beta/2 pi)(theta^2 - beta^2)/(...)."""
    beta, h = 1.7, 1e-4
    problem = PROBLEM.instance(distance=3.0, bias=beta)
    for time in (0.1, 0.9, 1.8):
        before, theta, after = distances(problem, np.array([time - h, time, time + h]))
        square = theta**2
        speed = theta - beta / (2 * np.pi) * (square - beta**2) / (square + beta**2)
        assert (before - after) / (2 * h) == pytest.approx(speed, rel=1e-7)  # h^2 theta''', and rounding/h
    assert (distances(problem, np.array([10.0, 1e12])) == 0).all()
    assert max(abs(np.polyval([1, -1 / (2 * np.pi), 1, 1 / (2 * np.pi)], ROOTS))) < 1e-15


@pytest.mark.parametrize("discriminator", ["relu", "fourier"])
@pytest.mark.parametrize("distance", [0.3, 1.0, 2.0, 6.0, 1e3])
def test_a_point_starts_where_it_starts(discriminator: str, distance: float) -> None:
    """The law is solved for another variable, which rounds the start; nor does a point first move away."""
    near = answer(
        "generator", "closed-form", [0.0, 1e-17, 1e-16], distance=distance, discriminator=discriminator
    )
    rounding = 4 * np.spacing(distance)  # a logarithm, an exponential and their argument
    assert abs(float(near["distance_of_means"][0]) - distance) <= rounding
    assert not (near["distance_of_means"] > distance + rounding).any()


def test_halving_times_are_those_of_the_flow_and_tell_kernels_apart() -> None:
    """relu: nearly ln 2 at all distances. Gaussian: like e^(D^2/2)."""
    for discriminator, expected in (
        ("relu", (0.6424, 0.7169, 0.7243, 0.7173)),
        ("fourier", (0.9137, 2.2500, 217.71, 1938938)),
    ):
        for distance, time in zip((1.0, 2.0, 4.0, 6.0), expected, strict=True):
            problem = PROBLEM.instance(discriminator=discriminator, distance=distance)
            found = halving_time(problem)
            assert found == pytest.approx(time, rel=1e-4)
            assert same(halving_time(problem, 4.0), found / 4, 4)
            assert distances(problem, np.array([found])) == pytest.approx(distance / 2, rel=1e-7)


def test_without_a_bias_the_distance_decays_exponentially() -> None:
    found = answer("generator", "closed-form", [0.5, 30.0], bias=0.0)
    np.testing.assert_allclose(found.distance_of_means, 2 * np.exp(-found.time))
    assert halving_time(PROBLEM.instance(bias=0.0)) == pytest.approx(np.log(2))


@pytest.mark.parametrize("route", ["closed-form", "kernel"])
@pytest.mark.parametrize("discriminator", ["relu", "fourier"])
def test_points_at_one_place_move_as_one(route: str, discriminator: str) -> None:
    """In any number, against any number of data points at 0, and in any dimension."""
    asked = {"discriminator": discriminator, "discriminator_time": 0.7}
    one = answer("generator", route, [0.5, 2.0], d=1, **asked)
    many = answer("generator", route, [0.5, 2.0], d=3, n=3, particles=5, **asked)
    for name in ("separation", "slope", "distance_of_means"):
        np.testing.assert_allclose(many[name], one[name], rtol=1e-6)
    np.testing.assert_allclose(many.position[..., 0], one.position[..., [0] * 5, 0], rtol=1e-6)
    assert (many.position[..., 1:] == 0).all()


# Many points ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Relu(0.7), Gaussian(1.3)], ids=str)
def test_the_slopes_are_those_of_half_the_discrepancy(kernel: Kernel) -> None:
    """d MMD^2/dt = -2 tau mean |grad f/tau|^2 along x' = -grad f: by a difference along that direction."""
    x, data, share = start(3, **CLOUD)
    down = -discriminator_output.slopes(kernel, x, share, data)
    h = 1e-4
    there = [discriminator_output.discrepancy(kernel, x + k * h * down, share, data) for k in (-2, -1, 1, 2)]
    change = (there[0] - 8 * there[1] + 8 * there[2] - there[3]) / (12 * h)
    assert change == pytest.approx(-2 * discriminator_output.slope(kernel, x, share, data) ** 2, rel=1e-10)


@pytest.mark.parametrize("discriminator", ["relu", "fourier"])
def test_the_separation_falls_by_twice_the_mean_square_of_the_slope(discriminator: str) -> None:
    """Along the flow, integrated by Gauss's rule over a time in which it meets no kink; any tau."""
    nodes, mass = np.polynomial.legendre.leggauss(8)
    times = [0.1, *(0.15 + 0.05 * nodes), 0.2]
    question = {"discriminator": discriminator, "discriminator_time": 0.6, **CLOUD}
    found = answer("generator", "kernel", times, **question)
    square = found.slope.values[0, 1:-1] ** 2
    fallen = found.separation.values[0, -1] - found.separation.values[0, 0]
    assert fallen == pytest.approx(-2 * 0.05 * (mass @ square), rel=1e-8)  # ten times the solver's tolerance


def test_tau_sets_the_clock_alone() -> None:
    slow, fast = (
        answer("generator", "kernel", [1.0 / tau], discriminator_time=tau, **CLOUD) for tau in (0.5, 2.0)
    )
    np.testing.assert_allclose(slow.position, fast.position, atol=1e-9)
    np.testing.assert_allclose(4 * slow.separation, fast.separation)


LINE: dict[str, Any] = {"target": "gaussian", "n": 3, "particles": 4, "d": 1, "distance": 1.0, "spread": 0.5}


@pytest.mark.parametrize(
    ("seed", "values", "held"),
    [
        pytest.param(0, CLOUD, [0, 1, 0], id="a point is caught, and let go"),
        pytest.param(0, LINE, [2, 3, 3], id="points on a line, which pass through each other"),
    ],
)
def test_points_at_kinks_move_as_in_small_steps(seed: int, values: dict[str, Any], held: list[int]) -> None:
    """Euler's steps know of no kinks: about a point they dither, by a step. Of that order is the error."""
    x, data, share = start(seed, **values)
    flow, size, times = Flow(Relu(1.0), share, data), 0.01, np.array([5.0, 12.0, 18.0])
    found = positions(flow, x, times, 1e-9)
    distances = np.linalg.norm(found[:, :, None] - data.points, axis=-1).min(axis=-1)
    assert (distances < 1e-7).sum(axis=-1).tolist() == held
    stepped = []
    for step in range(1, round(times[-1] / size) + 1):
        x = x + size * flow.velocity(x)
        if np.isclose(step * size, times).any():
            stepped.append(x)
    assert abs(np.array(stepped) - found).max() < 2 * size  # a step at the largest speed, which is below 2


def test_points_come_to_rest_and_that_is_known_for_ever() -> None:
    found = answer("generator", "kernel", [100.0, 1e6], discriminator_time=1e3, seeds=(1,), **CLOUD)
    np.testing.assert_allclose(found.position[:, 0], found.position[:, 1], atol=1e-9)
    assert (found.slope < 1e-6 * 1e3).all()


def test_what_takes_too_many_steps_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teacherstudent.theory.gan.flow.MOST", 3)
    with pytest.warns(UnconvergedWarning, match="the solver failed"):
        found = answer("generator", "kernel", [1e-3, 3.0], **CLOUD)
    assert found.position[:, 0].notnull().all()
    assert all(values.isel(time=1).isnull().all() for values in found.data_vars.values())


def test_steps_without_a_bias_are_powers_and_too_many_are_not_told() -> None:
    with pytest.warns(UnconvergedWarning, match="more than 10000 steps"):
        found = answer("generator", "steps", [0.5, 3.0, 2000.0], bias=0.0, discriminator_time=0.3)
    np.testing.assert_allclose(found.distance_of_means[0, :2], 2 * 0.97 ** np.array([5, 30]))
    assert found.distance_of_means[0, 2].isnull()
    with pytest.warns(UnconvergedWarning, match="the steps diverge"):
        answer("generator", "steps", [100.0], discriminator_time=30.0)


# Refused --------------------------------------------------------------------------------------------


def test_the_halving_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"^--distance 0"):
        halving_time(PROBLEM.instance(distance=0.0))
    assert (distances(PROBLEM.instance(distance=0.0), np.array([1.0])) == 0).all()
