"""Sums of what one student was at each of many steps: what averaging iterates does to their tails."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import start
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.heavy_tails.batches import Batches


def log_sums(
    problem: HeavyTails, seed: int, rate: float, chains: int, burn_in: int, counts: Sequence[int]
) -> np.ndarray:
    """ln |first entry of v_1 + ... + v_K| for each K of `counts`, which increase, (chains, K's).

    After `burn_in` steps of size `rate`. v: distance from the teacher, (d,), of independent students.
    """
    batches = Batches(problem, seed, 0, chains)
    v = jnp.repeat(jnp.asarray(start(problem, [seed])[0])[:, None], chains, axis=1)
    total = jnp.zeros(chains)
    marks, found, done = [burn_in, *(burn_in + count for count in counts)], [], 0
    for k in range(-(-marks[-1] // batches.count)):
        batches.draw()
        while done < min(marks[-1], (k + 1) * batches.count):
            last = min(min(mark for mark in marks if mark > done), (k + 1) * batches.count)
            where = (done - k * batches.count, last - k * batches.count)
            v, total = _summed(rate / problem.batch, v, total, batches.inputs, batches.noise, *where)
            done = last
            if done == burn_in:
                total = jnp.zeros(chains)
            elif done in marks:
                found.append(np.log(np.abs(np.asarray(total))))
    return np.stack(found, axis=1)


@compiled
def _summed(
    rate: jax.Array,
    v: jax.Array,
    total: jax.Array,
    inputs: jax.Array,
    noise: jax.Array,
    first: jax.Array,
    last: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Students and sums after the steps `first` to `last` of those that were drawn."""

    def step(i: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        v, total = state
        error = jnp.sum(inputs[i] * v, axis=1) - noise[i]
        v = v - rate * jnp.sum(inputs[i] * error[:, None], axis=0)
        return v, total + v[0]

    moved: tuple[jax.Array, jax.Array] = jax.lax.fori_loop(first, last, step, (v, total))
    return moved
