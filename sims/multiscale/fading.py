"""Gradient descent under an output penalty that fades from step to step.

While the penalty changes there is no map to compose: every step is taken. Axes: S draws, T
recorded times, n samples, d features.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike

from teacherstudent.problems.multiscale.data import Draws
from teacherstudent.problems.multiscale.fading import MOST_FADING
from teacherstudent.sims.affine import iterated
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.multiscale.data import training_set


def while_fading(
    draws: Draws,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    penalties: np.ndarray,
    ridge: float,
    dtype: DTypeLike,
) -> tuple[np.ndarray, np.ndarray]:
    """The student's weights at each recorded step up to K, (S, T, d), and at step K, (S, d).

    `penalties` (K,) is the output penalty of each step. Times beyond K repeat the last weights.
    """
    inputs, labels = training_set(draws)
    rates = np.broadcast_to(learning_rate, len(inputs))
    steps = np.append(np.minimum(times, penalties.size), penalties.size).astype(np.int64)
    padded = np.zeros(MOST_FADING)  # whatever the decay, one compiled program
    padded[: penalties.size] = penalties
    real = map(partial(jnp.asarray, dtype=dtype), (inputs, labels, draws.initial, rates, ridge, padded))
    weights = np.asarray(_trajectories(*real, steps))
    return weights[:, :-1], weights[:, -1]


@compiled
def _trajectories(
    inputs: jax.Array,
    labels: jax.Array,
    initial: jax.Array,
    learning_rate: jax.Array,
    ridge: jax.Array,
    penalties: jax.Array,
    steps: jax.Array,
) -> jax.Array:
    """Recorded weights, (S, T, d): one draw after the other, so that its data stay in the cache."""
    follow = partial(_trajectory, ridge=ridge, penalties=penalties, steps=steps)
    return jax.lax.map(lambda draw: follow(*draw), (inputs, labels, initial, learning_rate))


def _trajectory(
    inputs: jax.Array,
    labels: jax.Array,
    initial: jax.Array,
    learning_rate: jax.Array,
    ridge: jax.Array,
    penalties: jax.Array,
    steps: jax.Array,
) -> jax.Array:
    """One draw's recorded weights, (T, d)."""
    n, d = inputs.shape
    gram, pull = inputs.T @ inputs, inputs.T @ labels

    def outputs_pull(weights: jax.Array) -> jax.Array:
        """X^T yhat, in the form that costs less."""
        return inputs.T @ (inputs @ weights) if 2 * n < d else gram @ weights

    def step(now: jax.Array, weights: jax.Array) -> jax.Array:
        gradient = (1 + penalties[now]) * outputs_pull(weights) + ridge * weights - pull
        return weights - learning_rate * gradient

    return iterated(step, initial, steps)
