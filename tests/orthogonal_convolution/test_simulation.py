"""The layer by hand, sum by sum; training from known places; both flows with overlap; divergence."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.problems.orthogonal_convolution import PROBLEM
from teacherstudent.problems.orthogonal_convolution.data import kernels
from teacherstudent.sims.orthogonal_convolution import training
from teacherstudent.sims.orthogonal_convolution.layer import measured, outputs
from tests.roundings import unrounded

EPS = np.finfo(float).eps
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
    with pytest.warns(UnconvergedWarning, match=r"^init 0.2: steps become too many; NaN in 1 of 1 draws"):
        found = run(ID, "flow", "simulation", [1e-3, 1.0], seeds=[1])
    np.testing.assert_array_equal(np.isnan(found.regulariser), [[False, True]])
