"""SGD, step by step. Axes: S seeds, T recorded times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled

from .problem import Regression


def memory(problem: Regression, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The memory of a question, in numbers."""
    return Need({"n": problem.n}, lambda n, times, seeds: seeds * (4 * n + problem.d * n + 8.0 * times))


def sgd(
    problem: Regression, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """distance and loss, each (S, T)."""
    steps, batch = jnp.asarray(np.rint(times).astype(int)), min(problem.batch, problem.n)
    distance, loss = _recorded(jnp.asarray(seeds), steps, *problem.drawn(), learning_rate, batch)
    found = {"distance": np.asarray(distance), "loss": np.asarray(loss)}
    return nan_where_not_finite(found, f"learning rate {learning_rate}")


@partial(compiled, static_argnames=("batch",))
def _recorded(
    seeds: jax.Array, steps: jax.Array, x: jax.Array, r: jax.Array, start: jax.Array, rate: float, batch: int
) -> tuple[jax.Array, jax.Array]:
    def trajectory(seed: jax.Array) -> tuple[jax.Array, jax.Array]:
        def learn(k: jax.Array, delta: jax.Array) -> jax.Array:
            rows = jax.random.permutation(jax.random.fold_in(jax.random.key(seed), k), len(x))[:batch]
            return delta - rate * (x[rows] @ delta + r[rows]) @ x[rows] / batch

        def record(delta: jax.Array, span: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, tuple]:
            delta = jax.lax.fori_loop(*span, learn, delta)
            return delta, (delta @ delta, ((x @ delta) ** 2).mean() / 2)

        return jax.lax.scan(record, start, (jnp.concatenate([jnp.zeros(1, int), steps[:-1]]), steps))[1]

    return jax.vmap(trajectory)(seeds)
