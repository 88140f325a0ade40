r"""Butterflies: a matrix of N = 2^J rows as a product of J factors with two numbers in each row and column.

Factor l = 0, ..., J-1 has the support I_(2^l) x 1_(2x2) x I_(N/2^(l+1)), x the product of Kronecker. In
A = F_0 F_1 ... F_(J-1) the last J - 1 make two diagonal blocks C_0 and C_1, so that rows i and i + N/2 of A,
over the columns of half j, are an outer product: of column i + j N/2 of F_0 and row i of C_j. These parts are
disjoint. The best of each is its leading singular pair, and C_0 and C_1 are butterflies again (the
hierarchical algorithm of Le, Zheng, Riccietti and Gribonval).

It is exact for what is such a product. A product it is not: level by level it takes the best, which noise
makes worse than the best of all levels together. Where supports overlap no part can be decomposed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike

from teacherstudent.house.errors import InputError

Factors = Sequence[np.ndarray]


def supports(levels: int) -> list[np.ndarray]:
    """Where each of `levels` = J factors may be other than 0, (N, N) truth values each, N = 2^J."""
    two = np.ones((2, 2), dtype=bool)
    found = []
    for level in range(levels):
        outer, inner = (np.eye(2**count, dtype=bool) for count in (level, levels - level - 1))
        found.append(np.kron(np.kron(outer, two), inner))
    return found


def bit_reversal(size: int) -> np.ndarray:
    """The numbers 0, ..., size - 1 with their binary digits in the opposite order, (size,); its own inverse.

    The discrete Fourier transform is a butterfly if its columns are taken in this order. Raises `InputError`.
    """
    _levels(size)
    order = np.zeros(1, dtype=int)
    while len(order) < size:
        order = np.concatenate([2 * order, 2 * order + 1])
    return order


def factorise(matrix: ArrayLike) -> list[np.ndarray]:
    """The J factors of a real or complex matrix of size N = 2^J, (N, N) each, first one first.

    Their product is the matrix to rounding if it is a butterfly, else a fit. Each singular value is shared
    equally by the two factors. Raises `InputError` for a matrix of another shape.
    """
    matrix = np.asarray(matrix)
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InputError("matrix", f"of shape {shape}", "square")
    blocks, factors = matrix[None], []
    for _ in range(_levels(len(matrix)) - 1):
        left, blocks = _split(blocks)
        factors.append(left)
    return [*factors, _diagonal(blocks)]


def product(factors: Factors) -> np.ndarray:
    """The matrix that these factors make, (N, N), first one leftmost."""
    return reduce(np.matmul, factors)


def jacobian(factors: Factors) -> np.ndarray:
    """How the product moves with each number of the factors in their supports, (2 N J, N^2).

    One factor after the other, each by rows. Multiplying a column of one factor and dividing that row of the
    next changes nothing: of 2 N J numbers N (J - 1) are free, and the rank is at most N (J + 1). Where it is
    that, the factors near these are unique but for such scalings.
    """
    size, rows = len(factors[0]), []
    for level, where in enumerate(supports(len(factors))):
        before = reduce(np.matmul, factors[:level], np.eye(size))
        after = reduce(np.matmul, factors[level + 1 :], np.eye(size))
        rows += [np.outer(before[:, i], after[j]).ravel() for i, j in np.argwhere(where)]
    return np.stack(rows)


def _levels(size: int) -> int:
    levels = int(size).bit_length() - 1
    if levels < 1 or size != 2**levels:
        raise InputError("size", size, "a power of two, 2 or more")
    return levels


def _split(blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The next factor, (N, N), and the blocks that are left, (2k, m/2, m/2), of diagonal blocks (k, m, m)."""
    count, half = len(blocks), blocks.shape[-1] // 2
    parts = blocks.reshape(count, 2, half, 2, half).transpose(0, 3, 2, 1, 4)  # block, j, i; rows, columns
    left, strengths, right = np.linalg.svd(parts, full_matrices=False)
    root = np.sqrt(strengths[..., :1])
    b, j, i, row = np.ogrid[:count, :2, :half, :2]
    factor = np.zeros((count, 2, half, count, 2, half), dtype=left.dtype)
    factor[b, row, i, b, j, i] = root * left[..., 0]
    size = 2 * count * half
    return factor.reshape(size, size), (root * right[..., 0, :]).reshape(2 * count, half, half)


def _diagonal(blocks: np.ndarray) -> np.ndarray:
    """The matrix of these diagonal blocks, (k, m, m)."""
    count, size = blocks.shape[:2]
    whole = np.zeros((count, size, count, size), dtype=blocks.dtype)
    whole[np.arange(count), :, np.arange(count)] = blocks
    return whole.reshape(count * size, count * size)
