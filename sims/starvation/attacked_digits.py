"""Networks on scikit-learn's 8 x 8 digits, and the smallest change of an image that changes their output.

A label is whether the digit is 5 or more. Networks of one hidden layer are trained by full-batch descent with
momentum on

    mean log(1 + e^(-y f)) + penalty mean f^2          (pezeshki2022 Eq. 6.3.17, with lambda = 2 penalty)

and attacked by projected gradient descent on y f within a ball around each test image. Axes: n training
images, m test images, 64 numbers each, in [0, 1]; distances are Euclidean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from teacherstudent.house.extras import importing_extra
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.starvation.colored_digits import Layers, initial, loss, outputs

SIZES = (64, 32, 1)
"""Units of the network's layers."""
TRAINING, STEPS, RATE, MOMENTUM = 400, 300, 0.05, 0.9
ATTACK, STRIDE = 20, 0.25
"""Steps of the attack, and their length as a share of the norm: together five times as far as they may go."""


def errors(seed: int, penalties: Sequence[float], norms: Sequence[float]) -> np.ndarray:
    """Share of the test images told wrongly after a change of each norm, (penalties, norms).

    All networks of a seed have one start and one training set.
    """
    images, labels, tests, truth = (jnp.asarray(each) for each in drawn(seed))
    begun, found = initial(seed, SIZES), []
    for penalty in penalties:
        layers = trained(begun, images, labels, jnp.array([1.0, 1.0, penalty]))
        found.append(np.mean(attacked(layers, tests, truth, jnp.asarray(norms)) <= 0, axis=1))
    return np.stack(found)


@compiled
def trained(layers: Layers, images: jax.Array, labels: jax.Array, weights: jax.Array) -> Layers:
    """The network after `STEPS` steps; `weights` of the parts of the loss as there."""
    rule = optax.sgd(RATE, MOMENTUM)

    def step(_: int, state: tuple[Layers, Any]) -> tuple[Layers, Any]:
        layers, memory = state
        change, memory = rule.update(jax.grad(loss)(layers, images, labels, weights), memory)
        return optax.apply_updates(layers, change), memory

    return jax.lax.fori_loop(0, STEPS, step, (layers, rule.init(layers)))[0]


def drawn(seed: int) -> tuple[np.ndarray, ...]:
    """Training images (n, 64) and labels (n,), +1 or -1, and the same of test images."""
    with importing_extra("the data set digits"):
        from sklearn.datasets import load_digits

    pixels, digits = load_digits(return_X_y=True)
    order = np.random.default_rng([seed, 0]).permutation(len(digits))
    pixels, labels = pixels[order] / 16, np.where(digits[order] >= 5, 1.0, -1.0)
    return pixels[:TRAINING], labels[:TRAINING], pixels[TRAINING:], labels[TRAINING:]


@compiled
def attacked(layers: Layers, images: jax.Array, truth: jax.Array, norms: jax.Array) -> jax.Array:
    """y f after the attack of each norm, (norms, m): below 0 where it succeeds."""
    slopes = jax.grad(lambda x: jnp.sum(truth * outputs(layers, x)))

    def within(norm: jax.Array) -> jax.Array:
        def step(_: int, change: jax.Array) -> jax.Array:
            change = change - STRIDE * norm * _unit(slopes(images + change))
            return change * jnp.minimum(1.0, norm / jnp.maximum(_length(change), 1e-300))

        return truth * outputs(layers, images + jax.lax.fori_loop(0, ATTACK, step, jnp.zeros_like(images)))

    return jax.lax.map(within, norms)


def _length(rows: jax.Array) -> jax.Array:
    return jnp.linalg.norm(rows, axis=1, keepdims=True)


def _unit(rows: jax.Array) -> jax.Array:
    """Rows of length 1; those that are 0 stay."""
    return rows / jnp.maximum(_length(rows), 1e-300)
