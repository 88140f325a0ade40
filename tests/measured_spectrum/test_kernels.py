"""Kernels of rows are what they are called: held to networks of many units, to features and to symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from teacherstudent.problems.measured_spectrum import kernels
from tests.roundings import repeated, same

EPS = float(np.finfo(float).eps)
RAW = np.random.default_rng(3).standard_normal((6, 5)) + 0.5
ROWS = np.concatenate([RAW, RAW[:1], -RAW[1:2], np.zeros((1, 5))])
"""With two equal rows, two opposite ones and a zero one."""

LEVEL = 1e-6
"""How often a right kernel fails a comparison with drawn networks."""


def of_network(x: np.ndarray, depth: int, width: int, seed: int) -> np.ndarray:
    """Products of the gradients of a drawn network by all its weights, (P, P), written out by hand.

    f = sqrt(2/m) a.h_L, h_l = relu(sqrt(2/m) W_l h_(l-1)), the first layer with sqrt(2/p); weights N(0, 1).
    """
    draw = np.random.default_rng([seed, depth])
    layers, states, slopes = [], [x], []
    for _ in range(depth):
        fan_in = states[-1].shape[1]
        layers.append(np.sqrt(2 / fan_in) * draw.standard_normal((fan_in, width)))
        before = states[-1] @ layers[-1]
        states.append(np.maximum(before, 0))
        slopes.append(before > 0)
    found = 2 / width * states[-1] @ states[-1].T
    back = np.sqrt(2 / width) * draw.standard_normal(width) * slopes[-1]  # df/d(before), (P, m)
    for layer in range(depth - 1, -1, -1):
        found += (2 / states[layer].shape[1]) * (back @ back.T) * (states[layer] @ states[layer].T)
        if layer:
            back = back @ layers[layer].T * slopes[layer - 1]
    return found


@pytest.mark.parametrize(
    ("depth", "width", "count"), [(1, 1000, 60), (2, 256, 150), (3, 128, 200)], ids=["one", "two", "three"]
)
def test_the_tangent_kernel_is_that_of_wide_networks(depth: int, width: int, count: int) -> None:
    """Within the standard error of drawn networks; a bias of 1/width is far below that.

    arccos halves the digits of rows that are equal or opposite.
    """
    drawn = np.stack([of_network(ROWS, depth, width, seed) for seed in range(count)])
    mean, error = drawn.mean(axis=0), drawn.std(axis=0, ddof=1) / np.sqrt(count)
    exact = kernels.tangent(ROWS, depth)
    quantile = stats.t(count - 1).isf(LEVEL / 2 / mean.size)
    allowed = quantile * error + np.sqrt(EPS) * exact.max()
    assert (np.abs(mean - exact) <= allowed).all()
    for wrong in (kernels.tangent(ROWS, depth + 1), 1.2 * exact, exact - 2 / 5 * ROWS @ ROWS.T):
        assert not (np.abs(mean - wrong) <= allowed).all()


@pytest.mark.parametrize("depth", [1, 2, 7])
def test_the_tangent_kernel_on_its_diagonal_and_under_scaling(depth: int) -> None:
    found = kernels.tangent(ROWS, depth)
    square = np.sum(ROWS**2, axis=1)
    np.testing.assert_allclose(np.diagonal(found), (depth + 1) * 2 / 5 * square, rtol=20 * EPS)
    assert same(found, found.T, 16, of=np.max(np.abs(found)))
    assert np.linalg.eigvalsh(found).min() > -1e-7 * np.trace(found)  # arccos halves the digits of equal rows
    np.testing.assert_allclose(kernels.tangent(3 * ROWS, depth), 9 * found, rtol=1e-7, atol=1e-14)
    assert not found[-1].any()


def test_one_hidden_layer_is_the_formula_of_its_angle() -> None:
    """Theta = (2/p)|x||x'| (2 (pi - a) cos a + sin a)/pi."""
    norms = np.linalg.norm(RAW, axis=1)
    cosine = RAW @ RAW.T / np.outer(norms, norms)
    angle = np.arccos(np.clip(cosine, -1, 1))
    expected = 2 / 5 * np.outer(norms, norms) * (2 * (np.pi - angle) * cosine + np.sin(angle)) / np.pi
    np.testing.assert_allclose(kernels.tangent(RAW, 1), expected, rtol=1e-7)


def test_blocks_of_rows_give_the_kernel_of_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = kernels.tangent(ROWS, 3)
    monkeypatch.setattr(kernels, "BLOCK", 2 * len(ROWS))
    np.testing.assert_allclose(kernels.tangent(ROWS, 3), whole, rtol=4 * EPS)


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_the_gaussian_kernel_sees_distances_alone(shift: float) -> None:
    found, _ = kernels.gaussian(ROWS + shift, 1.7)
    distances = np.sum((ROWS[:, None] - ROWS) ** 2, axis=2)
    np.testing.assert_allclose(found, np.exp(-distances / (2 * 1.7**2)), rtol=1e-13 + 1e-15 * shift)
    np.testing.assert_array_equal(np.diagonal(found), 1.0)


def test_its_own_length_is_the_median_distance_of_two_rows() -> None:
    pairs = [np.linalg.norm(ROWS[i] - ROWS[j]) for i in range(len(ROWS)) for j in range(i)]
    kernel, width = kernels.gaussian(ROWS, "auto")
    np.testing.assert_allclose(width, np.median(pairs), rtol=1e-14)
    assert repeated(kernel, kernels.gaussian(ROWS, width)[0])
    mostly_equal = np.repeat(ROWS[:2], (9, 1), axis=0)
    np.testing.assert_allclose(
        kernels.median_distance(squares(mostly_equal)), np.linalg.norm(ROWS[0] - ROWS[1]), rtol=1e-14
    )


def squares(x: np.ndarray) -> np.ndarray:
    return np.sum((x[:, None] - x) ** 2, axis=2)


def test_a_centred_kernel_is_that_of_centred_features() -> None:
    centred = ROWS - ROWS.mean(axis=0)
    np.testing.assert_allclose(kernels.centred(ROWS @ ROWS.T), centred @ centred.T, atol=1e-14)
