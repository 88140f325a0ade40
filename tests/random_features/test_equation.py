"""The scalar equation of random features against all of its roots; turns over training; saddle points."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.random_features.kit import overlaps
from teacherstudent.paper_checks.random_features.kit.asking import Nonlinearity
from teacherstudent.paper_checks.random_features.kit.overlaps import Student
from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.theory import spectra
from teacherstudent.theory.random_features import edges, landmarks, spectrum
from teacherstudent.theory.random_features.equation import at_zero, is_certified_root, solve
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.random_features.motion import Flow
from tests.roundings import unrounded

made = PROBLEM.instance

Sizes = tuple[int, int, list[int]]
LAWS: dict[str, tuple[Sizes, list[float], float]] = {
    "more samples": ((600, 300, [200]), [1.0], 0.1),
    "more features, two bands": ((300, 600, [200]), [0.5], 0.01),
    "two scales, three bands": ((300, 900, [50, 150]), [1.0, 0.01], 1e-4),
    "linear, few samples": ((100, 900, [50, 150]), [1.0, 0.01], 0.0),
    "linear, few inputs": ((900, 600, [50, 250]), [1.0, 0.02], 0.0),
    "nothing linear": ((400, 600, [200]), [0.0], 0.1),
    "as many samples as features": ((300, 300, [100]), [1.0], 0.01),
}
law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def model(sizes: Sizes, u: list[float], rest: float, **values: float) -> Model:
    """One without anything but its features."""
    n, width, counts = sizes
    given = {"c1": 1.0, "hidden": 0.0, "noise": 0.0, "init": 0.0, "ridge": 0.0, **values}
    return Model(float(n), float(width), np.array(counts, float), np.array(u), rest, **given)


def roots(of: Model, z: complex) -> np.ndarray:
    """All y at z: of the polynomial that the equation is when multiplied by all (1 + u y)^2."""
    factors = [np.poly1d([u, 1.0]) for u in of.u]
    whole = reduce(mul, factors)
    E = np.poly1d([of.rest, 0.0]) * whole
    for k, (m, u) in enumerate(zip(of.m, of.u, strict=True)):
        E = E + reduce(mul, [*factors[:k], *factors[k + 1 :]], np.poly1d([m * u, 0.0]))
    left = (of.psi1 * whole - E) * (of.psi2 * whole - E) - np.poly1d([of.psi1 * z, 0.0]) * whole * whole
    return np.asarray(left.roots)


def drawn(seed: int) -> Model:
    """Sizes over six decades, strengths over four, in every third case as many samples as features."""
    random = np.random.default_rng(seed)
    n, width = (int(100 * 10 ** random.uniform(-2, 3)) for _ in range(2))
    counts = random.integers(1, 100, size=1 + seed % 2)
    u = 10 ** random.uniform(-4, 0, size=counts.size)
    sizes = (n, n if seed % 3 == 0 else width, counts.tolist())
    return model(sizes, u.tolist(), random.choice([0.0, 1e-3, 0.1]))


@pytest.mark.parametrize("seed", range(16))
def test_of_all_roots_one_is_certified_and_found(seed: int) -> None:
    of, random = drawn(seed), np.random.default_rng([seed, 1])
    z = edges.upper(of) * 10 ** random.uniform(-4, 2, 10) * np.exp(1j * random.uniform(0.2, 2.9, 10))
    found = solve(of, z)
    assert found.converged.all()
    for point, y in zip(z, found.y, strict=True):
        each = roots(of, point)
        each = each[np.isfinite(each)]
        apart = np.abs(each / y - 1)
        assert apart.min() < 1e-5  # eigenvalues of a companion matrix lose digits where roots are far apart
        nearest = np.arange(apart.size) == np.argmin(apart)
        near = np.where(nearest, y, each)
        assert unrounded(is_certified_root(of, np.full(near.size, point), near), nearest)


def test_the_conjugate_and_another_root_are_no_answer() -> None:
    of, z = model(*LAWS["two scales, three bands"]), np.array([0.1 + 0.2j])
    assert is_certified_root(of, z, solve(of, z).y).all()
    assert not is_certified_root(of, z, solve(of, z).y.conj()).any()
    assert not is_certified_root(of, z, solve(of, z).y * (1 + 1e-9)).any()


@law
def test_between_and_beyond_bands_all_roots_are_real(law: Any) -> None:
    of = model(*law)
    found = spectrum.bands(of)
    for low, high in found.edges:
        for edge, inward in ((low, 1), (high, -1)):
            if edge:
                assert not np.imag(roots(of, -edge * (1 - inward * 1e-4))).any()
                assert np.abs(np.imag(roots(of, -edge * (1 + inward * 1e-4)))).max() > 0


@law
def test_the_density_has_mass_moments_and_the_share_for_its_integral(law: Any) -> None:
    """The mean eigenvalue is that of Phi^T Phi: n/N times the variance of a feature."""
    of = model(*law)
    found = spectrum.bands(of)
    node, weight = np.polynomial.legendre.leggauss(300)
    psi, mass, mean = np.pi / 4 * (1 + node), found.below[0], 0.0
    for (low, high), below, above in zip(found.edges, found.below[:-1], found.below[1:], strict=True):
        low = low or 1e-14 * high
        at = low * (high / low) ** (np.sin(psi) ** 2)
        density, share = spectrum.laws(of, found, at)
        step = np.pi / 4 * weight * at * np.log(high / low) * np.sin(2 * psi) * density
        assert np.all(np.diff(share) > 0)
        assert share[0] == pytest.approx(below, abs=1e-3)
        mass, mean = mass + step.sum(), mean + step @ at
        assert mass == pytest.approx(above, abs=1e-6)  # what is cut off at 0
    assert mean == pytest.approx(of.psi2 / of.psi1 * (of.m @ of.u + of.rest), rel=1e-9)


def test_the_announced_spectrum_of_features_without_a_linear_part_is_that_of_marchenko_and_pastur() -> None:
    law = spectrum.limit(PROBLEM.instance(n=50, width=200, d=30, hermite=(0.0, 0.0, 2.0)), None)
    ends = 4.0 * (1 + np.array([-1, 1]) * np.sqrt(0.25)) ** 2
    np.testing.assert_allclose(law["band_edge"], [ends], rtol=1e-12)
    at = np.asarray(law["eigenvalue"])
    expected = np.sqrt(np.maximum((ends[1] - at) * (at - ends[0]), 0)) / (2 * np.pi * 4.0 * at)
    np.testing.assert_allclose(law["density"], expected, atol=1e-7)
    assert unrounded((law["zeros"], law["alpha"]), (0.75, 0.25))


@pytest.mark.parametrize("more", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_gap_that_closes_keeps_its_digits(more: float) -> None:
    """Near n = N the lower edge is gap^2/(4 psi1 y) (1 + O(gap))."""
    n = 10**12
    of = model((n, n + round(more * n), [n // 2]), [1.0], 0.1)
    expected = of.gap**2 / (4 * of.psi1 * at_zero(of).y[0])
    assert edges.lower(of) == pytest.approx(expected, rel=10 * more + 1e-9)


@pytest.mark.parametrize(
    "sizes", [(300, 300, [100]), (100, 300, [100]), (300, 100, [100]), (100, 100, [100])]
)
def test_a_spectrum_of_linear_features_begins_at_zero_where_the_least_size_is_met_twice(sizes: Sizes) -> None:
    n, width, (d,) = sizes
    touching = sorted((n, width, d))[0] == sorted((n, width, d))[1]
    assert (edges.lower(model(sizes, [1.0], 0.0)) == 0) == touching
    assert (edges.lower(model(sizes, [1.0], 0.1)) == 0) == (n == width)


@pytest.mark.parametrize("size", [1e-30, 1e-12, 1e-3, 1.0, 1e12])
def test_the_smaller_difference_keeps_its_digits(size: float) -> None:
    """(psi1 - E)(psi2 - E) = psi1 z y, whose factors differ by psi1 - psi2; Im of both has the sign of z."""
    for n in (300, 301, 900):
        of = model((n, 300, [100]), [1.0], 0.1)
        z = size * np.exp(1j * np.linspace(0.1, 3.0, 20))
        at = solve(of, z)
        assert at.converged.all()
        np.testing.assert_allclose(at.features * at.samples, of.psi1 * z * at.y, rtol=1e-12)
        assert np.all(at.features.imag >= 0)
        E = at.floor + at.learned @ of.m
        np.testing.assert_allclose(at.features, of.psi1 - E, rtol=0, atol=1e-12 * of.psi1)


def test_densities_are_drawn_in_every_band() -> None:
    of = model(*LAWS["two scales, three bands"])
    found = spectrum.bands(of)
    assert len(found.edges) == 3
    density, _ = spectrum.laws(of, found, spectra.along(found.edges, 9))
    assert np.all(density.reshape(3, 9)[:, 1:-1] > 0)
    gap = np.sqrt(found.edges[:-1, 1] * found.edges[1:, 0])
    density, share = spectrum.laws(of, found, gap)
    assert density.tolist() == [0, 0]
    np.testing.assert_allclose(share, found.below[1:-1])


TWO_SCALES: dict[str, Any] = {
    "hermite": (0.0, 0.99**0.5, 0.0, 0.01**0.5),
    "psi1": 6.5,
    "psi2": 0.55,
    "scales": ((220, 13.0), (780, 1.0)),
}


def test_two_scales_descend_twice() -> None:
    found = ts.turns("random-features", **TWO_SCALES)
    assert found["is_minimum"].values.tolist() == [True, False]
    assert landmarks.descents(made(**TWO_SCALES)) == 2
    times = [0.3, 3, 1000]
    curve = ts.curve("random-features", dynamics="flow", route="asymptotic", times=times, **TWO_SCALES)
    np.testing.assert_allclose(2 * curve["excess_risk"], [0.9187, 1.1364, 0.8822], atol=6e-5)


@pytest.mark.parametrize("seed", range(5))
def test_alike_inputs_learned_from_nothing_never_descend_twice_by_much(seed: int) -> None:
    """What rises and falls again does so by less than 2e-4 of the least risk."""
    random = np.random.default_rng(seed)
    psi1, psi2 = 10 ** random.uniform(-1, 1, 2)
    noise, activation = random.choice([0.0, 0.5]), random.choice(["relu", "erf", "sign", "tanh"])
    curve = landmarks.risk_curve(made(psi1=psi1, psi2=psi2, d=1000, noise=noise, activation=str(activation)))
    risk = curve.value(np.linspace(curve.low, curve.high, 400))
    before, after = np.minimum.accumulate(risk), np.minimum.accumulate(risk[::-1])[::-1]
    bump = np.minimum(risk - before, risk - after).max()
    assert bump < 2e-4 * risk.min()


@pytest.mark.parametrize(
    "question",
    [
        {**TWO_SCALES, "init": 0.5, "noise": 0.3, "ridge": 1e-4},
        {"n": 50, "width": 50, "d": 30, "init": 1.0, "teacher": "sign"},
        {"n": 50, "width": 80, "d": 50, "activation": "linear", "noise": 0.3},
    ],
)
def test_slope_and_bend_are_those_of_the_curve(question: dict[str, Any]) -> None:
    flow, x, step = Flow.of(Model.of(made(**question))), np.linspace(-3, 6, 7), 1e-4
    here, after, before = flow.at(x), flow.at(x + step), flow.at(x - step)
    scale = here.size + step**2 * np.abs(here.value)
    for found, curve in ((here.slope, "value"), (here.bend, "slope")):
        difference = (getattr(after, curve) - getattr(before, curve)) / (2 * step)
        assert np.all(np.abs(found - difference) < 1e-6 * scale)


@pytest.mark.parametrize(
    "question",
    [
        {"n": 50, "width": 50, "d": 30},
        {"n": 50, "width": 80, "d": 50, "activation": "linear"},
        {"n": 80, "width": 50, "d": 50, "activation": "linear"},
        {"n": 50, "width": 10**9, "d": 30, "hermite": (0.0, 0.0, 1.0)},
        {"n": 1, "width": 1, "d": 10**9},
        {"n": 500, "width": 501, "d": 30, "init": 1.0, "ridge": 1e-9},
    ],
)
def test_sizes_that_are_equal_or_far_apart_are_answered(question: dict[str, Any]) -> None:
    curve = landmarks.risk_curve(made(noise=0.3, **question))
    assert curve.low < curve.high
    assert np.isfinite(curve.slope(np.linspace(curve.low, curve.high, 50))).all()
    found = landmarks.extrema(made(noise=0.3, **question))
    assert [each.is_minimum for each in found] == [True, False, True, False][: len(found)]


def test_a_ridge_that_works_beyond_all_times_is_refused() -> None:
    with pytest.raises(InputError, match="times that are too late"):
        landmarks.extrema(made(n=50, width=80, init=0.1, ridge=1e-200))


def test_a_linear_student_of_a_linear_teacher_without_noise_only_gains() -> None:
    assert landmarks.extrema(made(n=300, width=200, d=100, activation="linear")) == ()
    assert landmarks.descents(made(n=300, width=200, d=100, activation="linear")) == 1


def test_a_fixed_point_that_is_not_reached_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlaps, "MOST", 300)
    own = Nonlinearity(0.6, 0.05)
    at = Student(3.0, 2.0, own).fixed_point()
    assert at.risk(own) > 0
    with pytest.raises(ArithmeticError, match="no fixed point after 300 steps"):
        Student(3.0, 3.0, own, lam=1e-9).fixed_point()
