"""Langevin descent of the multi-scale student: gradient descent with Gaussian noise in every step.

Each draw trains two students (replicas) on the same data from the same start, with independent thermal noise:
their overlap is Q, that of one with itself Q0. Axes: S draws, T recorded times, n samples, d features, 2
replicas.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.linear_students.descent import rates
from teacherstudent.sims.multiscale.data import observables, training_set
from teacherstudent.sims.multiscale.source import form_of

LONGEST = 10_000_000
"""Most steps: each is taken, because no two have the same noise."""


def langevin(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    inverse_temperature: float,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """R, Q, Q0 and excess_risk, (S, T), along Langevin descent (Eq. 4.2.4).

    R, Q0 and excess_risk are means over the two replicas of a draw. `times` are whole steps,
    increasing; `learning_rate` as in `sims.multiscale.descent`. Where a student leaves the range
    of float64 the observables are NaN, with an `UnconvergedWarning`. Raises `InputError` for
    times beyond `LONGEST`.
    """
    if times[-1] > LONGEST:
        raise InputError("times", f"{times[-1]:g}", f"at most {LONGEST}, because each step is simulated")
    draws = draw(problem, seeds)
    step, reason = rates(form_of(draws), learning_rate, problem.ridge, problem.output_penalty)
    replicas = replica_trajectories(
        draws,
        times,
        step,
        inverse_temperature,
        seeds,
        ridge=problem.ridge,
        output_penalty=problem.output_penalty,
    )
    return nan_where_not_finite(overlaps(draws, replicas), reason)


def overlaps(draws: Draws, replicas: np.ndarray) -> dict[str, np.ndarray]:
    """R, Q, Q0 and excess_risk, (S, T), of pairs of students (S, T, 2, d)."""
    first, second = (observables(draws, replicas[:, :, each]) for each in (0, 1))
    own = {name: (first[name] + second[name]) / 2 for name in first}
    with np.errstate(over="ignore", invalid="ignore"):  # as in `observables`
        modulated = draws.strengths * replicas
        shared = np.einsum("std,std->st", modulated[:, :, 0], modulated[:, :, 1]) / replicas.shape[-1]
    return {"R": own["R"], "Q": shared, "Q0": own["Q"], "excess_risk": own["excess_risk"]}


def replica_trajectories(
    draws: Draws,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    inverse_temperature: float,
    seeds: Sequence[int],
    *,
    ridge: float,
    output_penalty: float = 0.0,
) -> np.ndarray:
    """Weights of both replicas at each recorded step of each draw, (S, T, 2, d).

    `learning_rate` is one for all draws or one a draw, (S,). The thermal noise of a step follows
    from the draw's seed, the replica and the step's number, not from what is recorded.
    """
    inputs, labels = training_set(draws)
    rates = jnp.asarray(np.broadcast_to(learning_rate, len(inputs)))
    keys = _keys(jnp.asarray(seeds, dtype=jnp.uint64))
    return np.asarray(
        _trajectories(
            *map(jnp.asarray, (inputs, labels, draws.initial)),
            rates,
            jnp.sqrt(2 * rates / inverse_temperature),  # Eq. 4.2.4: what makes exp(-beta L) stationary
            keys,
            *map(jnp.asarray, (ridge, output_penalty)),
            jnp.asarray(times, dtype=jnp.int64),
        )
    )


@compiled
@jax.vmap
def _keys(seed: jax.Array) -> jax.Array:
    """Keys of one draw's replicas, (2,)."""
    return jax.random.split(jax.random.key(seed))


@partial(compiled, by_draw=["inputs", "labels", "initial", "learning_rate", "amplitude", "keys"])
@partial(jax.vmap, in_axes=(0, 0, 0, 0, 0, 0, None, None, None))
def _trajectories(
    inputs: jax.Array,
    labels: jax.Array,
    initial: jax.Array,
    learning_rate: jax.Array,
    amplitude: jax.Array,
    keys: jax.Array,
    ridge: jax.Array,
    penalty: jax.Array,
    steps: jax.Array,
) -> jax.Array:
    """One draw's recorded weights, (T, 2, d); keys are one a replica, (2,)."""
    d = inputs.shape[-1]
    curvature = (1 + penalty) * (inputs.T @ inputs) + ridge * jnp.eye(d, dtype=inputs.dtype)
    pull = inputs.T @ labels

    def step(count: jax.Array, weights: jax.Array) -> jax.Array:
        noise = jax.vmap(lambda key: jax.random.normal(jax.random.fold_in(key, count), (d,)))(keys)
        return weights - learning_rate * (weights @ curvature - pull) + amplitude * noise  # Eq. 4.2.4

    def record(weights: jax.Array, span: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        weights = jax.lax.fori_loop(*span, step, weights)
        return weights, weights

    both = jnp.broadcast_to(initial, (2, d))
    return jax.lax.scan(record, both, (jnp.concatenate([jnp.zeros(1, int), steps[:-1]]), steps))[1]
