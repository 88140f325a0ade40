"""Full-batch descent on the logarithm of the logistic loss: the road to the maximum margin, made short.

Its gradient is that of the loss over the loss, so a step does not shrink as the loss does and the
weights point where those of plain descent without decay point in the end, exponentially sooner.
Logarithms of losses are taken without the losses, which underflow. Axes: S seeds, T recorded steps,
n examples, d weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.spurious_groups import SpuriousGroups
from teacherstudent.problems.spurious_groups.data import draw, initial_weights, kept, sampling_probabilities
from teacherstudent.sims.arrays import each_draw, nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.group_descent import pooled
from teacherstudent.sims.spurious_groups.measures import observables

NEGLIGIBLE = 40.0
"""Margins m beyond which log(1 + e^-m) is e^-m: they differ by the factor 1 - e^-m/2, below rounding."""


def normalised(
    problem: SpuriousGroups,
    times: np.ndarray,
    *,
    step_size: float,
    test_examples: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """Accuracies, margin and effective weights after each of the steps `times`, (S, T, ...).

    `times` are whole steps, increasing; step 0 is the initial student. The loss is the mean over
    the kept examples that the method's batches have in expectation. Where descent leaves the range
    of float64, and where the weights are zero, the observables are NaN, with an
    `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)
    used = kept(problem, draws, seeds)
    probabilities = sampling_probabilities(problem, draws, used)
    pool = pooled(used.astype(int))  # examples left out cost nothing
    outputs = draws.labels[..., None] * draws.inputs * problem.scales
    weights = trajectory(
        jnp.asarray(np.take_along_axis(outputs, pool[..., None], axis=1)),
        jnp.asarray(np.where(pool < 0, 0.0, np.take_along_axis(probabilities, pool, axis=1))),
        jnp.asarray(initial_weights(problem, seeds)),
        step_size,
        jnp.asarray(times, dtype=np.int64),
    )
    measured = observables(problem, draws, used, np.asarray(weights), test_examples, seeds)
    return nan_where_not_finite(measured, f"step_size {step_size}: descent diverges, or the weights are zero")


def log_loss(margins: jax.Array, probabilities: jax.Array) -> jax.Array:
    """log sum_i p_i log(1 + e^-m_i) of margins (n,), right where e^-m underflows."""
    large = margins > NEGLIGIBLE
    near = jnp.log(jax.nn.softplus(-jnp.where(large, 0.0, margins)))  # its slope would be NaN at large ones
    logs = jnp.where(large, -margins, near)
    return jax.nn.logsumexp(logs, b=probabilities)


@partial(compiled, by_draw=["signed", "probabilities", "initial"])
def trajectory(
    signed: jax.Array, probabilities: jax.Array, initial: jax.Array, rate: jax.Array, steps: jax.Array
) -> jax.Array:
    """Weights after each of the increasing `steps` (T,), (S, T, d).

    `signed` (S, n, d) holds y gamma x. Steps follow how far weights moved along each example, (n,). Seed
    after seed, for one fits the cache of a CPU: two thirds of the time.
    """
    n, d = signed.shape[1:]

    def train(seed: tuple[jax.Array, ...]) -> jax.Array:
        signed, probabilities, initial = seed
        first, gram = signed @ initial, signed @ signed.T if n < 2 * d else None

        def slope(along: jax.Array) -> jax.Array:
            moved = signed @ (signed.T @ along) if gram is None else gram @ along
            return jax.grad(log_loss)(first + moved, probabilities)

        def record(along: jax.Array, count: jax.Array) -> tuple[jax.Array, jax.Array]:
            along = jax.lax.fori_loop(0, count, lambda _, a: a - rate * slope(a), along)
            return along, initial + along @ signed

        return jax.lax.scan(record, jnp.zeros_like(first), jnp.diff(steps, prepend=0))[1]

    return each_draw(train, (signed, probabilities, initial))
