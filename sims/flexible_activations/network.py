"""The network in JAX, and what of it is compared: outputs, directions, the parameters that it leaves free.

Axes: m inputs, n outputs, r units, K powers, P parameters.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

import teacherstudent.sims.precision  # noqa: F401  double precision


class Network(NamedTuple):
    """V (m, r), W (n, r) and c (r, K)."""

    V: jax.Array
    W: jax.Array
    c: jax.Array


def outputs(network: Network, inputs: jax.Array, powers: range) -> jax.Array:
    """W g(V^T x) of each input: (N, m) to (N, n)."""
    z = inputs @ network.V
    g = sum(network.c[:, k] * z**s / jnp.sqrt(float(prod(range(1, 2 * s, 2)))) for k, s in enumerate(powers))
    return g @ network.W.T


def unit_scaled(network: Network, powers: range) -> Network:
    """The same function with all v_i and w_i of length 1."""
    along, out = (jnp.linalg.norm(each, axis=0) for each in (network.V, network.W))
    c = network.c * out[:, None] * along[:, None] ** jnp.array(powers)
    return Network(network.V / along, network.W / out, c)


def direction_error(teacher: Network, student: Network) -> jax.Array:
    """The worst of the teacher's units: by what sine the nearest of the student misses its v or its w."""

    def sines(one: jax.Array, other: jax.Array) -> jax.Array:
        one, other = (each / jnp.linalg.norm(each, axis=0) for each in (one, other))
        return jnp.linalg.norm(other[:, None, :] - one[:, :, None] * (one.T @ other), axis=0)

    missed = jnp.maximum(sines(teacher.V, student.V), sines(teacher.W, student.W))
    return jnp.max(jnp.min(missed, axis=1))


def slopes(network: Network, inputs: jax.Array, seen: jax.Array, powers: range) -> jax.Array:
    """The Jacobian of the outputs at the inputs that are seen, in V, W and, last, c: (N n, P).

    seen: (N,), 1 or 0. Units are scaled to 1, and so are the columns: the scale of a parameter has no
    meaning.
    """
    flat, unflatten = ravel_pytree(unit_scaled(network, powers))

    def told(flat: jax.Array) -> jax.Array:
        return (seen[:, None] * outputs(unflatten(flat), inputs, powers)).ravel()

    found = jax.jacfwd(told)(flat)
    sizes = jnp.linalg.norm(found, axis=0)
    return found / jnp.where(sizes > 0, sizes, 1)


def singular_values(matrix: jax.Array) -> jax.Array:
    """Singular values relative to the largest."""
    found = jnp.linalg.svd(matrix, compute_uv=False)
    return found / found[0]
