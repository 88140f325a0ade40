"""The two laws of the worst groups, in which agreement cannot reveal a mistake, and what captions say."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from teacherstudent.figures.spurious_groups import ch8_fig1, ch8_fig2
from teacherstudent.paper_checks.judging.agreement import within_bound, within_errors
from teacherstudent.paper_checks.judging.draws import RESOLVABLE
from teacherstudent.problems.spurious_groups import METHODS, PROBLEM
from teacherstudent.problems.spurious_groups.data import (
    draw,
    fresh,
    kept,
    sampling_probabilities,
)
from tests.drawing import numbers
from tests.roundings import copied, same

EPS = np.finfo(float).eps
SEEDS = range(6)


def of(**asked):
    return PROBLEM.instance(**{"n": 400, "noise_features": 30} | asked)


def test_the_defaults_are_those_of_the_published_code() -> None:
    problem = PROBLEM.instance()
    assert (problem.n, problem.noise_features, problem.dimension) == (1000, 1200, 1202)
    assert (problem.gamma_spurious, problem.gamma_core, problem.gamma_noise) == (4, 1, 4)
    assert (problem.feature_std, problem.noise_std, problem.test_noise) == (0.15, 1, "zero")
    assert list(problem.scales[[0, 1, 2, -1]]) == [4, 1, 4, 4]
    options = {option.name: option.default for option in PROBLEM.on_clock("descent").options}
    published = {"learning_rate": 1e-5, "batch_size": 250, "momentum": 0.9, "weight_decay": 0}
    assert options.items() >= published.items()
    printed = PROBLEM.instance(law="printed")
    assert (printed.gamma_noise, printed.noise_std, printed.test_noise) == (20, 0.15, "fresh")
    assert PROBLEM.instance(law="printed", gamma_noise=2.0, test_noise="zero").gamma_noise == 2


def test_the_published_law_is_exact_where_the_code_is() -> None:
    problem = PROBLEM.instance(noise_features=2)
    draws = draw(problem, SEEDS)
    assert np.all((draws.labels != draws.attributes).sum(axis=1) == 199)
    assert np.all((draws.labels == -1).sum(axis=1) == 500)
    for signs, column in ((draws.attributes, 0), (draws.labels, 1)):
        means = (signs * draws.inputs[..., column]).mean(axis=1)
        assert within_bound(means - 1, 4 * EPS, "rounding of a mean of 1000 numbers near 1").agrees
    by_class = (draws.labels != draws.attributes)[:, :500].sum(axis=1)
    assert len(set(by_class)) > 1  # the minority is drawn among both classes together


def test_shares_are_rounded_to_whole_examples_where_counts_are_exact() -> None:
    assert of(minority=0.2001).minority == 0.2
    assert of(minority=0.2001, law="printed").minority == 0.2001


def test_the_printed_law_draws_attributes_one_by_one_and_centres_nothing() -> None:
    problem = of(law="printed", minority=0.2, n=1000, noise_features=3)
    draws = draw(problem, range(200))
    share = (draws.labels != draws.attributes).mean(axis=1)
    error = np.sqrt(0.2 * 0.8 / 1000)
    assert within_errors(share.mean(), 0.2, error / np.sqrt(200)).agrees
    assert share.std(ddof=1) == pytest.approx(error, rel=5 / np.sqrt(2 * 200))  # five standard errors
    core = draws.labels * draws.inputs[..., 1]
    assert core.mean(axis=1).std() > 0.15 / np.sqrt(1000) / 2
    assert within_errors(draws.inputs[..., 2:].std(), 0.15, 0.15 / np.sqrt(2 * 600_000)).agrees


def test_exact_counts_are_met_and_give_the_share() -> None:
    problem = PROBLEM.instance(groups=(40, 10, 30, 20), noise_features=2)
    assert (problem.n, problem.minority) == (100, 0.4)
    draws = draw(problem, [1])
    assert list(np.bincount(draws.groups[0])) == [40, 10, 30, 20]
    assert np.all(draws.labels[0, :50] == -1)
    assert np.all(draws.attributes[0, 40:50] == 1)


def test_tests_have_every_group_equally_often_and_noise_only_where_it_is_asked_for() -> None:
    plain, noisy = fresh(of(), [1, 2], 7), fresh(of(test_noise="fresh"), [1, 2], 7)
    assert plain.inputs.shape == (2, 28, 2)
    assert noisy.inputs.shape == (2, 28, 32)
    assert np.array_equal(noisy.inputs[..., :2], plain.inputs)
    assert np.all(np.bincount(plain.groups[0]) == 7)
    training = draw(of(test_noise="fresh"), [1, 2])
    assert not np.isin(noisy.inputs, training.inputs).any()
    many = fresh(of(), range(50), 100)
    for signs, column in ((many.attributes, 0), (many.labels, 1)):
        values = signs * many.inputs[..., column]
        assert within_errors(values.mean(), 1, 0.15 / np.sqrt(values.size)).agrees


def test_methods_and_scales_see_common_random_numbers() -> None:
    one = draw(of(), SEEDS)
    for changes in ({"method": "rwg"}, {"gamma_noise": 7.0}, {"feature_std": 0.3}):
        other = draw(of(**changes), SEEDS)
        assert np.array_equal(other.inputs[..., 2:], one.inputs[..., 2:])
        assert np.array_equal(other.attributes, one.attributes)
    assert not np.array_equal(one.inputs[0], one.inputs[1])
    assert np.array_equal(draw(of(), [3]).inputs[0], one.inputs[3])


@pytest.mark.parametrize("method", METHODS)
def test_batches_are_balanced_as_the_method_says(method: str) -> None:
    problem = of(method=method, groups=(60, 10, 20, 40), n=None)
    draws = draw(problem, SEEDS)
    keeps = kept(problem, draws, SEEDS)
    probabilities = sampling_probabilities(problem, draws, keeps)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(6))
    assert np.array_equal(probabilities > 0, keeps)
    counts = np.stack([(keeps & (draws.groups == g)).sum(axis=1) for g in range(4)], axis=-1)
    shares = np.stack([np.where(draws.groups == g, probabilities, 0).sum(axis=1) for g in range(4)], axis=-1)
    if method == "subg":
        assert np.all(counts == 10)
    elif method == "suby":
        assert np.all(counts[:, :2].sum(axis=1) == 60)
        assert len(set(counts[:, 1])) > 1  # which ones are kept is drawn
    else:
        assert np.all(counts == [60, 10, 20, 40])
    if method in ("rwg", "gdro", "subg"):
        assert shares == pytest.approx(np.full((6, 4), 1 / 4))
    if method in ("rwy", "suby"):
        assert shares[:, :2].sum(axis=1) == pytest.approx(np.full(6, 1 / 2))
    if method in ("erm", "jtt"):
        assert same(probabilities, 1 / 130, 2)


def test_a_subset_is_drawn_once_for_each_seed() -> None:
    problem = of(method="subg")
    draws = draw(problem, SEEDS)
    assert np.array_equal(kept(problem, draws, SEEDS), kept(problem, draws, SEEDS))
    alone = draw(problem, [4])
    assert np.array_equal(kept(problem, alone, [4])[0], kept(problem, draws, SEEDS)[4])


@pytest.mark.thorough
def test_no_balancing_is_needed_where_the_map_of_groups_says_so() -> None:
    """map-groups: a weak spurious feature needs none; the published setting does."""
    shown = numbers("map-groups")["plane_gamma_n"]
    weak, published = (shown.sel(gamma_s=gamma_s, gamma_n=4, method="nearest") for gamma_s in (0.125, 4))
    assert float(weak["zero"]) > 0.99
    assert float(weak["gain"]) > 0
    assert float(published["zero"]) < 0.01
    assert float(published["gain"]) < 0
    minority = numbers("map-groups")["plane_minority"]
    assert np.all(abs(minority["gain"].sel(minority=0.5)) < RESOLVABLE)  # nothing is left out


def test_equal_colours_are_equal_probabilities() -> None:
    """ch8-fig1: one scale for all students, the inverse of its own inverse, odd about 1/2."""
    probability = np.array([0.4, 0.4999, 0.5, 0.5001, 0.6])
    scale = ch8_fig1.stretched(probability)
    np.testing.assert_allclose(scale, -scale[::-1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ch8_fig1.relaxed(scale), probability, rtol=1e-12)


def test_the_title_says_how_many_seeds_chose_an_epoch() -> None:
    assert ch8_fig1.chosen(np.array([7, 7])) == "epoch 7"
    assert ch8_fig1.chosen(np.array([1, 500, 1])) == "epoch 1 (2 of 3 seeds) or 500 (1 of 3 seeds)"
    assert ch8_fig1.chosen(np.array([20, 33, 46])) == "epochs 20 to 46"


def test_methods_that_do_not_know_the_groups_are_drawn_by_the_best_of_them() -> None:
    """ch8-fig2: at each epoch, with the standard error of that method."""
    shown = {"erm": [0.5, 0.0], "rwy": [0.1, 0.2], "suby": [0.0, 0.0], "jtt": [0.0, 0.1]}
    answers = {
        method: xr.Dataset(
            {
                "worst_group_accuracy": ("time", values),
                "worst_group_accuracy_stderr": ("time", np.array(values) / 10),
            }
        )
        for method, values in shown.items()
    }
    best = ch8_fig2.best_of_the_blind(answers | {"subg": answers["erm"] + 1})
    assert copied(best["worst_group_accuracy"], [0.5, 0.2])
    assert same(best["worst_group_accuracy_stderr"], [0.05, 0.02], 2)
