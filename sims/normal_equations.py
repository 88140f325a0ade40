"""The normal equations of ridge regression, solved and held to what they say. Knows no system."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve

MISFIT = 1e-4
"""Largest relative misfit of the normal equations that is still an answer. Rounding exceeds it
only where curvatures far apart (by more than 1e12) meet in one matrix, and the ridge is below rounding."""


def solved(matrix: jax.Array, ridge: jax.Array, target: jax.Array) -> jax.Array:
    """(matrix + ridge) u = target of each draw: (S, m, c) from (S, m, m), a number, and (S, m, c).

    NaN where a column misses its equation by more than `MISFIT`. For use in compiled code.
    """
    damped = matrix + ridge * jnp.eye(matrix.shape[-1], dtype=matrix.dtype)
    solution = jax.vmap(lambda a, b: cho_solve(cho_factor(a, lower=True), b))(damped, target)
    missed = jnp.linalg.vector_norm(damped @ solution - target, axis=-2, keepdims=True)
    fits = missed <= MISFIT * jnp.linalg.vector_norm(target, axis=-2, keepdims=True)
    return jnp.where(fits, solution, jnp.nan)
