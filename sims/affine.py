"""Steps of a linear student, u -> u + u D + c: iterated, or composed. For compiled code; knows no system.

Composed, k steps cost log2(k) products: the same iterates up to rounding, by nothing but matrix products
(no eigenvectors, no formula for the solution). Axes: T recorded times; a state is a row, (m,), or several
that move alike, (..., m).
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

import teacherstudent.sims.precision  # noqa: F401  double precision


def iterated(
    step: Callable[[jax.Array, jax.Array], jax.Array], start: jax.Array, steps: jax.Array
) -> jax.Array:
    """States (T, ...) after each of the increasing `steps` (T,), every one taken: `step(number, state)`.

    Only recorded states are kept.
    """

    def record(state: tuple[jax.Array, jax.Array], stop: jax.Array) -> tuple[tuple, jax.Array]:
        now, u = state
        u = jax.lax.fori_loop(now, stop, step, u)
        return (stop, u), u

    return jax.lax.scan(record, (jnp.zeros_like(steps[0]), start), steps)[1]


def composed(states: jax.Array, counts: jax.Array, change: jax.Array, shift: jax.Array) -> jax.Array:
    """Apply u -> u + u D + c to each of `states` (T, ..., m) as often as `counts` (T,) says.

    By the binary digits of the counts: the map of 2k steps is that of k steps after itself.
    `change` D (m, m) is the map minus the identity, so that slow directions do not lose their digits
    against 1; `shift` c is (..., m). Results that some state does not need may overflow harmlessly.
    """
    own = (slice(None), *[None] * (states.ndim - 1))

    def unfinished(state: tuple[jax.Array, ...]) -> jax.Array:
        return jnp.any(state[0] > 0)

    def double(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        counts, states, change, shift = state
        moved = states + states @ change + shift
        states = jnp.where(counts[own] % 2 == 1, moved, states)
        return counts // 2, states, 2 * change + change @ change, 2 * shift + shift @ change

    return jax.lax.while_loop(unfinished, double, (counts, states, change, shift))[1]
