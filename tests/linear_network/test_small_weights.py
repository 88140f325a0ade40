"""Small random weights: their growing part decides everything, also where modes are learned at one rate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from teacherstudent.house.running import run
from teacherstudent.problems.linear_network import PROBLEM, Draws, draw
from teacherstudent.theory.linear_network import effective, modes

EPS = np.finfo(float).eps
TIMES = np.array([3.0, 5.0, 7.0, 9.0])


def integrated(draws: Draws) -> np.ndarray:
    """u, (S, T, modes), by a high-order integration of Eqs. 2.2.5-2.2.6, all draws at once."""
    first, second = draws.weights
    correlations = draws.targets @ draws.inputs.swapaxes(-1, -2)

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        W1, W2 = y[: first.size].reshape(first.shape), y[first.size :].reshape(second.shape)
        missing = correlations - W2 @ W1
        return np.concatenate(
            [(W2.swapaxes(-1, -2) @ missing).ravel(), (missing @ W1.swapaxes(-1, -2)).ravel()]
        )

    start = np.concatenate([first.ravel(), second.ravel()])
    solved = solve_ivp(slope, (0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-10, atol=1e-11)
    assert solved.success
    W1 = solved.y[: first.size].T.reshape(-1, *first.shape)
    W2 = solved.y[first.size :].T.reshape(-1, *second.shape)
    return np.einsum("som,tsoi,sim->stm", draws.left, W2 @ W1, draws.right)


@pytest.mark.parametrize("values", [(2.0, 2.0), (2.0, 1.9), (2.0, 1.0)])
def test_the_error_falls_like_the_squared_weights_whatever_the_gap(values: tuple[float, ...]) -> None:
    """Up to a logarithm of them. Orthogonalised modes on sigmoids fall with exponents 0, .1 and 1."""
    seeds, errors, weights = range(3), [], (1e-2, 1e-3)
    for init in weights:
        question = {"singular_values": values, "init": init, "hidden": 6}
        answer = run("linear-network", "flow", "effective", TIMES, seeds=seeds, **question)["u"].values
        errors.append(np.abs(answer - integrated(draw(PROBLEM.instance(**question), seeds))).max())
    assert errors[0] < weights[0]
    assert np.diff(np.log(errors))[0] / np.diff(np.log(weights))[0] > 1.5


def connectivity(scale: float, m: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Random connectivity modes a and b of two draws, (2, 6, m)."""
    rng = np.random.default_rng(0)
    return scale * rng.normal(size=(2, 6, m)), scale * rng.normal(size=(2, 6, m))


def test_it_starts_from_the_growing_part_and_ends_at_the_singular_values() -> None:
    (a, b), s = connectivity(1e-3), np.array([1.0, 4.0, 4.0])
    u = effective.strength(np.array([0.0, 1e3, 1e300]), a, b, s)
    np.testing.assert_allclose(u[:, 0], np.sum((a + b) ** 2, axis=1) / 4, rtol=1e3 * EPS)
    np.testing.assert_allclose(u[:, 1:], np.broadcast_to(s, (2, 2, 3)), rtol=10 * EPS)


def test_modes_far_apart_follow_the_sigmoids_from_their_effective_strengths() -> None:
    """As the weights to the power 2 (1 - s_j/s_k): 1.5e-18 here, below all rounding."""
    (a, b), s = connectivity(1e-10), np.array([20.0, 1.0])
    a, b, times = a[..., :2], b[..., :2], np.array([0.5, 1.0, 1.2, 10.0, 23.0])
    sigmoids = modes.strength(times[:, None], s, effective.initial_strengths(a, b, s)[:, None])
    np.testing.assert_allclose(effective.strength(times, a, b, s), sigmoids, rtol=1e-10, atol=1e-14)


def test_the_order_of_the_modes_does_not_matter() -> None:
    (a, b), s, other = connectivity(0.1), np.array([1.0, 4.0, 2.5]), [1, 2, 0]
    np.testing.assert_allclose(
        effective.initial_strengths(a, b, s)[..., other],
        effective.initial_strengths(a[..., other], b[..., other], s[other]),
        rtol=100 * EPS,
    )
    np.testing.assert_allclose(
        effective.strength(TIMES, a, b, s)[..., other],
        effective.strength(TIMES, a[..., other], b[..., other], s[other]),
        rtol=1e4 * EPS,
    )


def test_parallel_modes_keep_their_own_strength() -> None:
    frame = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 3)))[0]
    a, s = frame * [0.1, 0.2, 0.3], np.array([3.0, 2.0, 1.0])
    strengths = effective.initial_strengths(a, a, s)
    np.testing.assert_allclose(strengths, [0.01, 0.04, 0.09], rtol=100 * EPS)
    expected = modes.strength(TIMES[:, None], s, strengths)
    np.testing.assert_allclose(effective.strength(TIMES, a, a, s), expected, rtol=1e3 * EPS)
