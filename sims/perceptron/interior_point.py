"""What interior-point methods share: how far a step may go, and the loop that keeps the best student."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve

import teacherstudent.sims.precision  # noqa: F401  double precision

S = TypeVar("S")
"""What a method carries from step to step."""

CERTAIN = 1e-4
"""Largest distance to the solution, relative to it, that the duality gap may allow a student of an answer.
The gap is known to rounding and the distance is its root: most students are a thousand times nearer."""

MOST_STEPS = 60
"""Steps of a method that needs some 10 to 30."""

MOST_CHANGES = 40
"""Of the set of edges; one or two are usual."""


def longest(values: tuple[jax.Array, ...], steps: tuple[jax.Array, ...], share: float) -> jax.Array:
    """The share of the longest step after which no value is negative, at most 1."""
    reach = [jnp.min(jnp.where(step < 0, -x / step, jnp.inf)) for x, step in zip(values, steps, strict=True)]
    return jnp.minimum(1.0, share * jnp.min(jnp.stack(reach)))


def improved(
    start: S,
    better: Callable[[S], S],
    distance: Callable[[S], jax.Array],
) -> S:
    """The state met that is surest.

    better: the next state. distance: how far a state may be from the solution, of size 1. It ends far below
    `CERTAIN`, or where rounding undoes what was gained.
    """

    def goes_on(carried: tuple[S, S, jax.Array, jax.Array, int]) -> jax.Array:
        _, _, least, now, count = carried
        undone = ~(now <= 100 * least)  # also NaN
        return (least > CERTAIN / 1e4) & (count < MOST_STEPS) & ~undone

    def step(carried: tuple[S, S, jax.Array, jax.Array, int]) -> tuple[S, S, jax.Array, jax.Array, int]:
        state, best, least, _, count = carried
        state = better(state)
        now = distance(state)
        best = jax.tree.map(lambda new, old: jnp.where(now < least, new, old), state, best)
        return state, best, jnp.minimum(now, least), now, count + 1

    begun = distance(start)
    return jax.lax.while_loop(goes_on, step, (start, start, begun, begun, 0))[1]


def on_edges(
    z: jax.Array, weight: jax.Array, edges: jax.Array, ridge: jax.Array | float, most: float
) -> jax.Array:
    """Weights a in [0, most], (n,), with which w = sum a z/ridge has the margin 1 for those on the edges.

    An interior point is right up to some 1e-10, its bound up to the root of that. Here the equations of the
    examples on the edges (truth values, (n,)) are solved to rounding. Those whose weights leave the range are
    taken off the edges; once none does, the one that is farthest on the wrong side is put there, until
    nothing changes; mostly nothing does. No more than that at a time: where inputs differ in strength, w is
    a small difference of large parts, and students in between are far off. Other weights are 0 or `most`.
    """
    many = min(z.shape)  # so many edges are independent

    def solve(weight: jax.Array, edges: jax.Array) -> tuple[jax.Array, jax.Array]:
        """The weights, and the edges: those of the largest weights, if they are too many."""
        _, chosen = jax.lax.top_k(jnp.where(edges, weight, -1.0), many)
        held = edges[chosen]
        rows = jnp.where(held[:, None], z[chosen], 0.0)
        others = jnp.where(edges, 0.0, weight)
        goal = jnp.where(held, ridge - rows @ (z.T @ others), 0.0)
        factor = cho_factor(rows @ rows.T + jnp.diag(jnp.where(held, 0.0, 1.0)), lower=True)

        def refined(_: int, own: jax.Array) -> jax.Array:
            return own + cho_solve(factor, goal - rows @ (rows.T @ own))

        own = jax.lax.fori_loop(0, 4, refined, jnp.zeros(many))
        return others.at[chosen].add(own), jnp.zeros_like(edges).at[chosen].set(held)

    def changed(
        state: tuple[jax.Array, jax.Array, jax.Array, int],
    ) -> tuple[jax.Array, jax.Array, jax.Array, int]:
        weight, edges, _, count = state
        weight, edges = solve(weight, edges)
        outside = edges & ~((weight >= 0) & (weight <= most))
        weight = jnp.clip(weight, 0.0, most)
        short = 1 - z @ (z.T @ weight) / ridge
        wrong = jnp.where(edges, 0.0, jnp.where(weight == 0, short, -short))
        called = (jnp.arange(len(z)) == jnp.argmax(wrong)) & (wrong > 1e-9)
        now = jnp.where(jnp.any(outside), edges & ~outside, edges | called)
        return weight, now, jnp.any(now != edges), count + 1

    start = (weight, edges, jnp.array(True), 0)
    return jax.lax.while_loop(lambda state: state[2] & (state[3] < MOST_CHANGES), changed, start)[0]
