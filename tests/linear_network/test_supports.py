"""Weights outside a support stay 0; blocks are networks of their own; butterflies are found again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import hadamard

from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order
from teacherstudent.problems.linear_network import PROBLEM, Draws, draw
from teacherstudent.problems.linear_network.supports import blocks
from teacherstudent.sims.linear_network.descent import layer_trajectory
from teacherstudent.theory.linear_network import butterflies, unattained

EPS = np.finfo(float).eps
SEEDS = range(3)
BLOCKS: dict[str, Any] = {"singular_values": (3.0, 1.0), "inputs": 5, "outputs": 3, "support": "blocks"}
TRIANGULAR: dict[str, Any] = {"singular_values": (2.0, 1.0), "init": 0.7, "support": "triangular"}
CASES = {
    "decoupled": {**BLOCKS, "balance": 0.5},
    "rotated": {**BLOCKS, "start": "rotated", "u0": (0.3,)},
    "random": {**BLOCKS, "init": 0.4},
    "triangular": TRIANGULAR,
}
STEPS, RATE = np.array([0.0, 1.0, 30.0, 300.0]), 0.02
every_case = pytest.mark.parametrize("question", CASES.values(), ids=CASES.keys())


def drawn(question: dict[str, Any]) -> Draws:
    return draw(PROBLEM.instance(**question), SEEDS)


# Supports ----------------------------------------------------------------------------------------------
def test_blocks_are_consecutive_and_as_equal_as_they_can_be() -> None:
    inputs, outputs = blocks(PROBLEM.instance(**{**BLOCKS, "singular_values": (3.0, 2.0, 1.0), "inputs": 8}))
    assert inputs.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert outputs.tolist() == [0, 1, 2]


@every_case
def test_weights_outside_a_support_are_never_trained_and_all_others_are(question: dict[str, Any]) -> None:
    draws = drawn(question)
    assert draws.supports is not None
    for layer, where in zip(layer_trajectory(draws, STEPS, RATE), draws.supports, strict=True):
        assert not layer[..., ~where].any()
        assert (layer[:, 0] != layer[:, -1])[:, where].all()


@every_case
def test_a_step_follows_the_loss_along_every_weight_that_is_free(question: dict[str, Any]) -> None:
    """By central differences, which are exact: the loss is quadratic in one weight."""
    draws = drawn(question)
    width = draws.inputs.shape[-1]
    draws = replace(draws, inputs=draws.inputs * np.linspace(0.5, 1.5, width))  # not whitened: X counts

    def loss(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return np.sum((draws.targets - second @ first @ draws.inputs) ** 2, axis=(-1, -2)) / 2

    layers = layer_trajectory(draws, STEPS[:2], RATE)
    for number, (start, layer) in enumerate(zip(draws.weights, layers, strict=True)):
        for i, j in np.argwhere(draws.supports[number]):
            probe = np.zeros(start.shape[1:])
            probe[i, j] = 1.0
            up, down = (
                loss(*(w + sign * probe if n == number else w for n, w in enumerate(draws.weights)))
                for sign in (1, -1)
            )
            moved = (layer[:, 1] - layer[:, 0])[:, i, j]
            np.testing.assert_allclose(moved, -RATE * (up - down) / 2, rtol=0, atol=32 * EPS * np.max(up))


# Blocks --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", ["decoupled", "rotated", "random"])
def test_a_block_of_a_network_is_trained_as_if_it_were_alone(case: str) -> None:
    problem, draws = PROBLEM.instance(**CASES[case]), drawn(CASES[case])
    together = layer_trajectory(draws, STEPS, RATE)
    inputs, outputs = blocks(problem)
    correlation = draws.targets @ draws.inputs.swapaxes(-1, -2)
    for i in range(problem.modes):
        into, out = inputs == i, outputs == i
        alone = Draws(
            inputs=np.tile(np.eye(into.sum()), (len(SEEDS), 1, 1)),
            targets=correlation[:, out][..., into],
            left=draws.left[:, out, i : i + 1],
            right=draws.right[:, into, i : i + 1],
            weights=(draws.weights[0][:, i : i + 1, into], draws.weights[1][:, out, i : i + 1]),
        )
        first, second = layer_trajectory(alone, STEPS, RATE)
        atol = STEPS[-1] * 16 * EPS  # rounding of a step, of weights near 1
        np.testing.assert_allclose(together[0][:, :, i : i + 1, into], first, rtol=0, atol=atol)
        np.testing.assert_allclose(together[1][:, :, out, i : i + 1], second, rtol=0, atol=atol)


# Triangular factors ----------------------------------------------------------------------------------------
@cache
def symmetric() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Late times, and weights (6, T) and errors (4, T) of the flow from p = a, q = b, r = -c; s = (1, 1)."""

    def errors(y: np.ndarray) -> np.ndarray:
        p, q, r, a, b, c = y
        return np.array([-p * a, 1 - p * b, 1 - q * a, -q * b - r * c])

    def slope(_: float, y: np.ndarray) -> list[float]:
        p, q, r, a, b, c = y
        D11, D12, D21, D22 = errors(y)
        return [
            D11 * a + D12 * b, D21 * a + D22 * b, D22 * c, D11 * p + D21 * q, D12 * p + D22 * q, D22 * r,
        ]  # fmt: skip

    times, start = np.array([1e3, 1e4, 1e5]), [0.8, 1.2, 1.1, 0.8, 1.2, -1.1]
    solved = solve_ivp(slope, (0, times[-1]), start, "LSODA", times, rtol=1e-9, atol=1e-12)
    assert solved.success
    return times, solved.y, errors(solved.y)


def test_the_flow_misses_its_law_by_the_next_order_and_that_by_another() -> None:
    times, _, errors = symmetric()
    rho, law = np.linalg.norm(errors, axis=0), unattained.residual(times, 1.0)
    left = (rho / law - 1) / unattained.next_order(law, 1.0) - 1
    assert at_order(law, np.abs(left), 1).agrees  # a shift in time is of the order of rho^3


def test_the_weights_are_as_small_as_their_residual_lets_them_be_and_the_curvature_is_their_square() -> None:
    _, weights, errors = symmetric()
    p, q, r, a, b, c = weights
    rho, size = np.linalg.norm(errors, axis=0), np.sum(weights**2, axis=0)
    excess = size / unattained.squared_norm(rho, 1.0) - 1
    np.testing.assert_array_less(np.abs(excess), rho**2)
    for i in range(rho.size):  # how the four entries of W_2 W_1 move with the six weights
        zero = 0.0
        moves = np.array([
            [a[i], zero, zero, p[i], zero, zero],
            [b[i], zero, zero, zero, p[i], zero],
            [zero, a[i], zero, q[i], zero, zero],
            [zero, b[i], c[i], zero, q[i], r[i]],
        ])  # fmt: skip
        assert abs(np.linalg.norm(moves, 2) ** 2 / size[i] - 1) < 2 * rho[i]


def test_the_last_time_is_where_the_law_reaches_the_edge() -> None:
    end, rate, product = unattained.last_time(0.03, 2.0), 0.03, 2.0
    edge = unattained.squared_norm(unattained.residual(end, product), product)
    np.testing.assert_allclose(edge, 2 / rate, rtol=8 * EPS)


def test_only_the_unit_of_the_singular_values_changes_when_both_do() -> None:
    """With s times both, sqrt(s) times the weights and 1/s times the clock all is s times as large."""
    asked = {"support": "triangular", "seeds": SEEDS}
    steps = [0, 10, 1000]
    one = run(
        "linear-network", "descent", "simulation", steps, singular_values=(2.0, 1.0), init=0.5,
        learning_rate=0.02, **asked,
    )  # fmt: skip
    four = run(
        "linear-network", "descent", "simulation", steps, singular_values=(8.0, 4.0), init=1.0,
        learning_rate=0.005, **asked,
    )  # fmt: skip
    for name in ("residual", "squared_norm"):
        np.testing.assert_allclose(four[name], 4 * one[name], rtol=1e-9)


def test_simulated_residual_and_norm_are_those_of_the_recorded_weights() -> None:
    draws = drawn(TRIANGULAR)
    first, second = layer_trajectory(draws, STEPS, 1e-3)
    answer = run("linear-network", "descent", "simulation", STEPS, seeds=SEEDS, **TRIANGULAR)
    missing = np.array([[0.0, 1.0], [2.0, 0.0]]) - second @ first  # X X^T = I: the norm is that over X too
    np.testing.assert_allclose(answer["residual"], np.linalg.norm(missing, axis=(-1, -2)), rtol=1e-12)
    size = np.sum(first**2, axis=(-1, -2)) + np.sum(second**2, axis=(-1, -2))
    np.testing.assert_allclose(answer["squared_norm"], size, rtol=1e-12)


def drawn_factors(levels: int, seed: int = 0, kind: type = float) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    found = []
    for where in butterflies.supports(levels):
        values = rng.standard_normal(where.shape)
        found.append(where * (values + 1j * rng.standard_normal(where.shape) if kind is complex else values))
    return found


def off(matrix: np.ndarray) -> float:
    """What its factors miss, relatively."""
    found = butterflies.product(butterflies.factorise(matrix))
    return float(np.linalg.norm(found - matrix) / np.linalg.norm(matrix))


def fourier(size: int) -> np.ndarray:
    """Not by scipy.linalg.dft, whose powers of one root lose digits."""
    return np.fft.fft(np.eye(size))


def test_supports_are_written_out_for_four() -> None:
    first, second = butterflies.supports(2)
    assert first.astype(int).tolist() == [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    assert second.astype(int).tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]


@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize("levels", [1, 2, 5])
def test_a_butterfly_is_taken_apart_into_factors_on_its_supports(levels: int, kind: type) -> None:
    factors = drawn_factors(levels, kind=kind)
    matrix = butterflies.product(factors)
    found = butterflies.factorise(matrix)
    assert len(found) == levels
    for factor, where in zip(found, butterflies.supports(levels), strict=True):
        assert not factor[~where].any()
    assert off(matrix) < levels * (len(matrix) + 12) * EPS  # a product and a singular pair in each level
    if levels > 1:  # the columns of the first factor are the drawn_factors ones, but for their scale
        where = butterflies.supports(levels)[0]
        pairs = (each[0].T[where.T].reshape(-1, 2) for each in (factors, found))
        one, other = (pair / np.linalg.norm(pair, axis=1, keepdims=True) for pair in pairs)
        along = np.abs(np.sum(one.conj() * other, axis=1))
        np.testing.assert_allclose(along, 1, atol=1e-12)


def test_the_fourier_transform_is_one_in_the_reversed_order_alone() -> None:
    size = 64
    order = butterflies.bit_reversal(size)
    assert sorted(order) == list(range(size))
    assert order[order].tolist() == list(range(size))
    assert [int(f"{i:06b}"[::-1], 2) for i in range(size)] == order.tolist()
    assert off(fourier(size)[:, order]) < size * EPS
    assert off(fourier(size)) > 0.9
    assert off(hadamard(size)) < size * EPS  # in its own order


def test_noise_on_orthogonal_butterflies_is_left_but_for_what_the_numbers_can_fit() -> None:
    """N (J + 1) of N^2 numbers: the factors then are as good as the best to first order."""
    levels, scale = 7, 1e-4
    size = 2**levels
    noise = scale * np.random.default_rng(3).standard_normal((size, size))
    left = off(hadamard(size) + noise) * np.linalg.norm(hadamard(size) + noise) / np.linalg.norm(noise)
    expected = np.sqrt(1 - (levels + 1) / size)
    assert abs(left - expected) < 4 / size  # one standard error of a ratio of N^2 squares is below 1/N


def test_noise_on_other_butterflies_is_not_fitted_best() -> None:
    """Their noiseless factors miss the noise alone; those that are found level by level miss more."""
    matrix = butterflies.product(drawn_factors(8))
    noise = np.random.default_rng(1).standard_normal(matrix.shape)
    noise *= 1e-3 * np.linalg.norm(matrix) / np.linalg.norm(noise)
    left = off(matrix + noise) * np.linalg.norm(matrix + noise) / np.linalg.norm(noise)
    assert left > 1


def test_the_jacobian_is_that_of_finite_differences_and_does_not_see_scalings() -> None:
    factors = drawn_factors(3)
    rows, row = butterflies.jacobian(factors), 0
    for level, where in enumerate(butterflies.supports(3)):
        for place in map(tuple, np.argwhere(where)):
            moved = [factor.copy() for factor in factors]
            moved[level][place] += 1.0  # exact: the product is linear in one number
            change = butterflies.product(moved) - butterflies.product(factors)
            np.testing.assert_allclose(rows[row], change.ravel(), atol=1e3 * EPS)
            row += 1
    assert row == len(rows) == 2 * 8 * 3
    one, other = butterflies.supports(3)[:2]
    scaled = np.zeros(len(rows))  # column 5 of the first factor longer, row 5 of the second shorter
    scaled[:16] = (factors[0] * (np.arange(8) == 5))[one]
    scaled[16:32] = -(factors[1] * (np.arange(8) == 5)[:, None])[other]
    assert np.abs(scaled).max() > 0
    np.testing.assert_allclose(scaled @ rows, 0, atol=1e3 * EPS)


@pytest.mark.parametrize("matrix", [np.eye(6), np.eye(1), np.ones((4, 2)), np.ones(4)])
def test_other_sizes_are_refused(matrix: np.ndarray) -> None:
    with pytest.raises(InputError, match=r"^--(size|matrix) "):
        butterflies.factorise(matrix)
