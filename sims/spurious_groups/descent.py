"""The seven methods of ch. 8.3-8.4 on the same data by the same stochastic descent.

Axes: S seeds, T recorded epochs, n examples, d weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.spurious_groups import GROUPS, RESAMPLED, SpuriousGroups
from teacherstudent.problems.spurious_groups.data import (
    Draws,
    draw,
    initial_weights,
    kept,
    sampling_probabilities,
)
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.group_descent import Examples, Rule, pooled, settling, trajectory
from teacherstudent.sims.spurious_groups.measures import observables, y_logits


def logistic(weights: jax.Array, inputs: jax.Array, labels: jax.Array) -> jax.Array:
    """log(1 + e^(-y w.x)) of inputs (B, d) and labels (B,) of +1 or -1, (B,)."""
    return jax.nn.softplus(-labels * (inputs @ weights))


def descent(
    problem: SpuriousGroups,
    times: np.ndarray,
    *,
    learning_rate: float,
    batch_size: int,
    momentum: float,
    weight_decay: float,
    gdro_rate: float,
    jtt_epochs: int,
    jtt_upweight: int,
    test_examples: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """Accuracies, margin and effective weights after each of the epochs `times`, (S, T, ...).

    `times` are whole epochs, increasing; epoch 0 is the initial student. Conventions and options
    are those of `problems.spurious_groups`. Where descent leaves the range of float64, and where
    the weights are zero, the observables are NaN, with an `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)
    rule, reason = settling(Rule(learning_rate, momentum, weight_decay, gdro_rate))
    weights = student_trajectory(
        problem, draws, times, rule, batch_size, seeds, jtt_epochs=jtt_epochs, jtt_upweight=jtt_upweight
    )
    measured = observables(problem, draws, kept(problem, draws, seeds), weights, test_examples, seeds)
    return nan_where_not_finite(
        measured, reason or f"learning_rate {learning_rate}: descent diverges, or the weights are zero"
    )


def student_trajectory(
    problem: SpuriousGroups,
    draws: Draws,
    times: np.ndarray,
    rule: Rule,
    batch: int,
    seeds: Sequence[int],
    *,
    jtt_epochs: int = 4,
    jtt_upweight: int = 4,
) -> np.ndarray:
    """The student's weights w after each of the epochs `times`, (S, T, d); arguments as in `descent`.

    Batches are shuffled or drawn by a stream of each seed's own. Just train twice: epoch 0 to
    `jtt_epochs` are its first training, and the second begins there, with new initial weights.
    """
    if problem.method != "jtt":
        once = kept(problem, draws, seeds).astype(int)
        return _trained(problem, draws, once, times, rule, batch, seeds)
    early = times[times <= jtt_epochs]
    once = np.ones_like(draws.labels)
    late = times[times > jtt_epochs] - jtt_epochs
    if not len(late):  # nothing is asked of the second training
        return _trained(problem, draws, once, times, rule, batch, seeds)
    first = _trained(problem, draws, once, np.append(early, jtt_epochs), rule, batch, seeds)
    mistaken = y_logits(problem, draws, first[:, -1:])[:, 0] <= 0
    often = np.where(mistaken, jtt_upweight, 1)
    second = _trained(problem, draws, often, late, rule, batch, seeds, stage=1)
    return np.concatenate([first[:, :-1], second], axis=1)


def _trained(
    problem: SpuriousGroups,
    draws: Draws,
    often: np.ndarray,
    times: np.ndarray,
    rule: Rule,
    batch: int,
    seeds: Sequence[int],
    stage: int = 0,
) -> np.ndarray:
    """One training of each seed, of the examples as `often` (S, n) as each is in the pool, (S, T, d)."""
    everything = np.ones(draws.labels.shape, dtype=bool)
    batch = min(batch, int(often.sum(axis=1).max()))
    examples = Examples(
        jnp.asarray(draws.inputs * problem.scales),
        jnp.asarray(draws.labels),
        jnp.asarray(draws.groups),
        jnp.asarray(pooled(often, batch)),  # whole batches: pools of nearly one size share a program
        jnp.asarray(sampling_probabilities(problem, draws, everything)),
    )
    keys = jax.vmap(lambda seed: jax.random.fold_in(jax.random.key(seed), stage))(jnp.asarray(seeds))
    weights = trajectory(
        examples,
        jnp.asarray(initial_weights(problem, seeds, stage)),
        keys,
        rule,
        jnp.asarray(times, dtype=np.int64),
        losses=logistic,
        groups=len(GROUPS),
        batch=batch,
        resampled=problem.method in RESAMPLED,
        robust=problem.method == "gdro",
    )
    return np.asarray(weights)
