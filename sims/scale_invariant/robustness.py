"""What moves of bounded length do to a linear student of the loss hinge-kr, on fresh samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.problems.scale_invariant import ScaleInvariant, draw_samples, draw_start
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.scale_invariant.losses import direction


def attacked_accuracy(
    problem: ScaleInvariant, angles: np.ndarray, radii: np.ndarray, n: int, seeds: Sequence[int]
) -> np.ndarray:
    """Shares of n fresh samples whose label the sign of f has, after an attack on each, (S, R).

    Students are at `angles` from their teachers, (S,), one per seed, in radians. The attack moves an input by
    `radii`, (R,), in units of inputs, against the gradient of y f there. Raises `InputError` for another
    loss.
    """
    problem.demand_loss("hinge-kr", why="labels must be classes")
    return np.stack(
        [
            _of_draw(replace(problem, angle0=float(angle)), radii, n, seed)
            for angle, seed in zip(angles, seeds, strict=True)
        ]
    )


def _of_draw(problem: ScaleInvariant, radii: np.ndarray, n: int, seed: int) -> np.ndarray:
    teachers, weights = draw_start(problem, [seed])
    inputs, labels = draw_samples(problem, teachers, [seed], n, 0.0)
    return np.asarray(_shares(weights[0], inputs[0], labels[0], jnp.asarray(radii)))


@compiled
def _shares(weights: jax.Array, inputs: jax.Array, labels: jax.Array, radii: jax.Array) -> jax.Array:
    """Shares right, (R,), of inputs (n, d) with labels (n,)."""

    def signed(z: jax.Array, y: jax.Array) -> jax.Array:
        return y * (z @ direction(weights))

    def survives(z: jax.Array, y: jax.Array) -> jax.Array:
        slope = jax.grad(signed)(z, y)
        moved = z - radii[:, None] * slope / jnp.linalg.norm(slope)
        return jax.vmap(lambda each: signed(each, y))(moved) > 0

    return jnp.mean(jax.vmap(survives)(inputs, labels), axis=0)
