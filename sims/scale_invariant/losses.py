"""What is minimised: losses of x that feel its direction alone, on the population or on samples."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp


def direction(weights: jax.Array) -> jax.Array:
    """u = x/|x|, (d,)."""
    return weights / jnp.linalg.norm(weights)


def population_loss(loss: str, weights: jax.Array, teacher: jax.Array) -> jax.Array:
    """Mean over inputs N(0, I) and label noise, up to a constant, of one x (d,)."""
    m = direction(weights) @ teacher
    return 1 - (m**2 if loss == "squared-correlation" else m)


def sample_loss(loss: str, weights: jax.Array, inputs: jax.Array, targets: jax.Array) -> jax.Array:
    """Mean over samples: inputs (n, d), targets (n,)."""
    output = activation(loss, inputs @ direction(weights))
    return jnp.mean((targets - output) ** 2 / 2 if loss == "mse" else 1 - targets * output)


def activation(loss: str, field: jax.Array) -> jax.Array:
    """phi(h) of student and teacher; variance 1 for h ~ N(0, 1)."""
    return (field**2 - 1) / math.sqrt(2) if loss == "squared-correlation" else field


def angle(weights: jax.Array, teacher: jax.Array) -> jax.Array:
    """Angle in radians of x (d,) to the unit vector u*, by the arc tangent: accurate near 0 and pi."""
    along = weights @ teacher
    return jnp.arctan2(jnp.linalg.norm(weights - along * teacher), along)
