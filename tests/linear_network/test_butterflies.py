"""Butterflies: the factors lie on their supports, are found again, and are not what noise or order hide."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import hadamard

from teacherstudent.house.errors import InputError
from teacherstudent.theory.linear_network import butterflies

EPS = np.finfo(float).eps


def drawn(levels: int, seed: int = 0, kind: type = float) -> list[np.ndarray]:
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
    factors = drawn(levels, kind=kind)
    matrix = butterflies.product(factors)
    found = butterflies.factorise(matrix)
    assert len(found) == levels
    for factor, where in zip(found, butterflies.supports(levels), strict=True):
        assert not factor[~where].any()
    assert off(matrix) < levels * (len(matrix) + 12) * EPS  # a product and a singular pair in each level
    if levels > 1:  # the columns of the first factor are the drawn ones, but for their scale
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
    matrix = butterflies.product(drawn(8))
    noise = np.random.default_rng(1).standard_normal(matrix.shape)
    noise *= 1e-3 * np.linalg.norm(matrix) / np.linalg.norm(noise)
    left = off(matrix + noise) * np.linalg.norm(matrix + noise) / np.linalg.norm(noise)
    assert left > 1


def test_the_jacobian_is_that_of_finite_differences_and_does_not_see_scalings() -> None:
    factors = drawn(3)
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
