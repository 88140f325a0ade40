"""Extrema, stopping times and onsets: a curve with known turns, then the multi-scale risk."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import optimize

from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory import marchenko_pastur, spectra, turning
from teacherstudent.theory.multiscale import landmarks
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from tests.roundings import repeated


def cubic(tilt: float, lift: float = 0.0, error: float = 0.0) -> turning.Curve:
    """x^3/3 - x^2/2 + tilt x on [-3, 3]: two extrema at (1 -+ sqrt(1 - 4 tilt))/2 if tilt < 1/4."""

    def at(x: np.ndarray) -> turning.Motion:
        value = lift + x**3 / 3 - x**2 / 2 + tilt * x
        return turning.Motion(value, x**2 - x + tilt, 2 * x - 1, x**2 + np.abs(x) + tilt, 0 * x + error)

    return turning.Curve(at, -3.0, 3.0)


@pytest.mark.parametrize("tilt", [0.0, 0.2, 0.25 - 1e-9])
def test_extrema_are_found_however_close(tilt):
    found = turning.extrema(cubic(tilt))
    expected = 0.5 + np.array([-0.5, 0.5]) * np.sqrt(1 - 4 * tilt)
    np.testing.assert_allclose(np.log([each.time for each in found]), expected, atol=1e-9)
    assert [each.is_minimum for each in found] == [False, True]


def test_no_extrema_beyond_the_tangency():
    assert turning.extrema(cubic(0.25 + 1e-9)) == ()


def test_boundary_of_the_cubic():
    tilt = turning.boundary(lambda x: turning.descents(cubic(x)), 0.1, 0.9, 1e-9)
    assert tilt == pytest.approx(0.25, rel=1e-9)


@pytest.mark.parametrize(("error", "turns"), [(0.0, 2), (1e-3, 0)])
def test_a_slope_below_its_error_is_no_turn(error, turns):
    """At tilt 0.2499 the slope falls to -1e-4 between two extrema, so small an error hides it."""
    assert len(turning.extrema(cubic(0.2499, 1.0, error))) == turns


def test_boundary_needs_a_change():
    with pytest.raises(ValueError, match="both ends"):
        turning.boundary(lambda x: 1, 1.0, 2.0, 1e-3)


def test_curves_with_gaps_are_refused():
    broken = turning.Curve(lambda x: turning.Motion(*[np.full(x.shape, np.nan)] * 5), 0.0, 1.0)
    with pytest.raises(ArithmeticError, match="finite"):
        turning.extrema(broken)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"noise": 0.4, "ridge": 0.02, "init": 0.3},
        {"n": 60},
        {"n": 100, "init": 1.0, "ridge": 1e-3},
        {"n": 50, "init": 1.0},
        {"n": 50, "init": 1.0, "ridge": 1e-3},
        {"n": 50, "init": 1.0, "ridge": 1e-3, "output_penalty": 0.5},
        {"n": 25, "kappa": 1.0, "init": 1.0, "ridge": 1e-3},
        {"n": 60, "scales": ((40, 1.0), (40, 0.3), (40, 0.01)), "init": 0.7, "ridge": 3e-3, "noise": 0.3},
    ],
)
def test_slope_is_the_derivative_of_the_risk(values):
    """Central difference over log s: its error is h^2/6 of the third derivative, of order one."""
    given = values if "scales" in values else {"kappa": 20.0, **values}
    curve = landmarks.flow_curve(PROBLEM.instance(**given))
    x, h = np.log([0.5, 5.0, 30.0, 300.0, 500.0, 1000.0, 3000.0]), 1e-4
    difference = (curve.value(x + h) - curve.value(x - h)) / (2 * h)
    np.testing.assert_allclose(curve.slope(x), difference, atol=h**2)


@pytest.mark.parametrize("ridge", [1e-3, 1e-8])
def test_the_ridge_alone_takes_away_the_start_that_no_example_sees(ridge):
    """For n < d and one scale the risk has fallen by init^2 (1 - alpha)/2 at the end of the range."""
    problem = PROBLEM.instance(n=25, kappa=1.0, init=1.0, ridge=ridge)
    started, without = (landmarks.flow_curve(replace(problem, init=init)) for init in (1.0, 0.0))
    x = np.array([np.log(0.01 / ridge), started.high])  # all that examples see is learned at either
    start = started.value(x) - without.value(x)
    np.testing.assert_allclose(start, [np.exp(-0.02) * 0.75 / 2, 0], rtol=1e-3, atol=1e-12)
    assert landmarks.best_stop(problem).excess_risk <= started.value(x)[1] * (1 + 1e-9)


@pytest.mark.parametrize("n", [25, 80, 300])
def test_nothing_is_left_to_learn_at_the_end_of_the_range(n):
    """Three decades after a mode's own time nothing is left of it, however weak it is."""
    end = landmarks.flow_curve(PROBLEM.instance(n=n, kappa=50.0, init=0.5, noise=0.3))
    at_end = end.at(np.array([end.high]))
    assert np.all(np.abs(at_end.slope) < 1e-100 * at_end.value)


@pytest.mark.parametrize(
    ("n", "noise"), [(70, 0.3), (70, 1e-3), (130, 0.3), (130, 1e-3), (130, 1e-8), (130, 1e-30)]
)
def test_the_best_ridge_of_one_scale_is_that_of_bayes_however_little_noise_there_is(n, noise):
    """It is noise^2, and leaves half of k/(1 + k) with k (alpha - 1/(1 + k)) = noise^2."""
    curve = landmarks.ridge_curve(PROBLEM.instance(n=n, d=100, kappa=1.0, noise=noise))
    (best,) = turning.extrema(curve)
    alpha, half = n / 100, (n / 100 - 1 - noise**2) / 2
    root = np.sqrt(half**2 + alpha * noise**2)
    k = noise**2 / (half + root) if half > 0 else (root - half) / alpha
    assert best.is_minimum
    np.testing.assert_allclose([best.time, best.value], [noise**-2, k / (1 + k) / 2], rtol=1e-9)
    end = noise**2 * min(alpha, 1) / abs(alpha - 1) + max(1 - alpha, 0)
    np.testing.assert_allclose(curve.value(np.array([curve.high])), end / 2, rtol=1e-8)


def test_a_ridge_beyond_all_times_is_refused():
    with pytest.raises(InputError, match="ridge"):
        landmarks.extrema(PROBLEM.instance(n=25, init=1.0, ridge=1e-150))


def test_the_lowest_minimum_is_the_one_that_is_told():
    """Two minima, the later of which is higher; neither is the end of training."""
    problem = PROBLEM.instance(n=110, d=100, p=70, kappa=20.0, noise=0.5)
    minima = [each for each in landmarks.extrema(problem) if each.is_minimum]
    assert len(minima) == 2
    lowest = min(minima, key=lambda each: each.value)
    stop = landmarks.best_stop(problem)
    assert repeated((stop.time, stop.excess_risk), (lowest.time, lowest.value))


def test_best_stop_of_one_scale_balances_teacher_and_noise():
    """At the best time the slope vanishes and both neighbours are worse."""
    problem = PROBLEM.instance(n=110, kappa=1.0, noise=0.5)
    stop = landmarks.best_stop(problem)
    curve = landmarks.flow_curve(problem)
    assert abs(curve.slope(np.log([stop.time]))[0]) < 1e-9
    assert np.all(curve.value(np.log([0.9 * stop.time, 1.1 * stop.time])) > stop.excess_risk)
    assert stop.gain > 0


def test_noiseless_learning_is_best_trained_to_the_end():
    stop = landmarks.best_stop(PROBLEM.instance(n=150, kappa=10.0))
    assert stop.time == np.inf
    assert stop.gain == 0


def test_three_scales_descend_three_times():
    problem = PROBLEM.instance(n=300, scales=((100, 1.0), (100, 0.1), (100, 0.003)), noise=0.1)
    assert landmarks.descents(problem) == 3


@pytest.mark.parametrize(
    "values",
    [
        dict(n=80, p=70, kappa=11.0, noise=0.3),
        dict(n=30, p=30, kappa=28.5, init=0.5),
        dict(n=95, p=60, kappa=50.0, noise=5.0),
    ],
)
def test_the_end_of_training_holds_no_turns(values):
    """Beyond 20 times the slowest mode's time one exponential is left, and that has one sign."""
    problem = PROBLEM.instance(d=100, **values)
    slowest = spectra.bands(spectrum_of(problem)).edges[0, 0]
    assert [each for each in landmarks.extrema(problem) if each.time * slowest > 20] == []


@pytest.mark.parametrize(("curve", "low", "high"), [("printed", 11, 12), ("ridge", 7, 8), ("flow", 5, 7)])
def test_onset_of_double_descent_in_the_setting_of_figure_4(curve, low, high):
    def count(kappa: float) -> int:
        return landmarks.descents(PROBLEM.instance(n=110, d=100, p=70, kappa=kappa), curve)

    assert count(low) == 1
    assert count(high) == 2


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_the_slope_keeps_its_digits_to_the_end(noise):
    """One scale, where it is an average of e^{-cs} over eigenvalues c: down to 1e-40 of what it was."""
    problem = PROBLEM.instance(n=250, kappa=1.0, noise=noise)
    low, _ = marchenko_pastur.edges(2.5)
    times = np.array([1.0, 10.0, 30.0]) / low
    spectrum = marchenko_pastur.quadrature(2.5, float(times[-1]))
    c, s = spectrum.eigenvalues, times[:, None]
    fitted = noise**2 * -np.expm1(-s * c)
    exact = times * ((np.exp(-s * c) * (fitted - c * np.exp(-s * c))) @ spectrum.weights)
    np.testing.assert_allclose(landmarks.flow_curve(problem).slope(np.log(times)), exact, rtol=1e-9)


def test_a_turn_goes_at_the_end_where_the_ridge_is_that_of_the_noise():
    """One scale: the best ridge is the noise's variance, and the only minimum escapes as it is reached."""
    below, above = (
        landmarks.extrema(PROBLEM.instance(n=150, kappa=1.0, noise=0.5, ridge=0.25 * (1 + gap)))
        for gap in (-1e-9, 1e-9)
    )
    assert ([each.is_minimum for each in below], above) == ([True], ())


def test_two_descents_end_where_the_ridge_is_the_share_of_what_is_not_learned():
    """kappa -> infinity: slow features are noise of variance 1 - p/d, and a ridge as large leaves no rise."""
    below, above = (
        landmarks.descents(PROBLEM.instance(n=110, p=70, kappa=1e3, ridge=0.3 * factor))
        for factor in (0.999, 1.001)
    )
    assert (below, above) == (2, 1)


@pytest.mark.parametrize(("curve", "noise"), [("flow", 0.2), ("ridge", 0.6), ("printed", 0.2), ("flow", 0.6)])
def test_where_two_turns_meet_is_solved_for_and_counted(curve, noise):
    """Slope and bend vanish together where the count changes, below and above the cusp."""

    def problem(kappa: float) -> MultiScale:
        return PROBLEM.instance(n=110, p=70, kappa=kappa, noise=noise)

    def turns(kappa: float) -> tuple[turning.Extremum, ...]:
        return landmarks.extrema(problem(kappa), curve)

    near = turning.boundary(lambda kappa: len(turns(kappa)), 3.0, 30.0, 0.02) * 1.02
    times = [turn.time for turn in turns(near)]
    born = min(pairwise(times), key=lambda pair: pair[1] / pair[0])
    guess = np.log([near, (born[0] * born[1]) ** 0.5])

    def equations(at: np.ndarray) -> np.ndarray:
        motion = landmarks.risk_curve(problem(float(np.exp(at[0]))), curve).at(at[1:])
        return np.array([motion.slope[0], motion.bend[0]]) / motion.size[0]

    solved = float(np.exp(optimize.root(equations, guess, tol=1e-12).x[0]))
    assert [len(turns(solved * (1 + sign * 1e-6))) for sign in (-1, 1)] == [1, 3]
