"""Gradient descent, step by step. Axes: S seeds, T recorded times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.sims.compilation import compiled

from .problem import Separable


def memory(problem: Separable, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The memory of a question, in numbers."""
    return Need({}, lambda times, seeds: seeds * (216 + 8.0 * times))


def descent(
    problem: Separable, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """The loss of each seed at the recorded times, (S, T)."""
    rows = jnp.asarray(np.stack([problem.rows(seed) for seed in seeds]))
    return {"loss": np.asarray(_losses(rows, jnp.asarray(np.rint(times).astype(int)), learning_rate))}


@compiled
def _losses(rows: jax.Array, steps: jax.Array, rate: float) -> jax.Array:
    def trajectory(z: jax.Array) -> jax.Array:
        def record(w: jax.Array, span: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            w = jax.lax.fori_loop(*span, lambda _, w: w + rate * jax.nn.sigmoid(-z @ w) @ z / len(z), w)
            return w, jnp.logaddexp(0, -z @ w).mean()

        spans = jnp.concatenate([jnp.zeros(1, int), steps[:-1]]), steps
        return jax.lax.scan(record, jnp.zeros(z.shape[1]), spans)[1]

    return jax.vmap(trajectory)(rows)
