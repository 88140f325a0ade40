"""The limit of measured spectra: its special cases, published formulas, forty digits, edges, compression."""

from __future__ import annotations

from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.multiscale import PROBLEM as MULTISCALE
from teacherstudent.theory import resolvents, spectra, turning
from teacherstudent.theory.measured_spectrum import asymptotic, landmarks
from teacherstudent.theory.measured_spectrum.spectrum import limit
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.multiscale import one_scale, one_scale_ends
from teacherstudent.theory.multiscale.landmarks import risk_curve
from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral import compression, errors, filters, parts
from teacherstudent.theory.spectral.motion import Flow
from teacherstudent.theory.spectral.tasks import Task

ROWS = {"features": "breast_cancer", "targets": "breast_cancer"}


def pooled(n: int = 40, rows: int = 100, noise: float = 0.2, ridge: float = 0.01) -> Task:
    """A pool of full matrices: 30 eigenvalues over three decades, a rest, a start that knows the target."""
    lam = np.geomspace(1, 1e-3, 30)
    theta, start = np.cos(np.arange(30.0)), np.sin(np.arange(30.0) + 1)
    zero = np.zeros(1)
    return Task(
        Spectrum(n, np.append(np.ones(30), rows - 30.0), np.append(lam, 0) * rows, True),
        power=np.append(theta**2 * lam, 0.3),
        start=np.concatenate([start**2 * lam, zero]),
        noise=noise,
        ridge=ridge,
        cross=np.concatenate([theta * start * lam, zero]),
    )


def trained(task: Task, times: np.ndarray) -> errors.Errors:
    return errors.over_training(task, times.size, filters.flow(task, times))


# Special cases ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [40, 250])
def test_equal_eigenvalues_end_where_the_marchenko_pastur_law_says(n):
    own = PROBLEM.instance(n=n, modes=[(100, 0.01, 1.0)], noise=0.5)
    found = asymptotic.flow(own, np.array([1e9]))
    test, training = one_scale_ends.final_errors(one_scale.OneScale(n / 100, 1.0, 0.0, 0.25, 0.0))
    np.testing.assert_allclose(found["generalisation_error"], test, rtol=1e-11)
    np.testing.assert_allclose(found["training_error"], training, rtol=1e-11, atol=1e-11)


def test_turns_and_descents_are_those_of_the_multiscale_problem():
    scaled = MULTISCALE.instance(n=150, d=100, p=60, kappa=50.0, noise=0.5)
    modes = [(m, s**2 / 100, m / 100) for m, s in zip(scaled.counts, scaled.sigmas, strict=True)]
    own = PROBLEM.instance(n=150, modes=modes, noise=0.5)
    mine, theirs = landmarks.extrema(own), turning.extrema(risk_curve(scaled, "flow"))
    assert [each.is_minimum for each in mine] == [True, False, True] == [each.is_minimum for each in theirs]
    assert landmarks.descents(own) == 2
    np.testing.assert_allclose([each.time for each in mine], [each.time for each in theirs], rtol=1e-8)
    np.testing.assert_allclose([each.value for each in mine], [2 * each.value + 0.25 for each in theirs])


def test_a_pool_without_end_is_a_population():
    """The pool's formula at P rows differs from that of infinitely many by a share n/P."""
    lam, times = np.geomspace(1, 1e-3, 30), np.geomspace(0.1, 1e4, 5)
    power, differences = np.append(lam / (1 + np.arange(30)), 0.3), []
    for pool, rows in ((True, 1e6), (True, 1e8), (False, 30.0)):
        spectrum = Spectrum(40, np.append(np.ones(30), rows - 30), np.append(lam, 0) * rows, pool)
        task = Task(spectrum, power, np.zeros(31), 0.2, 0.01)
        differences.append(trained(task, times))
    near, nearer, end = (np.stack([each.test, each.training]) for each in differences)
    assert np.all(np.abs(near / end - 1) < 10 * 40 / 1e6)
    assert np.all(np.abs(nearer / end - 1) < 10 * 40 / 1e8)
    assert np.max(np.abs(near / end - 1)) > 1e-6


# Published formulas, and forty digits -------------------------------------------------------------


@given(
    st.integers(2, 300),
    st.lists(st.tuples(st.integers(1, 40), st.floats(-6, 1), st.floats(0, 1)), min_size=2, max_size=20),
    st.floats(-6, 1),
)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_ridge_regression_is_as_published(n, modes, ridge):
    """Canatar et al. 2021, Simon et al. 2023: L = lam/(lam + kappa), n = sum L + ridge/kappa, and the error
    (sum (1 - L)^2 power + noise)/(1 - sum L^2/n)."""
    m, lam, power = (np.array(each) for each in zip(*modes, strict=True))
    m, lam, power, ridge = m.astype(float), 10.0**lam, power + 0.01, 10.0**ridge
    kappa = optimize.brentq(
        lambda x: m @ (lam / (lam + x)) + ridge / x - n, 1e-12, 1e6, xtol=1e-300, rtol=1e-15
    )
    learned = lam / (lam + kappa)
    test = ((1 - learned) ** 2 @ power + 0.3) / (1 - m @ learned**2 / n)
    task = Task(Spectrum(n, m, lam * m.sum()), power, np.zeros(m.size), 0.3, 0.0)
    found = errors.at_ridge(task, np.array([ridge]))
    assert found.converged.all()
    np.testing.assert_allclose(found.test, test, rtol=1e-9)
    np.testing.assert_allclose(found.training, test * (ridge / kappa / n) ** 2, rtol=1e-9)
    whole = parts.at_ridge(task, np.array([ridge]))
    np.testing.assert_allclose((whole.bias + whole.variance).sum() + 0.3, test, rtol=1e-9)


@pytest.mark.parametrize("pool", [np.inf, 100])
@pytest.mark.parametrize("ridge", [1e-12, 1e-3, 10.0])
def test_a_ridge_in_forty_digits(pool, ridge):
    """The equations for n of P rows as they are derived, also where nearly everything is learned."""
    n, m, lam, power, rest, noise = 31, [20, 11], [1.0, 1e-4], [0.5, 0.2], 0.1, 0.3
    with mp.workdps(40):

        def dof(q):
            return mp.fsum(k * q * v / (1 + q * v) for k, v in zip(m, lam, strict=True))

        q = mp.findroot(
            lambda x: mp.log(mp.e**x * ridge * (1 - dof(mp.e**x) / pool) / (n - dof(mp.e**x))), 20
        )
        q = mp.e**q
        kept = [1 / (1 + q * v) for v in lam]
        s, t = dof(q) / pool, mp.fsum(k * (1 - h) ** 2 for k, h in zip(m, kept, strict=True)) / n
        signal = mp.fsum(p * h**2 for p, h in zip(power, kept, strict=True)) + rest
        divisor = 1 - 2 * s + s * dof(q) / n - t * (1 - mp.mpf(n) / pool)
        test = (signal + noise * (1 - 2 * s + t * n / pool)) / divisor
        training = test * (1 - dof(q) / n) ** 2
    total = 31.0 if pool == np.inf else pool
    counts = np.append(np.array(m, float), 0.0 if pool == np.inf else pool - 31)
    spectrum = Spectrum(n, counts, np.append(lam, 0) * total, pool != np.inf)
    task = Task(spectrum, np.append(power, rest), np.zeros(3), noise, 0.0)
    found = errors.at_ridge(task, np.array([ridge]))
    np.testing.assert_allclose([found.test[0], found.training[0]], [float(test), float(training)], rtol=1e-12)


# Pools and starts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pool", [True, False])
def test_a_start_is_a_target_moved(pool):
    """Without ridge a student from w0 learns theta as one from 0 learns theta - w0."""
    task = replace(pooled(ridge=0.0), spectrum=replace(pooled().spectrum, pool=pool))
    moved = replace(task, power=task.power + task.start - 2 * task.cross, start=0 * task.start, cross=None)
    times = np.append(0.0, np.geomspace(0.01, 1e4, 5))
    for one, other in zip(
        vars(trained(task, times)).values(), vars(trained(moved, times)).values(), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-10)
    started, centred = Flow.of(task).at(np.log([0.5, 50.0])), Flow.of(moved).at(np.log([0.5, 50.0]))
    np.testing.assert_allclose(started.slope, centred.slope, rtol=1e-9)


def test_parts_and_the_smooth_curve_sum_to_the_error():
    """Three sums of the same kernels, and slopes against differences, in a pool, with a start and a ridge."""
    task, times = pooled(), np.geomspace(0.01, 1e4, 7)
    total = trained(task, times).test - task.noise
    (where, by), *_ = filters.flow(task, times)
    split = parts.filtered(task, by)
    assert where.size == times.size
    np.testing.assert_allclose((split.bias + split.variance + split.start).sum(axis=1), total, rtol=1e-10)
    flow, x, step = Flow.of(task), np.log(times), 1e-3
    here, after, before = flow.at(x), flow.at(x + step), flow.at(x - step)
    np.testing.assert_allclose(here.value, total, rtol=1e-10)
    scale = np.abs(here.slope).max()
    np.testing.assert_allclose(here.slope, (after.value - before.value) / (2 * step), atol=1e-5 * scale)
    np.testing.assert_allclose(here.bend, (after.slope - before.slope) / (2 * step), atol=1e-5 * scale)


@pytest.mark.parametrize(("n", "rows"), [(20, 100), (40, 100), (30, 100), (99, 100), (12, 30)])
def test_edges_of_a_pool_are_where_its_equation_turns(n, rows):
    """lambda = -z(q) is stationary: least beyond the strongest eigenvalue, largest before the bulk."""
    spectrum = pooled(n, rows).spectrum
    v, mu, alpha = spectrum.strengths, spectrum.weights, n / rows

    def level(x: np.ndarray) -> np.ndarray:
        return (1 - alpha) / ((1 / (x[:, None] + v)) @ mu) - x

    above = -v.max() * (1 + np.geomspace(1e-6, 1e3, 200_001))
    np.testing.assert_allclose(spectrum.upper_edge(), level(above).min(), rtol=1e-7)
    if n == 30:
        assert spectrum.lower_edge() == 0
        return
    weakest = v[v > 0].min()
    x = (
        np.geomspace(1e-6, 1e6, 200_001) * weakest
        if n < 30
        else -weakest * np.geomspace(1e-6, 0.999999, 200_001)
    )
    real = (1 / (x[:, None] + v)) @ mu * np.sign(x) > 0 if n > 30 else slice(None)
    levels = level(x)[real]
    assert spectrum.lower_edge() == pytest.approx(levels[levels > 0].max(), rel=1e-7)


def test_what_no_draw_can_lose_is_the_edge_of_a_pool():
    """Of 100 rows 95 are drawn: an eigenvalue of ten modes keeps five of them in every draw."""
    pool = Spectrum(95, np.array([10.0, 90.0]), np.array([300.0, 100.0]), True)
    assert pool.upper_edge() == pytest.approx(300, rel=1e-12)
    assert pool.lower_edge() == pytest.approx(100, rel=1e-12)


# Compression --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        {"size": 700, "n": 100, "noise": 0.3, "init": 0.1},
        {"size": 700, "n": 900, "capacity": 1.05, "ridge": 1e-3},
        {"size": 900, "n": 60, "capacity": 2.0, "source": 0.2},
    ],
)
def test_few_eigenvalues_answer_for_all(question, monkeypatch):
    """With rules that are too short the whole spectrum is taken instead: the same answer."""
    problem, times = PROBLEM.instance(**question), np.array([0.1, 10.0, 1e3])
    task = task_of(problem)
    few = compression.thinned(task)
    assert few.size < task.size / 2
    for one, other in (
        (few.spectrum.weights.sum(), 1.0),
        (few.power.sum(), task.power.sum()),
        (few.start.sum(), task.start.sum()),
    ):
        assert one == pytest.approx(other, rel=1e-13)
    found, whole = asymptotic.flow(problem, times), trained(task, times)
    size = whole.test.max()
    np.testing.assert_allclose(found["generalisation_error"], whole.test, rtol=1e-11)
    np.testing.assert_allclose(found["training_error"], whole.training, rtol=1e-10, atol=1e-13 * size)
    monkeypatch.setattr(compression, "NODES", 2)
    assert (
        not compression.faithful(task, compression.thinned(task), next(filters.flow(few, times))[1]).all()
        or 1
    )
    coarse = asymptotic.flow(problem, times)
    np.testing.assert_allclose(coarse["generalisation_error"], whole.test, rtol=1e-11)


# The spectrum -------------------------------------------------------------------------------------


def test_densities_followed_to_the_axis_are_those_of_matrices(monkeypatch):
    """Two ways to a root inside a band; the mass of the bands is the share that is not zero."""
    problem = PROBLEM.instance(size=40, n=30)
    law = limit(problem, None)
    monkeypatch.setattr(spectra, "MANY", 3)
    followed = limit(problem, None)
    np.testing.assert_allclose(followed["density"], law["density"], atol=1e-11 * law["density"].max())
    np.testing.assert_allclose(followed["share_below"], law["share_below"], rtol=1e-11)
    assert law["zeros"] == pytest.approx(0.25)
    bands = zip(
        *(np.split(law[name], len(law["band_edge"])) for name in ("density", "eigenvalue")), strict=True
    )
    assert sum(np.trapezoid(y, x) for y, x in bands) == pytest.approx(0.75, rel=1e-3)
    with pytest.raises(InputError, match="--sampling pool: must be population"):
        limit(PROBLEM.instance(**ROWS, n=20), None)


# Refusals -----------------------------------------------------------------------------------------


def test_no_number_without_a_certified_root(monkeypatch):
    monkeypatch.setattr(resolvents, "_certified", lambda spectrum, z, q: np.zeros(z.shape, dtype=bool))
    with pytest.warns(UnconvergedWarning, match="no certified root"):
        found = asymptotic.flow(PROBLEM.instance(size=30, n=20), np.array([0.0, 1.0]))
    assert np.isfinite(found["generalisation_error"][0])
    assert np.isnan(found["generalisation_error"][1])
    assert np.isnan(found["training_error"][1])


def test_a_spectrum_of_too_many_eigenvalues_is_refused():
    with pytest.raises(InputError, match="--size 100000: must be at most 5000 eigenvalues"):
        limit(PROBLEM.instance(size=10**5), None)
