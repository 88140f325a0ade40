"""Stable noise: limits, laws known otherwise, sums of kicks one by one, and what is refused."""

from __future__ import annotations

import math
import re
import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gamma, hyp2f1

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.stable_noise import PROBLEM
from teacherstudent.theory.stable_noise import exits, gap, relaxation, spectral, variates
from tests.stable_noise import references

motion = PROBLEM.instance

ALPHAS = (0.3, 0.7, 1.0, 1.2, 1.5, 1.9, 2.0)
ROUNDING = 1e-12


def relaxed(route: str, times: Any, step: float = 0.01, **values: float) -> dict[str, np.ndarray]:
    return getattr(relaxation, route)(motion(**values), np.atleast_1d(np.asarray(times, float)), step=step)


def losses(route: str, n: Any, *, g: float = 0.01, p: float = 0.5, s: float = 1.0, **values: float) -> Any:
    """The three, g the relative step."""
    options = {"relative_step": g, "power": p, "input_scale": s}
    return getattr(gap, route)(motion(**values), np.atleast_1d(n), **options)


def left(route: str, radii: Any, start: float = 0.0, **values: float) -> np.ndarray:
    radii = np.atleast_1d(np.asarray(radii, float))
    return getattr(exits, route)(motion(**values), radii, step=0.01, start=start)["exit_time"]


# Variates -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("share", [0.2, 0.8])
def test_moments_of_a_variate_are_those_of_its_characteristic_function(alpha: float, share: float) -> None:
    power = share * alpha
    assert variates.moment(alpha, power) == pytest.approx(references.moment(alpha, power), rel=1e-11)


def test_a_variate_at_two_and_at_one_is_normal_and_cauchy() -> None:
    assert variates.moment(2.0, 1.0) == pytest.approx(2 / math.sqrt(math.pi), rel=ROUNDING)
    assert variates.moment(1.0, 0.5) == pytest.approx(math.sqrt(2), rel=ROUNDING)  # sec(pi p/2)
    assert variates.mean_log(1.0) == 0
    assert variates.variance_log(1.0) == pytest.approx(math.pi**2 / 4, rel=ROUNDING)
    assert variates.mean_log(2.0) == pytest.approx(-np.euler_gamma / 2, rel=ROUNDING)
    assert variates.tail_constant(1.0) == pytest.approx(2 / math.pi, rel=ROUNDING)


# Relaxation -----------------------------------------------------------------------------------------


def test_brownian_motion_in_a_well_has_the_variance_that_is_known() -> None:
    t, a, sigma = np.array([0.1, 1.0, 30.0]), 0.7, 1.3
    variance = sigma**2 * -np.expm1(-2 * a * t) / a
    found = relaxed("exact", t, stability=2.0, drift=a, noise=sigma)
    np.testing.assert_allclose(found["characteristic"], np.exp(-variance / 2), rtol=ROUNDING)
    half = (np.log(variance / 2) - np.euler_gamma) / 2  # E ln|N| = -(gamma_E + ln 2)/2
    np.testing.assert_allclose(found["mean_log"], half, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_without_drift_the_scale_grows_as_a_power_of_time(alpha: float) -> None:
    found = relaxed("exact", [1e-9, 1.0, 1e9], stability=alpha, drift=0.0)
    np.testing.assert_allclose(
        np.diff(found["mean_log"]), 9 * math.log(10) / alpha, rtol=ROUNDING, err_msg="t^(1/alpha)"
    )
    faint = relaxed("exact", [1e-9, 1.0, 1e9], stability=alpha, drift=1e-9 * 1e-9)
    assert faint["mean_log"][1] == pytest.approx(found["mean_log"][1], rel=0, abs=ROUNDING)


@pytest.mark.parametrize("decay", [0.0, 1e-6, 0.3, 1.0, 1.7, 2.0, 3.5])
@pytest.mark.parametrize("alpha", [0.3, 1.2, 2.0])
def test_eulers_scale_is_the_sum_of_what_is_left_of_each_kick(decay: float, alpha: float) -> None:
    step, counts = 0.25, np.array([1, 2, 7, 40])
    found = relaxed("euler", counts * step, step, stability=alpha, drift=decay / step, noise=1.4)
    kicks = abs(1 - decay) ** (alpha * np.arange(40.0))
    kicks[0] = 1.0
    summed = 1.4**alpha * step * np.cumsum(kicks)[counts - 1]
    np.testing.assert_allclose(found["characteristic"], np.exp(-summed), rtol=1e-11, atol=1e-300)
    expected = variates.mean_log(alpha) + np.log(summed) / alpha
    np.testing.assert_allclose(found["mean_log"], expected, rtol=0, atol=1e-11)


# Exit -----------------------------------------------------------------------------------------------


def test_mean_time_of_exit_is_an_integral_over_greens_function() -> None:
    """blumenthal1961: |y|^(alpha-1)/(2^alpha Gamma(s)^2) int_0^W v^(s-1) (v+1)^(-1/2) dv from the middle.

    s = alpha/2, W = 1/y^2 - 1 in (-1, 1).
    """
    alpha = 1.5
    s = alpha / 2

    def green(y: float) -> float:
        w = 1 / y**2 - 1
        inner = w**s / s * float(hyp2f1(0.5, s, s + 1, -w))
        return y ** (alpha - 1) * inner / (2**alpha * gamma(s) ** 2)

    total = 2 * quad(green, 0, 1, epsrel=1e-10)[0]
    assert left("getoor", 1.0, stability=alpha, drift=0.0)[0] == pytest.approx(total, rel=1e-8)


def test_little_noise_leaves_as_the_power_law_says() -> None:
    assert left("small_noise", 20.0, stability=1.5)[0] == pytest.approx(
        20**1.5 * math.pi / (2 * gamma(1.5) * math.sin(0.75 * math.pi)), rel=ROUNDING
    )
    flat, steep = (left("small_noise", 20.0, drift=a) for a in (1.0, 4.0))
    assert flat == steep


# Generalisation -------------------------------------------------------------------------------------


def test_the_note_is_the_case_of_drift_one() -> None:
    alpha, p, s, n, sigma = 1.3, 0.5, 3.0, 10, 0.8
    power = lambda k: (2 / n) ** k * gamma(n / 2 + k) / gamma(n / 2)  # noqa: E731
    size = sigma**p * variates.moment(alpha, p) * alpha ** (-p / alpha) * s ** (p - 2 * p / alpha)
    size *= variates.normal_moment(p)
    printed = size * (power(-p / alpha) - power(p / 2 - p / alpha) / power(p / 2))
    found = losses("exact", n, p=p, s=s, stability=alpha, noise=sigma)
    assert found["generalisation_gap"][0] == pytest.approx(printed, rel=1e-11)
    assert found["population_loss"][0] - found["training_loss"][0] == pytest.approx(printed, rel=1e-11)


def test_the_drift_is_a_unit_of_time() -> None:
    slow, fast = losses("exact", 10), losses("exact", 10, drift=3.0)
    for name, each in slow.items():
        np.testing.assert_allclose(fast[name], each * 3 ** (-0.5 / 1.5), rtol=ROUNDING)


def test_the_gap_falls_as_one_over_the_number_to_all_digits() -> None:
    """n times its share of the loss tends to p^2/alpha at first order: by ln Gamma digits would be lost."""
    n = np.array([10.0**5, 10.0**6])
    found = losses("exact", n)
    off = found["generalisation_gap"] / found["population_loss"] * n / (0.5**2 / 1.5) - 1
    assert off[0] / off[1] == pytest.approx(10, rel=1e-4)
    assert abs(off[1]) < 1e-5


@pytest.mark.parametrize("alpha", [0.8, 1.5, 2.0])
def test_eulers_students_have_the_scale_of_its_geometric_sum(alpha: float) -> None:
    """The variance in ln|w| is the same: its mean is moved by what relaxation says of long times."""
    g, p = 0.6, 0.3
    wider = losses("euler", 8, g=g, p=p, stability=alpha)["training_loss"][0]
    ratio = wider / losses("exact", 8, p=p, stability=alpha)["training_loss"][0]
    logs = relaxed("euler", 1e3, g, stability=alpha)["mean_log"][0]
    assert math.log(ratio) == pytest.approx(
        p * (logs - relaxed("exact", 1e3, stability=alpha)["mean_log"][0]), rel=1e-11
    )


# Refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ["exact", "euler"])
def test_students_without_a_stationary_law_or_a_mean_are_refused(route: str) -> None:
    with pytest.raises(InputError, match=r"^--drift 0.*: must be above 0 for gap"):
        losses(route, 8, drift=0.0)
    with pytest.raises(InputError, match=r"^--power 1\.5: must be below stability 1\.5"):
        losses(route, 8, p=1.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(losses(route, 8, p=1.49)["training_loss"]).all()


# In a well ------------------------------------------------------------------------------------------


def in_a_well(radius: float, start: float = 0.0, **values: float) -> float:
    at = np.atleast_1d(radius)
    return float(spectral.spectral(motion(**values), at, step=0.01, start=start)["exit_time"][0])


def test_exits_of_brownian_motion_from_a_well_are_those_of_its_scale() -> None:
    """The integral over y from x to r of e^(y^2/2v) int_0^y e^(-z^2/2v) dz/sigma^2, v = sigma^2/a."""
    a, noise, radius, start = 0.8, 0.6, 1.5, 0.3
    v = noise**2 / a

    def inner(y: float) -> float:
        return math.exp(y * y / (2 * v)) * math.sqrt(math.pi * v / 2) * math.erf(y / math.sqrt(2 * v))

    time = quad(inner, start * radius, radius, epsrel=1e-12)[0] / noise**2
    found = in_a_well(radius, start, stability=2.0, drift=a, noise=noise)
    assert found == pytest.approx(time, rel=1e-9)


def test_the_time_solves_its_integral_equation() -> None:
    """At a point, with the jumps' measure c dy/|y|^(1 + alpha) integrated as it stands."""
    alpha, a, x = 1.5, 1.0, 0.4

    def time(z: float) -> float:
        return spectral._time(alpha, a, z, 100) if abs(z) < 1 else 0.0

    c = 2**alpha * math.gamma((1 + alpha) / 2) / (math.sqrt(math.pi) * abs(math.gamma(-alpha / 2)))
    small = 0.01
    second = (time(x + small) + time(x - small) - 2 * time(x)) / small**2
    slope = (time(x + small) - time(x - small)) / (2 * small)

    def jumps(low: float, high: float) -> float:
        """In ln y, and towards the edge of the well at `high`, where times are singular."""
        place, weight = (each / 2 for each in np.polynomial.legendre.leggauss(24))
        places = low + (high - low) * (1 - (0.5 - place) ** 4)
        widths = 4 * (high - low) * (0.5 - place) ** 3 * weight
        kept = [(2 * time(x) - time(x + y) - time(x - y)) / y ** (1 + alpha) for y in places]
        return float(np.dot(kept, widths))

    near = -second * small ** (2 - alpha) / (2 - alpha)
    edges = (small, 0.03, 0.1, 0.3, 1 - x, 1 + x)
    far = math.fsum(jumps(*part) for part in pairwise(edges))
    beyond = 2 * time(x) * (1 + x) ** -alpha / alpha
    assert -a * x * slope - c * (near + far + beyond) == pytest.approx(-1, abs=2e-4)


@pytest.mark.parametrize(
    ("radius", "start", "size", "alpha"), [(100.0, 0.0, "1e+04", 2.0), (2.0, 0.9999, "2", 1.003)]
)
def test_a_time_that_polynomials_do_not_settle_is_nan(
    radius: float, start: float, size: str, alpha: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectral, "SIZES", spectral.SIZES[:3])
    said = rf"determine the time from start {start:g}: a (r/sigma)^alpha = {size} is too large at stab"
    with pytest.warns(UnconvergedWarning, match=re.escape(said)):
        assert math.isnan(in_a_well(radius, start, stability=alpha))
