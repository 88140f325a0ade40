"""Mode learning holds against what it does not use: integrators, forty digits, limits, small weights."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.linear_network import PROBLEM, Draws, draw, initial_gains
from teacherstudent.theory.linear_network import ACCURACY, deep, effective, modes, phase_portrait, riccati
from teacherstudent.theory.linear_network.routes import curvature

EPS = np.finfo(float).eps


def integrated(slope, start: Sequence[float] | np.ndarray, times: np.ndarray) -> np.ndarray:
    """A high-order integration of y' = slope(y), (T, len(y)), good to about 1e-11."""
    solved = solve_ivp(lambda _, y: slope(y), (0, times[-1]), start, "DOP853", times, rtol=1e-13, atol=1e-14)
    assert solved.success
    return solved.y.T


# Two layers, one mode --------------------------------------------------------------------------
def test_both_amplitudes_solve_the_printed_equations_from_any_start() -> None:
    times, rng = np.linspace(0, 4, 5), np.random.default_rng(0)
    for a0, b0, s in np.column_stack([rng.normal(0, 2, (30, 2)), rng.uniform(0.2, 4, 30)]):

        def slope(y: np.ndarray, s: float = s) -> np.ndarray:
            return np.stack(phase_portrait.velocity(*y, s))  # Eqs. 2.2.15-2.2.16

        reference = integrated(slope, [a0, b0], times)
        np.testing.assert_allclose(np.stack(modes.amplitudes(times, s, a0, b0), -1), reference, atol=2e-10)
        u = modes.strength(times, s, a0 * b0, a0**2 - b0**2)
        np.testing.assert_allclose(u, reference.prod(axis=-1), atol=2e-10)


@pytest.mark.parametrize("c", [0.0, 1e-7, -0.8, 30.0])
@pytest.mark.parametrize("u0", [1e-12, 0.3, -0.7, 5.0])
def test_every_hyperbola_agrees_with_its_hyperbolic_functions_in_forty_digits(c: float, u0: float) -> None:
    s = 1.7
    times = np.array([0.0, 0.01, 1.0, 5.0])
    with mp.workdps(40):
        S, U, C = mp.mpf(s), mp.mpf(u0), mp.mpf(c)
        R, K, h = mp.sqrt(C**2 + 4 * S**2), mp.sqrt(C**2 + 4 * U**2), C**2 + 4 * S * U

        def exact(t: float) -> float:
            grown = 4 * S * (S - U) + h * mp.cosh(R * t) + K * R * mp.sinh(R * t)
            return float(S - (S - U) * R**2 / grown)

        reference = [exact(mp.mpf(t)) for t in times]
    scale = max(s, abs(u0), abs(c))
    np.testing.assert_allclose(modes.strength(times, s, u0, c), reference, rtol=0, atol=30 * EPS * scale)


def test_equal_layers_give_the_printed_sigmoid_to_every_digit_of_a_small_strength() -> None:
    times, s, u0 = np.array([0.0, 0.1, 2.0, 5.0]), 3.0, 1e-9
    grown = np.exp(2 * s * times)
    printed = s * grown / (grown - 1 + s / u0)  # Eq. 2.2.22
    np.testing.assert_allclose(modes.strength(times, s, u0), printed, rtol=40 * EPS)


@pytest.mark.parametrize("c", [0.0, 2.0, -2.0])
def test_late_and_extreme_times_neither_overflow_nor_miss_the_end(c: float) -> None:
    times = np.array([0.0, 1e3, 1e8, 1e300])
    u = modes.strength(times, [[4.0], [1e-3]], [[1e-300], [1e-4]], c)
    assert np.all(np.isfinite(u))
    np.testing.assert_allclose(u[:, -1], [4.0, 1e-3], atol=4 * EPS * max(1, abs(c)))


def test_opposite_layers_of_equal_size_are_never_learned() -> None:
    assert np.all(modes.strength(np.array([0.0, 1, 1e4]), 2.0, -0.5) <= 0)
    np.testing.assert_array_equal(modes.strength([1.0, 1e300], 2.0, 0.0), 0.0)


def test_amplitudes_stay_on_their_hyperbola() -> None:
    a, b = modes.amplitudes(np.linspace(0, 9, 20), 1.5, -0.2, 1.1)
    np.testing.assert_allclose(a**2 - b**2, 0.2**2 - 1.1**2, rtol=100 * EPS)


@pytest.mark.parametrize("c", [1.3, 0.0, -0.4])
def test_the_field_runs_along_the_drawn_hyperbolas_and_rests_where_ab_is_s(c: float) -> None:
    along, s = np.linspace(-2, 2, 9), 0.9
    a, b = phase_portrait.hyperbola(c, along)
    np.testing.assert_allclose(a**2 - b**2, c, atol=20 * EPS)
    da, db = phase_portrait.velocity(a, b, s)
    np.testing.assert_allclose(a * da - b * db, 0, atol=20 * EPS)
    rest = phase_portrait.velocity(*phase_portrait.solutions(s, along[along != 0]), s)
    np.testing.assert_allclose(rest, 0, atol=20 * EPS)


# Depth -----------------------------------------------------------------------------------------
def test_two_matrices_by_the_deep_equation_are_the_hyperbola() -> None:
    times = np.array([0.0, 0.3, 1.0, 4.0])
    answer = deep.strength(times, 2.0, 0.05, 2)
    np.testing.assert_allclose(answer, modes.strength(times, 2.0, 0.05), rtol=1e-11)


@pytest.mark.parametrize("depth", [3, 4, 10, 100])
def test_deep_modes_and_their_time_to_learn_agree_with_quadrature(depth: int) -> None:
    s, u0, u = 1.7, 1e-3, 1.2
    with mp.workdps(25):
        power = 1 - mp.mpf(2) / depth
        ends = [mp.log(v / (mp.mpf(s) - v)) for v in (mp.mpf(u0), mp.mpf(u))]
        integral = mp.quad(lambda x: (1 + mp.exp(-x)) ** power, mp.linspace(*ends, 8))
        reference = float(integral / (depth * mp.mpf(s) ** (1 + power)))
    np.testing.assert_allclose(deep.time_to_learn(s, u0, u, depth), reference, rtol=100 * EPS)
    np.testing.assert_allclose(deep.strength(np.array([reference]), s, u0, depth), u, rtol=1e-10)


def test_deep_modes_answer_at_time_zero_and_at_very_late_times() -> None:
    np.testing.assert_allclose(deep.strength(np.array([0.0]), 1.0, 0.1, 3), 0.1, rtol=10 * EPS)
    np.testing.assert_allclose(deep.strength(np.array([0.0, 1e10]), 1.0, 0.1, 3)[-1], 1.0, rtol=EPS)


@pytest.mark.parametrize(
    ("depth", "u0", "certain"), [(100, 1e-3, True), (3, 1e-6, True), (100, 1e-10, False)]
)
def test_a_deep_mode_is_right_to_its_accuracy_or_says_that_it_is_not(
    depth: int, u0: float, certain: bool
) -> None:
    """A long wait before a fast rise: at depth 100 from 1e-10, the time's last digit moves u by 1e-6."""
    strengths = np.array([2 * u0, 0.1, 0.5, 0.9])
    with mp.workdps(22):
        power = 1 - mp.mpf(2) / depth
        logits = [mp.log(v / (1 - v)) for v in map(mp.mpf, [u0, *strengths])]
        pieces = [mp.linspace(low, high, 6) for low, high in pairwise(logits)]
        spent = [mp.quad(lambda x: (1 + mp.exp(-x)) ** power, piece) / depth for piece in pieces]
        times = np.array([float(sum(spent[: i + 1])) for i in range(len(spent))])
    with nullcontext() if certain else pytest.warns(UnconvergedWarning, match="rounding of the time"):
        answer = deep.strength(times, 1.0, u0, depth)
    assert np.isfinite(answer).tolist() == [True, *[certain] * 3]
    given = np.isfinite(answer)
    np.testing.assert_allclose(answer[given], strengths[given], rtol=0, atol=ACCURACY)
    late = deep.strength(times[-1:] * 1.1, 1.0, u0, depth)
    np.testing.assert_allclose(late, 1.0, rtol=1e-3)


def test_a_deep_mode_leaves_no_range_of_numbers() -> None:
    waiting = deep.strength(np.array([0.0, 1e270]), 1.0, 1e-300, 100)
    np.testing.assert_allclose(waiting, 1e-300, rtol=1e-12)
    once = deep.strength(np.array([0.0, 1.0]), 1e200, 1.0, 100)  # its logit is -460: so many roundings
    np.testing.assert_allclose(once, [1.0, 1e200], rtol=460 * EPS)
    tiny = deep.strength(np.array([0.0, 1e-300, 1e300]), 1e-200, 9.9e-201, 3)
    np.testing.assert_allclose(tiny, [9.9e-201, 9.9e-201, 1e-200], rtol=100 * EPS)


# Whole matrices ----------------------------------------------------------------------------------
def by_integration(first: np.ndarray, second: np.ndarray, C: np.ndarray, times: np.ndarray) -> np.ndarray:
    """W_2 W_1 along Eqs. 2.2.5-2.2.6 with X X^T = 1, (T, N_out, N_in)."""

    def matrices(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return y[: first.size].reshape(first.shape), y[first.size :].reshape(second.shape)

    def slope(y: np.ndarray) -> np.ndarray:
        one, two = matrices(y)
        gap = C - two @ one
        return np.concatenate([(two.T @ gap).ravel(), (gap @ one.T).ravel()])

    start = np.concatenate([first.ravel(), second.ravel()])
    return np.stack([np.matmul(*matrices(y)[::-1]) for y in integrated(slope, start, times)])


@pytest.mark.parametrize("sizes", [(5, 3, 4), (3, 6, 7), (6, 5, 3)])
@pytest.mark.parametrize("c", [0.0, 1.0, -1.7])
def test_balanced_matrices_agree_with_an_integrator(sizes: tuple[int, int, int], c: float) -> None:
    inputs, hidden, outputs = sizes
    problem = PROBLEM.instance(
        inputs=inputs, hidden=hidden, outputs=outputs, balance=c, start="rotated", u0=(0.01, 0.2, 0.05)
    )
    data = draw(problem, [3])
    first, second = (each[0] for each in data.weights)
    C = data.targets[0] @ data.inputs[0].T
    times = np.array([0.0, 0.1, 1.0, 3.0, 10.0])
    reference = by_integration(first, second, C, times)
    np.testing.assert_allclose(riccati.network(first, second, C, times, c, 3), reference, atol=2e-11)


def test_weights_of_another_balance_are_refused() -> None:
    with pytest.raises(ValueError, match="balanced"):
        riccati.network(np.eye(2), 2 * np.eye(2), np.eye(2), np.array([1.0]), 0.0, 2)


def test_a_saddle_that_only_rounding_leaves_is_not_answered_for() -> None:
    """W_2 W_1 with the wrong sign of determinant never gets the right one."""
    weights = np.diag([1.0, 1.0]), np.diag([1.0, -1.0])
    answer = riccati.network(*weights, np.diag([2.0, 1.0]), np.array([1.0, 20.0, 100.0]), 0.0, 2)
    reference = modes.strength([1.0, 20.0], [[2.0], [1.0]], [[1.0], [-1.0]])
    np.testing.assert_allclose(np.diagonal(answer[:2], axis1=1, axis2=2).T, reference, atol=1e-10)
    assert np.isnan(answer[2]).all()


def test_such_a_draw_is_announced() -> None:
    with pytest.warns(UnconvergedWarning, match="saddle"):
        answer = run("linear-network", "flow", "riccati", [1.0, 1e3], seeds=range(6), start="rotated")["u"]
    lost = np.isnan(answer).all("mode")
    assert not lost[:, 0].any()
    assert 0 < lost[:, 1].sum() < 6


def test_late_weights_have_learned_every_mode() -> None:
    """Rows of the matrix that is factored differ by e^600: taken in the wrong order, the weakest is lost."""
    answer = riccati_ends(range(6))
    learned = answer[np.isfinite(answer).all(axis=-1)]
    assert len(learned) >= 3
    np.testing.assert_allclose(learned, [[4.0, 2.5, 1.0]] * len(learned), rtol=1e-12)


def riccati_ends(seeds: Sequence[int]) -> np.ndarray:
    """u (S, modes) at a late time, NaN where rounding decides."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        answer = run("linear-network", "flow", "riccati", [100.0], seeds=seeds, start="rotated")
    return answer["u"].values[:, 0]


@pytest.mark.parametrize("size", [1e-5, 1.0, 1e5])
@pytest.mark.parametrize(("share", "balanced"), [(0.98, True), (1.02, False)])
def test_weights_are_balanced_to_rounding_of_their_own_size(
    size: float, share: float, balanced: bool
) -> None:
    """Of one unit, b and b (1 + x): Q (W_1 W_1^T - W_2^T W_2) is 2 x b^3, and |Q|^3 is sqrt(8) b^3."""
    first, second = (size * np.array([[1 + each]]) for each in (0.0, share * np.sqrt(2) * 1e-12))
    with nullcontext() if balanced else pytest.raises(ValueError, match="not lambda-balanced"):
        riccati.network(first, second, np.ones((1, 1)), np.array([0.0]), 0.0, 1)


# What the routes refuse ------------------------------------------------------------------------------
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_the_refused_learning_rates_are_those_that_do_not_settle(depth: int) -> None:
    problem = PROBLEM.instance(singular_values=(2.0,), u0=(1.9,), depth=depth)

    def settled(learning_rate: float) -> float:
        gains = initial_gains(problem)[:, 0]
        for _ in range(3000):
            u = gains.prod()
            gains = gains + learning_rate * (2.0 - u) * u / gains
        return abs(gains.prod() - 2.0)

    edge = 2 / curvature(problem)
    assert settled(0.99 * edge) < 1e-9
    assert settled(1.03 * edge) > 1e-2


def test_one_number_is_that_of_all_modes() -> None:
    assert PROBLEM.instance(u0=1e-8) == PROBLEM.instance(u0=[1e-8])


EARLY = np.array([3.0, 5.0, 7.0, 9.0])


def integrated_draws(draws: Draws) -> np.ndarray:
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
    solved = solve_ivp(slope, (0, EARLY[-1]), start, "DOP853", EARLY, rtol=1e-10, atol=1e-11)
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
        answer = run("linear-network", "flow", "effective", EARLY, seeds=seeds, **question)["u"].values
        errors.append(np.abs(answer - integrated_draws(draw(PROBLEM.instance(**question), seeds))).max())
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
        effective.strength(EARLY, a, b, s)[..., other],
        effective.strength(EARLY, a[..., other], b[..., other], s[other]),
        rtol=1e4 * EPS,
    )


def test_parallel_modes_keep_their_own_strength() -> None:
    frame = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 3)))[0]
    a, s = frame * [0.1, 0.2, 0.3], np.array([3.0, 2.0, 1.0])
    strengths = effective.initial_strengths(a, a, s)
    np.testing.assert_allclose(strengths, [0.01, 0.04, 0.09], rtol=100 * EPS)
    expected = modes.strength(EARLY[:, None], s, strengths)
    np.testing.assert_allclose(effective.strength(EARLY, a, a, s), expected, rtol=1e3 * EPS)
