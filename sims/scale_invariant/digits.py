"""A batch-normalised network on scikit-learn's 8 x 8 digits: data, network, loss, and training.

Two hidden layers of rectified units, each behind a batch normalisation that adds nothing to the
variance, so that the weights of every hidden unit are exactly radially invariant. Axes: n images
of 64 pixels, h hidden units a layer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.house.extras import importing_extra

PIXELS, CLASSES, HIDDEN = 64, 10, 48


class Network(NamedTuple):
    """Parameters."""

    first: Any
    """(64, h)"""
    second: Any
    """(h, h)"""
    out: Any
    """(h, 10)"""
    scales: Any
    """of both normalisations, (2, h)"""
    offsets: Any
    """likewise"""
    bias: Any
    """(10,)"""


AXES = Network(first=(0,), second=(0,), out=None, scales=None, offsets=None, bias=None)
"""The radially invariant groups: the weights into each hidden unit."""


class Images(NamedTuple):
    """Images (n, 64) and their classes (n,)."""

    pixels: Any
    classes: Any


def drawn_digits(seed: int, sizes: Sequence[int], noise: float) -> list[Images]:
    """Disjoint random sets of digits of those sizes, the last one of all that are left.

    Pixels are scaled to mean 0 and variance 1 over all 1797 images, then noise of that standard
    deviation is added, once for each image.
    """
    with importing_extra("the data set digits"):
        from sklearn.datasets import load_digits

    pixels, classes = load_digits(return_X_y=True)
    rng = np.random.default_rng([seed, 0])
    order = rng.permutation(len(classes))
    pixels = (pixels - pixels.mean()) / pixels.std() + noise * rng.standard_normal(pixels.shape)
    parts = np.split(order, np.cumsum(sizes))
    return [Images(pixels[part], classes[part]) for part in parts]


def drawn_batches(seed: int, n: int, size: int, steps: int) -> np.ndarray:
    """Rows of the batch of each step, (steps, size): pass after pass over n images, each reordered."""
    rng = np.random.default_rng([seed, 1])
    passes = -(-steps * size // (n - n % size))
    rows = [rng.permutation(n)[: n - n % size].reshape(-1, size) for _ in range(passes)]
    return np.concatenate(rows)[:steps]


def initial_network(seed: int) -> Network:
    """Gaussian weights of variance 2/fan-in, 1/fan-in for the last layer."""
    rng = np.random.default_rng([seed, 2])

    def normal(rows: int, columns: int, variance: float) -> np.ndarray:
        return np.sqrt(variance / rows) * rng.standard_normal((rows, columns))

    return Network(
        normal(PIXELS, HIDDEN, 2.0),
        normal(HIDDEN, HIDDEN, 2.0),
        normal(HIDDEN, CLASSES, 1.0),
        np.ones((2, HIDDEN)),
        np.zeros((2, HIDDEN)),
        np.zeros(CLASSES),
    )


def logits(network: Network, pixels: jax.Array, batch: jax.Array) -> jax.Array:
    """Logits (n, 10) of images, normalised by the mean and variance of each unit over `batch`."""
    layers = zip((network.first, network.second), network.scales, network.offsets, strict=True)
    for weights, scale, offset in layers:
        here, there = pixels @ weights, batch @ weights
        spread = scale / jnp.sqrt(there.var(axis=0))
        pixels, batch = (
            jax.nn.relu((field - there.mean(axis=0)) * spread + offset) for field in (here, there)
        )
    return pixels @ network.out + network.bias


def loss(network: Network, images: Images) -> jax.Array:
    """Mean cross-entropy of a batch normalised by itself."""
    scores = logits(network, images.pixels, images.pixels)
    return optax.softmax_cross_entropy_with_integer_labels(scores, images.classes).mean()


def accuracy(network: Network, images: Images, training: Images) -> jax.Array:
    """Share of images classified well, normalised by the whole training set."""
    scores = logits(network, images.pixels, training.pixels)
    return jnp.mean(jnp.argmax(scores, axis=1) == images.classes)


def trajectory(
    optimiser: optax.GradientTransformation,
    network: Network,
    training: Images,
    batches: jax.Array,
    record: Callable[[Network, Any], Any],
) -> tuple[Network, Any]:
    """Train on batches (T, m, size), rows of `training`; the last network, and what `record` saw, (T, ...).

    `record` sees the network and the optimiser's state after each m steps.
    """

    def step(state: tuple[Network, Any], rows: jax.Array) -> tuple[tuple[Network, Any], None]:
        network, memory = state
        gradient = jax.grad(loss)(network, jax.tree.map(lambda each: jnp.asarray(each)[rows], training))
        change, memory = optimiser.update(gradient, memory, network)
        return (optax.apply_updates(network, change), memory), None

    def interval(state: tuple[Network, Any], batches: jax.Array) -> tuple[tuple[Network, Any], Any]:
        state, _ = jax.lax.scan(step, state, batches)
        return state, record(*state)

    (network, _), seen = jax.lax.scan(interval, (network, optimiser.init(network)), batches)
    return network, seen
