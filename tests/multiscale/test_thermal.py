"""Students at finite temperature: transient and equilibrium, free energy, simulation, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, shrinking_bias, within_bound
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.sims.multiscale import langevin as simulating
from teacherstudent.sims.multiscale.data import training_set
from teacherstudent.theory.multiscale import free_energy, thermal
from teacherstudent.theory.multiscale.free_energy import RESIDUAL, stationary_point
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from tests.roundings import same

EPS = np.finfo(float).eps
THREE = {"n": 70, "scales": ((30, 1.0), (30, 0.3), (40, 0.05)), "noise": 0.4, "ridge": 0.05}
SHAPES = (THREE, {"n": 150, "kappa": 3.0, "ridge": 0.0}, THREE | {"output_penalty": 0.5, "init": 0.3})
STEPS = np.array([0.0, 1, 2, 12, 13, 100, 1e4, 1e8])


def assert_within(error, bound, reason):
    verdict = within_bound(error, bound, reason)
    assert verdict.agrees, verdict


def spread(answer, beta):
    """beta (Q0 - Q)."""
    return beta * np.asarray(answer["Q0"] - answer["Q"])


# Transient ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES, ids=["three", "ridgeless", "penalised"])
@pytest.mark.parametrize("rate", ["auto", 0.05, 0.25])
def test_the_first_steps_fluctuate_by_what_the_noise_alone_gives(shape, rate):
    """After one step 2 eta tr S/d; the second keeps (1 - eta A)^2 of it, and tr S A/d is elementary."""
    problem = PROBLEM.instance(**shape)
    spectrum = spectrum_of(problem)
    mu, s = spectrum.weights, spectrum.strengths
    edge, penalty = spectrum.upper_edge(), 1 + problem.output_penalty
    eta = min(1 / edge, 1.5 / (penalty * edge + problem.ridge)) if rate == "auto" else rate
    first, second, third = mu @ s, mu @ s**2, mu @ s**3
    ridge, alpha = problem.ridge, spectrum.alpha
    curved = penalty * alpha * second + ridge * first  # tr S A/d, from E C = alpha S
    square = penalty**2 * (alpha**2 * third + alpha * second * first)  # tr S C^2/d, a Wishart moment
    twice = square + 2 * ridge * penalty * alpha * second + ridge**2 * first
    one, two = 2 * eta * first, 2 * eta * (2 * first - 2 * eta * curved + eta**2 * twice)
    answer = thermal.asymptotic(problem, STEPS[:3], learning_rate=rate, inverse_temperature=4.0)
    assert_within(spread(answer, 4.0) - [0, one, two], 1e-11, "the contour's accuracy")


@pytest.mark.parametrize("shape", SHAPES[::2], ids=["three", "penalised"])
def test_it_settles_in_the_difference_of_two_susceptibilities(shape):
    """(A (1 - eta A/2))^-1 = A^-1 - (A - 2/eta)^-1; the second lies beyond the spectrum."""
    problem, eta = PROBLEM.instance(**shape), 0.2
    speed = 1 + problem.output_penalty
    plain = PROBLEM.instance(**{**shape, "output_penalty": 0.0, "ridge": problem.ridge / speed})
    ends = np.array([plain.ridge + 0j, plain.ridge - 2 / (speed * eta)])
    near, far = thermal.susceptibilities(plain, ends).sum(axis=-1).real / speed
    answer = thermal.asymptotic(problem, STEPS, learning_rate=eta, inverse_temperature=1.0)
    assert_within(spread(answer, 1.0)[-2:] - (near - far), 1e-10, "the contour's accuracy")
    assert np.all(np.diff(spread(answer, 1.0)[:-1]) > 0)


def test_smaller_steps_settle_in_the_gibbs_law_at_first_order():
    problem, rates = PROBLEM.instance(**THREE), np.array([0.02, 0.01, 0.005])
    law = thermal.gibbs(problem, 2.0)
    gaps = [
        thermal.asymptotic(problem, np.array([1e8]), learning_rate=rate, inverse_temperature=2.0)["Q0"][0]
        - law.self_overlap.sum()
        for rate in rates
    ]
    x = rates[0] * spectrum_of(problem).upper_edge() / 2
    verdict = at_rate(rates, gaps, 1.0, slack=x / (1 - x))
    assert verdict.agrees, verdict


@pytest.mark.thorough
def test_instance_approaches_the_limit_like_one_over_d():
    asked = {"kappa": 3.0, "noise": 0.5, "init": 0.3, "ridge": 0.05, "times": [1.0, 10.0, 100.0],
             "learning_rate": 0.2, "inverse_temperature": 3.0, "output_penalty": 0.1}  # fmt: skip

    def answer(route, d, **more):
        got = run("multiscale", "langevin", route, n=3 * d // 2, d=d, p=3 * d // 5, **asked, **more)
        return np.concatenate([got[name].values for name in ("Q0", "excess_risk")], axis=-1)

    draws = {10: 3000, 20: 1500, 40: 700}
    differences = [answer("instance", d, seeds=range(c)) - answer("asymptotic", d) for d, c in draws.items()]
    verdict = shrinking_bias(list(draws), differences, -1).verdict(-1)
    assert verdict.agrees, verdict


# Equilibrium ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [0.5, 1e6])
def test_the_gibbs_law_is_ridge_regression_and_its_susceptibility(beta):
    problem = PROBLEM.instance(**THREE)
    law = thermal.gibbs(problem, beta)
    ridge = run("multiscale", "ridge", "asymptotic", [1 / 0.05], **THREE | {"ridge": 0.0})
    assert_within(law.alignment.sum() - ridge["R"].values, 16 * EPS, "a few roundings")
    assert_within(law.overlap.sum() - ridge["Q"].values, 64 * EPS, "a few roundings")
    chi = beta * (law.self_overlap - law.overlap).sum()
    alpha_over_a = problem.alpha * chi / (1 + chi)
    assert_within(alpha_over_a - law.alignment.sum(), 64 * EPS * beta, "Q0 - Q loses digits like beta")


@pytest.mark.parametrize("beta", [0.3, 1e3])
@pytest.mark.parametrize("n", [30, 100, 400])
def test_the_free_energy_is_stationary_where_resolvents_say(n, beta):
    problem = PROBLEM.instance(**THREE | {"n": n, "output_penalty": 0.3})
    found, expected = stationary_point(problem, beta), thermal.gibbs(problem, beta)
    for name, values in vars(expected).items():
        assert_within(getattr(found, name) - values, RESIDUAL, "what counts as stationary")


def test_one_scale_without_ridge_has_the_classical_values():
    """n > d: R = 1, Q = 1 + noise^2/(alpha - 1) and beta (Q0 - Q) = 1/(alpha - 1), for any strength."""
    for kappa in (1.0, 20.0):
        found = stationary_point(PROBLEM.instance(n=150, kappa=kappa, noise=0.5), 4.0)
        totals = [values.sum() for values in vars(found).values()]
        assert_within(np.subtract(totals, [1, 1.5, 2.0]), RESIDUAL, "what counts as stationary")


def test_the_order_of_replicas_is_physical():
    """A student overlaps most with itself, and less with another at any temperature."""
    for beta in (1e-2, 1.0, 1e2):
        law = thermal.gibbs(PROBLEM.instance(**THREE), beta)
        assert np.all(law.self_overlap > law.overlap)
        assert law.overlap.sum() >= law.alignment.sum() ** 2


# Simulation -----------------------------------------------------------------------------------------

QUICK = {"n": 9, "d": 6, "p": 3, "kappa": 2.0, "noise": 0.3, "init": 0.5, "ridge": 0.1}


def simulated(times, beta=1.0, seeds=(0, 1, 2), **changes):
    asked = {**QUICK, "learning_rate": 0.1, "inverse_temperature": beta, **changes}
    return run("multiscale", "langevin", "simulation", times, seeds=seeds, **asked)


def test_a_step_is_that_of_descent_and_noise_of_variance_two_eta_over_beta():
    """Eq. 4.2.4, step by step: what descent leaves is white, by the law of a sum of squares."""
    asked, seeds, eta, beta, a = PROBLEM.instance(n=6, d=16, p=8, ridge=0.1), range(32), 0.1, 4.0, 0.3
    draws = draw(asked, seeds)
    weights = simulating.replica_trajectories(
        draws, np.arange(800.0), eta, beta, seeds, ridge=asked.ridge, output_penalty=a
    )
    inputs, labels = training_set(draws)
    curvature = (1 + a) * inputs.swapaxes(-1, -2) @ inputs + asked.ridge * np.eye(16)
    pull = np.einsum("snd,sn->sd", inputs, labels)
    descended = weights - eta * (np.einsum("strd,sde->stre", weights, curvature) - pull[:, None, None])
    noise = (weights[:, 1:] - descended[:, :-1]) / np.sqrt(2 * eta / beta)
    law = stats.chi2(noise.size)
    assert law.ppf(1e-6) < np.sum(noise**2) < law.isf(1e-6)
    assert law.isf(1e-6) < 1.01 * noise.size, "one per cent of the noise shows"
    steps, replicas = noise[:, 1:] * noise[:, :-1], noise[:, :, 0] * noise[:, :, 1]
    for product in (steps, replicas, noise[..., 1:] * noise[..., :-1]):
        assert abs(np.mean(product)) < 5 / np.sqrt(product.size)


def test_replicas_start_together_and_part():
    answer = simulated([0.0, 1.0, 30.0])
    assert same(answer["Q"][:, 0], answer["Q0"][:, 0], 8)
    assert not np.any(answer["Q"][:, 1:].values == answer["Q0"][:, 1:].values)


def test_the_simulated_risk_is_that_of_r_and_the_self_overlap():
    answer = simulated([3.0, 20.0])
    identity = (1 - 2 * answer["R"] + answer["Q0"]) / 2
    assert_within(answer["excess_risk"].values - identity.values, 64 * EPS, "a few roundings")


# Refusals -------------------------------------------------------------------------------------------


def test_what_nothing_holds_is_refused():
    with pytest.raises(InputError, match="ridge"):
        thermal.gibbs(PROBLEM.instance(n=50), 1.0)
    with pytest.raises(InputError, match="n <= d"):
        stationary_point(PROBLEM.instance(n=100), 1.0)


def test_a_gradient_that_stays_is_nan_and_says_so():
    def steep(problem, beta, order):  # in Q by more than the data and the ridge pull back
        return free_energy.minus_beta_f(problem, beta, order) + 1e3 * order.overlap.sum(axis=-1)

    with pytest.warns(UnconvergedWarning, match="no stationary point"):
        found = stationary_point(PROBLEM.instance(**THREE), 1.0, steep)
    assert all(np.all(np.isnan(values)) for values in vars(found).values())


def test_an_uncertified_root_is_nan_and_says_so(monkeypatch):
    true = thermal.resolvent

    def uncertain(spectrum, z):
        at = true(spectrum, z)
        return replace(at, converged=np.zeros(z.shape, dtype=bool))

    monkeypatch.setattr(thermal, "resolvent", uncertain)
    with pytest.warns(UnconvergedWarning, match="susceptibility"):
        answer = thermal.asymptotic(
            PROBLEM.instance(**THREE), STEPS, learning_rate=0.1, inverse_temperature=1.0
        )
    assert np.array_equal(np.isnan(answer["Q0"]), STEPS > 0)
    assert np.all(np.isfinite(answer["R"]))
