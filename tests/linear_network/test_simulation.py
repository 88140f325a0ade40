"""The simulation witness of mode learning, judged by arithmetic and sampling alone, and in pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np
import pytest

from teacherstudent.figures.kit import comparison
from teacherstudent.figures.linear_network import ch2_fig3 as figure
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.problems.linear_network import PROBLEM, Draws, draw, initial_gains
from teacherstudent.sims.linear_network.descent import descent, layer_trajectory, map_trajectory
from teacherstudent.sims.linear_network.modes import (
    connectivity_modes,
    layer_strengths,
    mode_couplings,
    mode_strengths,
)
from tests.drawing import numbers, small
from tests.judged import assert_same
from tests.roundings import same

EPS = np.finfo(float).eps
SEEDS = range(3)
VALUES = (3.0, 1.0)
SIZES = {"singular_values": VALUES, "inputs": 4, "outputs": 3, "hidden": 5}
STARTS = {
    "unbalanced": {"balance": 0.5},
    "rotated": {"start": "rotated", "u0": (0.3,)},
    "random": {"init": 0.3},
    "deep": {"depth": 4, "u0": (0.1,)},
    "deep random": {"depth": 4, "init": 0.6},
}
TIMES = np.array([0.0, 1.0, 30.0, 400.0])
RATE = 0.02
every_start = pytest.mark.parametrize("start", STARTS.values(), ids=STARTS.keys())
decoupled_starts = pytest.mark.parametrize(
    "start", [STARTS["unbalanced"], STARTS["deep"]], ids=["two", "deep"]
)


def drawn(start, seeds=SEEDS):
    return draw(PROBLEM.instance(**SIZES | start), seeds)


def transposed(matrices):
    return matrices.swapaxes(-1, -2)


def hand_drawn():
    return Draws(
        inputs=np.array([[[1.0, 1.0], [0.0, 1.0]]]),  # X X^T = [[2, 1], [1, 1]]: not whitened
        targets=np.array([[[3.0, 1.0]]]),
        left=np.array([[[1.0]]]),
        right=np.array([[[0.6], [0.8]]]),
        weights=(np.array([[[1.0, 0.0], [0.0, 2.0]]]), np.array([[[1.0, 1.0]]])),
    )


def test_one_step_and_its_projections_are_those_computed_by_hand():
    # W X = (1, 3), error (2, -2), error X^T = (0, -2); gradients -(0, -4) and -(0, -2; 0, -2).
    draws, steps = hand_drawn(), np.array([0.0, 1.0])
    first, second = layers = layer_trajectory(draws, steps, 0.1)
    few = "a few operations on numbers near 1"
    assert_same(first[0, 1], [[1.0, -0.2], [0.0, 1.8]], 4 * EPS, few)
    assert_same(second[0, 1], [[1.0, 0.6]], 4 * EPS, few)
    assert_same(mode_strengths(draws, second @ first), [[[2.2], [1.304]]], 8 * EPS, few)
    incoming, outgoing = connectivity_modes(draws, layers)
    assert_same(incoming[0, :, 0], [[0.6, 1.6], [0.44, 1.44]], 8 * EPS, few)
    assert_same(outgoing[0, :, 0], [[1.0, 1.0], [1.0, 0.6]], 8 * EPS, few)
    a, b = layer_strengths(draws, layers)  # along (3, 8)/sqrt(73)
    assert_same(a[0, :, 0] * np.sqrt(73), [14.6, 12.84], 64 * EPS, few)
    assert_same(b[0, :, 0] * np.sqrt(73), [11.0, 7.8], 64 * EPS, few)


def loss(draws, weights):
    """The summed loss of each draw on its data, (S,)."""
    network = reduce(lambda product, layer: layer @ product, weights, draws.inputs)
    return np.sum((draws.targets - network) ** 2, axis=(-1, -2)) / 2


@every_start
def test_a_step_follows_finite_differences_of_the_summed_loss(start):
    draws = drawn(start)
    draws = replace(draws, inputs=draws.inputs * np.linspace(0.5, 1.5, 8))  # not whitened, so that X counts
    layers = layer_trajectory(draws, TIMES, RATE)
    for number, (start, layer) in enumerate(zip(draws.weights, layers, strict=True)):
        shape = start.shape[1:]
        probes = np.eye(np.prod(shape)).reshape(-1, 1, *shape)  # one weight at a time, in every draw

        def shifted(sign, probes=probes, number=number):
            return loss(draws, [w + sign * probes if i == number else w for i, w in enumerate(draws.weights)])

        up, down = shifted(1), shifted(-1)
        slope = ((up - down) / 2).T.reshape(start.shape)  # exact: the loss is quadratic in one weight
        moved, bound = layer[:, 1] - layer[:, 0], 32 * EPS * np.max(up)
        assert_same(moved, -RATE * slope, RATE * bound, "rounding of losses of that size, sums of 8 terms")
        assert not within_bound(moved + 0.99 * RATE * slope, RATE * bound, "a hundredth must show").agrees


@every_start
def test_draws_are_whitened_with_the_chosen_singular_values_in_orthonormal_frames(start):
    draws = drawn(start)
    for frame in (transposed(draws.inputs), draws.left, draws.right):
        gram = transposed(frame) @ frame
        assert_same(gram, np.eye(gram.shape[-1]), 32 * EPS, "backward error of a QR factorisation")
    correlation = draws.targets @ transposed(draws.inputs)
    assert_same(correlation, draws.left * VALUES @ transposed(draws.right), 64 * EPS, "two products")
    numbers = np.linalg.svd(correlation, compute_uv=False)
    assert_same(numbers, [*VALUES, 0.0], 64 * EPS, "singular values move by the norm of an error")


@pytest.mark.parametrize("start", ["unbalanced", "rotated"])
def test_the_start_has_the_chosen_strengths_and_balance(start):
    draws = drawn(STARTS[start])
    chosen = PROBLEM.instance(**SIZES | STARTS[start])
    first, second = draws.weights
    numbers = np.linalg.svd(second @ first, compute_uv=False)[:, :2]
    assert_same(numbers, chosen.u0, 32 * EPS, "a product of two matrices of size 1")
    hidden = np.linalg.svd(first)[0][:, :, :2]
    balance = transposed(hidden) @ (first @ transposed(first) - transposed(second) @ second) @ hidden
    assert_same(balance, chosen.balance * np.eye(2), 64 * EPS, "a difference of products of size 1")


def test_two_problems_of_one_shape_see_common_random_numbers_and_two_seeds_do_not():
    one, other = (drawn({"singular_values": values, "u0": (0.5,)}) for values in (VALUES, (7.0, 2.0)))
    for name in ("inputs", "left", "right"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        assert not np.any(getattr(one, name)[0] == getattr(one, name)[1])
    assert not np.array_equal(one.targets, other.targets)


@decoupled_starts
def test_decoupled_modes_follow_one_number_a_layer_and_nothing_else_moves(start):
    draws = drawn(start)
    gains, strengths = initial_gains(PROBLEM.instance(**SIZES | start)), []
    for _ in range(int(TIMES[-1]) + 1):
        strengths.append(gains)
        product = np.prod(gains, axis=0)
        gains = gains + RATE * (np.array(VALUES) - product) * product / gains
    strengths = np.array(strengths)[TIMES.astype(int)]  # (T, layer, mode)
    maps = map_trajectory(draws, TIMES, RATE)
    expected = draws.left[:, None] * np.prod(strengths, axis=1)[:, None, :] @ transposed(draws.right)[:, None]
    bound, reason = TIMES[-1] * EPS * max(VALUES), "one rounding a step, of numbers up to the largest s"
    assert_same(maps, expected, bound, reason)
    assert not within_bound(maps[:, 1:] - expected[:, :-1], bound, "a step must show").agrees
    if len(draws.weights) == 2:
        layers = layer_trajectory(draws, TIMES, RATE)
        for one, scalar in zip(layer_strengths(draws, layers), strengths.swapaxes(0, 1), strict=True):
            assert_same(one, scalar, bound, reason)


def test_modes_interact_unless_the_start_is_decoupled():
    off_diagonal = ~np.eye(2, dtype=bool)
    apart, together = (
        np.max(np.abs(mode_couplings(draws, map_trajectory(draws, TIMES, RATE))[..., off_diagonal]))
        for draws in (drawn(STARTS["unbalanced"]), drawn(STARTS["rotated"]))
    )
    assert apart < TIMES[-1] * EPS * max(VALUES)
    assert together > 0.01


@every_start
def test_layers_map_and_projections_belong_to_one_network(start):
    draws = drawn(start)
    layers, maps = layer_trajectory(draws, TIMES, RATE), map_trajectory(draws, TIMES, RATE)
    assert maps.dtype == np.float64
    product = reduce(lambda product, layer: layer @ product, layers)
    assert_same(maps, product, 64 * EPS * max(VALUES), "one rounding a term of a product")
    couplings = mode_couplings(draws, maps)
    assert same(np.diagonal(couplings, axis1=-2, axis2=-1), mode_strengths(draws, maps), 64, of=max(VALUES))
    if len(layers) == 2:
        incoming, outgoing = connectivity_modes(draws, layers)
        assert_same(couplings, outgoing @ transposed(incoming), 64 * EPS * max(VALUES), "as the product")
    measured = descent(PROBLEM.instance(**SIZES | start), TIMES, learning_rate=RATE, seeds=SEEDS)["u"]
    assert same(measured, mode_strengths(draws, maps), 64, of=max(VALUES))


@every_start
def test_every_step_lowers_the_loss_and_every_step_uphill_raises_it(start):
    draws = drawn(start)

    def changes(rate, times):
        layers = layer_trajectory(draws, times, rate)
        return np.diff(loss(draws, [np.moveaxis(layer, 1, 0) for layer in layers]), axis=0)

    first = np.arange(4.0)
    assert np.all(changes(RATE, first) < 0)
    assert np.all(changes(RATE, TIMES) < 0)
    assert np.all(changes(-RATE, first) > 0)


def test_a_network_with_as_many_hidden_units_as_modes_has_their_rank_and_learns_the_data_exactly():
    start = STARTS["random"] | {"hidden": 2}
    draws = drawn(start)
    maps = map_trajectory(draws, np.array([0.0, 1.0, 30.0, 5000.0]), RATE)
    numbers = np.linalg.svd(maps, compute_uv=False)
    assert np.all(numbers[..., 2] < 64 * EPS * max(VALUES))
    assert np.all(numbers[..., 1] > 1e-6)
    correlation = draws.targets @ transposed(draws.inputs)
    assert_same(
        maps[:, -1], correlation, 5000 * EPS * max(VALUES), "a rounding a step, for the rest is learned"
    )
    wider = np.linalg.svd(map_trajectory(drawn(STARTS["random"]), TIMES, RATE), compute_uv=False)
    assert np.all(wider[..., 2] > 1e-6), "five hidden units fill all three outputs"


def test_what_is_left_of_decoupled_modes_is_the_next_order_of_the_step() -> None:
    """ch2-fig3: relative to the first order a step size times the rate 2 s at which a mode grows."""
    for name, values in (("balanced", figure.VALUES), ("unbalanced", figure.VALUES[-1:])):
        residual = numbers("ch2-fig3")[f"simulation_{name}"]["residual"]
        assert float(abs(residual).max()) < figure.RATES[0] * 2 * max(values)
        assert float(abs(residual).max()) > 0


def test_standard_errors_of_few_draws_are_those_of_the_law() -> None:
    """Few draws that have all learned a mode agree with each other, and with no mean that has slow ones."""
    shown = numbers("ch2-fig3")
    simulated, law = shown["simulation_random"], shown["theory_random"]
    at = law.sel(time=simulated["time"], method="nearest")
    with small("ch2-fig3"):
        draws = figure.LAWFUL / comparison.QUICK_DRAWS
    spread = at["u_stderr"].values * np.sqrt(1 + draws)
    resolved = np.isfinite(simulated["residual"].values)
    gap = (simulated["u"].values - at["u"].values)[resolved]
    np.testing.assert_allclose((simulated["residual"].values * spread)[resolved], gap, atol=1e-6)
