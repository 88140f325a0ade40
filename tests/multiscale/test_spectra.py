"""Limiting spectra: the Marchenko-Pastur law, moments, certified resolvents, and drawn matrices."""

from __future__ import annotations

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import shrinking_bias, within_errors
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory import marchenko_pastur, spectra
from teacherstudent.theory.resolvents import Spectrum, resolvent
from tests.roundings import unrounded
from tests.support import say

LAWS = {
    "one strength": Spectrum(0.7, np.ones(1), np.full(1, 4.0)),
    "equal strengths": Spectrum(1.4, np.array([0.3, 0.7]), np.full(2, 4.0)),
    "a gap": Spectrum(1.1, np.array([0.7, 0.3]), np.array([1.0, 4e-4])),
    "fewer samples than fast features": Spectrum(0.5, np.array([0.7, 0.3]), np.array([1.0, 4e-4])),
    "bands that have merged": Spectrum(2.0, np.array([0.4, 0.6]), np.array([1.0, 0.5])),
    "as many samples as features": Spectrum(1.0, np.array([0.5, 0.5]), np.array([1.0, 1e-2])),
    "far apart": Spectrum(3.0, np.array([0.2, 0.3, 0.5]), np.array([1e-9, 1.0, 1e-4])),
}
law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


@pytest.mark.parametrize("alpha", [0.5, 0.999, 1.0, 2.0])
def test_one_strength_is_the_marchenko_pastur_law(alpha):
    spectrum = Spectrum(alpha, np.ones(1), np.full(1, 4.0))
    edges = 4 * np.array(marchenko_pastur.edges(alpha))
    np.testing.assert_allclose(spectra.bands(spectrum).edges[0], edges, rtol=1e-10)
    at = spectra.along(spectra.bands(spectrum).edges, 100)[1:-1]
    expected = marchenko_pastur.density(alpha, at / 4) / 4
    np.testing.assert_allclose(spectra.density(spectrum, at), expected, rtol=1e-8)


def averages(spectrum: Spectrum, powers: tuple[int, ...]) -> list[float]:
    """The average of each power of the eigenvalues by Gauss's rule in the angle between a band's ends."""
    node, weight = np.polynomial.legendre.leggauss(200)
    psi = np.pi / 4 * (1 + node)
    totals = np.zeros(len(powers))
    for low, high in spectra.bands(spectrum).edges:
        low = low or 1e-12 * high  # below it less than 1e-6 of the mass
        at = low * (high / low) ** (np.sin(psi) ** 2)
        step = np.pi / 4 * weight * at * np.log(high / low) * np.sin(2 * psi)
        density = spectra.density(spectrum, at)
        totals += [np.sum(step * density * at**power) for power in powers]
    return list(totals)


@law
def test_mass_and_moments(law):
    """Moments of X^T X: alpha tr s, and alpha^2 tr s^2 + alpha (tr s)^2. The rule errs by its cut-off."""
    first, second = (float(law.weights @ law.strengths**power) for power in (1, 2))
    expected = [min(1, law.alpha), law.alpha * first, law.alpha**2 * second + law.alpha * first**2]
    np.testing.assert_allclose(averages(law, (0, 1, 2)), expected, rtol=2e-6)


@law
def test_the_share_below_is_the_integral_of_the_density(law):
    where = spectra.bands(law)
    for (low, high), before, after in zip(where.edges, where.below[:-1], where.below[1:], strict=True):
        assert after > before
        ends = np.array([low or 1e-12 * high, high])
        inner = ends[0] * (ends[1] / ends[0]) ** np.array([1e-9, 0.3, 0.6, 1 - 1e-9])
        share = spectra.share_below(law, inner)
        # the square root at an end leaves about 1e-9 ** 1.5 there, the one at zero 1e-6
        np.testing.assert_allclose(share[[0, -1]], [before, after], atol=2e-6)
        node, weight = np.polynomial.legendre.leggauss(400)
        between = np.exp(np.log(inner[1]) + np.log(inner[2] / inner[1]) * (1 + node) / 2)
        mass = np.sum(spectra.density(law, between) * between * weight) * np.log(inner[2] / inner[1]) / 2
        assert mass == pytest.approx(share[2] - share[1], rel=1e-9)


@law
def test_the_density_is_that_of_the_certified_resolvent(law):
    """So close above the axis that it is smoothed by an amount of the order of the angle, 1e-6."""
    at = spectra.along(spectra.bands(law).edges, 60).reshape(-1, 60)[:, 15:-15].ravel()
    near = resolvent(law, at * np.exp(1j * np.pi * (1 - 1e-6)))
    assert np.all(near.converged)
    np.testing.assert_allclose(spectra.density(law, at), -(near.qz / near.z).imag / np.pi, rtol=1e-4)


@law
def test_the_last_band_ends_where_descent_says(law):
    assert spectra.bands(law).edges[-1, -1] == pytest.approx(law.upper_edge(), rel=1e-12)


def test_drawn_eigenvalues_lie_below_the_law_s_deciles_as_often_as_it_says():
    """Rigid spectra: one eigenvalue up or down, 1/d, is all that finite size can do to a count here."""
    problem = PROBLEM.instance(n=440, scales=((280, 1.0), (120, 0.1)))
    inputs = draw(problem, range(8)).inputs * np.repeat(problem.sigmas, problem.counts)
    eigenvalues = np.linalg.svd(inputs, compute_uv=False) ** 2
    at = np.quantile(eigenvalues, np.linspace(0.05, 0.95, 10))
    share = np.mean(eigenvalues[..., None] < at, axis=1)
    claimed = ts.spectrum("multiscale", eigenvalues=at, n=440, scales=((280, 1.0), (120, 0.1)))
    stderr = share.std(axis=0, ddof=1) / np.sqrt(8)

    def judged(factor: float) -> bool:
        return within_errors(
            share.mean(axis=0), factor * claimed["share_below"].values, stderr, degrees=7, bias=1 / problem.d
        ).agrees

    assert judged(1.0)
    assert not judged(1.05)


def test_the_answer_names_its_axes_and_shares_its_question_with_curve():
    question = dict(n=50, d=100, p=60, kappa=20.0, noise=0.3)
    answer = ts.spectrum("multiscale", **question)
    ts.curve("multiscale", dynamics="flow", route="asymptotic", times=[1.0], **question)
    assert unrounded(answer["zeros"], 0.5)
    assert answer["band_edge"].dims == ("band", "end")
    assert np.all(np.diff(answer["eigenvalue"]) > 0)
    assert {"units", "symbol", "long_name"} <= answer["density"].attrs.keys()
    assert {"problem", "instance", "alpha", "source", "teacherstudent", "numpy"} <= answer.attrs.keys()


@pytest.mark.parametrize("eigenvalues", [[], [0.0, 1.0], [2.0, 1.0], [1.0, np.inf]])
def test_eigenvalues_that_have_no_density_are_refused(eigenvalues):
    with pytest.raises(InputError, match="increasing list of positive"):
        ts.spectrum("multiscale", eigenvalues=eigenvalues)


def test_other_systems_have_no_spectrum_here():
    with pytest.raises(InputError, match="multiscale"):
        ts.spectrum("linear-network")


def test_many_bands_are_drawn_with_fewer_points_and_too_many_refused() -> None:
    law = ts.spectrum("measured-spectrum", n=2**31, size=200)
    assert (law.sizes["band"], law.sizes["eigenvalue"]) == (200, 3000)
    np.testing.assert_allclose(law.share_below[-1], 1, atol=1e-9)
    with pytest.raises(InputError, match=r"eigenvalues None: must be given .* 1000 bands \(here 1200\)"):
        ts.spectrum("measured-spectrum", n=2**31, size=1200)


TIMES = np.geomspace(0.1, 1e6, 7)


def spread(d: int) -> tuple[tuple[int, float], ...]:
    """Every feature with a strength of its own, from 1 to 0.1."""
    return tuple((1, 10 ** (-(i + 0.5) / d)) for i in range(d))


@pytest.mark.parametrize("share", [1.5, 0.5])
def test_a_strength_for_every_feature_approaches_its_limit(share):
    """Drawn data of d strengths against the limit of these d scales: bias like 1/d."""
    draws = {10: 2500, 20: 1200, 40: 600}
    differences = []
    for d, count in draws.items():
        asked = {"n": round(share * d), "scales": spread(d)}
        limit = run("multiscale", "flow", "asymptotic", TIMES[:4], **asked)
        drawn = run("multiscale", "flow", "instance", TIMES[:4], seeds=range(count), **asked)
        differences.append(drawn["excess_risk"].values - limit["excess_risk"].values)
    assert shrinking_bias(list(draws), differences, -1).verdict(-1).agrees


def test_the_command_line_takes_a_strength_for_every_feature():
    scales = ",".join(f"{count}:{sigma:.6g}" for count, sigma in spread(12))
    said = say(
        "curve", "multiscale", "--dynamics", "descent", "--route", "simulation", "--seeds", 2, "--n", 20,
        "--scales", scales, "--times", "1:100:2",
    )  # fmt: skip
    assert said.status == 0
    assert said.out.startswith("time,R,Q,excess_risk,")
