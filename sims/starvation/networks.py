"""A network with one hidden layer in the NTK parametrisation (Eq. 6.3.1), and its tangent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.precision  # noqa: F401  double precision

Activation = Literal["relu", "tanh"]

ACTIVATIONS = {"relu": jax.nn.relu, "tanh": jnp.tanh}


def output(parameters: jax.Array, inputs: jax.Array, activation: Activation) -> jax.Array:
    """Logits (n,) of inputs (n, d); `parameters` are W1 (width, d), then w2 (width,), in one array."""
    d = inputs.shape[-1]
    first, second = jnp.split(parameters, [parameters.size // (d + 1) * d])
    hidden = ACTIVATIONS[activation](inputs @ first.reshape(-1, d).T / jnp.sqrt(d))
    return hidden @ second / jnp.sqrt(second.size)


def initial_parameters(seeds: Sequence[int], width: int, d: int = 2) -> np.ndarray:
    """Independent standard normal parameters, (S, width (d + 1)): wider networks begin differently."""
    return np.stack([np.random.default_rng([seed, 1]).standard_normal(width * (d + 1)) for seed in seeds])


def tangent(parameters: jax.Array, inputs: jax.Array, activation: Activation) -> jax.Array:
    """Phi0 (Eq. 6.3.2), (n, m): the derivative of each logit by each parameter, in reverse mode."""
    return jax.jacrev(output)(parameters, inputs, activation)
