"""Discriminators of both kinds: drawn, evaluated, and trained by gradient ascent.

Axes: W hidden units, d coordinates, P points. A network of kind relu has a leading axis of its two halves, of
opposite sign; one of kind fourier has none.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

import teacherstudent.sims.precision  # noqa: F401  double precision

Network = dict[str, jax.Array]
"""inner: w (2, W, d); shift: b, or the phase phi, (2, W); outer: a (2, W). Without the 2 for fourier."""

TRAINED = {"relu": ("inner", "shift", "outer"), "fourier": ("outer",)}
"""Which of the weights gradient ascent changes."""

SIGNS = (1.0, -1.0)
"""Of the two halves of a relu network."""


def network(kind: str, inner: jax.Array, shift: jax.Array, outer: jax.Array) -> Network:
    """The network that starts from one hidden layer, (W, d), (W,) and (W,): both halves from the same."""
    layer = {"inner": inner, "shift": shift, "outer": outer}
    if kind == "fourier":
        return layer
    return {name: jnp.stack([values, values]) for name, values in layer.items()}


def redrawn(kind: str, key: jax.Array, width: int, d: int) -> Network:
    """A network before training, by the law of `problems.gan.data.weights` but with the numbers of a key.

    relu: all of a, w and b ~ N(0, 1). fourier: w ~ N(0, I_d), phi uniform in (0, 2 pi), a = 0.
    """
    of_inner, of_shift, of_outer = jax.random.split(key, 3)
    inner = jax.random.normal(of_inner, (width, d))
    if kind == "fourier":
        phase = jax.random.uniform(of_shift, (width,), maxval=2 * jnp.pi)
        return network(kind, inner, phase, jnp.zeros(width))
    return network(kind, inner, jax.random.normal(of_shift, (width,)), jax.random.normal(of_outer, (width,)))


def relu(z: jax.Array) -> jax.Array:
    """max(z, 0), whose derivative at 0 is here the mean of both sides."""
    return jnp.where(z > 0, z, jnp.where(z == 0, z / 2, 0.0))


def output(kind: str, scale: jax.Array, weights: Network, points: jax.Array) -> jax.Array:
    """f at points (P, d): (P,). scale: that of the biases (relu) or of lengths (fourier)."""
    inner, shift, outer = weights["inner"], weights["shift"], weights["outer"]
    width = inner.shape[-2]
    if kind == "fourier":
        waves = jnp.cos(points @ inner.T / scale + shift)
        return jnp.sqrt(2 / width) * waves @ outer
    hidden = relu(jnp.einsum("pd,hwd->phw", points, inner) + scale * shift)
    halves = jnp.einsum("phw,hw->ph", hidden, outer) / jnp.sqrt(width)
    return halves @ jnp.array(SIGNS) / jnp.sqrt(2)


def separation(
    kind: str, scale: jax.Array, weights: Network, generated: jax.Array, data: jax.Array
) -> jax.Array:
    """J: the mean output at the generator's points minus that at the data."""
    means = [jnp.mean(output(kind, scale, weights, points)) for points in (generated, data)]
    return means[0] - means[1]


def ascended(
    kind: str,
    scale: jax.Array,
    weights: Network,
    generated: jax.Array,
    data: jax.Array,
    rate: jax.Array,
    steps: jax.Array,
) -> Network:
    """The network after this number of steps of gradient ascent on J, over its trained weights."""

    def objective(trained: Network, kept: Network) -> jax.Array:
        return separation(kind, scale, {**kept, **trained}, generated, data)

    climb: Callable[[Network, Network], Network] = jax.grad(objective)

    def step(_: jax.Array, weights: Network) -> Network:
        trained = {name: weights[name] for name in TRAINED[kind]}
        slopes = climb(trained, weights)
        return {**weights, **{name: values + rate * slopes[name] for name, values in trained.items()}}

    last: Network = jax.lax.fori_loop(0, steps, step, weights)
    return last


def slopes(kind: str, scale: jax.Array, weights: Network, points: jax.Array) -> jax.Array:
    """grad f at each of the points, (P, d)."""
    return jax.grad(lambda points: jnp.sum(output(kind, scale, weights, points)))(points)


def root_mean_square(gradients: jax.Array) -> jax.Array:
    """Of the lengths of gradients (P, d), over the points."""
    return jnp.sqrt(jnp.mean(jnp.sum(gradients**2, axis=-1)))
