"""Singular value decompositions of training rows, without what is rounding."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from teacherstudent.house.waiting import waited


def decomposed(inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U (n, R), singular values (R,) and V^T (R, p) of rows (n, p), but for what is zero to rounding."""
    left, singular, right = waited(lambda: linalg.svd(inputs, full_matrices=False))
    rank = rank_of(singular, inputs.shape)
    return left[:, :rank], singular[:rank], right[:rank]


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
