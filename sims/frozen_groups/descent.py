"""The seven methods of pezeshki2022 ch. 8.3-8.4 on given rows, for any number of classes and groups.

Axes: S seeds, T recorded epochs, n rows, d features and a constant, K classes, G groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import optax

from teacherstudent.problems.frozen_groups import FrozenGroups
from teacherstudent.problems.frozen_groups.data import kept, sampling_probabilities
from teacherstudent.problems.frozen_groups.sources import Part
from teacherstudent.problems.spurious_groups import RESAMPLED
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.group_descent import Examples, Rule, pooled, settling, trajectory


def descent(
    problem: FrozenGroups,
    times: np.ndarray,
    *,
    learning_rate: float,
    batch_size: int,
    momentum: float,
    weight_decay: float,
    gdro_rate: float,
    jtt_epochs: int,
    jtt_upweight: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """Accuracies and the norm after each of the epochs `times`, (S, T, ...).

    `times` are whole epochs, increasing; epoch 0 is the initial student, which predicts the first class. NaN,
    with an `UnconvergedWarning`, where descent leaves the range of float64.
    """
    rule, reason = settling(Rule(learning_rate, momentum, weight_decay, gdro_rate))
    once = kept(problem, seeds)
    if problem.method != "jtt":
        weights = _trained(problem, once.astype(int), times, rule, batch_size, seeds)
    else:
        weights = _twice(problem, times, rule, batch_size, seeds, jtt_epochs, jtt_upweight)
    found = observables(problem, once, weights)
    return nan_where_not_finite(found, reason or f"learning_rate {learning_rate}: descent diverges")


def cross_entropy(weights: jax.Array, inputs: jax.Array, classes: jax.Array) -> jax.Array:
    """Of inputs (B, d + 1) and classes (B,) by weights (d + 1, K), (B,)."""
    return optax.softmax_cross_entropy_with_integer_labels(inputs @ weights, classes)


def observables(problem: FrozenGroups, used: np.ndarray, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Observables of `weights` (S, T, d + 1, K) of students that saw the rows `used` (S, n)."""
    rows = problem.features
    count = len(rows.groups)
    tested, validated, trained = (
        _right(part, weights) for part in (rows.test, rows.validation, rows.training)
    )
    by_group = _by_group(tested, np.broadcast_to(rows.test.groups, (len(weights), tested.shape[-1])), count)
    seen = np.where(used, rows.training.groups, -1)
    known = np.broadcast_to(rows.validation.groups, (len(weights), validated.shape[-1]))
    return {
        "worst_group_accuracy": by_group.min(axis=-1),
        "test_accuracy": tested.mean(axis=-1),
        "group_accuracy": by_group,
        "validation_worst_group_accuracy": _by_group(validated, known, count).min(axis=-1),
        "validation_accuracy": validated.mean(axis=-1),
        "training_worst_group_accuracy": np.fmin.reduce(_by_group(trained, seen, count), axis=-1),
        "norm": np.sqrt(np.sum(weights**2, axis=(-2, -1))),
    }


def _twice(
    problem: FrozenGroups,
    times: np.ndarray,
    rule: Rule,
    batch: int,
    seeds: Sequence[int],
    epochs: int,
    upweight: int,
) -> np.ndarray:
    """Just train twice: until epoch `epochs` the first training, then the second, from weights 0 again."""
    training = problem.features.training
    once = np.ones((len(seeds), len(training.classes)), dtype=int)
    early, late = times[times <= epochs], times[times > epochs] - epochs
    if not len(late):  # nothing is asked of the second training
        return _trained(problem, once, early, rule, batch, seeds)
    first = _trained(problem, once, np.append(early, epochs), rule, batch, seeds)
    often = np.where(_right(training, first[:, -1:])[:, 0] > 0, 1, upweight)
    second = _trained(problem, often, late, rule, batch, seeds, stage=1)
    return np.concatenate([first[:, :-1], second], axis=1)


def _trained(
    problem: FrozenGroups,
    often: np.ndarray,
    times: np.ndarray,
    rule: Rule,
    batch: int,
    seeds: Sequence[int],
    stage: int = 0,
) -> np.ndarray:
    """One training of each seed, of the rows as `often` (S, n) as each is in the pool, (S, T, d + 1, K)."""
    rows, count = problem.features, len(seeds)
    batch = min(batch, int(often.sum(axis=1).max()))

    def for_each(values: np.ndarray) -> jax.Array:
        return jnp.broadcast_to(jnp.asarray(values), (count, *values.shape))

    inputs = with_constant(rows.training.features)
    examples = Examples(
        for_each(inputs),
        for_each(rows.training.classes),
        for_each(rows.training.groups),
        jnp.asarray(pooled(often, _multiple(batch, int(often.sum(axis=1).max())))),
        for_each(sampling_probabilities(problem)),
    )
    weights = trajectory(
        examples,
        jnp.zeros((count, inputs.shape[1], len(rows.labels))),
        jax.vmap(lambda seed: jax.random.fold_in(jax.random.key(seed), stage))(jnp.asarray(seeds)),
        rule,
        jnp.asarray(times, dtype=np.int64),
        losses=cross_entropy,
        groups=len(rows.groups),
        batch=batch,
        resampled=problem.method in RESAMPLED,
        robust=problem.method == "gdro",
    )
    return np.asarray(weights)


def _multiple(batch: int, longest: int) -> int:
    """What lengths of pools are multiples of: those of nearly one length share a program."""
    return int(batch * 2 ** max(0, int(np.log2(max(longest / (4 * batch), 1)))))


def with_constant(features: np.ndarray) -> np.ndarray:
    """Features (n, d) and a column of ones, (n, d + 1)."""
    return np.concatenate([features, np.ones((len(features), 1))], axis=1)


def _right(part: Part, weights: np.ndarray) -> np.ndarray:
    """Whether the largest logit of each row is its class, (S, T, n): 0 or 1, NaN where one is no number."""
    logits = with_constant(part.features) @ weights
    right = logits.argmax(axis=-1) == part.classes
    return np.where(np.isfinite(logits).all(axis=-1), right, np.nan)


def _by_group(right: np.ndarray, groups: np.ndarray, count: int) -> np.ndarray:
    """Share of each group's rows that are right, (S, T, G); groups (S, n) are -1 for rows left out."""
    members = groups[..., None] == np.arange(count)
    with np.errstate(invalid="ignore"):
        return np.einsum("stn,sng->stg", right, members) / members.sum(axis=1)[:, None]
