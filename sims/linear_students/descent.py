"""Full-batch gradient descent of linear students.

The first `STEPWISE` steps are taken one by one. From there on the drawn affine map of one step is composed
with itself (`sims.affine`). Axes: S draws, T recorded times, m coordinates (`forms`), c outputs.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.step_sizes import of_draws
from teacherstudent.sims.affine import composed, iterated
from teacherstudent.sims.arrays import groups, side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.lengths import LONGEST, STEPWISE
from teacherstudent.sims.linear_students.forms import Form, TrainingSets, smaller

DIVERGED = "learning_rate {}: gradient descent diverges, or rounding outlasts it"

LAST = LONGEST["float64"]
"""Steps that are answered for: training rows seldom hold every direction."""


def descended(
    sets: TrainingSets, times: np.ndarray, learning_rate: float | Literal["auto"], ridge: float
) -> tuple[np.ndarray, str]:
    """Weights, or coefficients of a kernel, after each of the steps `times`, (S, T, c, q): see `students`.

    `learning_rate` "auto" is that of `house.step_sizes` for X^T X, or the rows' kernel, of each draw; where a
    number diverges, NaN after the first step. With the weights goes the reason for those that are not finite.
    """
    form, diverged = smaller(sets), DIVERGED.format(learning_rate)
    rates, reason = of_draws(learning_rate, form.curvature(), ridge)
    return students(form, times, rates, ridge), reason or diverged


def students(
    form: Form,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    ridge: float,
    *,
    stepwise: int = STEPWISE,
) -> np.ndarray:
    """Weights, or coefficients of a kernel, after each of the steps `times`, (S, T, c, q).

    `learning_rate` is one for all draws or one a draw, (S,). Steps up to `stepwise` are iterated, later ones
    composed. Diverging descent gives infinities or NaN, steps beyond `LAST` give NaN, without a warning.
    """
    rates = np.broadcast_to(learning_rate, len(form.matrix)).astype(float)
    steps = np.minimum(times, LAST).astype(np.int64)
    early, late = np.minimum(steps, stepwise), steps > stepwise

    def followed(group: np.ndarray) -> np.ndarray:
        own = [jnp.asarray(each[group]) for each in (form.matrix, form.pull, rates)]
        states = np.array(_iterated(*own, ridge, jnp.asarray(form.start[group]), early))
        if late.any():
            states[:, late] = _composed(*own, ridge, states[:, late], steps[late] - stepwise)
        return states

    held = form.matrix[0].size + 2 * len(steps) * form.pull[0].size
    parts = groups(len(rates), form.matrix[0].size, held)
    coordinates = np.concatenate(side_by_side(followed, parts))[: len(rates)]
    coordinates[:, np.asarray(times) > LAST] = np.nan
    return form.weights(coordinates)


@compiled
@partial(jax.vmap, in_axes=(0, 0, 0, None, 0, None))
def _iterated(
    matrix: jax.Array, pull: jax.Array, rate: jax.Array, ridge: jax.Array, start: jax.Array, steps: jax.Array
) -> jax.Array:
    """One draw's recorded coordinates, (T, c, m). Every argument is traced: only shapes recompile."""

    def step(_: jax.Array, u: jax.Array) -> jax.Array:
        return u + rate * (pull - u @ matrix) - rate * ridge * u

    return iterated(step, start, steps)


@compiled
@partial(jax.vmap, in_axes=(0, 0, 0, None, 0, None))
def _composed(
    matrix: jax.Array,
    pull: jax.Array,
    rate: jax.Array,
    ridge: jax.Array,
    states: jax.Array,
    counts: jax.Array,
) -> jax.Array:
    """One draw's coordinates (T, c, m) after as many more steps as `counts` (T,) says."""
    change = -rate * (matrix + ridge * jnp.eye(len(matrix), dtype=matrix.dtype))
    return composed(states, counts, change, rate * pull)
