"""Training to agreement: Levenberg and Marquardt's damped Gauss-Newton steps on all examples at once."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

from teacherstudent.sims.compilation import QUICKLY, compiled
from teacherstudent.sims.flexible_activations.network import Network, outputs

STEPS = 500
"""Steps after which a start is given up. Most that arrive need a hundred."""

AGREED = 1e-12
"""Root mean square error, relative to the outputs, below which a student agrees with its examples.

Rounding leaves some 1e-16 times the condition of the problem; students that do not agree rest above 1e-6.
"""

LEAST, MOST = 1e-14, 1e8
"""Damping, relative to the mean curvature: beyond the latter no step improves."""


@partial(compiled, static_argnames="powers", on_cpu=True, compiler_options=QUICKLY)
def trained(
    start: Network, inputs: jax.Array, targets: jax.Array, seen: jax.Array, powers: range
) -> tuple[Network, jax.Array]:
    """The student after training from a start, and its relative error on the examples that are seen.

    inputs (N, m), targets (N, n), seen (N,): 1 or 0. A step is taken if it lowers the error; then the damping
    is halved, else it is doubled. Ends where a student that agrees does not improve any more.
    """
    flat, unflatten = ravel_pytree(start)
    weights = seen[:, None] / jnp.sqrt(jnp.sum(seen[:, None] * targets**2))

    def error(flat: jax.Array) -> jax.Array:
        return (weights * (outputs(unflatten(flat), inputs, powers) - targets)).ravel()

    def step(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        flat, damping, loss, count, _ = state
        slopes = jax.jacfwd(error)(flat)
        curvature = slopes.T @ slopes
        damped = curvature + damping * jnp.trace(curvature) / flat.size * jnp.eye(flat.size)
        moved = flat - jnp.linalg.solve(damped, slopes.T @ error(flat))
        reached = jnp.sum(error(moved) ** 2)
        better = reached < loss  # not of NaN
        return (
            jnp.where(better, moved, flat),
            jnp.maximum(jnp.where(better, damping / 2, damping * 2), LEAST),
            jnp.where(better, reached, loss),
            count + 1,
            better,
        )

    def unfinished(state: tuple[jax.Array, ...]) -> jax.Array:
        _, damping, loss, count, better = state
        return (count < STEPS) & (damping < MOST) & (better | (loss > AGREED**2))

    first = flat, jnp.array(1.0), jnp.sum(error(flat) ** 2), 0, jnp.array(True)
    flat, _, loss, *_ = jax.lax.while_loop(unfinished, step, first)
    return unflatten(flat), jnp.sqrt(loss)
