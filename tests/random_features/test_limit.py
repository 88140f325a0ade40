"""The limit of random features: identities, ends, solvable cases, and extremes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.problems.random_features import PROBLEM, RandomFeatures
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.random_features import asymptotic, edges, errors, filters
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral import errors as spectral
from teacherstudent.theory.spectral import filters as spectral_filters
from teacherstudent.theory.spectral.filters import overwritten
from teacherstudent.theory.spectral.tasks import Task
from tests.random_features.references import limit

made = PROBLEM.instance

NAMES = ("R", "Q", "excess_risk", "training_error")
NOISY = {"noise": 0.5, "init": 0.5, "ridge": 0.02}
TWO = {"scales": ((30, 1.0), (70, 0.1))}
SIZES = {"many samples": (300, 120), "many features": (80, 250), "few of both": (20, 30), "equal": (90, 90)}
sizes = pytest.mark.parametrize(("n", "width"), SIZES.values(), ids=SIZES)
Arrays = dict[str, np.ndarray]


def asked(dynamics: str, problem: RandomFeatures, times: Any) -> Arrays:
    options = {"learning_rate": "auto"} if dynamics == "descent" else {}
    found: Arrays = getattr(asymptotic, dynamics)(problem, np.asarray(times, dtype=float), **options)
    return found


@pytest.mark.parametrize("dynamics", ["flow", "descent", "ridge"])
@pytest.mark.parametrize("activation", ["linear", "relu"])
@sizes
def test_all_formulas_are_those_derived(dynamics: str, activation: str, n: int, width: int) -> None:
    """The sums that do not cancel against sums of the formulas as they are derived, on another contour."""
    problem = made(n=n, width=width, **TWO, activation=activation, teacher="erf", **NOISY)
    times = np.array([1.0, 2.0, 5.0, 12.0])
    rate = {"learning_rate": "auto"} if dynamics == "descent" else {}
    found, expected = asked(dynamics, problem, times), limit(dynamics, problem, times, **rate)
    for name in NAMES:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("activation", ["erf", "relu"])
@pytest.mark.parametrize(("psi1", "psi2"), [(0.5, 2.0), (2.0, 2.5), (3.0, 0.4), (1.7, 1.2)])
def test_the_end_of_training_in_closed_form(activation: str, psi1: float, psi2: float) -> None:
    """Without ridge E = min(psi1, psi2), a quadratic equation for y; start at 0."""
    problem = made(n=round(psi2 * 1000), width=round(psi1 * 1000), d=1000, activation=activation, noise=0.5)
    model = Model.of(problem)
    least, u, rest = min(psi1, psi2), float(model.u[0]), model.rest
    half = rest + u - least * u
    y = 2 * least / (half + np.sqrt(half**2 + 4 * u * rest * least))
    eta = 1 / (1 + y * u)
    P, noise = (1 - eta) ** 2, problem.noise**2
    if psi1 < psi2:
        test, training = psi2 * (eta + noise) / (psi2 - psi1), (1 - psi1 / psi2) * (eta + noise)
    else:
        taught = (psi2 - P) * eta + (psi1 - psi2) * eta**2 + noise * (psi1 - P)
        test, training = psi2 * taught / ((psi1 - psi2) * (psi2 - P)), 0.0
    for dynamics, time in (("flow", 1e9), ("descent", 1e9), ("ridge", 1e14)):
        found = asked(dynamics, problem, [time])
        assert found["generalisation_error"][0] == pytest.approx(test, rel=1e-9)
        assert found["training_error"][0] == pytest.approx(training, rel=1e-9, abs=1e-15)
        assert found["R"][0] == pytest.approx(1 - eta, rel=1e-9)


@pytest.mark.parametrize("dynamics", ["flow", "descent"])
def test_endless_features_are_the_inputs_with_a_ridge(dynamics: str) -> None:
    """Kernel regression with mu1^2 x.x' + mustar^2 learns on new samples what linear regression on mu1 x with
    ridge mustar^2 + ridge does."""
    problem = made(n=60, width=10**12, **TWO, activation="relu", teacher="tanh", noise=0.3, ridge=0.01)
    model, times = Model.of(problem), np.array([0.5, 3.0, 40.0])
    task = Task(
        spectrum=Spectrum(problem.n, model.counts, model.u),
        power=model.c1**2 * model.m,
        start=np.zeros(2),
        noise=model.hidden + model.noise,
        ridge=model.ridge + model.rest,
    )
    if dynamics == "flow":
        pieces, mine = spectral_filters.flow(task, times), filters.flow(model, times)
    else:
        times, edge = np.array([1.0, 3.0, 40.0]), edges.upper(model)
        pieces = spectral_filters.descent(task, times, 0.9 / edge, task.spectrum.upper_edge())
        mine = filters.descent(model, times, 0.9 / edge, edge)
    expected = spectral.over_training(task, times.size, pieces)
    found = overwritten(errors.untrained(model, times.size), mine, lambda by: errors.filtered(model, by))
    np.testing.assert_allclose(2 * found.excess + model.noise, expected.test, rtol=1e-9)


@pytest.mark.parametrize("activation", ["erf", "sign"])
@sizes
def test_features_are_rows_with_the_covariance_that_drawn_features_have(
    activation: str, n: int, width: int
) -> None:
    """(mu1^2 F F^T/d + mustar^2)/N, whose eigenvalues follow Marchenko and Pastur: a linear student of such
    rows, by the engine of measured spectra. What no feature expresses is noise."""
    problem = made(n=n, width=width, d=100, activation=activation, teacher="relu", **NOISY)
    model, times = Model.of(problem), np.array([0.3, 4.0, 60.0])
    law = marchenko_pastur.quadrature(model.psi1, 1e3, (width - 100) / 100)
    counts, variances = law.weights, model.u[0] * law.eigenvalues + model.rest
    if width > 100:
        counts, variances = np.append(counts, (width - 100) / 100), np.append(variances, model.rest)
    power = model.c1**2 * counts * (variances - model.rest) / variances
    task = Task(
        spectrum=Spectrum(model.psi2, counts, variances * counts.sum() / model.psi1),
        power=power,
        start=model.init * counts * variances / model.psi1,
        noise=model.c1**2 - power.sum() + model.hidden + model.noise,
        ridge=model.ridge,
    )
    expected = spectral.over_training(task, times.size, spectral_filters.flow(task, times))
    found = asked("flow", problem, times)
    np.testing.assert_allclose(found["generalisation_error"], expected.test, rtol=1e-9)
    np.testing.assert_allclose(found["training_error"], expected.training, rtol=1e-9)


def test_a_student_that_has_not_learned_is_its_start() -> None:
    problem = made(n=40, width=70, d=50, activation="tanh", teacher="sign", noise=0.4, init=0.7, ridge=0.1)
    model = Model.of(problem)
    start = 0.49 * (model.rest + model.u[0])
    for dynamics in ("flow", "descent"):
        found = asked(dynamics, problem, [0])
        assert found["R"][0] == 0
        np.testing.assert_allclose(
            [found["Q"][0], 2 * found["excess_risk"][0]], [start, 1 + start], rtol=1e-14
        )
        assert found["training_error"][0] == pytest.approx(1.16 + start, rel=1e-14)
    early = asked("flow", problem, [1e-7])
    assert early["R"][0] == pytest.approx(model.c1**2 * model.u[0] * model.psi2 * 1e-7, rel=1e-5)


def test_weights_that_no_sample_sees_stay_or_are_left_to_the_ridge() -> None:
    """Of N > n features those add the start's share to the risk, for ever, or while e^{-ridge s} lasts."""
    still = made(n=40, width=90, d=50, init=0.5)
    never = asked("flow", replace(still, init=0.0), [1e9])["excess_risk"]
    kept = asked("flow", still, [1e9])["excess_risk"] - never
    slowly = replace(still, ridge=1e-7)
    later = (
        asked("flow", slowly, [1e6, 1e7, 1e8])["excess_risk"] - asked("flow", slowly, [1e9])["excess_risk"]
    )
    np.testing.assert_allclose(later / kept, np.exp(-2e-7 * np.array([1e6, 1e7, 1e8])), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_diverging_descent_is_refused(ridge: float) -> None:
    problem = made(n=40, width=70, d=50, ridge=ridge)
    model = Model.of(problem)
    most = 2 / (edges.upper(model) + ridge)
    with pytest.raises(InputError, match="upper edge of the spectrum"):
        asymptotic.descent(problem, np.array([5.0]), learning_rate=most)
    found = asymptotic.descent(problem, np.array([1e7]), learning_rate=most * (1 - 1e-4))
    end = asked("ridge", problem, [np.inf])
    assert found["excess_risk"][0] == pytest.approx(end["excess_risk"][0], rel=1e-9)


def extreme(seed: int) -> tuple[Model, np.ndarray]:
    """Sizes to 1e12 and often alike, strengths over eight decades, almost or wholly linear features or such
    without a linear part; and times around the rates of both edges."""
    random = np.random.default_rng(seed)
    counts = random.integers(1, 10 ** int(random.choice([1, 4])), size=random.integers(1, 4)).astype(float)
    d = counts.sum()

    def size() -> float:
        exponent = random.choice([0.5, 6.0])
        return float(max(1, round(d * 10 ** random.uniform(-exponent, exponent))))

    n = size()
    width = random.choice([n, n + 1, d, size()])
    u = 10 ** random.uniform(-8, 0, size=counts.size) * random.choice([0.0, 1.0, 1.0, 1.0])
    rest = random.choice([1e-12, 1e-3, 1.0]) if not u.any() else random.choice([0.0, 1e-12, 1e-3, 1.0])
    more = {"c1": (0.0, 1.0), "hidden": (0.0, 0.3), "noise": (0.0, 0.25), "init": (0.0, 0.25)}
    drawn = {name: random.choice(values) for name, values in more.items()}
    ridge = random.choice([0.0, 1e-12, 1e-3, 1e6])
    model = Model(random.choice([n, n, d]), width, counts, u, rest, ridge=ridge, **drawn)
    slowest = edges.lower(model) + model.ridge
    rates = [edges.upper(model) + model.ridge, *([slowest] if slowest else [])]
    return model, np.sort(np.concatenate([10 ** random.uniform(-6, 8, 3) / rate for rate in rates]))


@pytest.mark.parametrize("seed", range(25))
def test_at_extremes_answers_are_certified_and_such_as_errors_can_be(seed: int) -> None:
    model, times = extreme(seed)
    found = overwritten(
        errors.untrained(model, times.size), filters.flow(model, times), lambda by: errors.filtered(model, by)
    )
    assert found.converged.all()
    start = model.init * (model.rest + float(model.m @ model.u))
    slack = 1e-11 * (model.c1**2 + model.hidden + model.noise + start)
    assert np.all(found.excess >= model.hidden / 2 - slack)
    assert np.all(found.training >= -slack)
    assert np.all(model.c1**2 * found.Q * (1 + 1e-9) + slack >= found.R**2)
    np.testing.assert_allclose(
        2 * found.excess, model.c1**2 + model.hidden - 2 * found.R + found.Q, rtol=1e-9, atol=slack
    )
    if not model.ridge:
        assert np.all(np.diff(found.training) <= slack)  # flow descends on it


def in_many_digits(model: Model, ridge: float) -> tuple[float, float]:
    """Excess risk and training error of ridge regression by the formula as derived, which cancels."""
    import mpmath as mp

    with mp.workdps(100):
        z, inputs = mp.mpf(ridge), mp.mpf(model.inputs)
        scales = [(mp.mpf(m) / inputs, mp.mpf(u)) for m, u in zip(model.counts, model.u, strict=True)]
        psi1, psi2 = mp.mpf(model.width) / inputs, mp.mpf(model.samples) / inputs

        def mean(of: Callable[[Any, Any], Any]) -> Any:
            return sum(m * of(u, 1 / (1 + y * u)) for m, u in scales)

        low, high = mp.mpf("1e-400"), mp.mpf("1e400")
        for _ in range(350):  # to 1e-100 of the distance in logs
            y = mp.sqrt(low * high)
            E = y * model.rest + mean(lambda u, eta: 1 - eta)
            above = min(psi1, psi2) <= E or (psi1 - E) * (psi2 - E) < psi1 * z * y
            low, high = (low, y) if above else (y, high)
        P = mean(lambda u, eta: (1 - eta) ** 2)
        D = psi1 * psi2 - E**2 - P * (psi1 + psi2 - 2 * E)
        taught = (E - P) * mean(lambda u, eta: eta) + (psi1 - E) * mean(lambda u, eta: eta**2)
        test = psi2 * (model.c1**2 * taught + (model.hidden + model.noise) * (psi1 - P)) / D
        return float((test - model.noise) / 2), float(test * (1 - E / psi2) ** 2)


@pytest.mark.parametrize("seed", range(10))
def test_at_extremes_ridge_is_what_the_formula_gives_in_many_digits(seed: int) -> None:
    model, times = extreme(seed)
    ridge = model.ridge + 1 / times[seed % times.size]
    found, (excess, training) = errors.at_ridge(model, np.array([ridge])), in_many_digits(model, float(ridge))
    assert found.excess[0] == pytest.approx(excess, rel=1e-10, abs=1e-300)
    assert found.training[0] == pytest.approx(training, rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("seed", range(15))
def test_at_extremes_training_begins_where_it_starts(seed: int) -> None:
    """Where next to nothing is learned E is next to 0, and a product of differences next to a real number."""
    model, _ = extreme(seed)
    times = np.array([1e-9, 1e-6]) / (edges.upper(model) + model.ridge)
    found = overwritten(
        errors.untrained(model, 2), filters.flow(model, times), lambda by: errors.filtered(model, by)
    )
    assert found.converged.all()
    initial = errors.untrained(model, 2)
    for name in ("excess", "training"):
        np.testing.assert_allclose(getattr(found, name), getattr(initial, name), rtol=1e-5, atol=1e-11)


@pytest.mark.parametrize("ridge", [1e-10, 1e-20, 1e-30])
def test_at_the_threshold_the_least_ridge_decides(ridge: float) -> None:
    """psi1 - E = psi2 - E is then far below the rounding of psi1."""
    model = Model.of(made(n=250, width=250, d=10**6, noise=0.3))
    found, (excess, training) = errors.at_ridge(model, np.array([ridge])), in_many_digits(model, ridge)
    assert found.converged.all()
    assert found.excess[0] == pytest.approx(excess, rel=1e-10)
    assert found.training[0] == pytest.approx(training, rel=1e-10)
