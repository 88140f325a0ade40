"""The simulated students of the worst groups do what seven methods say; GramClust in small."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound, within_errors
from teacherstudent.problems.spurious_groups import METHODS, PROBLEM
from teacherstudent.problems.spurious_groups.data import (
    Draws,
    draw,
    initial_weights,
    kept,
    sampling_probabilities,
)
from teacherstudent.sims import group_descent
from teacherstudent.sims.group_descent import Examples, Rule
from teacherstudent.sims.spurious_groups import gramclust, measures, normalised, surfaces
from teacherstudent.sims.spurious_groups.descent import RESAMPLED, student_trajectory
from tests.judged import assert_same
from tests.roundings import copied, repeated, unrounded

EPS = np.finfo(float).eps
SEEDS = [3, 4, 5]
SIZES = {"n": 22, "noise_features": 4, "minority": 0.3, "gamma_noise": 0.7, "law": "printed"}
"""The printed law: groups of every seed differ in size, so pools are padded and epochs differ in length."""
RULE = Rule(learning_rate=0.05, momentum=0.8, weight_decay=0.3, group_rate=0.6)
TIMES = np.array([0, 1, 2, 5])
BATCH = 8
JTT = {"jtt_epochs": 2, "jtt_upweight": 3}
MANY = {"n": 30, "noise_features": 40, "gamma_spurious": 2.0, "gamma_noise": 1.0, "minority": 0.2}
visits = jax.jit(group_descent.visits, static_argnums=2)


def instance(method, **changes):
    return PROBLEM.instance(method=method, **SIZES | changes)


def trained(method, times=TIMES, seeds=SEEDS, rule=RULE):
    problem = instance(method)
    return student_trajectory(problem, draw(problem, seeds), times, rule, BATCH, seeds, **JTT)


def examples_of(problem, draws, often, place):
    """What the simulation trains one seed on."""
    everything = np.ones(draws.labels.shape, dtype=bool)
    return Examples(
        jnp.asarray(draws.inputs[place] * problem.scales),
        jnp.asarray(draws.labels[place]),
        jnp.asarray(draws.groups[place]),
        jnp.asarray(group_descent.pooled(often, BATCH)[place]),
        jnp.asarray(sampling_probabilities(problem, draws, everything)[place]),
    )


def by_hand(method, epochs, place, *, often=None, stage=0):
    """Weights of one seed after each epoch (epochs + 1, d), in NumPy, on the orders of the simulation."""
    problem = instance(method)
    draws = draw(problem, SEEDS)
    often = kept(problem, draws, SEEDS).astype(int) if often is None else often
    examples = examples_of(problem, draws, often, place)
    x, y, groups = (np.asarray(each) for each in examples[:3])
    key = jax.random.fold_in(jax.random.key(SEEDS[place]), stage)
    w = initial_weights(problem, SEEDS, stage)[place]
    v, q, states = np.zeros_like(w), np.ones(4) / 4, [w]
    for epoch in range(epochs):
        order = np.asarray(visits(examples, jax.random.fold_in(key, epoch), method in RESAMPLED))
        order = order[order >= 0]
        for first in range(0, len(order), BATCH):
            drawn = order[first : first + BATCH]
            m = y[drawn] * (x[drawn] @ w)
            weight = np.full(len(drawn), 1 / len(drawn))
            if method == "gdro":
                means = {g: np.mean(np.log1p(np.exp(-m[groups[drawn] == g]))) for g in set(groups[drawn])}
                for g, mean in means.items():
                    q[g] *= np.exp(RULE.group_rate * mean)
                q /= q.sum()
                weight = np.array([q[g] / np.sum(groups[drawn] == g) for g in groups[drawn]])
            pull = -(weight * y[drawn] / (1 + np.exp(m))) @ x[drawn]
            v = RULE.momentum * v + pull + RULE.weight_decay * w
            w = w - RULE.learning_rate * v
        states.append(w)
    return np.array(states)


@pytest.mark.parametrize("method", [method for method in METHODS if method != "jtt"])
def test_every_step_of_every_batch_is_that_computed_by_hand(method):
    weights = trained(method)
    for place in range(len(SEEDS)):
        expected = by_hand(method, TIMES[-1], place)
        bound, reason = 1000 * EPS, "some fifteen steps of sums of 8 products of numbers below 10"
        assert_same(weights[place], expected[TIMES], bound, reason)
        assert not within_bound(weights[place, 1:] - expected[TIMES[1:] - 1], bound, reason).agrees


def test_just_train_twice_starts_again_on_its_mistakes_repeated():
    problem = instance("jtt")
    draws = draw(problem, SEEDS)
    weights = trained("jtt")
    assert repeated(weights[:, :3], trained("erm")[:, :3])  # until epoch 2 it is empirical risk
    mistaken = measures.y_logits(problem, draws, weights[:, 2:3])[:, 0] <= 0
    assert 0 < mistaken.sum() < mistaken.size
    often = np.where(mistaken, JTT["jtt_upweight"], 1)
    for place in range(len(SEEDS)):
        again = by_hand("jtt", 3, place, often=often, stage=1)
        assert_same(weights[place, 3], again[-1], 1000 * EPS, "as of any other training")
    assert not np.array_equal(*(initial_weights(problem, SEEDS, stage) for stage in (0, 1)))
    assert repeated(trained("jtt", TIMES[:3]), weights[:, :3])  # nothing asked of the second training


@pytest.mark.parametrize("method", ["erm", "suby", "subg"])
def test_an_epoch_visits_each_example_that_is_kept_once_and_in_an_order_of_its_own(method):
    problem = instance(method)
    draws = draw(problem, SEEDS)
    used = kept(problem, draws, SEEDS)
    examples = examples_of(problem, draws, used.astype(int), 0)
    first, second = (np.asarray(group_descent.visits(examples, jax.random.key(k), False)) for k in (0, 1))
    for order in (first, second):
        assert np.array_equal(np.sort(order[order >= 0]), np.flatnonzero(used[0]))
        assert np.all(np.diff(order < 0) >= 0), "what pads a pool comes last"
    assert not np.array_equal(first, second)


@pytest.mark.parametrize(("method", "balanced"), [("rwg", "groups"), ("gdro", "groups"), ("rwy", "labels")])
def test_batches_drawn_with_replacement_are_balanced_in_expectation(method, balanced):
    problem = PROBLEM.instance(method=method, groups=(13, 4, 1, 4), noise_features=4)
    draws = draw(problem, SEEDS)
    examples = examples_of(problem, draws, np.ones_like(draws.labels), 0)
    drawn = jax.vmap(lambda key: group_descent.visits(examples, key, True))(
        jax.random.split(jax.random.key(7), 4000)
    )
    assert drawn.shape == (4000, 22)
    seen = getattr(draws, balanced)[0][np.asarray(drawn).ravel()]
    for kind in np.unique(seen):
        claimed = 1 / len(np.unique(seen))
        stderr = np.sqrt(claimed * (1 - claimed) / seen.size)
        assert within_errors(np.mean(seen == kind), claimed, stderr).agrees
        share = np.mean(getattr(draws, balanced)[0] == kind)
        assert not within_errors(np.mean(seen == kind), share, stderr).agrees  # as without weights


def test_group_shares_are_those_computed_by_hand():
    losses = jnp.array([1.0, 3.0, 0.5, 9.0])
    groups, present = jnp.array([0, 0, 2, 1]), jnp.array([True, True, True, False])
    log_shares, parts = group_descent.group_shares(
        jnp.log(jnp.array([0.4, 0.3, 0.2, 0.1])), losses, groups, present, 2.0
    )
    grown = np.array(
        [0.4 * np.exp(2.0 * 2.0), 0.3, 0.2 * np.exp(2.0 * 0.5), 0.1]
    )  # groups 1, 3 are not there
    q = grown / grown.sum()
    assert_same(np.exp(log_shares), q, 8 * EPS, "a few operations on numbers below 1")
    assert_same(parts, [q[0] / 2, q[0] / 2, q[2], 0.0], 8 * EPS, "likewise")


def test_the_logarithm_of_the_loss_is_right_where_the_loss_underflows():
    share = np.array([0.25, 0.75])
    log_loss = jax.jit(jax.value_and_grad(normalised.log_loss))
    near, _ = log_loss(np.array([0.5, 30.0]), share)
    plain = np.log(0.25 * np.log1p(np.exp(-0.5)) + 0.75 * np.log1p(np.exp(-30.0)))
    assert_same(near, plain, 8 * EPS, "a few operations on numbers below 3")
    far, slope = log_loss(np.array([1e4, 1e4 + 1]), share)
    expected = 1e4 - np.log(0.25 + 0.75 * np.exp(-1))
    assert_same(far, -expected, 2 * EPS * expected, "one rounding of a number of 1e4")
    weights = np.array([0.25, 0.75 * np.exp(-1)])
    assert_same(slope, -weights / weights.sum(), 2e4 * EPS, "margins of 1e4 are rounded")
    before, after = (log_loss(np.array([normalised.NEGLIGIBLE + shift, 41.0]), share) for shift in (0, 1e-9))
    for one, other in zip(before, after, strict=True):
        assert_same(one, other, 2e-9, "value and slope change as fast as the margin at most")


def test_normalised_steps_are_those_of_the_loss_divided_by_it_and_go_on_where_it_underflows():
    problem = PROBLEM.instance(**MANY)
    draws = draw(problem, SEEDS)
    signed = draws.labels[..., None] * draws.inputs * problem.scales
    start = initial_weights(problem, SEEDS)
    share = np.full((3, 30), 1 / 30)
    weights = np.asarray(
        normalised.trajectory(*map(jnp.asarray, (signed, share, start, 0.05, np.array([1, 20_000]))))
    )
    m = np.einsum("snd,sd->sn", signed, start)
    pull = np.einsum("sn,snd->sd", share / (1 + np.exp(m)), signed)
    loss = np.sum(share * np.log1p(np.exp(-m)), axis=1)
    assert_same(weights[:, 0] - start, 0.05 * pull / loss[:, None], 1000 * EPS, "sums of 30 numbers below 10")
    end = np.einsum("snd,sd->sn", signed, weights[:, 1]).min(axis=1)
    assert np.all(end > 750), "e^-750 is 0 in float64, and the margin is larger than that"


def test_the_margin_per_weight_grows_to_that_of_every_method_that_leaves_nothing_out():
    ends = {
        method: run(
            "spurious-groups",
            "normalised",
            "simulation",
            [0, 100, 1000, 10_000],
            seeds=SEEDS,
            method=method,
            **MANY,
        )
        for method in ("erm", "rwg", "subg")
    }
    for answer in ends.values():
        assert np.all(np.diff(answer["margin"], axis=1) > 0)
    assert np.all(ends["subg"]["margin"][:, -1] > ends["erm"]["margin"][:, -1])  # fewer examples to satisfy
    erm, rwg, subg = (ends[method]["margin"].values for method in ("erm", "rwg", "subg"))
    apart = np.abs(erm - rwg)
    assert np.all(apart[:, -1] < apart[:, -2])
    assert np.all(apart[:, -1] < np.abs(subg - rwg)[:, -1] / 10)


def test_measures_are_those_of_weights_chosen_by_hand():
    problem = PROBLEM.instance(noise_features=1, gamma_noise=2.0, feature_std=0.25, groups=(3, 1, 2, 2))
    draws = draw(problem, [0])
    draws = Draws(draws.inputs * 0 + [1.0, 1.0, 0.5], draws.labels, draws.attributes)
    weights = np.array([[[3.0, 4.0, 12.0], [0.0, 4.0, 3.0]]])  # norms 13 and 5
    used = np.array([[True, True, False, True, True, True, True, False]])
    answer = measures.observables(problem, draws, used, weights, 20_000, [0])
    assert_same(answer["norm"], [[13.0, 5.0]], 16 * EPS, "three squares")
    assert_same(answer["spurious_weight"], [[12 / 13, 0.0]], 4 * EPS, "few operations below 1")
    assert_same(answer["core_weight"], [[4 / 13, 0.8]], 4 * EPS, "few operations below 1")
    assert_same(answer["noise_weight"], [[24 / 13, 1.2]], 8 * EPS, "few operations below 2")
    assert_same(answer["margin"], [[-28 / 13, -1.4]], 8 * EPS, "class -1 at logits 28/13 and 7/5")
    assert np.array_equal(answer["training_worst_group_accuracy"], [[0.0, 0.0]])
    accuracy = answer["group_accuracy"]
    right = 0.99996832875816688  # Phi(4): core alone, at feature_std 1/4
    assert within_errors(accuracy[0, 1], right, np.sqrt(right * (1 - right) / 20_000)).agrees
    minority = 1 - 0.9943177  # Phi((4 - 12)/(0.25 |(12, 4)|)) = Phi(-2.5298): a != y
    stderr = np.sqrt(minority * (1 - minority) / 20_000)
    assert within_errors(accuracy[0, 0, [1, 2]], minority, stderr).agrees
    assert not within_errors(accuracy[0, 0, [0, 3]], minority, stderr).agrees
    assert copied(answer["worst_group_accuracy"], accuracy.min(axis=-1))
    shares = accuracy @ [3 / 8, 1 / 8, 2 / 8, 2 / 8]
    assert_same(answer["average_accuracy"], shares, 4 * EPS, "four products")


def test_a_surface_is_a_plane_but_for_the_noise_of_the_nearest_example_that_was_seen():
    problem = PROBLEM.instance(noise_features=1, gamma_spurious=4.0, gamma_noise=2.0, groups=(1, 1, 1, 1))
    step = surfaces.GRID[1] - surfaces.GRID[0]
    at = surfaces.GRID[[50, 120]]
    inputs = np.array([[[*at, 7.0], [*(at + step / 4), 9.0], [*(at - step / 4), 9.0], [0.0, 5.0, 9.0]]])
    draws = Draws(inputs, np.ones((1, 4)), np.ones((1, 4)))
    used = np.array([[True, True, False, True]])
    weights = np.array([[0.5, -1.0, 3.0]])
    surface = surfaces.surfaces(problem, draws, used, weights)[0]
    plane = 4 * 0.5 * surfaces.GRID - 1.0 * surfaces.GRID[:, None]
    borrowed = (surface - plane) / (2 * 3.0)
    assert_same(borrowed[120, 50], 7.0, 64 * EPS, "sums of numbers below 50")
    assert_same(borrowed[121, 51], 9.0, 64 * EPS, "its nearest example is the other")
    assert_same(borrowed[120, 48], 0.0, 64 * EPS, "0.04 away")
    assert np.count_nonzero(abs(borrowed) > 1) == 9, "a disc of radius 1.57 steps around either"


def test_a_student_is_judged_at_the_last_of_its_best_epochs():
    problem = PROBLEM.instance(**SIZES, method="rwg")
    epochs = np.arange(1, 5)
    options = {"test_examples": 40, "seeds": SEEDS, "validation": [8, 9, 10]}
    found = surfaces.outcome(problem, epochs, RULE, BATCH, **options)
    assert found.training.shape == found.zero.shape == found.fresh.shape == (3, 4)
    swapped = surfaces.outcome(problem, epochs, RULE, BATCH, **options | {"validation": SEEDS})
    assert repeated(swapped.zero, found.zero)
    for accuracy, best in zip(swapped.zero, swapped.best, strict=True):
        assert np.flatnonzero(accuracy >= accuracy.max())[-1] == int(best)


def test_fresh_noise_in_the_test_makes_all_groups_harder_to_tell():
    zero, noisy = (
        run("spurious-groups", "normalised", "simulation", [1000], seeds=SEEDS, test_noise=noise, **MANY)
        for noise in ("zero", "fresh")
    )
    assert repeated(zero["noise_weight"].values, noisy["noise_weight"].values)
    apart = [abs(answer["group_accuracy"] - 0.5) for answer in (noisy, zero)]
    assert np.all(apart[0] < apart[1])


def test_activations_are_those_of_convolutions_written_out() -> None:
    network = gramclust.initial(0)
    image = np.random.default_rng(1).standard_normal((8, 8))

    def layer(maps: np.ndarray, weights: np.ndarray) -> np.ndarray:
        padded = np.pad(maps, ((1, 1), (1, 1), (0, 0)))
        found = np.zeros((8, 8, weights.shape[1]))
        for row, column in np.ndindex(8, 8):
            found[row, column] = padded[row : row + 3, column : column + 3].reshape(-1) @ weights
        return np.maximum(found, 0)

    second = layer(layer(image[..., None], np.asarray(network.first)), np.asarray(network.second))
    found = np.asarray(gramclust.activations(network, image[None]))
    np.testing.assert_allclose(found[0], second.reshape(64, 16), atol=1e-12)


def test_gram_matrices_do_not_change_where_positions_are_exchanged() -> None:
    maps = np.random.default_rng(0).standard_normal((2, 10, 4))
    np.testing.assert_allclose(gramclust.gram(maps), gramclust.gram(maps[:, ::-1]), atol=1e-12)


def test_a_match_is_the_better_of_two_orders() -> None:
    assert unrounded(gramclust.matching(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 1])), 0.75)
    assert unrounded(gramclust.matching(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])), 0.5)


def test_batches_of_balanced_sets_draw_each_as_often() -> None:
    sets = np.repeat([0, 1, 2], (1000, 150, 50))
    chances = 1 / (3 * np.bincount(sets)[sets])
    rows = gramclust.epochs(0, 3, 20, chances, True)
    counts = np.bincount(sets[rows.ravel()], minlength=3)
    assert np.abs(counts - rows.size / 3).max() < 5 * np.sqrt(rows.size)


def test_a_pass_visits_every_image_at_most_once() -> None:
    rows = gramclust.epochs(0, 2, 1, np.full(100, 0.01), False)
    assert rows.shape == (3, 32)
    assert len(set(rows.ravel().tolist())) == rows.size


def test_clusters_of_an_untrained_network_tell_stripes_from_pixels() -> None:
    data = gramclust.drawn(5)
    assert np.mean(data.directions == data.classes) == pytest.approx(0.95, abs=0.03)
    found = gramclust.clusters(5, data, ("Gram matrices, untrained", "pixels"))
    gram, pixels = (gramclust.matching(each, data.directions) for each in found.values())
    assert pixels < 0.6 < gram
