"""Ridge regression of the multi-scale student on drawn data: the normal equations, solved.

Axes: S draws, T ridges, n samples, d features.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.arrays import groups, nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.multiscale.data import extras, observables, training_set
from teacherstudent.sims.normal_equations import solved


def ridge(
    problem: MultiScale,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """R, Q, excess_risk and what else is asked for, (S, T, ...), of the minimiser of the summed loss.

    The effective ridge is problem.ridge + 1/time; times are positive. Where the normal
    equations are too close to singular (`sims.normal_equations`) the observables are NaN, with an
    `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)

    def train(draws: Draws) -> np.ndarray:
        effective = problem.ridge + 1 / np.asarray(times)
        return ridge_students(draws, effective, output_penalty=problem.output_penalty)

    weights = train(draws)
    return nan_where_not_finite(
        {**observables(draws, weights), **extras(problem, draws, train, weights, seeds, observable)},
        f"times up to {np.max(times):g}: the normal equations are singular",
    )


def ridge_students(
    draws: Draws, ridges: np.ndarray, *, output_penalty: float = 0.0, dtype: DTypeLike = jnp.float64
) -> np.ndarray:
    """The minimiser of the summed loss at each ridge (T,) of each draw, (S, T, d).

    One ridge at a time, so that memory does not grow with their number, and in groups of draws
    whose matrices fit a CPU's cache. NaN where rounding moves the solution by more than
    `sims.normal_equations.UNSURE`.
    """
    real = partial(jnp.asarray, dtype=dtype)
    data = training_set(draws)
    smaller = min(data[0].shape[1:]) ** 2
    solutions = [
        _solve(*(real(each[group]) for each in data), real(ridges), real(1 + output_penalty))
        for group in groups(len(draws.inputs), smaller, smaller)
    ]
    return np.concatenate(solutions, axis=1).swapaxes(0, 1)[: len(draws.inputs)]


@compiled
def _solve(inputs: jax.Array, labels: jax.Array, ridges: jax.Array, output_share: jax.Array) -> jax.Array:
    """(X^T X + ridge) w = X^T y, Eq. .2.14, in the smaller of its two forms; (T, S, d).

    X^T X is multiplied by `output_share`, 1 + output penalty.
    """
    _, n, d = inputs.shape
    overdetermined = n >= d
    product = "sni,snj->sij" if overdetermined else "sid,sjd->sij"
    gram = output_share * jnp.einsum(product, inputs, inputs)
    target = jnp.einsum("snd,sn->sd", inputs, labels) if overdetermined else labels

    def solve(ridge: jax.Array) -> jax.Array:
        solution = solved(gram, ridge, target[..., None])[..., 0]
        # dual form: w = X^T (X X^T + ridge)^-1 y
        return solution if overdetermined else jnp.einsum("snd,sn->sd", inputs, solution)

    return jax.lax.map(solve, ridges)
