"""A network on coloured digits, trained as the published script trains it, and five other ways.

Until a switch all are trained by Adam on the mean logistic loss, as it is. From there the loss is a sum of

    scale (likelihood mean log(1 + e^(-y f)) + penalty mean f^2).

Axes: n images, 128 numbers each, m test images, T recorded steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.problems.colored_digits import CORNERS, RATE, SCALE, SIZES, SWITCH, drawn
from teacherstudent.sims.compilation import compiled

DESCENT_RATE = 0.03
"""At 0.1 one network in 17 dies at the switch: all its units are off, and its output is a constant."""


class After(NamedTuple):
    """How a network is trained after the switch. memory: Adam's is kept; adam: by Adam, else by descent."""

    scale: float
    likelihood: float
    penalty: float
    memory: bool = True
    adam: bool = True


VARIANTS = {
    "script": After(SCALE, 1.0, 1.0),
    "penalty alone, scaled": After(SCALE, 0.0, 1.0),
    "likelihood alone, scaled": After(SCALE, 1.0, 0.0),
    "Eq. 6.3.17": After(1.0, 1.0, 1.0),
    "Eq. 6.3.17, Adam afresh": After(1.0, 1.0, 1.0, memory=False),
    "Eq. 6.3.17, descent": After(1.0, 1.0, 1.0, adam=False),
}


class Found(NamedTuple):
    """Of one draw at the recorded steps: accuracies on training images, (T,), and by corner, (T, 4).

    entropies: means of those of the predicted chances, in nats, (T, 4).
    """

    training: np.ndarray
    corners: np.ndarray
    entropies: np.ndarray


Layers = list[tuple[jax.Array, jax.Array]]


def trained(seed: int, variants: Sequence[str], steps: Sequence[int]) -> dict[str, Found]:
    """One training a variant, all from one beginning, recorded after each of the increasing steps.

    Some of the steps are beyond the switch. A name that is no variant goes on as it began.
    """
    colored = drawn(seed)
    before = [each for each in steps if each < SWITCH]
    later = jnp.array([each - SWITCH for each in steps if each >= SWITCH], dtype=int)
    data = (
        jnp.asarray(colored.images),
        jnp.asarray(colored.labels),
        jnp.stack([colored.tests[name] for name in CORNERS]),
    )
    layers = initial(seed)
    start = (layers, optax.adam(RATE).init(layers))
    switched, early = run(start, *data, _weights(PLAIN), jnp.array([*before, SWITCH]), by_adam=True)
    found = {}
    for name in variants:
        after = VARIANTS.get(name, PLAIN)
        state = switched if after.memory else (switched[0], optax.adam(RATE).init(switched[0]))
        _, late = run(state, *data, _weights(after), later, by_adam=after.adam)
        right, told = (np.concatenate([a[:-1], b]) for a, b in zip(early, late, strict=True))
        chances = np.clip(1 / (1 + np.exp(-told)), 1e-300, 1 - 1e-16)
        entropy = -(chances * np.log(chances) + (1 - chances) * np.log1p(-chances))
        accuracies = (np.sign(told) == colored.truth).mean(axis=-1)
        found[name] = Found(right, accuracies, entropy.mean(axis=-1))
    return found


def recorded(seed: int, variants: Sequence[str], steps: Sequence[int]) -> dict[str, np.ndarray]:
    """The same as arrays, the variants first: training (V, T), corners (V, T, 4) and entropies (V, T, 4)."""
    found = trained(seed, variants, steps).values()
    return {part: np.stack([getattr(each, part) for each in found]) for part in Found._fields}


PLAIN = After(1.0, 1.0, 0.0)
"""The mean logistic loss."""


def _weights(after: After) -> jax.Array:
    return jnp.array([after.scale, after.likelihood, after.penalty])


def initial(seed: int, sizes: Sequence[int] = SIZES) -> Layers:
    """Xavier's uniform weights, and no constants."""
    generator = np.random.default_rng([seed, 1])
    found = []
    for rows, columns in itertools.pairwise(sizes):
        reach = np.sqrt(6 / (rows + columns))
        weights = generator.uniform(-reach, reach, (rows, columns))
        found.append((jnp.asarray(weights), jnp.zeros(columns)))
    return found


def outputs(layers: Layers, images: jax.Array) -> jax.Array:
    """f, (n,), of images (n, 128)."""
    for weights, constants in layers[:-1]:
        images = jax.nn.relu(images @ weights + constants)
    weights, constants = layers[-1]
    return (images @ weights + constants)[:, 0]


def loss(layers: Layers, images: jax.Array, labels: jax.Array, weights: jax.Array) -> jax.Array:
    """scale, likelihood and penalty are the three `weights`."""
    scale, likelihood, penalty = weights
    f = outputs(layers, images)
    return scale * (likelihood * jnp.mean(jax.nn.softplus(-labels * f)) + penalty * jnp.mean(f**2))


@partial(compiled, static_argnames="by_adam")
def run(
    state: Any,
    images: jax.Array,
    labels: jax.Array,
    tests: jax.Array,
    weights: jax.Array,
    steps: jax.Array,
    *,
    by_adam: bool,
) -> tuple[Any, tuple[jax.Array, jax.Array]]:
    """Train to each of the increasing steps: the last state, training accuracies (T,), outputs (T, 4, m)."""
    rule = optax.adam(RATE)

    def step(_: Any, state: Any) -> Any:
        layers, memory = state
        slope = jax.grad(loss)(layers, images, labels, weights)
        if not by_adam:
            return jax.tree.map(lambda each, by: each - DESCENT_RATE * by, layers, slope), memory
        change, memory = rule.update(slope, memory, layers)
        return optax.apply_updates(layers, change), memory

    def record(state: Any, count: jax.Array) -> tuple[Any, tuple[jax.Array, jax.Array]]:
        state = jax.lax.fori_loop(0, count, step, state)
        right = jnp.sign(outputs(state[0], images)) == labels
        told = jax.vmap(lambda corner: outputs(state[0], corner))(tests)
        return state, (jnp.mean(right.astype(float)), told)

    return jax.lax.scan(record, state, jnp.diff(steps, prepend=0))
