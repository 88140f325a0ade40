"""SGD and the mixture process of Prop. 7, step by step. Axes: S seeds, T recorded times."""

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

from .problem import Regression, variance


def memory(problem: Regression, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The numbers that are held at once."""
    return Need({"n": problem.n}, lambda n, times, seeds: seeds * (4 * n + problem.d * n + 8.0 * times))


def _run(
    kind: str, problem: Regression, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """distance and loss, each (S, T)."""
    steps, batch = jnp.asarray(np.rint(times).astype(int)), min(problem.batch, problem.n)
    p = variance(problem.n, problem.batch)
    found = _recorded(jnp.asarray(seeds), steps, *problem.drawn(), learning_rate, p, batch, kind)
    named = dict(zip(("distance", "loss"), map(np.asarray, found), strict=True))
    return nan_where_not_finite(named, f"learning rate {learning_rate}")


sgd, mixture = partial(_run, "sgd"), partial(_run, "mixture")


@partial(compiled, static_argnames=("batch", "kind"))
def _recorded(
    seeds: jax.Array, steps: jax.Array, x: jax.Array, r: jax.Array, start: jax.Array,
    rate: float, p: float, batch: int, kind: str,
) -> tuple[jax.Array, jax.Array]:  # fmt: skip
    def weights(key: jax.Array) -> jax.Array:
        """How much each row counts in a step, (n,), with sum 1."""
        n = len(x)
        if kind == "sgd":
            return jnp.zeros(n).at[jax.random.permutation(key, n)[:batch]].set(1 / batch)
        coin, one = jax.random.split(key)
        row = jnp.zeros(n).at[jax.random.randint(one, (), 0, n)].set(1.0)
        return jnp.where(jax.random.bernoulli(coin, p), row, 1 / n)

    def trajectory(seed: jax.Array) -> tuple[jax.Array, jax.Array]:
        def learn(k: jax.Array, delta: jax.Array) -> jax.Array:
            share = weights(jax.random.fold_in(jax.random.key(seed), k))
            return delta - rate * ((x @ delta + r) * share) @ x

        def record(delta: jax.Array, span: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, tuple]:
            delta = jax.lax.fori_loop(*span, learn, delta)
            return delta, (delta @ delta, ((x @ delta) ** 2).mean() / 2)

        return jax.lax.scan(record, start, (jnp.concatenate([jnp.zeros(1, int), steps[:-1]]), steps))[1]

    return jax.vmap(trajectory)(seeds)
