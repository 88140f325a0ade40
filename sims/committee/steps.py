"""Online steps in blocks: the same steps one after the other, by products of matrices.

Within a block of examples x_1 .. x_B the first layer moves in their span, w = p w_0 + sum_s c_s x_s/sqrt(d).
So the fields of all of them, w_0.x_r/sqrt(d), and their Gram matrix x_r.x_s/d come from two products before
the first step; a step then changes B fields and B coefficients of each unit, not d weights.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.sims.committee.units import Rates, functions
from teacherstudent.sims.compilation import compiled

BLOCK = 16
"""Examples of a block: its Gram matrix costs as much as the fields of so many units."""


@partial(compiled, static_argnames="activation")
def advanced(
    activation: str,
    rates: Rates,
    teacher: tuple[jax.Array, jax.Array],
    student: tuple[jax.Array, jax.Array],
    examples: tuple[jax.Array, jax.Array],
    count: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Both layers of students, w (S, K, d) and v (S, K), after a step on each of the first `count` examples.

    teacher: w* (S, M, d) and v* (S, M). examples: inputs (S, N, d), N a multiple of `BLOCK`, of which those
    beyond `count` are finite but not used, and the label noise of each (S, N).
    """
    followed = partial(_of_one, activation, rates, count)
    moved: tuple[jax.Array, jax.Array] = jax.vmap(followed)(teacher, student, examples)
    return moved


def _of_one(
    activation: str,
    rates: Rates,
    count: jax.Array,
    teacher: tuple[jax.Array, jax.Array],
    student: tuple[jax.Array, jax.Array],
    examples: tuple[jax.Array, jax.Array],
) -> tuple[jax.Array, jax.Array]:
    """The same of one draw, without the first axis."""
    g, slope = functions(activation)
    (inputs, noise), root = examples, np.sqrt(examples[0].shape[-1])

    def block(b: jax.Array, student: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        first, v = student
        x = jax.lax.dynamic_slice_in_dim(inputs, b * BLOCK, BLOCK)
        labels = teacher[1] @ g(teacher[0] @ x.T / root)
        labels = labels + jax.lax.dynamic_slice_in_dim(noise, b * BLOCK, BLOCK)
        gram = x @ x.T / root**2

        def step(s: jax.Array, now: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            fields, coefficients, kept, v = now
            field = fields[:, s]
            output = g(field)
            error = v @ output - labels[s]
            push = -rates.first * error * v * slope(field)
            fields = rates.kept * fields + push[:, None] * gram[s]
            coefficients = (rates.kept * coefficients).at[:, s].set(push)
            v = rates.second_kept * v - rates.second * error * output
            return fields, coefficients, kept * rates.kept, v

        begun = first @ x.T / root, jnp.zeros((len(v), BLOCK)), jnp.ones(()), v
        last = jnp.minimum(BLOCK, count - b * BLOCK)
        _, coefficients, kept, v = jax.lax.fori_loop(0, last, step, begun)
        return kept * first + coefficients @ x / root, v

    moved: tuple[jax.Array, jax.Array] = jax.lax.fori_loop(0, -(-count // BLOCK), block, student)
    return moved
