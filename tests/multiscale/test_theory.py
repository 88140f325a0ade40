"""Theory of the multi-scale model: limits, identities, accuracy, and what happens off its domain."""

from __future__ import annotations

import itertools
import warnings

import mpmath as mp
import numpy as np
import pytest

from teacherstudent.house.running import UnconvergedWarning, run
from teacherstudent.paper_checks.judging.agreement import shrinking_bias
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory import contours
from teacherstudent.theory.multiscale import asymptotic, instance, printed
from teacherstudent.theory.resolvents import Spectrum, resolvent
from tests.multiscale import arbitrary_precision

problem = PROBLEM.instance

OBSERVABLES = ("R", "Q", "excess_risk")


# Limits and identities --------------------------------------------------------------------------


def test_descent_with_vanishing_rate_is_flow():
    """(1 - eta a)^(s/eta) = e^{-sa} (1 + O(eta)): halving eta halves the difference, to O(eta)."""
    asked, s = problem(noise=0.3, ridge=0.05, init=0.2), 8.0
    flow = asymptotic.flow(asked, np.array([s]))["excess_risk"][0]
    rates = np.array([0.02, 0.01, 0.005])
    gaps = [
        asymptotic.descent(asked, np.array([s / rate]), learning_rate=rate)["excess_risk"][0] - flow
        for rate in rates
    ]
    slopes = np.diff(np.log(np.abs(gaps))) / np.diff(np.log(rates))
    assert np.all(np.abs(slopes - 1) < 4 * rates[:-1])


@pytest.mark.parametrize("rate", [0.2, 0.45])
def test_circle_and_talbot_contours_meet(rate, monkeypatch):
    """Both contours around step counts where each is valid; 0.45 > 1/edge needs the mirrored one."""
    asked, steps = problem(noise=0.3, init=0.2), np.array([24.0, 25, 40])
    usual = asymptotic.descent(asked, steps, learning_rate=rate)
    monkeypatch.setattr(contours, "FEW_STEPS", 50)
    circle = asymptotic.descent(asked, steps, learning_rate=rate)
    for name in OBSERVABLES:
        np.testing.assert_allclose(usual[name], circle[name], atol=1e-10)


def test_upper_edge_is_marchenko_pastur_for_one_scale():
    edge = Spectrum(1.5, np.ones(1), np.full(1, 4.0)).upper_edge()
    assert edge == pytest.approx(4 * (1 + np.sqrt(1.5)) ** 2, rel=1e-12)


# Accuracy --------------------------------------------------------------------------------------------

GRID = list(itertools.product([0.1, 0.999, 1.001, 10], [1e-2, 1e4, 1e10], [0.0, 1e-12, 10.0]))


@pytest.mark.parametrize(
    ("alpha", "s", "ridge"),
    [*GRID[::10], *(pytest.param(*each, marks=pytest.mark.thorough) for each in GRID[5::10])],
)
def test_flow_agrees_with_arbitrary_precision(alpha, s, ridge):
    asked = problem(n=round(1000 * alpha), scales=((500, 1.0), (500, 1e-6)), noise=0.3, init=0.2, ridge=ridge)
    exact = arbitrary_precision.flow(asked, s)
    answer = asymptotic.flow(asked, np.array([s]))
    for name, value in zip(OBSERVABLES, exact, strict=True):
        assert abs(answer[name][0] - float(value)) <= 1e-9 * max(1, abs(float(value)))


@pytest.mark.parametrize("dynamics", ["flow", "descent", "ridge"])
@pytest.mark.parametrize("alpha", [pytest.param(0.5, marks=pytest.mark.thorough), 1.5])
def test_instance_approaches_the_limit_like_one_over_d(dynamics, alpha):
    """All terms at once (noise, ridge, start, training): drawn spectra differ by a bias of 1/d."""
    options = {"learning_rate": 0.2} if dynamics == "descent" else {}
    values = {"kappa": 3.0, "noise": 0.5, "init": 0.3, "ridge": 0.05, "times": [1.0, 10.0, 100.0], **options}
    values["observable"] = ["generalisation", "training"]

    def answer(route, d, **more):
        asked = {**values, "n": round(alpha * d), "d": d, "p": 3 * d // 5, **more}
        got = run("multiscale", dynamics, route, **asked)
        return np.concatenate([got[name].values for name in got.data_vars], axis=-1)

    draws = {10: 3000, 20: 1500, 40: 700}
    differences = [
        answer("instance", d, seeds=range(count)) - answer("asymptotic", d) for d, count in draws.items()
    ]
    assert shrinking_bias(list(draws), differences, -1).verdict(-1).agrees


@pytest.mark.parametrize(
    ("alpha", "ridge", "kappa"), [(0.1, 1e-12, 1e6), (1.001, 1e-9, 30.0), (10, 10.0, 3.0)]
)
def test_ridge_agrees_with_arbitrary_precision(alpha, ridge, kappa):
    """The same formulas with 40 digits, and the variance as the difference of two traces."""
    asked = problem(n=round(1000 * alpha), d=1000, p=400, kappa=kappa, noise=0.3)
    answer = asymptotic.ridge(asked, np.array([1 / ridge]))
    with mp.workdps(60):
        z, share = mp.mpf(ridge), mp.mpf(asked.n) / asked.d
        mu, s = [mp.mpf("0.4"), mp.mpf("0.6")], [mp.mpf(1), mp.mpf(asked.sigmas[1]) ** 2]

        def excess_of_samples(log_q):
            q = mp.exp(log_q)
            return q * z + sum(m * q * v / (1 + q * v) for m, v in zip(mu, s, strict=True)) - share

        q = mp.exp(mp.findroot(excess_of_samples, (-60, 60), solver="bisect", tol=1e-45, maxsteps=400))
        h = [1 / (1 + q * v) for v in s]
        traces = [sum(m * v**i * x * x for m, v, x in zip(mu, s, h, strict=True)) for i in range(3)]
        amplified = 1 / (1 - q**2 / share * traces[2])
        once = sum(m * v * x for m, v, x in zip(mu, s, h, strict=True))
        twice = amplified * traces[0] + mp.mpf("0.09") * (once - amplified * traces[1]) / z
        R = 1 - sum(m * x for m, x in zip(mu, h, strict=True))
    assert abs(answer["R"][0] - float(R)) <= 1e-9
    assert abs(answer["excess_risk"][0] - float(twice) / 2) <= 1e-9 * max(1, float(twice))


@pytest.mark.parametrize("alpha", [0.5, 2.0])
@pytest.mark.parametrize("share", [0.3, 1.0, 1.6])
def test_descent_agrees_with_an_average_over_the_marchenko_pastur_law(alpha, share):
    """One scale needs no resolvent: every term is an average of (1 - eta lambda)^k over the law,
    which the trapezoidal rule in its angle gives to rounding. Steps from 1 to 1e8."""
    asked = problem(n=round(1000 * alpha), scales=((1000, 1.0),), noise=0.5, init=0.3)
    eta = share / (1 + np.sqrt(alpha)) ** 2
    steps = np.array([1.0, 7, 24, 25, 60, 1e3, 1e5, 1e8])
    angle = (np.arange(40_000) + 0.5) * np.pi / 40_000
    eigenvalues = (1 - np.sqrt(alpha)) ** 2 + 4 * np.sqrt(alpha) * np.sin(angle / 2) ** 2
    weights = 2 * alpha * np.sin(angle) ** 2 / eigenvalues / 40_000
    kept = (1 - eta * eigenvalues) ** steps[:, None]
    unseen = max(1 - alpha, 0.0)
    R = 1 - unseen - kept @ weights
    twice = 1.09 * (unseen + kept**2 @ weights) + 0.25 * ((1 - kept) ** 2 / eigenvalues) @ weights
    answer = asymptotic.descent(asked, steps, learning_rate=eta)
    np.testing.assert_allclose(answer["R"], R, atol=1e-9)
    np.testing.assert_allclose(answer["excess_risk"], twice / 2, atol=1e-9)


# Roots ----------------------------------------------------------------------------------------------


def test_every_root_is_certified_and_certificates_refuse_the_others():
    """Random problems far into the corners: n < d, tiny and huge |z|, up to four scales."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        count = rng.integers(1, 5)
        spectrum = Spectrum(
            10 ** rng.uniform(-1.5, 1.5), rng.dirichlet(np.ones(count)), 10 ** rng.uniform(-8, 0, count)
        )
        z = 10 ** rng.uniform(-9, 2, 20) * np.exp(1j * rng.uniform(0.05, 2.7, 20))
        at = resolvent(spectrum, z)
        assert np.all(at.converged)
        # as |z| grows at fixed angle q z -> alpha: the branch that starts there
        far = resolvent(spectrum, 1e12 * z / np.abs(z))
        np.testing.assert_allclose(far.qz, spectrum.alpha, rtol=1e-9)


def test_uncertified_root_is_nan_and_says_so(monkeypatch):
    from teacherstudent.theory import resolvents

    monkeypatch.setattr(resolvents, "_certified", lambda spectrum, z, q: np.zeros(z.shape, dtype=bool))
    with pytest.warns(UnconvergedWarning, match="NaN"):
        answer = asymptotic.flow(problem(), np.array([1.0, 10.0]))
    assert all(np.all(np.isnan(answer[name])) for name in OBSERVABLES)


def test_no_time_of_a_wide_range_warns():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (50, 100, 150):
            asymptotic.flow(problem(n=n, kappa=1e6), np.geomspace(1e-3, 1e10, 40))


# Faults ---------------------------------------------------------------------------------------------


def as_printed(asked, ridge):
    """Eqs. 4.2.11-4.2.16 word by word, for R, Q and the excess risk of Eq. 4.2.6, with 60 digits."""
    with mp.workdps(60):
        n, d, noise = mp.mpf(asked.n), mp.mpf(asked.d), mp.mpf(asked.noise)
        alpha, a, b = [], [], []
        for count, sigma in zip(asked.counts, asked.sigmas, strict=True):
            alpha.append(n / count)
            scaled = d / count * ridge / mp.mpf(sigma) ** 2
            gap = 1 - alpha[-1] - scaled
            a.append(1 + 2 * scaled / (gap + mp.sqrt(gap**2 + 4 * scaled)))
            b.append(alpha[-1] / (a[-1] ** 2 - alpha[-1]))
        R = [n / (each * d) for each in a]
        c = [1 + noise**2 - 2 * R[1 - k] - n / d * (2 - a[k]) / a[k] for k in (0, 1)]
        Q = [(b[0] * b[1] * c[1 - k] + b[k] * c[k]) / (1 - b[0] * b[1]) for k in (0, 1)]
        return sum(R), sum(Q), (1 - 2 * sum(R) + sum(Q)) / 2


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("n", [30, 100, 150])
def test_printed_formulas_are_those_that_are_printed(n, noise):
    asked = problem(n=n, kappa=20.0, noise=noise)
    ridges = [10.0, 0.1, 1e-3, 1e-6, 1e-12]
    answer = printed.ridge(asked, 1 / np.array(ridges))
    for i, ridge in enumerate(ridges):
        for name, value in zip(OBSERVABLES, as_printed(asked, mp.mpf(1 / (1 / ridge))), strict=True):
            assert answer[name][i] == pytest.approx(float(value), rel=1e-9)


# Instance: a step by hand -----------------------------------------------------------------------------


def test_first_step_by_hand():
    """From zero, one step is eta X^T y."""
    asked = problem(n=3, d=2, p=1, kappa=2.0, noise=0.1)
    draws = draw(asked, [5])
    inputs = draws.inputs[0] * draws.strengths
    labels = draws.inputs[0] @ draws.teacher[0] + draws.noise[0]
    student = instance.students(draws, np.array([1.0]), instance.descent_rule(0.0, 0.1))[0, 0]
    np.testing.assert_allclose(student, 0.1 * inputs.T @ labels, atol=1e-14)
