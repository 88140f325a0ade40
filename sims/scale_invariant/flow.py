"""The gradient flow x' = -grad L(x) - ridge x of the population loss, in R^d.

Steps by the classical Runge-Kutta scheme. The curvature of a function of x/|x| is of order 1/r^2, that of
hinge-kr as much larger as it is steeper, and the radius shrinks at the rate ridge; a step is a fixed share of
the shorter of the two times.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.scale_invariant import ScaleInvariant, draw_start
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.scale_invariant.losses import Loss, angle, population_loss

SHARE = 1 / 50
"""Of a step in the shorter time: the error of the fourth order, 1/120 SHARE^4 a time, is 1e-9."""

MOST = 10**7
"""Steps between two recorded times after which no answer is given: the radius has shrunk to nothing."""


def flow(problem: ScaleInvariant, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """Angle, radius and effective learning rate, (S, T), along the flow; the scheme must be sgd.

    `times` are s = learning rate x steps. The effective learning rate is that of one step of sgd
    from x. Where the radius becomes so small that `MOST` steps do not reach the next time, all are
    NaN, with an `UnconvergedWarning`. Raises `InputError` for another scheme and for eta lambda >= 1.
    """
    problem.demand_scheme("sgd")
    problem.demand_positive_shrinkage(problem.learning_rate)
    teachers, starts = draw_start(problem, seeds)
    answer = _flows(Loss.of(problem), problem.ridge, times, starts, teachers, SHARE, MOST)
    angles, radii = map(np.asarray, answer)
    with np.errstate(over="ignore", divide="ignore"):
        rate = problem.learning_rate / radii**2 / (1 - problem.learning_rate * problem.ridge)  # Table 1
    found = {"angle": angles, "radius": radii, "effective_learning_rate": rate}
    return nan_where_not_finite(found, f"ridge {problem.ridge}: the radius becomes too small for the flow")


@partial(compiled, on_cpu=True)
def _flows(
    loss: Loss,
    ridge: jax.Array,
    times: jax.Array,
    starts: jax.Array,
    teachers: jax.Array,
    share: jax.Array,
    most: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Angle and radius, (S, T) each."""

    def trajectory(start: jax.Array, teacher: jax.Array) -> Any:
        def slope(x: jax.Array) -> jax.Array:
            return -jax.grad(population_loss, argnums=1)(loss, x, teacher) - ridge * x

        def step(state: tuple[jax.Array, ...], end: jax.Array) -> tuple[jax.Array, ...]:
            x, time, taken = state
            h = jnp.minimum(share / (loss.steepness / (x @ x) + ridge), end - time)
            k1 = slope(x)
            k2 = slope(x + h / 2 * k1)
            k3 = slope(x + h / 2 * k2)
            k4 = slope(x + h * k3)
            return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), time + h, taken + 1

        def record(state: tuple[jax.Array, jax.Array], end: jax.Array) -> Any:
            def unfinished(state: tuple[jax.Array, ...]) -> jax.Array:
                return (state[1] < end) & (state[2] < most)

            x, time, _ = jax.lax.while_loop(unfinished, partial(step, end=end), (*state, 0))
            x = jnp.where(time < end, jnp.nan, x)
            return (x, end), (angle(x, teacher), jnp.linalg.norm(x))

        return jax.lax.scan(record, (start, jnp.zeros(())), times)[1]

    return jax.vmap(trajectory)(starts, teachers)
