"""Orthogonal convolutions: spectra by hand, existence, both flows, the layer sum by sum, divergence."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.orthogonal_convolution import PROBLEM, OrthogonalConvolution
from teacherstudent.problems.orthogonal_convolution.data import kernels
from teacherstudent.sims.orthogonal_convolution import training
from teacherstudent.sims.orthogonal_convolution.layer import measured, outputs
from teacherstudent.theory.orthogonal_convolution import disjoint, overlapping, spectra
from teacherstudent.theory.orthogonal_convolution.existence import (
    exists,
    least,
    singular_value_bounds,
    spectral_factor,
)
from tests.roundings import unrounded

EPS = np.finfo(float).eps


def instance(M: int, C: int, k: int, S: int, D: int = 1) -> OrthogonalConvolution:
    found: OrthogonalConvolution = PROBLEM.instance(outputs=M, inputs=C, kernel_size=k, stride=S, dimension=D)
    return found


# Existence ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("shape", "value"),
    [
        ((1, 1, 3, 1), 0),
        ((8, 2, 3, 1), 0),  # columns, S <= k
        ((5, 2, 2, 3), 1),  # M - C k
        ((8, 2, 2, 3), 2),  # C (S - k)
        ((4, 1, 1, 2, 2), 3),  # rows of an image: M - C
        ((6, 1, 1, 2, 2), 3),  # columns of an image: C (4 - 1)
        ((4, 1, 2, 2, 2), 0),
    ],
)
def test_the_least_regulariser_is_zero_where_the_rule_has_an_orthogonal_kernel(
    shape: tuple[int, ...], value: int
) -> None:
    problem = instance(*shape)
    assert least(problem) == value
    assert exists(problem) == (value == 0)


def test_existence_and_the_least_value_say_the_same_of_all_small_shapes() -> None:
    shapes = np.array(np.meshgrid(range(1, 9), range(1, 4), range(1, 6), range(1, 5), (1, 2))).reshape(5, -1)
    for shape in shapes.T:
        problem = instance(*map(int, shape))
        assert exists(problem) == (least(problem) == 0), shape
        assert exists(problem) or problem.kernel_size < problem.stride, shape


def test_the_factor_counts_shifts_and_the_bounds_follow() -> None:
    assert spectral_factor(instance(4, 4, 3, 1)) == 5
    assert spectral_factor(instance(1, 2, 4, 2)) == 3
    assert spectral_factor(instance(5, 1, 3, 2, 2)) == 9  # columns: shifts -1, 0, 1 along each dimension
    assert spectral_factor(instance(5, 1, 2, 2)) == 1  # windows share no input
    assert spectral_factor(instance(7, 2, 1, 1)) == 1
    low, high = singular_value_bounds(instance(4, 4, 3, 1), 0.05)
    np.testing.assert_allclose([low**2, high**2], [0.5, 1.5], rtol=4 * EPS)
    assert singular_value_bounds(instance(4, 4, 3, 1), 9.0)[0] == 0


@pytest.mark.parametrize(("stride", "dimension"), [(1, 1), (3, 1), (2, 2)])
def test_a_shift_is_orthogonal_at_every_size(stride: int, dimension: int) -> None:
    kernel = np.zeros((1, 1, 1, *[3] * dimension))
    kernel[(0, 0, 0, *[2] * dimension)] = 1.0
    for size in (1, 2, 5):
        np.testing.assert_allclose(spectra.singular_values(kernel, stride, size), 1.0, rtol=20 * EPS)
    assert abs(spectra.regulariser(kernel, stride)[0]) < 100 * EPS**2


def test_an_image_and_a_signal_of_one_line_agree() -> None:
    """A kernel that is a product has singular values that are products."""
    one, other = np.array([0.5, 0.9]), np.array([-0.4, 1.2])
    lines = [spectra.singular_values(each[None, None, None], 1, 3).ravel() for each in (one, other)]
    image = spectra.singular_values(np.outer(one, other)[None, None, None], 1, 3).ravel()
    np.testing.assert_allclose(np.sort(image), np.sort(np.outer(*lines).ravel()), rtol=50 * EPS)


# The flow -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(2, 2, 3, 1), (5, 1, 3, 2), (7, 2, 2, 3), (3, 1, 2, 1, 2)])
def test_the_gradient_is_that_of_the_regulariser(shape: tuple[int, ...]) -> None:
    """By central differences along a direction, whose error is about step^2."""
    rng, (M, C, k, S, *rest) = np.random.default_rng(0), shape
    size = (M, C, *[k] * (rest or [1])[0])
    kernel, along = 0.5 * rng.standard_normal((2, *size))
    step = 1e-5
    ahead, behind = (spectra.regulariser((kernel + sign * step * along)[None], S)[0] for sign in (1, -1))
    slope = np.sum(overlapping.gradient(kernel, S) * along)
    assert abs((ahead - behind) / (2 * step) - slope) < 1e-7 * np.sum(along**2) ** 2


def test_the_closed_form_solves_its_equation_and_ends_at_one() -> None:
    s0, t, step = np.array([[0.2, 1.0, 3.0]]), 0.07, 1e-5
    s, before, after = disjoint.flowed(s0, np.array([t, t - step, t + step]))[0]
    np.testing.assert_allclose((after - before) / (2 * step), -4 * s * (s**2 - 1), atol=1e-7)
    np.testing.assert_allclose(
        disjoint.flowed(s0, np.array([0.0, 900.0]))[0], [s0[0], [1, 1, 1]], rtol=4 * EPS
    )


def test_steps_of_descent_are_those_of_the_matrix_and_diverge_from_a_known_start() -> None:
    """Beyond s^2 = 1 + 1/(2 eta) a step lands further from 0 on the other side."""
    edge = np.sqrt(1 + 1 / (2 * 0.1))
    inside, outside = (
        disjoint.stepped(np.array([[x * edge]]), np.array([200]), 0.1)[0] for x in (0.99, 1.01)
    )
    np.testing.assert_allclose(inside, 1.0, rtol=4 * EPS)
    assert not np.isfinite(outside).any()


ID = "orthogonal-convolution"


def by_hand(K: np.ndarray, x: np.ndarray, S: int, N: int) -> np.ndarray:
    """y of a signal (C, (S N)^D), entry by entry as the problem states it."""
    k, D = K.shape[-1], K.ndim - 2
    y = np.zeros((len(K), *[N] * D))
    for i in product(range(N), repeat=D):
        for u in product(range(k), repeat=D):
            at = tuple((S * a + b - k // 2) % (S * N) for a, b in zip(i, u, strict=True))
            y[(slice(None), *i)] += K[(slice(None), slice(None), *u)] @ x[(slice(None), *at)]
    return y


def stated(K: np.ndarray, S: int) -> float:
    """L by the sums of the problem's text, over shifts S p."""
    M, C, k = K.shape[:3]
    D, total = K.ndim - 2, 0.0
    for p in product(range(-(k // S), k // S + 1), repeat=D):
        products = np.zeros((M, M))
        for u in product(range(k), repeat=D):
            at = tuple(a + S * b for a, b in zip(u, p, strict=True))
            if all(0 <= a < k for a in at):
                index = (slice(None), slice(None))
                products += K[(*index, *at)] @ K[(*index, *u)].T
        total += np.sum((products - np.eye(M) * (not any(p))) ** 2)
    return total - max(0, M - C * S**D)


@pytest.mark.parametrize(
    "shape", [(2, 3, 4, 2, 3), (5, 1, 3, 2, 1), (2, 2, 2, 3, 2), (1, 2, 3, 1, 2)], ids=str
)
@pytest.mark.parametrize("dimension", [1, 2])
def test_the_layer_and_its_regulariser_are_those_of_the_text(shape: tuple[int, ...], dimension: int) -> None:
    M, C, k, S, N = shape
    rng = np.random.default_rng(1)
    K, x = rng.standard_normal((M, C, *[k] * dimension)), rng.standard_normal((C, *[S * N] * dimension))
    A, L = measured(K, S, N)
    right = by_hand(K, x, S, N)
    np.testing.assert_allclose(A @ x.ravel(), right.ravel(), atol=100 * EPS * np.abs(K).sum())
    np.testing.assert_allclose(L, stated(K, S), rtol=200 * EPS)
    if dimension == 1:
        np.testing.assert_allclose(outputs(K, x[None], S, N)[0], right, atol=100 * EPS * np.abs(K).sum())


def test_an_orthogonal_kernel_stays_and_keeps_its_length() -> None:
    kernel = np.zeros((1, 1, 1, 3))
    kernel[..., 0] = 1.0
    assert unrounded(training.descended(kernel, np.array([0, 7]), 0.1, 1)[0], kernel[[0, 0]])


def test_a_step_of_descent_where_windows_do_not_overlap_is_that_of_the_matrix() -> None:
    problem = PROBLEM.instance(outputs=3, inputs=2, kernel_size=2, stride=2, init=0.5)
    W = kernels(problem, [3])
    flat = W.reshape(3, 4)
    right = flat - 0.4 * (flat @ flat.T - np.eye(3)) @ flat
    np.testing.assert_allclose(
        training.descended(W, np.array([1]), 0.1, 2)[0, 0].reshape(3, 4), right, rtol=1e-13
    )


def test_what_does_not_arrive_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.warns(UnconvergedWarning, match=r"^learning_rate 5: training diverges; NaN in 2 of 2 draws"):
        found = run(ID, "descent", "simulation", [0, 30], seeds=[1, 2], learning_rate=5.0, init=1.0)
    np.testing.assert_array_equal(np.isnan(found.regulariser), [[False, True]] * 2)
    monkeypatch.setattr(training, "MOST", 20)
    with pytest.warns(UnconvergedWarning, match=r"too many steps; NaN in 1 of 1 draws"):
        found = run(ID, "flow", "simulation", [1e-3, 1.0], seeds=[1])
    np.testing.assert_array_equal(np.isnan(found.regulariser), [[False, True]])
