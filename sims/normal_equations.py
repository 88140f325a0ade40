"""The normal equations of ridge regression, solved, and asked how far rounding reaches. Knows no system."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve

import teacherstudent.sims.precision  # noqa: F401  double precision

UNSURE = 1e-5
"""Largest relative correction, by one step of refinement, of a solution that is still an answer: it shows
how large rounding errors are, which in errors of students are up to ten times as large. Beyond it curvatures
far apart (by about 1e11) meet in one matrix, and the ridge does not lift the smallest."""


def solved(matrix: jax.Array, ridge: jax.Array, target: jax.Array) -> jax.Array:
    """(matrix + ridge) u = target of each draw: (S, m, c) from (S, m, m), a number, and (S, m, c).

    NaN where the correction of a column exceeds `UNSURE`, each coordinate measured in its own curvature, so
    that units of features do not matter. The misfit alone does not show this: directions without samples,
    where rounding moves the solution freely, hardly change it. For use in compiled code.
    """
    damped = matrix + ridge * jnp.eye(matrix.shape[-1], dtype=matrix.dtype)
    unit = jnp.sqrt(jnp.diagonal(damped, axis1=-2, axis2=-1))[..., None]

    def solve(damped: jax.Array, target: jax.Array) -> tuple[jax.Array, jax.Array]:
        factor = cho_factor(damped, lower=True)
        solution = cho_solve(factor, target)
        return solution, cho_solve(factor, target - damped @ solution)

    solution, correction = jax.vmap(solve)(damped, target)
    size, wrong = (
        jnp.linalg.vector_norm(unit * each, axis=-2, keepdims=True) for each in (solution, correction)
    )
    return jnp.where(wrong <= UNSURE * size, solution, jnp.nan)
