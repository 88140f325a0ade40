"""One scale: the Marchenko-Pastur law, the quadrature route, its limits, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.multiscale.fresh_examples import printed_generalisation
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale import one_scale, one_scale_ends
from tests.roundings import copied

EPS = np.finfo(float).eps
ALPHAS = (1e-3, 0.1, 0.999, 1.0, 1.001, 10.0, 1e3)


def problem(alpha=1.5, d=1000, sigma=1.0, **values):
    return PROBLEM.instance(n=round(alpha * d), scales=((d, sigma),), **values)


def scale(alpha=1.5, **values):
    return one_scale.one_scale(problem(alpha, **{"noise": 0.5, **values}))


def generalisation(asked, times):
    times = np.atleast_1d(np.asarray(times, dtype=float))
    return one_scale.flow(asked, times, observable=["generalisation"])["generalisation_error"]


# The law ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("steepest", [1e-6, 1.0, 1e12])
def test_quadrature_has_the_mass_and_the_moments_of_the_law(alpha, steepest):
    spectrum = marchenko_pastur.quadrature(alpha, steepest)
    lam, weights = spectrum.eigenvalues, spectrum.weights
    low, high = marchenko_pastur.edges(alpha)
    assert np.all(np.diff(lam) >= 0)
    assert low <= lam[0] < lam[-1] <= high * (1 + EPS)
    assert weights.sum() + spectrum.zeros == pytest.approx(1, rel=20 * EPS)
    assert weights @ lam == pytest.approx(alpha, rel=20 * EPS)
    assert weights @ lam**2 == pytest.approx(alpha + alpha**2, rel=20 * EPS)


def test_density_is_that_of_the_other_gram_matrix():
    """Z Z^T has the same positive eigenvalues: alpha rho_alpha(lambda) with 1/alpha, lambda/alpha."""
    low, high = marchenko_pastur.edges(0.3)
    at = np.linspace(low, high, 50)[1:-1]
    mirrored = marchenko_pastur.density(1 / 0.3, at / 0.3)
    np.testing.assert_allclose(marchenko_pastur.density(0.3, at), mirrored, rtol=1e-12)


def test_density_vanishes_off_its_support():
    low, high = marchenko_pastur.edges(2.0)
    outside = np.array([-1.0, 0.0, low / 2, high * 1.01])
    assert np.all(marchenko_pastur.density(2.0, outside) == 0)


@pytest.mark.parametrize("alpha", [0.0, -1.0, np.nan, np.inf])
def test_alpha_off_its_domain_is_refused(alpha):
    for ask in (
        lambda: marchenko_pastur.edges(alpha),
        lambda: marchenko_pastur.density(alpha, np.ones(2)),
        lambda: marchenko_pastur.quadrature(alpha, 1.0),
    ):
        with pytest.raises(InputError, match=r"--alpha .*: must be a finite number > 0"):
            ask()


# The route -------------------------------------------------------------------------------------------


def test_the_peak_appears_with_training_and_the_printed_formula_has_none():
    """Fig. 4 right: the error falls with alpha at first, later it peaks at alpha = 1."""
    alphas, times = np.linspace(0.5, 2, 31), np.array([1.0, 5.0, 100.0, 1e3])
    asked = [problem(alpha, noise=0.5, init=0.5) for alpha in alphas]
    errors = np.array([generalisation(each, times) for each in asked])
    assert np.all(np.diff(errors[:, :2], axis=0) < 0)
    for late in errors[:, 2:].T:
        (top,) = 1 + np.flatnonzero((np.diff(late)[:-1] > 0) & (np.diff(late)[1:] < 0))
        assert abs(alphas[top] - 1) < 0.06
    printed = np.array([printed_generalisation(each, times) for each in asked])
    assert np.all(np.diff(printed, axis=0) > -1e-12)


# Limits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.25, 0.9, 1.1, 4.0])
@pytest.mark.parametrize("sigma", [1.0, 0.2])
def test_long_training_ends_at_the_closed_limits(alpha, sigma):
    asked = problem(alpha, sigma=sigma, noise=0.5, init=0.7)
    end = one_scale.flow(asked, np.array([1e7]), observable=["generalisation", "training"])
    limits = one_scale_ends.final_errors(one_scale.one_scale(asked))
    assert end["generalisation_error"][0] == pytest.approx(limits[0], rel=100 * EPS)
    assert end["training_error"][0] == pytest.approx(limits[1], rel=100 * EPS, abs=EPS)


def test_at_alpha_one_only_noise_makes_the_error_diverge():
    assert one_scale_ends.final_errors(scale(1.0))[0] == np.inf
    assert one_scale_ends.final_errors(scale(1.0, noise=0.0)) == (0.0, 0.0)
    grown = one_scale_ends.growth_at_equality(scale(1.0), np.array([1e10]))
    assert generalisation(problem(1.0, noise=0.5), 1e10)[0] == pytest.approx(grown[0], rel=1e-9)


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 1.0, 3.0, 1e3])
@pytest.mark.parametrize("noise", [1e-3, 0.5, 1e3])
def test_stopping_time_is_a_minimum_above_the_floor(alpha, noise):
    asked = problem(alpha, noise=noise, init=0.5, sigma=0.5)
    here = one_scale.one_scale(asked)
    time, floor = one_scale_ends.stopping_time(here), one_scale_ends.floor(here)
    high, low = one_scale_ends.mode_stopping_times(here, np.array(marchenko_pastur.edges(alpha)))
    assert low * (1 - 1e-12) <= time <= high * (1 + 1e-12)
    before, best, after = generalisation(asked, [0.99 * time, time, 1.01 * time]) - noise**2
    slack = 4 * EPS * noise**2
    assert floor - noise**2 <= best + slack
    assert best <= min(before, after) + slack


def test_a_mode_without_data_is_stopped_last():
    here = scale(init=0.5)
    times = one_scale_ends.mode_stopping_times(here, np.array([0.0, 1e-12, 1.0, 10.0]))
    assert copied(times[0], here.signal_to_noise)
    assert times[0] == pytest.approx(times[1], rel=1e-9)
    assert np.all(np.diff(times[1:]) < 0)


def test_limits_refuse_what_they_do_not_hold_for():
    for ask, option in (
        (lambda: one_scale_ends.final_errors(scale(ridge=0.1)), "ridge"),
        (lambda: one_scale_ends.stopping_time(scale(ridge=0.1)), "ridge"),
        (lambda: one_scale_ends.growth_at_equality(scale(1.5), np.ones(1)), "alpha"),
        (lambda: one_scale_ends.stopping_time(scale(noise=0.0)), "noise"),
        (lambda: one_scale_ends.floor(scale(noise=0.0)), "noise"),
    ):
        with pytest.raises(InputError, match=f"--{option} "):
            ask()
