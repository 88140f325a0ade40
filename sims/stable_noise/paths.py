"""Stable variates, and steps of Euler's scheme X <- factor X + scale S.

Axes: W paths, which have independent variates; further axes before that share these.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.sims.compilation import compiled

LONGEST = 10**7
"""Steps beyond which no answer is tried: each is taken."""

_LEAST = np.finfo(float).tiny
"""In the place of 0, which a uniform number of 53 bits can be."""


def variates(stability: jax.Array, key: jax.Array, count: int) -> jax.Array:
    """Numbers S, (count,), of the characteristic function E exp(iuS) = exp(-|u|^alpha) (chambers1976).

    S = sin(alpha U)/cos(U)^(1/alpha) [cos((1-alpha) U)/E]^((1-alpha)/alpha), U uniform on (-pi/2, pi/2), E
    exponential of mean 1. Powers are taken by logarithms, and cos(U) from the distance of U to the nearer
    end, which keeps the digits of the largest variates.
    """
    signed, chance = jax.random.uniform(key, (2, count))
    place = 2 * signed - 1
    angle, beside = jnp.pi / 2 * place, jnp.pi / 2 * (1 - jnp.abs(place))
    size = jnp.maximum(-jnp.log1p(-chance), _LEAST)
    spread = jnp.log(jnp.cos((1 - stability) * angle)) - jnp.log(size)
    edge = jnp.log(jnp.maximum(jnp.sin(beside), _LEAST))
    return jnp.sin(stability * angle) * jnp.exp(((1 - stability) * spread - edge) / stability)


@compiled
def advanced(
    stability: jax.Array,
    factor: jax.Array,
    scale: jax.Array,
    key: jax.Array,
    X: jax.Array,
    first: jax.Array,
    last: jax.Array,
) -> jax.Array:
    """X (..., W) after the steps from `first` up to `last`, each with the variates of its step number."""

    def step(i: jax.Array, X: jax.Array) -> jax.Array:
        return factor * X + scale * variates(stability, jax.random.fold_in(key, i), X.shape[-1])

    moved: jax.Array = jax.lax.fori_loop(first, last, step, X)
    return moved
