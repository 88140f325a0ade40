"""Ridge regression on drawn rows: the normal equations, solved.

Axes: S draws, T ridges, m coordinates (`forms`), c outputs.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.sims.arrays import groups, nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.measured_spectrum.data import TrainingSets, training_sets
from teacherstudent.sims.measured_spectrum.forms import smaller
from teacherstudent.sims.measured_spectrum.measures import observables
from teacherstudent.sims.normal_equations import solved


def ridge(problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """The observables, (S, T), of the minimiser of the summed loss.

    The effective ridge is problem.ridge + 1/time; times are positive. Where the normal equations are too
    close to singular (`sims.normal_equations`) the observables are NaN, with an `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)
    sets = training_sets(problem, draws)
    weights = minimisers(sets, problem.ridge + 1 / np.asarray(times))
    return nan_where_not_finite(
        observables(problem, draws, sets, weights),
        f"times up to {np.max(times):g}: the normal equations are singular",
    )


def minimisers(sets: TrainingSets, ridges: np.ndarray) -> np.ndarray:
    """Weights, or coefficients of a kernel, of least loss at each ridge (T,), (S, T, c, q).

    NaN where rounding moves the solution by more than `sims.normal_equations.UNSURE`.
    """
    form = smaller(sets._replace(initial=None))  # a minimiser forgets where descent begins
    read = form.matrix[0].size
    parts = [
        np.asarray(_solved(jnp.asarray(form.matrix[part]), jnp.asarray(form.pull[part]), ridges))
        for part in groups(len(form.matrix), read, read)
    ]
    return form.weights(np.concatenate(parts)[: len(form.matrix)])


@compiled
def _solved(matrix: jax.Array, pull: jax.Array, ridges: jax.Array) -> jax.Array:
    """Coordinates (S, T, c, m). One ridge at a time, so that memory does not grow with their number."""
    target = pull.swapaxes(1, 2)
    found = jax.lax.map(lambda ridge: solved(matrix, ridge, target), ridges)  # (T, S, m, c)
    return found.transpose(1, 0, 3, 2)
