"""Students that agree with their examples. Axes: S draws, T numbers of examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.flexible_activations import FlexibleActivations
from teacherstudent.problems.flexible_activations.data import STUDENT, examples, fresh, networks
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.compilation import QUICKLY, compiled
from teacherstudent.sims.flexible_activations import training
from teacherstudent.sims.flexible_activations.network import (
    Network,
    direction_error,
    outputs,
    singular_values,
    slopes,
)

FRESH = 256
"""Fresh inputs on which a student is tried."""

ZERO, SURE = 1e-11, 1e-7
"""Below the one a singular value, relative to the largest, is 0, and above the other it is not.

Rounding leaves some 1e-15 of a zero.
"""


def trained(
    problem: FlexibleActivations, times: np.ndarray, *, starts: int, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """All observables, (S, T), of the first student that agrees with the first N examples.

    They are NaN with an `UnconvergedWarning` where none of `starts` students arrives; what is free around it
    also where a singular value of the Jacobian at the student is neither 0 nor above it for sure.
    """
    counts = np.rint(times).astype(int)

    def of_seed(part: np.ndarray) -> np.ndarray:
        return _one_draw(problem, counts, starts, seeds[int(part[0])])

    found = np.stack(side_by_side(of_seed, np.split(np.arange(len(seeds)), len(seeds))))
    error, misfit, rank, of_c, doubted = np.moveaxis(found, -1, 0)
    free = problem.parameters - 2 * problem.units - rank
    turning = free - (problem.units * len(problem.powers) - of_c)
    unsure = "a singular value of the Jacobian is too close to 0 to determine the rank"
    counted = {"ambiguity": free, "direction_ambiguity": turning}
    counted = nan_where((doubted > 0) & np.isfinite(error), unsure, counted)
    values = {**counted, "direction_error": error, "misfit": misfit}
    return nan_where(np.isnan(error), f"starts {starts}: no student fitted the examples", values)


def _one_draw(problem: FlexibleActivations, counts: np.ndarray, starts: int, seed: int) -> np.ndarray:
    """Direction error, misfit, ranks of all columns and of c's, and doubtful values, (T, 5), of a draw.

    NaN where no student agrees.
    """
    inputs, new = examples(problem, [seed], counts[-1])[0], fresh(problem, [seed], FRESH)[0]
    teacher = drawn(problem, seed)
    targets = told(teacher, inputs, problem.powers)
    found = np.full((counts.size, 5), np.nan)
    for t, count in enumerate(counts):
        seen = (np.arange(len(inputs)) < count).astype(float)
        for k in range(starts):
            start = drawn(problem, seed, STUDENT + k)
            student, error = training.trained(start, inputs, targets, seen, problem.powers)
            if error < training.AGREED:
                found[t] = _compared(teacher, student, inputs, seen, new, problem.powers)
                break
    return found


def drawn(problem: FlexibleActivations, seed: int, *stream: int) -> Network:
    """A drawn network: the teacher of a seed, or another stream's."""
    found = networks(problem, [seed], *stream)
    return Network(*(jnp.asarray(each[0]) for each in (found.V, found.W, found.c)))


@partial(compiled, static_argnames="powers")
def told(network: Network, inputs: jax.Array, powers: range) -> jax.Array:
    """Its outputs, (N, n)."""
    return outputs(network, inputs, powers)


@partial(compiled, static_argnames="powers", on_cpu=True, compiler_options=QUICKLY)
def _compared(
    teacher: Network, student: Network, inputs: jax.Array, seen: jax.Array, new: jax.Array, powers: range
) -> jax.Array:
    true, given = (outputs(each, new, powers) for each in (teacher, student))
    misfit = jnp.linalg.norm(given - true) / jnp.linalg.norm(true)
    jacobian = slopes(student, inputs, seen, powers)
    whole, of_c = (singular_values(each) for each in (jacobian, jacobian[:, -student.c.size :]))
    doubted = sum(jnp.sum((values > ZERO) & (values < SURE)) for values in (whole, of_c))
    ranks = [jnp.sum(values >= SURE) for values in (whole, of_c)]
    return jnp.stack([direction_error(teacher, student), misfit, *ranks, doubted])
