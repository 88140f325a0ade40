"""Singular values of a periodic convolution: those of one small matrix for each frequency of the output.

Axes: M outputs, C inputs, u = k^D entries of a window, f = N^D frequencies of the output, b = S^D
frequencies of the input that stride S maps to one of the output.
"""

from __future__ import annotations

import numpy as np


def waves(kernel_size: int, stride: int, size: int, dimension: int) -> np.ndarray:
    """exp(2 pi i (f + N b) u/(S N)) S^(-D/2), (k^D, N^D, S^D): from a kernel to its transfer matrices."""
    u, f, b = np.arange(kernel_size), np.arange(size), np.arange(stride)
    turns = np.multiply.outer(u, f[:, None] + size * b) / (stride * size)
    one: np.ndarray = np.exp(2j * np.pi * (turns % 1)) / np.sqrt(stride)
    if dimension == 1:
        return one
    whole = kernel_size**2, size**2, stride**2
    return np.einsum("ufb,vge->uvfgbe", one, one).reshape(whole)


def transfer(kernels: np.ndarray, to_frequencies: np.ndarray) -> np.ndarray:
    """Transfer matrices, (..., f, M, C b), of kernels (..., M, C, u) by these `waves`.

    In the Fourier basis of outputs and inputs the layer's matrix is made of these blocks, but for phases.
    """
    found = np.moveaxis(np.tensordot(kernels, to_frequencies, 1), -2, -4)
    return found.reshape(*found.shape[:-2], -1)


def singular_values(kernels: np.ndarray, stride: int, size: int) -> np.ndarray:
    """Those of the layers, (B, N^D, min(M, C S^D)), of kernels (B, M, C, k) or (B, M, C, k, k).

    A block has no more than C min(k, S)^D that are not 0; the rest are set to it.
    """
    k, dimension = kernels.shape[-1], kernels.ndim - 3
    flat = kernels.reshape(*kernels.shape[:3], -1)
    found: np.ndarray = np.linalg.svd(transfer(flat, waves(k, stride, size, dimension)), compute_uv=False)
    found[..., kernels.shape[2] * min(k, stride) ** dimension :] = 0.0
    return found


def orthogonality_error(singular: np.ndarray) -> np.ndarray:
    """|A A^T - I|_F^2/N^D or |A^T A - I|_F^2/N^D, (...), of singular values (..., N^D, R).

    Of rows and columns the fewer: they have R singular values for each output position.
    """
    return np.asarray(np.mean(np.sum((singular**2 - 1) ** 2, axis=-1), axis=-1))


def enough(kernel_size: int, stride: int) -> int:
    """The least N at which the regulariser is the orthogonality error: S N >= 2k - 1.

    From there on two windows meet on one side only, round the circle.
    """
    return -(-(2 * kernel_size - 1) // stride)


def regulariser(kernels: np.ndarray, stride: int) -> np.ndarray:
    """L of kernels (B, M, C, k^D), (B,), by the identity |A A^T - I|_F^2 = N^D L at the least such N."""
    return orthogonality_error(singular_values(kernels, stride, enough(kernels.shape[-1], stride)))
