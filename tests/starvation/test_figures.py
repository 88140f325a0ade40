"""Gradient starvation: what captions say holds for the numbers drawn, and checks judge what they say."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.figures.starvation import app_fig1, app_fig2, map_starvation, two_moons
from teacherstudent.paper_checks.judging.evidence import run_check
from teacherstudent.paper_checks.starvation import experiments, jacobian
from teacherstudent.sims.starvation import experiment
from teacherstudent.theory.starvation import starving
from tests.drawing import numbers


@pytest.mark.thorough
def test_ends_starve_under_ridge_and_agree_under_decoupling() -> None:
    """App. Fig. 1's caption: ends by s1, and the overshoot of the strongest."""
    ridge, decoupled = (numbers("app-fig1")[f"ends_{panel}"] for panel in app_fig1.PANELS)
    assert np.all(np.diff(ridge["z1"]) > 0)
    assert np.all(np.diff(ridge["z2"]) < 0)
    for z in (decoupled["z1"], decoupled["z2"]):
        np.testing.assert_allclose(z, z[0], rtol=1e-12)  # margins without S in them
    primal = numbers("app-fig1")["theory_primal_s1_6"]["z1"]
    assert float(primal.max()) > 1.005 * float(ridge["z1"][-1])


@pytest.mark.thorough
def test_all_paths_of_the_decoupled_dual_are_one_and_those_of_the_primal_are_not() -> None:
    def apart(dynamics: str) -> float:
        paths = (numbers("app-fig1")[f"simulation_{dynamics}_s1_{s1}"] for s1 in (2, 6))
        weak, strong = (app_fig1.responses(path) for path in paths)
        return float(np.hypot(*(weak - strong).T).max())

    assert apart("decoupled") < 1e-6  # same times up to the interpolation of shares
    assert apart("primal-decoupled") > 0.3


@pytest.mark.thorough
def test_what_is_left_of_the_paths_is_step_size() -> None:
    """App. Fig. 1: 0 but for the next order, which is largest where a dual starts, like 1/log(1/alpha0)."""
    for name, answer in numbers("app-fig1").items():
        if name.startswith("simulation"):
            assert answer["error"].count() >= 12
            assert float(answer["error"].max()) < 2 / np.log(1 / app_fig1.ALPHA0)


@pytest.mark.thorough
def test_starvation_changes_sign_where_the_caption_says() -> None:
    """map-starvation: Thm. 6.3.5 up to 1/sqrt 2, and for |z2| at all positive couplings."""
    shown = numbers("map-starvation")
    for name, value in (("uncoupled", 0.0), ("diagonal", 0.5**0.5)):
        np.testing.assert_allclose(shown["zeros_ratio"][name], value, atol=1e-12)  # the root finder's
    np.testing.assert_allclose(shown["zeros_delta"]["equal"], 1, atol=1e-12)
    fields = shown["fields"]
    shrinks = -np.sign(np.log(fields["ratio"])) * np.sign(fields["delta"])
    assert np.all(np.sign(fields["elasticity"]) == shrinks)
    assert np.all(np.sign(fields["slope"]) == shrinks * np.sign(0.5**0.5 - fields["delta"]))


@pytest.mark.thorough
def test_simulated_starvation_is_that_of_theory_to_the_square_of_the_change() -> None:
    spots = numbers("map-starvation")["spots"]
    assert spots.sizes["spot"] == len(map_starvation.SPOTS)
    assert float(abs(spots["relative_error"]).max()) < 2 * spots.attrs["change"] ** 2


def test_every_published_regulariser_is_compared() -> None:
    assert {case.recipe for case in app_fig2.CASES} == set(experiment.RECIPES)
    assert any(case.longer for case in app_fig2.CASES)


def test_the_strong_features_of_the_moons_are_linear_in_the_input() -> None:
    """Ch. 6 Fig. 1: the three strongest features and 1, x0, x1 span nearly the same margins."""
    seeds = [1, 2]
    inputs, labels = experiment.two_moons(seeds, 100, two_moons.GAP)
    kernels = experiment._tangent_kernels(experiment.initial_networks(seeds, 100), inputs, False)
    for x, y, kernel in zip(inputs, labels, np.asarray(kernels), strict=True):
        strengths, vectors = np.linalg.eigh(y[:, None] * kernel * y)
        strong = vectors[:, -two_moons.STRONG :]
        linear = np.linalg.qr(np.column_stack([np.ones(100), x]))[0] * y[:, None]
        assert np.linalg.svd(linear.T @ strong)[1].min() > 0.97  # cosine of the largest angle
        assert strengths[-two_moons.STRONG] > 3 * strengths[-two_moons.STRONG - 1]


def test_decoupling_ends_on_the_line_of_theory() -> None:
    """Ch. 6 Fig. 1: sigma(-m) = lambda m at a weight of 0.003 beside a mean loss."""
    end = numbers("ch6-fig1")["theory"]
    margin = end.attrs["margin"]
    assert margin == pytest.approx(1 / (1 + np.exp(margin)) / 0.006, rel=1e-12)
    np.testing.assert_allclose(np.hypot(end["strong"], end["weak"]), margin, rtol=1e-12)


def test_the_check_that_nothing_starves_sees_what_is_off_the_diagonal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An error that leaves every feature's own slope right, in the theory's function."""
    right = starving.response_jacobian

    def mixed(*arguments: object) -> np.ndarray:
        found = right(*arguments)
        return found + 5.0 * (1 - np.eye(len(found)))

    assert run_check(jacobian.SQUARED).passed
    monkeypatch.setattr(starving, "response_jacobian", mixed)
    assert run_check(jacobian.SQUARED).verdict.refutes


def test_too_few_networks_refute_nothing_about_their_boundaries() -> None:
    """Gains of either sign that two networks cannot tell from none: no claim about them is refuted."""
    margins = np.array([0.1, 0.3])
    shapes = {
        name: {"margin": margins + own, "bend": margins - own, "strong": margins + own, "weak": margins - own}
        for name, own in {"no gap": margins**2, "plain": 0.0, "decoupled": np.array([0.2, 0.0])}.items()
    }
    for claim in (experiments.MOONS.claim, *(each.claim for each in experiments.MOONS.wrong)):
        verdict = experiments.MOONS.judge(shapes, claim(shapes))
        assert not verdict.agrees
        assert not verdict.refutes
