"""The network: a skip that is linear in components of an image, and a branch of rectified units.

Axes: N images, P pixels, d components, h units, c classes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.arrays  # noqa: F401  (double precision)

BIAS = 0.5


class Network(NamedTuple):
    """Parameters theta."""

    skip: Any
    """B, (d, c)"""
    weights: Any
    """W, (P, h)"""
    bias: Any
    """b, (h,)"""
    out: Any
    """A, (h, c)"""


class Inputs(NamedTuple):
    """Pixels (N, P) and components (N, d)."""

    pixels: Any
    components: Any


def initial(seed: int, pixels: int, components: int, width: int, classes: int) -> Network:
    """theta_0: no skip, and normal numbers of a stream of the seed's own."""
    generator = np.random.default_rng([seed, 2])
    return Network(
        np.zeros((components, classes)),
        generator.standard_normal((pixels, width)),
        generator.standard_normal(width),
        generator.standard_normal((width, classes)),
    )


def outputs(network: Network, inputs: Inputs, scales: tuple[Any, Any]) -> jax.Array:
    """f before its start is subtracted, (N, c). scales: of skip and branch."""
    skip, branch = scales
    fields = inputs.pixels @ network.weights / jnp.sqrt(network.weights.shape[0]) + BIAS * network.bias
    straight = inputs.components @ network.skip / jnp.sqrt(network.skip.shape[0])
    bent = jax.nn.relu(fields) @ network.out / jnp.sqrt(network.out.shape[0])
    return skip * straight + branch * bent
