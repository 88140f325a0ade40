"""Every digit of the multi-scale theory: early, late, where n nears d, and among hard neighbours."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.problems.multiscale import EXTRAS, PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory import marchenko_pastur, resolvents, spectra
from teacherstudent.theory.multiscale import asymptotic, instance, one_scale, one_scale_ends, thermal
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.resolvents import Spectrum, resolvent
from tests.multiscale import arbitrary_precision

problem = PROBLEM.instance

RELATIVE = 1e-9
TRAINED = ("R", "Q", "excess_risk")
EVERYTHING = tuple(EXTRAS)


def assert_close(found, expected, what="digits"):
    """To RELATIVE of each number, however small; what is zero is so exactly."""
    expected = np.array([float(each) for each in np.ravel(expected)])
    error = (np.ravel(found) - expected) / np.where(expected, expected, 1e-300)
    verdict = within_bound(error, RELATIVE, what)
    assert verdict.agrees, verdict


# Small and late times ---------------------------------------------------------------------------------

EARLY = np.array([1e-12, 1e-8, 1e-3])


@pytest.mark.parametrize(
    ("s", "shape"),
    [
        (1e-12, {"n": 60, "kappa": 5.0, "noise": 0.3}),
        (1e-8, {"n": 100, "kappa": 5.0, "ridge": 0.1, "init": 0.2}),
        (3e3, {"n": 150, "kappa": 5.0}),
    ],
    ids=str,
)
def test_the_limit_of_flow_keeps_its_digits(s, shape):
    """At the last of these times the risk is 3e-14."""
    asked = problem(**shape)
    found = asymptotic.flow(asked, np.array([s]))
    assert_close([found[name][0] for name in TRAINED], arbitrary_precision.flow(asked, s))


def test_early_numbers_are_moments_of_the_spectrum():
    """R = s alpha m1; the outputs are s X X^T y, y = Z w + eps, whose squares count partitions that do
    not cross: m_k = sum mu v^k."""
    asked, s = problem(n=150, kappa=2.0, noise=0.3), np.array([1e-12])
    spectrum = spectrum_of(asked)
    alpha, (m1, m2) = spectrum.alpha, [spectrum.weights @ spectrum.strengths**k for k in (1, 2)]
    found = asymptotic.flow(asked, s, observable=["outputs"])
    assert_close(found["R"], s * alpha * m1)
    of_teacher = alpha**2 * m2 + alpha * (2 * m1**2 + m2) + m1**2
    of_noise = asked.noise**2 * (alpha * m2 + m1**2)
    assert_close(found["training_output"], s**2 * (of_teacher + of_noise))


@pytest.mark.parametrize(
    "shape", [{"n": 60, "noise": 0.3}, {"n": 150}, {"n": 100, "ridge": 0.1, "init": 0.2}]
)
def test_the_quadrature_keeps_its_digits_early_and_late(shape):
    """Two derivations of the limit that share nothing but the question."""
    asked, times = problem(kappa=1.0, **shape), np.array([*EARLY, 1.0, 30.0, 200.0])
    found, limit = (route.flow(asked, times, observable=["training"]) for route in (one_scale, asymptotic))
    for name in (*TRAINED, "training_error"):
        assert_close(found[name], limit[name], name)


def exactly_drawn(asked, s):
    """R, Q and the excess risk of flow for seed 0, with 250 digits: matrix functions of X^T X itself."""
    draws = draw(asked, [0])
    with mp.workdps(250):
        F = mp.diag([mp.mpf(float(each)) for each in draws.strengths])
        Z = mp.matrix(draws.inputs[0].tolist())
        C = F * Z.T * Z * F
        values, V = mp.eigsy(C)
        f = (
            V
            * mp.diag([(1 - mp.exp(-s * c)) / c if c > mp.mpf("1e-200") else mp.mpf(s) for c in values])
            * V.T
        )
        made = F * f * F * Z.T * Z  # F w_hat of a teacher w without noise
        noise = F * f * F * Z.T
        d = asked.d
        square = lambda A: sum(x**2 for x in A) / d  # noqa: E731
        unlike = made - mp.eye(d)
        R = sum(made[i, i] for i in range(d)) / d
        spread = mp.mpf(asked.noise) ** 2 * square(noise)
        return R, square(made) + spread, (square(unlike) + spread) / 2


@pytest.mark.parametrize("shape", [{"n": 6}, {"n": 5, "noise": 0.3}, {"n": 4, "noise": 0.3}, {"n": 3}])
def test_drawn_data_keep_their_digits(shape):
    asked = problem(d=4, p=2, kappa=10.0, **shape)
    times = np.array([1e-12, 1e-6, 1.0, 1e3, 1e5])
    found = instance.flow(asked, times, seeds=[0])
    for i, s in enumerate(times):
        expected = exactly_drawn(asked, s)
        assert_close([found[name][0, i] for name in TRAINED], expected, f"s = {s}")


def test_parts_of_drawn_data_add_up_where_little_is_missing():
    asked = problem(n=9, d=6, p=3, kappa=4.0, init=0.2, noise=1e-9)
    for found in (
        instance.flow(asked, np.array([1e4, 1e5]), seeds=[0, 1], observable=["parts"]),
        instance.ridge(asked, np.array([1e6]), seeds=[0, 1], observable=["parts"]),
        instance.descent(asked, np.array([1e5]), seeds=[0], learning_rate="auto", observable=["parts"]),
    ):
        whole = sum(found[name].sum(axis=-1) for name in ("bias", "variance", "start"))
        assert_close((found["excess_risk"] / whole).ravel(), np.ones(whole.size))


@pytest.mark.parametrize("share", [0.3, 1.0, 1.6])
def test_late_descent_keeps_its_digits(share):
    """One scale without noise: half the mean of (1 - eta lambda)^{2k}, a sum of positive numbers."""
    asked = problem(n=400, kappa=1.0)
    eta = share / 9
    steps = np.array([5.0, 24, 25, 200, 201, 700])
    law = marchenko_pastur.quadrature(4.0, float(steps[-1]))
    risk = np.abs(1 - eta * law.eigenvalues) ** (2 * steps[:, None]) @ law.weights / 2
    found = asymptotic.descent(asked, steps, learning_rate=eta)
    assert_close(found["excess_risk"], risk)


# n near d ---------------------------------------------------------------------------------------------

MANY = {"n": 10**12, "d": 10**12 - 1, "p": 0, "kappa": 1.0, "noise": 1.0}


def test_one_sample_more_than_features_is_seen_among_so_many():
    """The end of training: noise^2/2 d/(n - d), up to the ridge or the modes that are still learned."""
    end = MANY["noise"] ** 2 * MANY["d"] / 2
    late = problem(**MANY)
    for found in (
        asymptotic.ridge(late, np.array([1e40])),
        asymptotic.flow(late, np.array([1e40])),
        one_scale.flow(late, np.array([1e30])),
    ):
        assert_close(found["excess_risk"], [end])


def test_as_many_samples_as_features_grow_as_they_must():
    asked, late = problem(n=1000, d=1000, p=0, kappa=1.0, noise=1.0), np.array([1e20])
    law = one_scale_ends.growth_at_equality(one_scale.one_scale(asked), late) / 2
    for route in (asymptotic.flow, one_scale.flow):
        assert_close(route(asked, late)["excess_risk"], law)


def test_a_hard_time_leaves_its_neighbours_alone():
    asked, times = problem(n=100), np.geomspace(1e4, 1e28, 4)
    together = asymptotic.ridge(asked, times)
    alone = [asymptotic.ridge(asked, times[i : i + 1])["excess_risk"][0] for i in range(4)]
    assert_close(together["excess_risk"], alone)


@pytest.mark.parametrize("n", [30, 99, 101, 1000])
def test_the_lowest_edge_of_a_spectrum_is_that_of_its_bands(n):
    law = Spectrum(n, np.array([30.0, 50, 20]), np.array([1.0, 1e-4, 0.3]))
    assert_close([law.lower_edge()], [spectra.bands(law).edges[0, 0]], "two ways to the first edge")
    assert Spectrum(3, np.array([2.0, 1.0]), np.array([1.0, 0.1])).lower_edge() == 0


@pytest.mark.parametrize("n", [1, 99, 100, 101, 10_000])
def test_newton_starts_below_the_root(n):
    """From there it cannot overshoot."""
    law = Spectrum(n, np.array([30.0, 50, 20]), np.array([1e-6, 1.0, 1e-3]))
    z = np.geomspace(1e-20, 1e20, 41)
    found = resolvent(law, z)
    assert np.all(found.converged)
    total = found.qz + found.learned @ law.weights
    np.testing.assert_allclose(total, law.alpha, rtol=1e-12, err_msg="the equation that q solves")
    assert np.all(resolvents._below_root(resolvents._Columns.of(law), z) <= found.qz / z * (1 + 1e-12))


# Never negative ---------------------------------------------------------------------------------------


def drawn_problems(count):
    """Problems far into the corners: one to four scales, any ratio, noise, ridge and start or none."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        counts = rng.integers(1, 10 ** rng.integers(1, 9), rng.integers(1, 5))
        d = int(counts.sum())
        n = [int(d * 10 ** rng.uniform(-2, 3)) + 1, d, d + 1][rng.integers(3)]
        yield problem(
            n=n,
            scales=tuple((int(m), float(10 ** rng.uniform(-5, 1))) for m in counts),
            noise=float(rng.choice([0, 1e-6, 0.3])),
            init=float(rng.choice([0, 0.2])),
            ridge=float(rng.choice([0, 1e-12, 0.1, 100])),
            output_penalty=float(rng.choice([0, 0.5])),
        )


def test_no_square_is_negative_and_no_number_is_lost():
    squares = [each.name for each in PROBLEM.observables if each.nonnegative]
    times, steps = np.geomspace(1e-12, 1e30, 15), np.array([1.0, 3, 24, 25, 101, 1e4, 1e9, 1e14])
    for asked in drawn_problems(25):
        edge = (1 + asked.output_penalty) * spectrum_of(asked).upper_edge() + asked.ridge
        for found in (
            asymptotic.flow(asked, times, observable=EVERYTHING),
            asymptotic.ridge(asked, times, observable=EVERYTHING),
            asymptotic.descent(asked, steps, learning_rate=1.5 / edge, observable=EVERYTHING),
        ):
            for name in found.keys() & set(squares):
                assert np.all(found[name] >= 0), (asked, name)


def test_no_square_of_drawn_data_is_negative():
    squares = [each.name for each in PROBLEM.observables if each.nonnegative]
    for n in (4, 6, 9):
        asked = problem(n=n, d=6, p=3, kappa=30.0, init=0.2)
        for dynamics, more in (("flow", {}), ("ridge", {}), ("descent", {"learning_rate": "auto"})):
            times = np.array([1.0, 1e2, 1e4, 1e6, 1e8])
            route = getattr(instance, dynamics)
            found = route(asked, times, seeds=range(4), observable=EVERYTHING, **more)
            for name in found.keys() & set(squares):
                assert np.all(found[name] >= 0), (n, dynamics, name)


@pytest.mark.parametrize("decay", [0.0, 1e-12])
@pytest.mark.parametrize("eta", [1e-12, 1e-8, 1e-5])
def test_the_first_step_is_as_long_as_its_learning_rate(decay, eta):
    """From w = 0 it is eta X^T y: R goes with eta, its squares with eta^2, down to the smallest."""
    asked = problem(n=150, kappa=2.0, noise=0.3, output_penalty=0.5)
    powers = {"R": 1, "Q": 2, "training_output": 2}
    small, large = (
        asymptotic.descent(
            asked,
            np.array([0.0, 1.0, 2.0, 5.0]),
            learning_rate=rate,
            output_penalty_decay=decay,
            observable=["outputs"],
        )
        for rate in (eta, 1e-2)
    )
    for name, power in powers.items():
        np.testing.assert_allclose(small[name][1] / eta**power, large[name][1] / 1e-2**power, rtol=1e-11)
        np.testing.assert_allclose(
            small[name][2:] / small[name][1], [2**power, 5**power], rtol=20 * eta + 1e-11
        )


# Langevin ---------------------------------------------------------------------------------------------


def test_the_spread_of_replicas_follows_the_recursion_of_its_covariance():
    """cov -> (1 - eta A) cov (1 - eta A) + 2 eta/beta, with A = (1 + a) X^T X + ridge, step by step."""
    asked = problem(n=9, d=6, p=3, kappa=3.0, noise=0.3, ridge=0.05, output_penalty=0.5)
    draws, eta, beta, steps = draw(asked, [0]), 0.1, 2.0, 12
    F = np.diag(draws.strengths)
    A = 1.5 * F @ draws.inputs[0].T @ draws.inputs[0] @ F + 0.05 * np.eye(6)
    covariance = np.zeros((6, 6))
    for _ in range(steps):
        kept = np.eye(6) - eta * A
        covariance = kept @ covariance @ kept + 2 * eta / beta * np.eye(6)
    found = thermal.instance(
        asked, np.array([float(steps)]), learning_rate=eta, inverse_temperature=beta, seeds=[0]
    )
    assert_close((found["Q0"] - found["Q"])[0], [np.trace(F @ F @ covariance) / 6])
