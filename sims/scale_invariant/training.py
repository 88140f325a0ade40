"""Training in R^d, all seeds at once; only recorded values are kept.

Axes: S seeds, T recorded steps, d weights, n samples. Sample and batch of step k come from a key
of seed and k alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ScaleInvariant, draw_samples, draw_start
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.scale_invariant.losses import Loss, angle, population_loss, sample_loss
from teacherstudent.sims.scale_invariant.schemes import Scheme

LONGEST = 10**9
"""Steps beyond which no answer is tried: each is taken, at two microseconds or more."""

STREAM = 3
"""Stream of the draws made during training, apart from those of `problems.scale_invariant`."""


@dataclass(frozen=True)
class Source:
    """Where gradients come from: `data` as the problem's option, samples `n` and `batch` of a minibatch."""

    data: str
    n: int = 0
    batch: int = 0
    noise: float = 0.0


def train(
    problem: ScaleInvariant, source: Source, steps: np.ndarray, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """The problem's observables after each of the increasing whole `steps`, (S, T).

    Raises `InputError` for steps beyond `LONGEST`. Where training leaves the range of float64 all
    are NaN, with an `UnconvergedWarning`.
    """
    if np.max(steps) > LONGEST:
        raise InputError("times", f"{np.max(steps):g}", f"at most {LONGEST:g} steps, all of them simulated")
    teachers, starts = draw_start(problem, seeds)
    inputs, targets = draw_samples(problem, teachers, seeds, source.n, source.noise)
    keys = jax.vmap(lambda seed: jax.random.fold_in(jax.random.key(seed), STREAM))(np.asarray(seeds))
    recorded = _trajectories(
        Scheme.of(problem, learning_rate),
        Loss.of(problem),
        (source.data, source.batch),
        source.noise,
        jnp.asarray(steps, dtype=np.int64),
        (starts, teachers, inputs, targets, keys),
    )
    names = ("angle", "radius", "effective_learning_rate")
    answer = {name: np.asarray(values) for name, values in zip(names, recorded, strict=True)}
    return nan_where_not_finite(answer, f"learning_rate {problem.learning_rate}: training diverges")


@partial(compiled, by_draw=["drawn"], static_argnames="kind")
def _trajectories(
    scheme: Scheme, loss: Loss, kind: tuple[str, int], noise: jax.Array, steps: jax.Array, drawn: Any
) -> Any:
    """Angle, radius and effective learning rate, (S, T) each; numbers are traced and do not recompile."""
    data, batch = kind
    optimiser = scheme.optimiser()

    def trajectory(drawn: Any) -> Any:
        start, teacher, inputs, targets, key = drawn

        def cost(x: jax.Array, key: jax.Array) -> jax.Array:
            if data == "population":
                return population_loss(loss, x, teacher)
            if data == "minibatch":
                rows = subset(key, len(targets), batch)
                return sample_loss(loss, x, inputs[rows], targets[rows])
            draws = jax.random.normal(key, (x.size + 1,))
            z, t = loss.sample(draws[:-1], draws[-1], teacher, noise)
            return sample_loss(loss, x, z[None], t[None])

        def step(k: jax.Array, states: tuple[Any, Any]) -> tuple[Any, Any]:
            x, memory = now = states[1]
            gradient = jax.grad(cost)(x, jax.random.fold_in(key, k))
            change, memory = optimiser.update(gradient, memory, x)
            return now, (optax.apply_updates(x, change), memory)

        def record(states: tuple[Any, Any], interval: tuple[jax.Array, jax.Array]) -> Any:
            states = (x, before), (moved, after) = jax.lax.fori_loop(*interval, step, states)
            rate = scheme.effective_learning_rate(x, moved, before, after)
            return states, (angle(x, teacher), jnp.linalg.norm(x), rate)

        initial = start, optimiser.init(start)
        after_step = steps + 1  # a recorded state is seen with the step that leaves it
        begun = jnp.concatenate([jnp.zeros(1, steps.dtype), after_step[:-1]])
        return jax.lax.scan(record, (initial, initial), (begun, after_step))[1]

    return jax.vmap(trajectory)(drawn)


def subset(key: jax.Array, n: int, size: int) -> jax.Array:
    """`size` of the whole numbers below n, once each, every set equally likely (Floyd's algorithm).

    A fraction of the time of `jax.random.choice`, which sorts all n.
    """
    last = jnp.arange(n - size, n)
    drawn = jax.random.randint(key, (size,), 0, last + 1)

    def pick(i: jax.Array, chosen: jax.Array) -> jax.Array:
        taken = jnp.any(chosen == drawn[i])
        return chosen.at[i].set(jnp.where(taken, last[i], drawn[i]))

    return jax.lax.fori_loop(0, size, pick, jnp.full(size, -1))
