"""First exit from (-r, r). Axes: S draws, T radii, L lanes, in each of which paths go one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.stable_noise import StableNoise
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.stable_noise.paths import variates

MOST_STEPS = 10**6
"""Of a path: where one takes more, its mean is not answered."""

LANES = 64
"""Paths that go side by side. A loop ends with its slowest lane: several paths in each leave few idle."""

BLOCK = 64
"""Steps that are drawn at once."""


def leaving(
    problem: StableNoise,
    times: np.ndarray,
    *,
    step: float,
    start: float,
    walkers: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """exit_time, (S, T), at each radius in `times`: steps until |X| >= r, times the step, a mean over paths.

    Radii have the noise of a draw in common. Between steps no exit is seen, so times come out too long. NaN
    with an `UnconvergedWarning` where a path takes more than `MOST_STEPS`.
    """
    lanes = min(walkers, LANES)
    paths = np.full(lanes, walkers // lanes) + (np.arange(lanes) < walkers % lanes)
    motion = problem.stability, 1 - problem.drift * step, problem.noise * step ** (1 / problem.stability)

    def of_seed(part: np.ndarray) -> np.ndarray:
        key = jax.random.key(seeds[int(part[0])])
        counts = [_steps_inside(*motion, key, radius, start * radius, paths, MOST_STEPS) for radius in times]
        return np.array(counts, dtype=float)

    counts = np.stack(side_by_side(of_seed, np.split(np.arange(len(seeds)), len(seeds)), on_cpu=True))
    found = {"exit_time": step * (counts / walkers)}
    return nan_where(counts < 0, f"step {step:g}: a path is still inside after {MOST_STEPS:g} steps", found)


@partial(compiled, on_cpu=True)
def _steps_inside(
    stability: jax.Array,
    factor: jax.Array,
    scale: jax.Array,
    key: jax.Array,
    radius: jax.Array,
    start: jax.Array,
    paths: jax.Array,
    most: jax.Array,
) -> jax.Array:
    """Steps of all paths together until each is outside; -1 where one has taken `most` and is not.

    paths: how many there are in each lane, (L,). All are followed to their ends: had each lane a number of
    steps instead, short paths would be preferred. `most` is looked at before each block.
    """
    lanes = len(paths)

    def goes_on(state: tuple[jax.Array, ...]) -> jax.Array:
        _, left, own, _, _ = state
        return jnp.any(left > 0) & jnp.all(own < most)

    def block(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        *now, i = state
        noise = scale * variates(stability, jax.random.fold_in(key, i), BLOCK * lanes).reshape(BLOCK, lanes)

        def step(j: jax.Array, now: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            X, left, own, total = now
            X = factor * X + noise[j]
            outside, active = jnp.abs(X) >= radius, left > 0
            own = jnp.where(outside | ~active, 0, own + 1)
            return jnp.where(outside, start, X), left - (outside & active), own, total + active

        return (*jax.lax.fori_loop(0, BLOCK, step, tuple(now)), i + 1)

    none = jnp.zeros_like(paths)
    _, left, _, total, _ = jax.lax.while_loop(goes_on, block, (jnp.full(lanes, start), paths, none, none, 0))
    return jnp.where(jnp.any(left > 0), -1, jnp.sum(total))
