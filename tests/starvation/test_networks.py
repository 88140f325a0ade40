"""The real networks of gradient starvation: data, training, boundaries; coloured and attacked digits."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.problems.colored_digits import CORNERS, TRAINING, drawn
from teacherstudent.sims.starvation import attacked_digits, colored_digits, training
from teacherstudent.sims.starvation.boundary import bend, crossings, smallest_margin
from teacherstudent.sims.starvation.experiment import GRID, RECIPES, two_moons_outcome
from teacherstudent.sims.starvation.linearisation import beside_linearisation, linearise
from teacherstudent.sims.starvation.moons import two_moons
from teacherstudent.sims.starvation.networks import initial_parameters, output
from teacherstudent.sims.starvation.training import Network, Recipe, initial_networks
from tests.judged import assert_same
from tests.roundings import copied, repeated

EPS = np.finfo(float).eps
SEEDS = [3, 2**40]
EXAMPLES = 6
WIDTH = 16


@pytest.mark.parametrize("gap", [0.1, -0.1])
def test_the_gap_moves_both_moons_off_the_line_between_them(gap):
    inputs, labels = two_moons(SEEDS, 300, gap)
    assert inputs.shape == (2, 300, 2)
    assert np.all(np.sort(np.unique(labels)) == [-1, 1])
    depth = -labels * inputs[..., 0]  # distance into a class's own side
    assert_same(depth.min(axis=-1), gap, 0.02, "the least of 300 distances spread over 0.5")
    assert depth.min() >= gap
    assert_same(inputs[..., 1].mean(axis=-1), 0.0, 0.05, "moons symmetric but for noise 0.1/sqrt(300)")
    assert not np.array_equal(inputs[0], inputs[1])
    assert repeated(inputs, two_moons(SEEDS, 300, gap)[0])


def test_the_tips_of_the_moons_touch_the_line_and_their_bellies_do_not():
    inputs, labels = two_moons([0], 300, 0.0)
    along = np.abs(inputs[0, :, 1] - 0.5 * labels[0])  # from the middle of the moon
    depth = np.abs(inputs[0, :, 0])
    assert depth[along < 0.3].min() > 0.5 > depth[along > 0.9].mean()


@pytest.mark.parametrize(("activation", "curve"), [("relu", lambda v: np.maximum(v, 0)), ("tanh", np.tanh)])
def test_the_network_in_ntk_parametrisation_is_that_of_Eq_6_3_1(activation, curve):
    parameters = initial_parameters([0], 3)[0]
    inputs = np.array([[1.0, -2.0], [0.5, 0.3]])
    first, second = parameters[:6].reshape(3, 2), parameters[6:]
    expected = curve(inputs @ first.T / np.sqrt(2)) @ second / np.sqrt(3)
    assert_same(output(jnp.asarray(parameters), inputs, activation), expected, 20 * EPS, "rounding")


def test_the_linearisation_has_the_gram_matrix_of_its_jacobian():
    jacobian = np.random.default_rng(0).standard_normal((4, 9))
    labels = np.array([1.0, -1.0, -1.0, 1.0])
    problem = linearise(jacobian, labels, 0.5)
    gram = labels[:, None] * (jacobian @ jacobian.T) * labels
    assert_same(problem.U @ np.diag(problem.s**2) @ problem.U.T, gram, 200 * EPS, "rounding of an SVD")
    assert copied(problem.ridge, 0.5)


def beside(width, time):
    inputs, labels = two_moons(SEEDS, EXAMPLES, 0.1)
    return beside_linearisation(
        inputs, labels, width=width, activation="relu", ridge=0.5, time=time, seeds=SEEDS
    )


def test_both_students_first_follow_the_gram_matrix():
    time = 1e-6
    trained = beside(WIDTH, time)
    for margins in (trained.network, trained.linearised):
        for margin, problem in zip(margins, trained.problems, strict=True):
            gram = problem.U @ np.diag(problem.s**2) @ problem.U.T
            expected = time * gram @ np.full(EXAMPLES, 0.5)  # sigma(0) = 1/2
            assert_same(margin, expected, 1e-4 * time, "second order in time, and margins' rounding/time")


def test_a_wider_network_is_closer_to_its_linearisation():
    narrow, wide = (beside(width, 20.0) for width in (WIDTH, 16 * WIDTH))
    assert narrow.network.shape == narrow.linearised.shape == (2, EXAMPLES)
    assert np.all(wide.difference < narrow.difference / 4)  # at least width^-1/2
    assert np.all(narrow.difference > 1e-3), "the students must not be one and the same"
    assert np.all(wide.linearised.mean(axis=-1) > 0.4), "trained"


def start(width=WIDTH):
    inputs, labels = two_moons(SEEDS, EXAMPLES, 0.1)
    keys = jax.vmap(jax.random.key)(jnp.array(SEEDS))
    return initial_networks(SEEDS, width), inputs, labels, keys


def after(recipe, steps=(0, 1, 2)):
    networks, inputs, labels, keys = start()
    return training.trained(networks, inputs, labels, recipe, jnp.array(steps), keys)


def gradient_by_hand(first, second, x, y, penalty):
    """Of the mean logistic loss + penalty mean(yhat^2), by the chain rule in NumPy."""
    seen = np.column_stack([x, np.ones(len(x))])
    activity = np.maximum(seen @ first.T, 0)
    yhat = activity @ second[:-1] + second[-1]
    error = (-y / (1 + np.exp(y * yhat)) + 2 * penalty * yhat) / len(y)
    below = (error[:, None] * (activity > 0) * second[:-1]).T @ seen
    return below, np.append(error @ activity, error.sum())


def test_two_steps_with_momentum_penalty_and_decay_are_those_computed_by_hand():
    recipe = Recipe(penalty=0.3, weight_decay=0.2, learning_rate=0.05)
    networks, inputs, labels, _ = start()
    answer = after(recipe)
    for seed in range(len(SEEDS)):
        weights = [networks.first[seed], networks.second[seed]]
        speed = [0.0, 0.0]
        for step in range(3):
            for ours, theirs in zip((answer.first, answer.second), weights, strict=True):
                assert_same(ours[seed, step], theirs, 100 * EPS, "rounding of numbers below 1")
            gradient = gradient_by_hand(*weights, inputs[seed], labels[seed], recipe.penalty)
            for i in range(2):
                speed[i] = 0.9 * speed[i] + gradient[i] + recipe.weight_decay * weights[i]
                weights[i] = weights[i] - recipe.learning_rate * speed[i]


def test_the_first_step_of_adam_is_one_learning_rate_in_every_moving_parameter():
    answer = after(Recipe(adam=True, learning_rate=1e-3), (0, 1))
    change = np.abs(answer.second[:, 1] - answer.second[:, 0])
    moved = change > 0  # a unit that is silent on all examples stays
    assert moved.mean() > 0.5
    assert_same(change[moved], 1e-3, 1e-3 * 1e-3, "Adam's 1e-8 against gradients above 1e-5")


def test_batch_normalisation_standardises_each_hidden_unit_before_it_rectifies():
    networks, inputs, _, _ = start()
    one = jax.tree.map(lambda parameters: parameters[0], networks)
    shifted = one._replace(offset=np.full(WIDTH, 10.0))  # far from the rectifier

    def logits(second):
        return training.logits(shifted._replace(second=second), inputs[0], inputs[0])

    before = np.asarray(jax.jit(jax.jacobian(logits))(one.second))[:, :-1] - 10  # each unit's activity
    raw = inputs[0] @ one.first[:, :2].T + one.first[:, 2]
    expected = (raw - raw.mean(axis=0)) / np.sqrt(raw.var(axis=0) + training.SMALLEST_VARIANCE)
    assert_same(before, expected, 1e4 * EPS, "a deviation down to 1e-2 of its size")


def test_dropout_silences_its_share_of_the_units_and_keeps_their_mean():
    width, share = 4000, 0.7
    network = Network(
        np.tile([0.0, 0.0, 1.0], (width, 1)), np.ones(width), np.zeros(width), np.zeros(width + 1)
    )
    arguments = np.zeros((1, 2)), np.ones(1), Recipe(dropout=share), jax.random.key(0)
    slope = np.asarray(jax.jit(jax.grad(training.loss))(network, *arguments).second[:-1])
    dropped = np.mean(slope == 0)  # every unit's activity is 1: only silence stops its gradient
    error = np.sqrt(share * (1 - share) / width)
    assert within_errors(dropped, share, error).agrees
    assert not within_errors(dropped, 0.5, error).agrees
    assert_same(slope[slope != 0], -0.5 / (1 - share), 1e-12, "one activity, scaled up for the silent")


def test_an_outcome_has_its_shapes_and_another_penalty_does_not_recompile():
    def ask(penalty, seeds):
        recipe = Recipe(penalty=penalty)
        return two_moons_outcome(
            recipe, gap=0.1, steps=(0, 1, 2), seeds=seeds, examples=EXAMPLES, width=WIDTH
        )

    outcome = ask(0.0, SEEDS)
    before = training.trained.program._cache_size()
    other = ask(1.0, [7, 8])
    assert training.trained.program._cache_size() == before
    assert outcome.logits.shape == outcome.responses.shape == (2, 3, EXAMPLES)
    assert outcome.surfaces.shape == (2, GRID.size, GRID.size)
    assert outcome.margin.shape == outcome.bend.shape == (2,)
    sizes = np.linalg.norm(outcome.logits, axis=-1)
    assert_same(np.linalg.norm(outcome.responses, axis=-1), sizes, 100 * EPS, "U is orthonormal")
    assert not np.array_equal(outcome.logits, other.logits)


def test_the_published_variants_are_recipes_of_their_own():
    assert len(set(RECIPES.values())) == len(RECIPES) == 7


GRID_OF_TEST = np.linspace(-2, 2, 101)


def plane(offset, slope):
    """A surface that changes sign on the line x0 = offset + slope x1, rows x1, columns x0."""
    return GRID_OF_TEST[None, :] - offset - slope * GRID_OF_TEST[:, None]


def test_a_straight_boundary_is_found_with_its_margin_and_its_bend():
    offset, slope = 0.31, 0.5
    surface = plane(offset, slope)
    points = crossings(surface, GRID_OF_TEST)
    assert_same(points[:, 0], offset + slope * points[:, 1], 10 * EPS, "linear interpolation of a plane")
    inputs = np.array([[1.0, 0.2], [-1.0, 0.0], [0.0, -1.5]])
    signed = (inputs[:, 0] - offset - slope * inputs[:, 1]) / np.hypot(1, slope)
    labels = np.sign(signed)
    spacing = np.diff(GRID_OF_TEST)[0]
    nearest = np.abs(signed).min()
    margin = smallest_margin(surface, GRID_OF_TEST, inputs, labels * signed)
    assert 0 <= margin - nearest <= spacing**2 / (8 * nearest)
    labels[0] *= -1  # now on the wrong side, and the margin is minus its distance
    wrong = smallest_margin(surface, GRID_OF_TEST, inputs, labels * signed)
    assert -(spacing**2) / (8 * abs(signed[0])) <= wrong + abs(signed[0]) <= 0
    inside = GRID_OF_TEST[np.abs(GRID_OF_TEST) <= 1]
    assert_same(bend(surface, GRID_OF_TEST), slope * inside.std(), 100 * EPS, "rounding")


def test_a_surface_without_a_boundary_has_no_margin_to_measure():
    surface = np.ones((101, 101))
    assert smallest_margin(surface, GRID_OF_TEST, np.zeros((1, 2)), np.ones(1)) == np.inf
    assert np.isnan(bend(surface, GRID_OF_TEST))


def red(images: np.ndarray) -> np.ndarray:
    """The colour of each image, 1 or -1."""
    return np.where(images[:, :64].sum(axis=1) > images[:, 64:].sum(axis=1), 1, -1)


def test_colours_follow_labels_in_training_and_mislead_in_the_test() -> None:
    sets = [drawn(seed) for seed in range(20)]
    same = np.array([red(each.images) == each.labels for each in sets])
    half = TRAINING // 2
    assert abs(same[:, :half].mean() - 0.8) < 0.02
    assert abs(same[:, half:].mean() - 0.9) < 0.02
    tested = np.array([red(each.tests["colored digits"]) == each.truth for each in sets])
    assert abs(tested.mean() - 0.1) < 0.02


def test_corners_keep_what_they_say() -> None:
    tests = drawn(0).tests
    assert tuple(tests) == CORNERS
    colored, gray, blanks, gray_blanks = (tests[name] for name in CORNERS)
    assert np.array_equal(colored[:, :64] + colored[:, 64:], 2 * gray[:, :64])
    assert (gray[:, :64] == gray[:, 64:]).all()
    assert np.array_equal(red(blanks), red(colored))
    assert len(np.unique(gray_blanks)) == 1
    assert set(np.unique(blanks)) == {0.0, *np.unique(2 * gray_blanks)}


@pytest.mark.thorough
def test_all_variants_begin_alike_and_part_at_the_switch() -> None:
    switch = colored_digits.SWITCH
    names = ["no switch", "script", "Eq. 6.3.17"]
    found = colored_digits.trained(1, names, [5, switch, switch + 3])
    plain, script, printed = (found[name] for name in names)
    for other in (script, printed):
        assert repeated(plain.entropies[:2], other.entropies[:2])
    assert (script.entropies[2] != plain.entropies[2]).all()
    assert (printed.entropies[2] > script.entropies[2]).all()  # the whole penalty takes confidence at once
    assert plain.corners.shape == (3, 4)


NORMS = np.array([0.0, 0.05, 0.7])


def test_of_a_plane_the_attack_goes_straight_to_it() -> None:
    rng = np.random.default_rng(3)
    weights, images = rng.standard_normal((64, 1)), rng.uniform(size=(30, 64))
    truth = rng.choice([-1.0, 1.0], 30)
    found = attacked_digits.attacked([(jnp.asarray(weights), jnp.array([0.2]))], images, truth, NORMS)
    margins = truth * (images @ weights[:, 0] + 0.2)
    expected = margins - NORMS[:, None] * np.linalg.norm(weights)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)  # sums of 64 numbers of order 1


def test_an_output_that_nothing_moves_is_not_attacked() -> None:
    images, truth = np.ones((4, 64)), np.array([1.0, -1.0, 1.0, -1.0])
    constant = [(jnp.zeros((64, 1)), jnp.array([0.3]))]
    found = np.asarray(attacked_digits.attacked(constant, images, truth, NORMS))
    np.testing.assert_allclose(found, np.tile(0.3 * truth, (3, 1)), rtol=1e-15)


def test_images_are_trained_on_or_tested() -> None:
    images, labels, tests, truth = attacked_digits.drawn(1)
    assert len(images) == len(labels) == attacked_digits.TRAINING
    assert len(tests) == len(truth) == 1797 - attacked_digits.TRAINING
    assert set(np.unique(np.concatenate([labels, truth]))) == {-1.0, 1.0}
    assert repeated(attacked_digits.drawn(1)[0], images)
    assert not np.array_equal(attacked_digits.drawn(2)[0], images)
