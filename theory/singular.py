"""Singular value decompositions of training rows, without what is rounding.

Small matrices are decomposed as they are. Large ones, whose decomposition would take minutes, go through
the eigenvectors of the smaller of X^T X and X X^T, which takes a fifth of the time. Squaring costs digits of
the small singular values: with s the smallest that is kept and s_1 the largest, values and vectors are right
to about eps (s_1/s)^2 relative to themselves. That is used where s/s_1 >= `RESOLVED`, so that nothing is off
by more than about 1e-6, and most far less; what is below must be rounding of the matrix itself, and else the
matrix is decomposed as it is, however long that takes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from teacherstudent.house.memory_cache import Remembered
from teacherstudent.house.progressing import doing_part

LARGE = 2e10
"""Rows times columns times the smaller of both, from which on a matrix is large: some seconds of work."""

RESOLVED = 1e-5
"""Singular values below this share of the largest are not taken from a product of the matrix with itself."""

Parts = tuple[np.ndarray, np.ndarray, np.ndarray]
"""U (n, R), singular values (R,) and V^T (R, p)."""


def decompose_rows(inputs: np.ndarray) -> Parts:
    """U (n, R), singular values (R,) and V^T (R, p) of rows (n, p), but for what is zero to rounding."""
    rows, columns = inputs.shape
    found = None
    with doing_part(f"decomposing {rows:,} x {columns:,}"):
        if rows * columns * min(rows, columns) >= LARGE:
            found = decompose_by_gram(inputs)
        return found or _as_it_is(inputs)


def eigen(symmetric: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, increasing, (N,), and eigenvectors (N, N) of a symmetric matrix."""
    with doing_part(f"decomposing {len(symmetric):,} x {len(symmetric):,}"):
        values, vectors = np.linalg.eigh(symmetric)
    return values, vectors


def _as_it_is(inputs: np.ndarray) -> Parts:
    left, singular, right = np.linalg.svd(inputs, full_matrices=False)
    rank = rank_of(singular, inputs.shape)
    return left[:, :rank], singular[:rank], right[:rank]


def decompose_by_gram(inputs: np.ndarray) -> Parts | None:
    """The same from the smaller product of the matrix with itself; None where that does not resolve it."""
    if inputs.shape[0] < inputs.shape[1]:
        found = decompose_by_gram(inputs.T)
        return found and (found[2].T, found[1], found[0].T)
    right = _RIGHT.get(_digest(inputs), lambda: _right(inputs)).vectors
    if right is None:
        return None
    left = inputs @ right
    singular = np.linalg.norm(left, axis=0)  # closer than the roots of the eigenvalues
    left /= singular
    return left, singular, right.T


@dataclass(frozen=True)
class _Right:
    """Right singular vectors (p, R), the strongest first, or None where squares do not resolve them."""

    vectors: np.ndarray | None


_RIGHT: Remembered[_Right] = Remembered()
"""Of large matrices, by their numbers: the same training rows are asked about flow and about ridge."""


def _digest(inputs: np.ndarray) -> str:
    numbers = inputs if inputs.flags.c_contiguous else np.ascontiguousarray(inputs.T)
    content = hashlib.blake2b(repr((inputs.shape, inputs.flags.c_contiguous)).encode())
    content.update(numbers.data)
    return content.hexdigest()


def _right(inputs: np.ndarray) -> _Right:
    values, vectors = np.linalg.eigh(inputs.T @ inputs)
    kept = values > RESOLVED**2 * values[-1]
    # What is left must be rounding of the matrix itself: a product with its own directions shows it.
    rest = np.linalg.norm(inputs @ vectors[:, ~kept])
    if rest > np.finfo(float).eps * max(inputs.shape) * np.sqrt(values[-1]):
        return _Right(None)
    return _Right(np.ascontiguousarray(vectors[:, kept][:, ::-1]))


def rank_of(singular: np.ndarray, shape: tuple[int, ...]) -> int:
    """How many singular values (R,) of a matrix of that shape are more than its rounding.

    Columns whose scales differ by up to twelve decades keep their own: the eigenvalues of a covariance
    would keep six of them.
    """
    return int(np.count_nonzero(singular > np.finfo(float).eps * max(shape) * singular.max()))


def off(modes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What of values (N, c) lies off orthonormal modes, (N, R): exactly nothing where there are N."""
    size, rank = modes.shape
    return np.zeros_like(values) if rank == size else values - modes @ (modes.T @ values)
