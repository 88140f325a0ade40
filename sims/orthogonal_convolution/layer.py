"""The layer as it is stated: its outputs, its matrix, and its regulariser, by convolutions.

Axes: B signals, M outputs, C inputs, then D axes of a kernel, an input (n = S N) or an output (N).
"""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.sims.compilation import compiled

_WORDS = {1: ("NCH", "OIH", "NCH"), 2: ("NCHW", "OIHW", "NCHW")}


def outputs(kernel: jax.Array, signals: jax.Array, stride: int, size: int) -> jax.Array:
    """y, (B, M, N^D), of periodic signals (B, C, (S N)^D)."""
    k, dimension = kernel.shape[-1], kernel.ndim - 2
    seen = (jnp.arange(stride * (size - 1) + k) - k // 2) % (stride * size)
    for axis in range(2, 2 + dimension):
        signals = jnp.take(signals, seen, axis=axis)
    return _convolved(signals, kernel, stride, 0)


def matrix(kernel: jax.Array, stride: int, size: int) -> jax.Array:
    """A, (M N^D, C (S N)^D): each column is the response to an impulse."""
    shape = (kernel.shape[1], *[stride * size] * (kernel.ndim - 2))
    impulses = jnp.eye(math.prod(shape))
    responses = outputs(kernel, impulses.reshape(-1, *shape), stride, size)
    return responses.reshape(len(impulses), -1).T


def measured(kernel: np.ndarray, stride: int, size: int) -> tuple[np.ndarray, float]:
    """A, (M N^D, C (S N)^D), and L, as they are stated, of a kernel (M, C, k^D)."""
    A, L = _measured(kernel, stride, size)
    return np.asarray(A), float(L)


@partial(compiled, static_argnames=("stride", "size"))
def _measured(kernel: jax.Array, stride: int, size: int) -> tuple[jax.Array, jax.Array]:
    return matrix(kernel, stride, size), regulariser(kernel, stride)


def overlaps(kernel: jax.Array, stride: int) -> jax.Array:
    """conv(K, K), (M, M, (2 P/S + 1)^D): products of windows at each shift, P = floor((k-1)/S) S."""
    return _convolved(kernel, kernel, stride, (kernel.shape[-1] - 1) // stride * stride)


def regulariser(kernel: jax.Array, stride: int) -> jax.Array:
    """L = |conv(K, K) - I|_F^2 - max(0, M - C S^D)."""
    M, C = kernel.shape[:2]
    dimension = kernel.ndim - 2
    products = overlaps(kernel, stride)
    middle = [(kernel.shape[-1] - 1) // stride] * dimension
    missed = products.at[(slice(None), slice(None), *middle)].add(-jnp.eye(M))
    return jnp.sum(missed**2) - max(0, M - C * stride**dimension)


def _convolved(signals: jax.Array, kernel: jax.Array, stride: int, padding: int) -> jax.Array:
    dimension = kernel.ndim - 2
    return jax.lax.conv_general_dilated(
        signals,
        kernel,
        [stride] * dimension,
        [(padding, padding)] * dimension,
        dimension_numbers=_WORDS[dimension],
    )
