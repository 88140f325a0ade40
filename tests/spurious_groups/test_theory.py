"""Theory of the worst groups against what it does not use: quadrature, another solver, limits, draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from teacherstudent import curve, onset
from teacherstudent.api.writing import as_csv
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.problems.spurious_groups import GROUPS, METHODS, PROBLEM
from teacherstudent.problems.spurious_groups.counts import BENCHMARKS, CELEBA, WATERBIRDS
from teacherstudent.problems.spurious_groups.data import draw, kept, sampling_probabilities
from teacherstudent.theory.spurious_groups import benchmarks, margin
from teacherstudent.theory.spurious_groups.accuracy import (
    core_error,
    group_accuracies,
    worst_group_accuracy,
)
from teacherstudent.theory.spurious_groups.balance import balance, expected_counts, smallest_group
from teacherstudent.theory.spurious_groups.initial import initial_gradient, training_accuracies
from teacherstudent.theory.spurious_groups.margin import Ensemble, max_margin
from teacherstudent.theory.spurious_groups.routes import ensemble
from teacherstudent.theory.spurious_groups.separability import smallest_ratio
from teacherstudent.theory.spurious_groups.shortfall import shortfall
from tests.roundings import copied, repeated, same

EPS = np.finfo(float).eps
PUBLISHED = Ensemble(4.0, 1.0, 4.0, 0.15, 0.199, 1.2)


def drawn_ensembles(count):
    """Ensembles over decades of every parameter, far enough from the edge of separability for any solver."""
    random = np.random.default_rng(8)
    scales = 10 ** random.uniform(-1, 1, (3, count))
    ratio = 0.55 * 10 ** random.uniform(0, 2, count)
    return Ensemble(*scales, 10 ** random.uniform(-1, 0.5, count), random.uniform(0.01, 0.5, count), ratio)


def one(ensembles, index):
    return Ensemble(*(float(column[index]) for column in vars(ensembles).values()))


# The direction of largest margin -----------------------------------------------------------------------


def mean_square(kappa, e, sigma, minority):
    """E[(kappa - m)_+^2] by quadrature."""
    spread = np.sqrt(sigma**2 * (e[0] ** 2 + e[1] ** 2) + e[2] ** 2)
    parts = []
    for share, mean in ((1 - minority, e[1] + e[0]), (minority, e[1] - e[0])):
        end = (kappa - mean) / spread
        integral = integrate.quad(
            lambda z, end=end: (end - z) ** 2 * stats.norm.pdf(z), -40, end, points=[-8, 0][: 2 * (end > 0)]
        )
        parts.append(share * spread**2 * integral[0])
    return sum(parts)


def test_the_mean_square_is_that_of_quadrature() -> None:
    for kappa, *e in ((1.0, 0.5, 0.1, 1.1), (-0.3, -2.0, 1.0, 0.2), (2.0, 0.0, 3.0, 0.5)):
        found = shortfall(np.array([kappa]), np.array([e]), np.array([0.3]), np.array([0.2])).square[0]
        assert found == pytest.approx(mean_square(kappa, e, 0.3, 0.2), rel=1e-7)


def test_its_derivatives_are_its_differences() -> None:
    x, step = np.array([0.7, 0.5, 0.3, 1.1]), 1e-5

    def at(x):
        return shortfall(x[:1], x[None, 1:], np.array([0.4]), np.array([0.2]))

    here = at(x)
    for i, unit in enumerate(step * np.eye(4)):
        up, down = at(x + unit), at(x - unit)
        # Central differences err by step^2/6 times a third derivative below 10, and by EPS/step.
        assert (up.square[0] - down.square[0]) / (2 * step) == pytest.approx(here.gradient[0, i], abs=1e-9)
        assert (up.gradient - down.gradient)[0] / (2 * step) == pytest.approx(here.hessian[0, i], abs=1e-9)


def test_the_direction_is_that_of_another_solver() -> None:
    ensembles = drawn_ensembles(12)
    found = max_margin(ensembles)
    for i in range(12):
        each = one(ensembles, i)
        scales = np.array([each.gamma_spurious, each.gamma_core, each.noise_scale])

        def slack(theta, each=each, scales=scales):
            e = scales * theta
            lacking = shortfall(np.ones(1), e[None], np.array([each.feature_std]), np.array([each.minority]))
            return np.sqrt(each.ratio) * e[2] - np.sqrt(lacking.square[0])

        other = optimize.minimize(
            lambda theta: theta @ theta,
            np.array([0.0, 0.0, 3.0]) / scales,
            jac=lambda theta: 2 * theta,
            constraints={"type": "ineq", "fun": slack},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        # |theta|^2 is flat around its minimum: known to 1e-14, it tells theta to about the root of that.
        e = scales * other.x / np.linalg.norm(other.x)
        mine = np.array([found.spurious[i], found.core[i], found.noise[i]])
        assert mine == pytest.approx(e, abs=1e-5 * np.abs(e).max())
        assert found.margin[i] == pytest.approx(1 / np.linalg.norm(other.x), rel=1e-6)


def test_the_published_example_as_solved_elsewhere() -> None:
    end = max_margin(PUBLISHED)
    # Three printed digits, at margin 1.
    assert end.spurious / end.margin == pytest.approx(0.489, abs=5.1e-4)
    assert end.core / end.margin == pytest.approx(0.1022, abs=5.1e-5)
    assert end.noise / end.margin == pytest.approx(1.110, abs=5.1e-4)
    assert end.support == pytest.approx(0.693, abs=5.1e-4)


def test_extreme_parameters_are_certified_or_not_separable() -> None:
    random = np.random.default_rng(5)
    scales = 10 ** random.uniform(-3, 3, (3, 60))
    sigma, ratio = 10 ** random.uniform(-2, 1, 60), 10 ** random.uniform(-6, 4, 60)
    minority = 10 ** random.uniform(-4, np.log10(0.5), 60)
    lost = np.flatnonzero(np.isnan(max_margin(Ensemble(*scales, sigma, minority, ratio)).margin))
    assert 0 < len(lost) < 30
    assert all(ratio[i] < smallest_ratio(sigma[i], minority[i]) for i in lost)


def test_rounding_of_the_margin_does_not_hide_its_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another processor may round it; the last steps descend by less than that."""
    kappa, random = margin._kappa, np.random.default_rng(0)

    def elsewhere(cone: margin._Cone, theta: np.ndarray) -> np.ndarray:
        exact = kappa(cone, theta)
        size = np.abs(cone.scales * theta).sum(axis=-1)
        return exact + 4 * margin.ROUNDING * size * random.uniform(-1, 1, exact.shape)

    case = Ensemble(0.0255306, 61.3202, 0.00783844, 0.228819, 1.637117e-4, np.full(50, 4.077e-4))
    exact = max_margin(case).margin
    monkeypatch.setattr(margin, "_kappa", elsewhere)
    np.testing.assert_allclose(max_margin(case).margin, exact, rtol=1e-6)


def test_an_ensemble_of_arrays_is_solved_like_its_entries() -> None:
    gammas, minorities = np.array([[0.5], [4.0]]), np.array([0.05, 0.2, 0.5])
    grid = max_margin(Ensemble(gammas, 1.0, 4.0, 0.15, minorities, 1.2))
    assert grid.core.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        alone = max_margin(Ensemble(gammas[i, 0], 1.0, 4.0, 0.15, minorities[j], 1.2))
        assert grid.core[i, j] == pytest.approx(float(alone.core), rel=1e-12)


def test_scales_of_all_features_together_scale_the_logits_alone() -> None:
    end, larger = max_margin(PUBLISHED), max_margin(Ensemble(12.0, 3.0, 12.0, 0.15, 0.199, 1.2))
    for name in ("spurious", "core", "noise", "margin"):
        assert getattr(larger, name) == pytest.approx(3 * getattr(end, name), rel=1e-7)
    assert larger.support == pytest.approx(end.support, rel=1e-7)


def test_balanced_groups_discard_the_spurious_feature() -> None:
    ensembles = drawn_ensembles(20)
    balanced = max_margin(Ensemble(**vars(ensembles) | {"minority": 0.5}))
    assert np.abs(balanced.spurious / balanced.noise).max() < 1e-9


def test_many_noise_features_fit_every_example_by_its_own_noise() -> None:
    end = max_margin(Ensemble(4.0, 1.0, 2.0, 0.15, 0.2, 1e8))
    # Orthogonal noise: all margins are |theta| noise_scale sqrt(d/n), and corrections are its inverse.
    assert end.margin == pytest.approx(2.0 * 1e4, rel=1e-3)
    assert end.support == pytest.approx(1, abs=1e-12)


def test_the_edge_of_separability_is_where_the_margin_ends() -> None:
    for sigma in (0.5, 1.0, 4.0):
        edge = smallest_ratio(sigma, 0.2)
        beside = max_margin(Ensemble(4.0, 1.0, 4.0, sigma, 0.2, edge * np.array([0.999, 1.001, 1.01])))
        assert list(np.isnan(beside.margin)) == [True, False, False]
        assert 0 < beside.margin[1] < beside.margin[2] < 0.1


def test_features_that_say_nothing_leave_half_as_many_noise_features_as_examples() -> None:
    assert smallest_ratio(1e4, 0.3) == pytest.approx(0.5, rel=1e-6)
    assert smallest_ratio(0.01, 0.3) == 0


# Accuracies, and what training starts with -----------------------------------------------------------


def test_accuracies_of_groups_are_normal_tails() -> None:
    found = group_accuracies(0.3, 0.5, 0.2, 0.4)
    spread = np.sqrt(0.4**2 * (0.3**2 + 0.5**2) + 0.2**2)
    assert found == pytest.approx(stats.norm.cdf(np.array([0.8, 0.2, 0.2, 0.8]) / spread), rel=1e-14)
    assert same(worst_group_accuracy(-0.3, 0.5, 0.2, 0.4), found.min(), 4)
    assert float(core_error(0.15)) == pytest.approx(1.31e-11, rel=2e-3)
    assert 1 - worst_group_accuracy(0.0, 1.0, 0.0, 0.15) == pytest.approx(float(core_error(0.15)), rel=1e-4)


def test_balanced_sampling_starts_without_the_spurious_feature_and_erm_with_it() -> None:
    erm, rwg = (initial_gradient(PROBLEM.instance(method=method)) for method in ("erm", "rwg"))
    assert erm.spurious / erm.core == pytest.approx(16 * (1 - 2 * 0.199), rel=1e-12)
    assert rwg.spurious == 0
    assert rwg.noise > erm.noise  # fewer examples carry the weight


@pytest.mark.parametrize("method", ["erm", "rwg"])
def test_the_first_step_classifies_training_examples_by_their_own_noise(method: str) -> None:
    problem = PROBLEM.instance(
        method=method, groups=(160, 40, 40, 160), noise_features=300, gamma_spurious=1.5, gamma_noise=0.8,
        feature_std=0.5,
    )  # fmt: skip
    seeds = range(40)
    draws = draw(problem, seeds)
    pi = sampling_probabilities(problem, draws, kept(problem, draws, seeds))
    signed = draws.labels[..., None] * draws.inputs * problem.scales
    weights = np.einsum("sn,snd->sd", pi, signed) / 2
    right = np.einsum("snd,sd->sn", signed, weights) > 0
    found = np.stack([right[draws.groups == g].reshape(40, -1).mean(axis=1) for g in range(4)], axis=-1)
    claimed = training_accuracies(initial_gradient(problem), problem.feature_std)
    stderr = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    verdict = within_errors(found.mean(axis=0), claimed, stderr, degrees=39, bias=1 / problem.n)
    assert verdict.agrees, verdict
    assert not within_errors(
        found.mean(axis=0), claimed - 0.05, stderr, degrees=39, bias=1 / problem.n
    ).agrees


def test_the_first_step_s_training_margins_are_normal_in_each_group() -> None:
    """Given the gradient, by Eq. 8.4.1: the own noise adds to the mean, both features to the spread."""
    problem = PROBLEM.instance(
        groups=(160, 40, 40, 160), noise_features=300, gamma_spurious=1.5, gamma_noise=0.8, feature_std=0.5
    )
    gradient = initial_gradient(problem)
    means = [
        gradient.core + y * a * gradient.spurious + own
        for (y, a), own in zip(GROUPS, gradient.own, strict=True)
    ]
    features = problem.feature_std * np.hypot(gradient.spurious, gradient.core)
    expected = [stats.norm.sf(0, mean, np.hypot(features, gradient.noise)) for mean in means]
    found = training_accuracies(gradient, problem.feature_std)
    np.testing.assert_allclose(found, expected, rtol=0, atol=16 * EPS)
    assert 0.1 < found[1] < 0.9  # where the own noise counts


# What methods keep -------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["published", "printed"])
@pytest.mark.parametrize(("n", "minority"), [(40, 0.1), (41, 0.5), (200, 0.2)])
def test_the_expected_size_of_the_smallest_group_is_that_of_draws(law: str, n: int, minority: float) -> None:
    problem = PROBLEM.instance(law=law, n=n, minority=minority, noise_features=1)
    groups = draw(problem, range(2000)).groups
    counts = np.stack([(groups == g).sum(axis=1) for g in range(4)], axis=-1)
    smallest = counts.min(axis=1)
    stderr = smallest.std(ddof=1) / np.sqrt(smallest.size)
    assert within_errors([smallest.mean()], smallest_group(problem), stderr).agrees
    assert not within_errors([smallest.mean()], expected_counts(problem).min(), stderr).agrees
    spread = counts.std(axis=0, ddof=1) / np.sqrt(len(counts))
    assert within_errors(counts.mean(axis=0), expected_counts(problem), spread).agrees


def test_the_smallest_group_of_even_odds_by_counting() -> None:
    """Law printed: two classes, each with a binomial number of the minority; the mean of the smallest."""
    n, half = 601, 300
    first, second = (stats.binom(size, 0.45).pmf(np.arange(size + 1)) for size in (half, n - half))
    least = [np.minimum(np.arange(size + 1), size - np.arange(size + 1)) for size in (half, n - half)]
    expected = first @ np.minimum(least[0][:, None], least[1]) @ second
    problem = PROBLEM.instance(law="printed", n=n, minority=0.45)
    assert smallest_group(problem) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_theory_keeps_and_weighs_what_the_sampling_law_does(method: str) -> None:
    problem = PROBLEM.instance(method=method, groups=(30, 6, 10, 14), noise_features=1)
    draws = draw(problem, [1, 2])
    keeps = kept(problem, draws, [1, 2])
    pi = sampling_probabilities(problem, draws, keeps)
    theory = balance(problem)
    sizes = np.stack([(keeps & (draws.groups == g)).sum(axis=1) for g in range(4)], axis=-1)
    assert sizes.sum(axis=1) == pytest.approx(theory.examples)
    shares = np.stack([np.where(draws.groups == g, pi, 0).sum(axis=1) for g in range(4)], axis=-1)
    if method == "suby":  # which of a class are kept is drawn
        assert sizes.reshape(2, 2, 2).sum(axis=-1) == pytest.approx(np.full((2, 2), 24))
        assert theory.kept == pytest.approx([20, 4, 10, 14])
    else:
        assert sizes == pytest.approx(np.tile(theory.kept, (2, 1)))
        assert shares == pytest.approx(np.tile(theory.sampling, (2, 1)))


def test_classes_of_one_size_leave_class_balancing_nothing_to_do() -> None:
    assert balance(PROBLEM.instance(method="suby")).minority == pytest.approx(0.199)
    assert balance(PROBLEM.instance(method="rwy")).sampled_minority == pytest.approx(0.199)


# Table 1 ---------------------------------------------------------------------------------------------------


def test_what_follows_from_table_1_is_computed() -> None:
    assert benchmarks.size_with_balanced_groups(CELEBA) == 4 * 1387
    assert benchmarks.size_with_balanced_groups(WATERBIRDS) == 4 * 56
    assert benchmarks.size_with_balanced_classes(WATERBIRDS) == 2 * (56 + 1057)
    for each in BENCHMARKS:
        assert benchmarks.class_shares(each).sum() == pytest.approx(1)
        assert benchmarks.class_shares_by_attribute(each).sum(axis=0) == pytest.approx([1, 1])


# Routes and the command line --------------------------------------------------------------------------


@pytest.mark.parametrize("dynamics", ["descent", "normalised"])
def test_methods_that_keep_every_example_end_alike_and_a_subset_elsewhere(dynamics: str) -> None:
    ends = {
        method: run("spurious-groups", dynamics, "max-margin", [1, 5], method=method) for method in METHODS
    }
    for method in ("rwy", "rwg", "gdro", "jtt"):
        assert repeated(ends[method].drop_attrs(), ends["erm"].drop_attrs())  # which name the method
    assert float(ends["erm"]["worst_group_accuracy"][1]) < 1e-6
    assert float(ends["subg"]["worst_group_accuracy"][1]) == pytest.approx(1 - core_error(0.15), abs=1e-12)


def test_test_noise_makes_the_good_end_of_subsampling_little_better_than_a_coin() -> None:
    end = run("spurious-groups", "descent", "max-margin", [1], method="subg", test_noise="fresh")
    assert 0.51 < float(end["worst_group_accuracy"][0]) < 0.52


def test_a_route_names_its_groups_and_repeats_its_answer_in_time() -> None:
    answer = run("spurious-groups", "descent", "max-margin", [1, 7], groups=(40, 10, 20, 30))
    assert list(answer["label"].values) == [-1, -1, 1, 1]
    assert list(answer["attribute"].values) == [-1, 1, -1, 1]
    minority = answer["label"] != answer["attribute"]
    accuracies = answer["group_accuracy"]
    assert copied(accuracies[0].values, accuracies[1].values)
    average = float((accuracies[0] * np.array([0.4, 0.1, 0.2, 0.3])).sum())
    assert float(answer["average_accuracy"][0]) == pytest.approx(average, rel=1e-12)
    assert same(accuracies[0][minority], answer["worst_group_accuracy"][0], 4)


def test_the_initial_gradient_and_the_end_of_reweighting_are_the_two_ends_of_training() -> None:
    start, end = (
        run("spurious-groups", "descent", route, [1], method="rwg")
        for route in ("initial-gradient", "max-margin")
    )
    assert float(start["worst_group_accuracy"][0]) > 0.999 > 1e-6 > float(end["worst_group_accuracy"][0])


def test_a_curve_has_the_promised_columns() -> None:
    columns = as_csv(
        curve("spurious-groups", dynamics="descent", route="max-margin", times=[1.0])
    ).splitlines()[0]
    assert columns == (
        "time,group,worst_group_accuracy,average_accuracy,group_accuracy,training_worst_group_accuracy,"
        "spurious_weight,core_weight,noise_weight,margin,support_fraction"
    )


def test_where_erm_is_good_after_all_is_found_to_the_accuracy_asked() -> None:
    found = onset("spurious-groups", gamma_spurious=(0.1, 4.0), accuracy=1e-8)
    assert (found.below, found.above) == (4, 2)
    end = max_margin(ensemble(PROBLEM.instance(gamma_spurious=found.value)))
    assert float(end.spurious) == pytest.approx(float(end.core), rel=1e-6)


def test_support_vectors_are_those_that_unfitted_weights_would_leave_below_the_margin() -> None:
    """Of the answer's own direction: the share of normal margins below its margin, group by group."""
    asked = {"gamma_spurious": 3.0, "minority": 0.3, "noise_features": 900, "feature_std": 0.4}
    answer = run("spurious-groups", "normalised", "max-margin", [1], **asked).isel(time=0)
    e_s, e_c, r = (float(answer[name]) for name in ("spurious_weight", "core_weight", "noise_weight"))
    spread = np.sqrt(0.4**2 * (e_s**2 + e_c**2) + r**2)
    below = [stats.norm.cdf(float(answer["margin"]), e_c + sign * e_s, spread) for sign in (1, -1)]
    assert float(answer["support_fraction"]) == pytest.approx(0.7 * below[0] + 0.3 * below[1], rel=1e-12)
