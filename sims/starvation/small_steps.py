"""A state followed step by step along its velocity, recorded at given times.

Steps are of one length, the learning rate, or `FRACTION` of the time that the state's own
curvature allows. Recording shortens a copy of the next step and disturbs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

import teacherstudent.sims.precision  # noqa: F401  double precision

FRACTION = 1 / 32
"""Automatic step, in units of the inverse curvature: to first order in it the path is the flow's."""

MOST = 5_000_000
"""Steps after which a path is given up: seconds for two features."""


class Motion(NamedTuple):
    """A gradient dynamics of a state (n,) in a world of traced arrays."""

    velocity: Callable[..., jax.Array]
    """(state, world) -> direction of steepest improvement, (n,); not finite outside the state's domain."""
    curvature: Callable[..., jax.Array]
    """(state, velocity, world) -> an upper bound on the rate at which the velocity changes."""


class _Place(NamedTuple):
    count: jax.Array
    time: jax.Array
    state: jax.Array
    velocity: jax.Array
    step: jax.Array


def follow(
    motion: Motion, world: object, initial: jax.Array, times: jax.Array, learning_rate: jax.Array | None
) -> jax.Array:
    """States at increasing `times` (T,), each (n,): gradient descent or ascent, time = sum of the steps.

    `learning_rate` None asks for automatic steps. A state that a step no longer changes stays
    where it is, exactly as if the steps went on. From where the state leaves its domain, or
    after `MOST` steps, the rest is NaN. Traceable: use it inside jit and vmap.
    """

    def arrive(count: jax.Array, time: jax.Array, state: jax.Array) -> _Place:
        velocity = motion.velocity(state, world)
        bound = motion.curvature(state, velocity, world)
        step = FRACTION / bound if learning_rate is None else learning_rate
        ahead = state + step * velocity
        defined, rests = jnp.all(jnp.isfinite(ahead)), jnp.all(ahead == state)
        velocity = jnp.where(rests, 0.0, jnp.where(defined, velocity, jnp.nan))
        return _Place(count, time, state, velocity, jnp.where(defined & ~rests, step, jnp.inf))

    def advance(place: _Place) -> _Place:
        state = place.state + place.step * place.velocity
        return arrive(place.count + 1, place.time + place.step, state)

    def record(place: _Place, time: jax.Array) -> tuple[_Place, jax.Array]:
        def is_ahead(place: _Place) -> jax.Array:
            return (place.time + place.step <= time) & (place.count < MOST)

        place = jax.lax.while_loop(is_ahead, advance, place)
        reached = place.time + place.step > time
        state = place.state + (time - place.time) * place.velocity
        inside = jnp.all(jnp.isfinite(motion.velocity(state, world)))
        return place, jnp.where(reached & inside, state, jnp.nan)

    start = arrive(jnp.zeros((), int), jnp.zeros(()), initial)
    return jax.lax.scan(record, start, times)[1]
