"""Ridge regression of linear students: the normal equations, solved.

Axes: S draws, T ridges, m coordinates (`forms`), c outputs.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.sims.arrays import groups
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.linear_students.forms import TrainingSets, smaller
from teacherstudent.sims.normal_equations import solved


def minimisers(sets: TrainingSets, ridges: np.ndarray, penalty: float = 0.0) -> np.ndarray:
    """Weights, or coefficients of a kernel, of least loss at each ridge (T,), (S, T, c, q).

    NaN where rounding moves the solution by more than `sims.normal_equations.UNSURE`.
    """
    form = smaller(sets._replace(initial=None))  # a minimiser forgets where descent begins
    read = form.matrix[0].size
    parts = [
        np.asarray(_solved(jnp.asarray(form.matrix[part]), jnp.asarray(form.pull[part]), ridges, 1 + penalty))
        for part in groups(len(form.matrix), read, read)
    ]
    return form.weights(np.concatenate(parts)[: len(form.matrix)])


@partial(compiled, by_draw=["matrix", "pull"])
def _solved(matrix: jax.Array, pull: jax.Array, ridges: jax.Array, share: jax.Array) -> jax.Array:
    """Coordinates (S, T, c, m). One ridge at a time, so that memory does not grow with their number."""
    target = pull.swapaxes(1, 2)
    found = jax.lax.map(lambda ridge: solved(share * matrix, ridge, target), ridges)  # (T, S, m, c)
    return found.transpose(1, 0, 3, 2)
