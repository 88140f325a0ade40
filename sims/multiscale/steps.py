"""The step loop of gradient descent: all students of a data set move by one matrix product a step.

Students of one draw may differ in everything but the teacher's inputs Z. In the modulated weights
u = F w_hat they all meet the same M = Z^T Z, and a step (Eq. .2.15 times F) is

    u -> u + push - gain (u M) - decay u,    push = eta sigma^2 (Z^T y), gain = eta (1 + a) sigma^2,

entry by entry, decay = eta ridge. The loop is bound by how fast M is read, so draws go through it
in groups whose matrices fit a CPU's cache. Axes: S draws, P students of each draw, T recorded
times, n samples, d features.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike

from teacherstudent.sims.affine import composed, iterated
from teacherstudent.sims.arrays import groups, side_by_side
from teacherstudent.sims.compilation import compiled


class Students(NamedTuple):
    """What distinguishes the students of one draw; all arrays have the axes (S, P) first."""

    strengths: np.ndarray
    """singular values of F, (S, P, d)"""
    labels: np.ndarray
    """(S, P, n)"""
    initial: np.ndarray
    """w_hat at step 0, (S, P, d)"""
    rate: np.ndarray
    """learning rate, (S, P)"""
    ridge: np.ndarray
    """(S, P)"""
    output_share: np.ndarray
    """1 + output penalty: the share of X^T yhat in the gradient, (S, P)"""


def trajectories(
    inputs: np.ndarray, students: Students, steps: np.ndarray, stepwise: int, dtype: DTypeLike
) -> np.ndarray:
    """Weights after each of the increasing `steps` (T,), (S, P, T, d); teacher's inputs are (S, n, d).

    Up to `stepwise` steps are iterated and later ones composed. Diverging descent gives
    infinities or NaN.
    """
    (_, n, d), count = inputs.shape, students.rate.shape[1]
    early, counts = np.minimum(steps, stepwise), np.maximum(steps - stepwise, 0)
    real = partial(jnp.asarray, dtype=dtype)

    def followed(group: np.ndarray) -> jax.Array:
        z, own = inputs[group], Students(*(each[group] for each in students))
        with np.errstate(over="ignore", invalid="ignore"):  # a rate may be anything
            pace = own.rate[..., None] * own.strengths
            push, gain = pace * (own.labels @ z), pace * own.output_share[..., None]
            decay = (own.rate * own.ridge)[..., None]
            modulated = own.strengths * push, own.strengths * gain
        data, strengths = real(z), real(own.strengths)
        weights = _iterated(data, strengths, real(own.initial), *map(real, (*modulated, decay)), early)
        if counts[-1]:
            weights = _composed(data, strengths, weights, *map(real, (push, gain, decay)), counts)
        return weights

    parts = groups(len(inputs), numbers_read(n, d), count * d * d)
    return np.concatenate(side_by_side(followed, parts))[: len(inputs)]


def numbers_read(n: int, d: int) -> int:
    """Numbers of the data that a step reads of each draw: Z twice or M once, whichever is less."""
    return min(2 * n * d, d * d)


@compiled
@partial(jax.vmap, in_axes=(0, 0, 0, 0, 0, 0, None))
def _iterated(
    inputs: jax.Array,
    strengths: jax.Array,
    initial: jax.Array,
    push: jax.Array,
    gain: jax.Array,
    decay: jax.Array,
    steps: jax.Array,
) -> jax.Array:
    """One draw's recorded weights, (P, T, d). Every argument is traced: only shapes recompile."""
    n, d = inputs.shape
    moment = inputs.T @ inputs if numbers_read(n, d) == d * d else None

    def step(_: jax.Array, u: jax.Array) -> jax.Array:
        outputs = (u @ inputs.T) @ inputs if moment is None else u @ moment  # Z^T yhat
        return u + (push - gain * outputs - decay * u)

    return iterated(step, strengths * initial, steps).swapaxes(0, 1) / strengths[:, None]


@compiled
@partial(jax.vmap, in_axes=(0, 0, 0, 0, 0, 0, None))
def _composed(
    inputs: jax.Array,
    strengths: jax.Array,
    weights: jax.Array,
    push: jax.Array,
    gain: jax.Array,
    decay: jax.Array,
    counts: jax.Array,
) -> jax.Array:
    """One draw's weights (P, T, d) after as many more steps as `counts` (T,) says, in w_hat itself.

    There push and gain have one strength less, and the map of a step is symmetric.
    """
    moment = inputs.T @ inputs
    unit = jnp.eye(len(moment), dtype=moment.dtype)

    def of_one_student(
        strengths: jax.Array, weights: jax.Array, push: jax.Array, gain: jax.Array, decay: jax.Array
    ) -> jax.Array:
        return composed(weights, counts, -gain[:, None] * moment * strengths - decay * unit, push)

    return jax.vmap(of_one_student)(strengths, weights, push, gain, decay)
