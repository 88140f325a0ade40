"""Losses of a student and how steep they are over its angle, by differentiation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.problems.scale_invariant import ScaleInvariant, draw_samples, draw_start
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.scale_invariant.losses import Loss, direction, population_loss, sample_loss


class Slopes(NamedTuple):
    """Loss and its derivative over the angle to the teacher, (S, 2) each."""

    samples: np.ndarray
    population: np.ndarray


def loss_and_slope(problem: ScaleInvariant, n: int, noise: float, seeds: Sequence[int]) -> Slopes:
    """Of the student of `draw_start`, on n samples of each draw and on the population, up to its constant."""
    teachers, weights = draw_start(problem, seeds)
    drawn = draw_samples(problem, teachers, seeds, n, noise)
    return Slopes(*map(np.asarray, _slopes(Loss.of(problem), teachers, weights, *drawn)))


@compiled
def _slopes(
    loss: Loss, teachers: jax.Array, weights: jax.Array, inputs: jax.Array, targets: jax.Array
) -> tuple[jax.Array, jax.Array]:
    def of_draw(teacher: jax.Array, x: jax.Array, z: jax.Array, t: jax.Array) -> tuple[jax.Array, jax.Array]:
        u = direction(x)
        m = u @ teacher
        turning = (m * u - teacher) / jnp.sqrt(1 - m**2)  # the way that u goes as the angle grows
        of_samples = jax.value_and_grad(sample_loss, argnums=1)(loss, u, z, t)
        of_population = jax.value_and_grad(population_loss, argnums=1)(loss, u, teacher)
        samples, population = (
            jnp.stack([value, gradient @ turning]) for value, gradient in (of_samples, of_population)
        )
        return samples, population

    return jax.vmap(of_draw)(teachers, weights, inputs, targets)
