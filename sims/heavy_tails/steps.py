"""Steps of many chains, and of directions, in numbers that neither overflow nor vanish.

A distance v = w - w* is kept as exp(scale) times a vector that is not longer than 1 where scale > 0; a
direction u as a unit vector and the logarithm of its length. Axes: as in `batches`.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.sims.compilation import compiled

BETWEEN = 8
"""Steps between two looks at the sizes: the longest step size makes a vector some 1e13 times longer."""


class Chains(NamedTuple):
    """Distances v (d, C) over exp(scale), (C,); directions u (d, C) over exp(length), (C,).

    Where nobody asks for directions there are none, (d, 0).
    """

    distance: jax.Array
    scale: jax.Array
    direction: jax.Array
    length: jax.Array


@compiled
def advanced(
    rate: jax.Array,
    unit: jax.Array,
    chains: Chains,
    inputs: jax.Array,
    noise: jax.Array,
    first: jax.Array,
    last: jax.Array,
) -> Chains:
    """The chains after steps `first` to `last` of those that were drawn.

    rate: eta/b. unit: what label noise is measured in. v -> v - rate A^T (A v - noise/unit), u -> u - rate
    A^T A u.
    """

    def step(i: jax.Array, state: tuple[Chains, jax.Array]) -> tuple[Chains, jax.Array]:
        (v, scale, u, length), shrunk = state
        v = v - rate * _gradient(inputs[i], v, noise[i] / unit * shrunk)
        if u.size:
            u = u - rate * _gradient(inputs[i], u, 0.0)
        chains = Chains(v, scale, u, length)
        again = (i + 1) % BETWEEN == 0
        chains = jax.lax.cond(again, _measured, lambda same: same, chains)
        return chains, jnp.where(again, jnp.exp(-chains.scale), shrunk)

    moved = jax.lax.fori_loop(first, last, step, (chains, jnp.exp(-chains.scale)))[0]
    return _measured(moved)


def _gradient(inputs: jax.Array, vector: jax.Array, noise: jax.Array | float) -> jax.Array:
    """A^T (A vector - noise), (d, C); sums are spelled out, since each chain has a matrix of its own."""
    error = jnp.sum(inputs * vector, axis=1) - noise
    return jnp.sum(inputs * error[:, None], axis=0)


def _measured(chains: Chains) -> Chains:
    v, scale, u, length = chains
    now = jnp.maximum(scale + jnp.log(jnp.linalg.vector_norm(v, axis=0)), 0.0)
    grown = jnp.linalg.vector_norm(u, axis=0)
    return Chains(v * jnp.exp(scale - now), now, u / grown, length + jnp.log(grown))


@compiled
def growths(rate: jax.Array, directions: jax.Array, inputs: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Directions (d, C) after all steps that were drawn, and ln |M u| of each step, (N, C)."""

    def step(u: jax.Array, batch: jax.Array) -> tuple[jax.Array, jax.Array]:
        u = u - rate * _gradient(batch, u, 0.0)
        grown = jnp.linalg.vector_norm(u, axis=0)
        return u / grown, jnp.log(grown)

    found: tuple[jax.Array, jax.Array] = jax.lax.scan(step, directions, inputs)
    return found


class Population(NamedTuple):
    """Directions u (d, C) and the logarithms of their weights, (C,); ln of the mean growth so far, but for
    these weights, (); the least effective number of directions so far, ()."""

    direction: jax.Array
    weight: jax.Array
    grown: jax.Array
    effective: jax.Array


@compiled
def selected(
    rate: jax.Array,
    order: jax.Array,
    population: Population,
    inputs: jax.Array,
    uniform: jax.Array,
    first: jax.Array,
    last: jax.Array,
) -> tuple[Population, jax.Array]:
    """The population after steps `first` to `last` of those that were drawn, and ln of its mean growth, ().

    Weights are |M .. M u|^order. Where fewer than half of the directions carry them, directions are resampled
    in proportion, at the quantiles (uniform + j)/C, and weights are 1 again.
    """

    def step(i: jax.Array, population: Population) -> Population:
        u, weight, grown, effective = population
        u = u - rate * _gradient(inputs[i], u, 0.0)
        length = jnp.linalg.vector_norm(u, axis=0)
        u, weight = u / length, weight + order * jnp.log(length)
        share = jax.nn.softmax(weight)
        carrying = 1 / jnp.sum(share**2)
        now = Population(u, weight, grown, jnp.minimum(effective, carrying))
        return jax.lax.cond(carrying < share.size / 2, anew, lambda same, *_: same, now, share, uniform[i])

    def anew(population: Population, share: jax.Array, uniform: jax.Array) -> Population:
        u, weight, grown, effective = population
        quantiles = (uniform + jnp.arange(share.size)) / share.size
        chosen = jnp.minimum(jnp.searchsorted(jnp.cumsum(share), quantiles), share.size - 1)
        return Population(u[:, chosen], jnp.zeros_like(weight), grown + _log_mean(weight), effective)

    moved: Population = jax.lax.fori_loop(first, last, step, population)
    return moved, moved.grown + _log_mean(moved.weight)


def _log_mean(logarithms: jax.Array) -> jax.Array:
    return jax.scipy.special.logsumexp(logarithms) - jnp.log(logarithms.size)
