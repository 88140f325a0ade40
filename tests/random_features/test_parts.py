"""The parts of the excess risk: they sum to it, are not negative, and are what solvable cases say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.problems.random_features.parameters import EXTRAS
from teacherstudent.theory.random_features import asymptotic
from teacherstudent.theory.random_features.equation import solve
from teacherstudent.theory.random_features.model import Model
from tests.roundings import same

NAMES = EXTRAS["parts"]
NOISE = ("variance_noise", "variance_features_noise")
TIMES = np.geomspace(1e-6, 1e8, 12)
MANY = 10**9
"""So many that whatever is in proportion to 1/many is below the tolerance of these tests."""

Arrays = dict[str, np.ndarray]


def split(dynamics: str, times: Any, **values: Any) -> Arrays:
    """The answer with its parts."""
    options = {"learning_rate": "auto"} if dynamics == "descent" else {}
    found: Arrays = getattr(asymptotic, dynamics)(
        PROBLEM.instance(**values), np.asarray(times, dtype=float), observable=("parts",), **options
    )
    return found


def drawn(seed: int) -> dict[str, Any]:
    """Parameters within four decades, at the threshold n = N in every third."""
    random = np.random.default_rng(seed)
    n, width = (int(1000 * 10 ** random.uniform(-2, 2)) for _ in range(2))
    return {
        "n": n,
        "width": n if seed % 3 == 0 else width,
        "scales": ((300, 1.0), (700, 10 ** random.uniform(-3, 0))),
        "activation": ("relu", "tanh", "erf", "sign")[seed % 4],
        "teacher": ("tanh", "linear")[seed % 2],
        "noise": (0.0, 0.5, 2.0)[seed % 3],
        "init": (0.5, 0.0, 2.0)[seed % 3],
        "ridge": (0.0, 1e-6, 0.1)[seed % 3],
    }


@pytest.mark.parametrize("seed", range(12))
def test_no_part_is_negative_and_all_sum_to_the_excess_risk(seed: int) -> None:
    for dynamics in ("flow", "descent", "ridge"):
        times = np.unique(TIMES.round())[1:] if dynamics == "descent" else TIMES
        found = split(dynamics, times, **drawn(seed))
        assert min(found[name].min() for name in NAMES) >= 0
        np.testing.assert_allclose(sum(found[name] for name in NAMES), found["excess_risk"], rtol=1e-11)


def differences(model: Model, at: Any) -> dict[str, Any]:
    """The parts of ridge regression as the differences Q_a - Q_b that define them, in sixty digits."""
    m, eta = model.m, at.eta
    c1, hidden, noise = mp.mpf(model.c1) ** 2, mp.mpf(model.hidden), mp.mpf(model.noise)
    N2 = hidden + noise
    E, P, left, both = model.psi1 - at.features, (1 - eta) ** 2 @ m, eta @ m, eta**2 @ m
    D = model.psi1 * model.psi2 - E**2 - P * (model.psi1 + model.psi2 - 2 * E)
    B = c1 * ((E - P) * left + (model.psi1 - E) * both)
    known = c1 * (1 - 2 * left)
    Q_0, Q_F = c1 * P, B / (model.psi1 - P) + known
    Q_X, Q_Xe = ((c1 * both + each * P / model.psi2) / (1 - P / model.psi2) + known for each in (hidden, N2))
    varied = noise * (model.psi2 * (model.psi1 - P) / D - 1)
    Q_FXe = model.psi2 * (B + N2 * (model.psi1 - P)) / D - N2 + known
    Q_FX = Q_FXe - varied
    return {
        "bias": c1 * both,
        "variance_features": Q_F - Q_0,
        "variance_samples": Q_X - Q_0,
        "variance_features_samples": Q_FX - Q_F - Q_X + Q_0,
        "variance_noise": Q_Xe - Q_X,
        "variance_features_noise": varied - (Q_Xe - Q_X),
    }


def precise(model: Model, z: float) -> Any:
    """The equivalent at z in sixty digits, from the root in double precision."""
    psi1, psi2, rest = mp.mpf(model.psi1), mp.mpf(model.psi2), mp.mpf(model.rest)
    m, u = ([mp.mpf(each) for each in values] for values in (model.m, model.u))

    def used(y: Any) -> Any:
        return y * rest + mp.fsum(a * (y * b / (1 + y * b)) for a, b in zip(m, u, strict=True))

    start = mp.mpf(float(solve(model, np.array([z])).y[0]))
    y = mp.findroot(lambda y: ((psi1 - used(y)) * (psi2 - used(y)) - psi1 * z * y) / y, start)
    return SimpleNamespace(features=psi1 - used(y), eta=np.array([1 / (1 + y * each) for each in u]))


@pytest.mark.parametrize("z", [1e10, 1e-12])
def test_parts_keep_digits_that_their_differences_lose(z: float) -> None:
    """Where nothing is learned yet, and at the peak n = N without ridge; sizes are those of dyadic ratios."""
    values = {"n": 1536, "width": 1536, "scales": ((256, 1.0), (768, 0.5)), "noise": 0.5, "teacher": "relu"}
    model, found = Model.of(PROBLEM.instance(**values)), split("ridge", [1 / z], **values)
    with mp.workdps(60):
        expected = differences(model, precise(model, z))
        for name, value in expected.items():
            assert found[name][0] == pytest.approx(float(value / 2), rel=1e-11, abs=0), name


# Solvable cases ------------------------------------------------------------------------------------

LINEAR = {"d": 1000, "activation": "linear", "teacher": "linear", "noise": 0.5}


def test_few_linear_features_project_the_teacher_on_a_random_subspace() -> None:
    """Of a random projection on the share psi of all inputs the mean is psi; the rest is due to features."""
    found = split("flow", [1e6], **LINEAR, width=300, n=MANY)
    expected = {"bias": 0.7**2 / 2, "variance_features": 0.3 * 0.7 / 2}
    for name in NAMES:
        assert found[name][0] == pytest.approx(expected.get(name, 0.0), abs=1e-6), name


def test_few_samples_do_so_beside_endless_features() -> None:
    found = split("flow", [1e6], **LINEAR, width=MANY, n=300)
    expected = {
        "bias": 0.7**2 / 2,
        "variance_samples": 0.3 * 0.7 / 2,
        "variance_noise": 0.25 * 0.3 / 0.7 / 2,
    }
    for name in NAMES:
        assert found[name][0] == pytest.approx(expected.get(name, 0.0), abs=1e-6), name


@pytest.mark.parametrize("dynamics", ["flow", "ridge"])
def test_endless_linear_features_are_no_features_at_all(dynamics: str) -> None:
    """The parts of linear students of the inputs themselves, from formulas of another system.

    Its largest strength is 1, here the mean square is: times, ridge and weights are in other units.
    """
    shared = {"d": 100, "p": 40, "kappa": 5.0, "n": 70, "noise": 0.4}
    unit, start = 1 / (0.4 + 0.6 / 25), 0.3 if dynamics == "flow" else 0.0
    times = np.array([0.1, 1.0, 10.0, 1000.0])
    found = split(dynamics, times, **shared, init=start, width=MANY, activation="linear", ridge=0.02)
    asked = {"problem": "multiscale", "route": "asymptotic", "observable": "parts", "dynamics": dynamics}
    scaled = {"times": times * unit, "ridge": 0.02 / unit, "init": start * np.sqrt(unit)}
    other = ts.curve(**asked, **shared, **scaled).sum("scale")
    pairs = (
        (found["bias"] + found["variance_samples"], other.bias),
        (found["variance_noise"], other.variance),
        (found["variance_start"], other.start),
    )
    for mine, theirs in pairs:
        np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=1e-12)


def test_the_parts_of_features_fade_as_features_become_many() -> None:
    names = [name for name in NAMES if "features" in name]
    some, more = (
        split("flow", [3.0, 300.0], d=1000, n=700, width=width, noise=0.5) for width in (10**8, 10**10)
    )
    for name in names:
        np.testing.assert_allclose(some[name] / more[name], 100, rtol=1e-3)


# What is exactly absent, or in proportion -------------------------------------------------------------

PLAIN: dict[str, Any] = {"d": 1000, "n": 1500, "width": 1200, "noise": 0.5, "init": 0.5, "ridge": 0.02}


def test_of_an_even_teacher_nothing_is_learned_and_all_is_noise() -> None:
    found = split("flow", TIMES, **PLAIN, teacher_hermite=(0.0, 0.0, 0.8))
    for name in ("R", "bias", "variance_features"):
        assert not found[name].any(), name
    assert same(found["unlearnable"], 0.8**2 / 2, 4)
    noisy = split("flow", TIMES, **{**PLAIN, "noise": 0.8}, teacher_hermite=(0.0, 1e-30))
    np.testing.assert_allclose(found["variance_samples"], noisy["variance_noise"], rtol=1e-12)
    late = found["variance_features_samples"], noisy["variance_features_noise"]
    np.testing.assert_allclose(*late, rtol=1e-12)


def test_noise_and_start_stay_in_their_own_parts() -> None:
    once = split("flow", TIMES, **PLAIN)
    for option, names in (("noise", NOISE), ("init", ("variance_start",))):
        twice = split("flow", TIMES, **{**PLAIN, option: 1.0})
        without = split("flow", TIMES, **{**PLAIN, option: 0.0})
        for name in NAMES:
            assert not (name in names and without[name].any())
            np.testing.assert_allclose(twice[name], once[name] * (4 if name in names else 1), rtol=1e-12)


# What must rise or fall, and digits ---------------------------------------------------------------------


def test_bias_and_start_fall_and_noise_rises_over_all_of_training() -> None:
    """p(c) falls with time at every eigenvalue, f(c) rises: so do their averages over any spectrum."""
    for values in (PLAIN, {**PLAIN, "width": 1500, "ridge": 0.0}, drawn(1), drawn(2)):
        found = split("flow", np.geomspace(1e-6, 1e4, 60), **values)
        slack = 1e-12
        for falling in (found["bias"], found["variance_start"]):
            assert np.all(np.diff(falling) <= slack * falling[:-1])
        rising = sum(found[name] for name in NOISE)
        assert np.all(np.diff(rising) >= -slack * rising[:-1])


def test_early_parts_keep_their_digits() -> None:
    """As the output, all but bias and start begin as the square of time."""
    found = split("flow", [1e-12, 1e-10], **PLAIN)
    for name in NAMES:
        if name.startswith("variance") and name != "variance_start":
            early, later = found[name]
            assert later / early == pytest.approx(1e4, rel=1e-8), name
