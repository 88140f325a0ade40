"""Members of the version space of weights on a sphere, kept while examples arrive one by one.

A population begins with draws from the prior N(0, I), whose directions are uniform. Of each new example the
share of members that give its label estimates how much of the version space it leaves, and the product of
these shares the volume. Copies of them take the places of members that do not, and all move on: coordinate by
coordinate, each drawn from its law given the others, a normal one cut to where every label is right. Where
fewer than half give the label, they are led there in stages, by outputs w.z above a level that rises to 0.

Axes: M members, n examples, d inputs, T numbers of examples.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import ndtr, ndtri

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.problems.perceptron.data import Draws
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.perceptron.measures import overlaps
from teacherstudent.sims.perceptron.needs import MEMBERS

SWEEPS = 4
"""Times that every coordinate is drawn anew after each example."""

AVERAGED = 16
"""Sweeps over which the mean of the members is taken for rule bayes, each of all members."""

STREAM = 3
"""Beside those of `problems.perceptron.data`."""


def observed(rule: str, draws: Draws, s: int, seed: int, counts: np.ndarray) -> dict[str, np.ndarray]:
    """The observables, (T,), of draw s: means over members (gibbs), or those of their mean (bayes).

    Members have |w|^2 = d. The mean of finitely many is a little longer and further from the teacher than
    that of all. NaN from where no member gave the next label.
    """
    signed, teacher = draws.labels[s][:, None] * draws.inputs[s], draws.teacher[s]
    d = signed.shape[1]
    key = jax.random.key(np.random.default_rng([seed, STREAM]).integers(2**63))
    found, means, volumes = map(np.asarray, _evolved(signed, counts, key))
    seen = overlaps(means if rule == "bayes" else found, teacher, draws.strengths)
    if rule == "bayes":
        return {**seen, "training_error": 0 * seen["R"]}
    values = {name: each.mean(axis=1) for name, each in seen.items()}
    return {**values, "training_error": 0 * values["R"], "entropy": volumes / d}


@compiled
def _evolved(signed: jax.Array, counts: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Members, (T, M, d), their means over `AVERAGED` sweeps, (T, d), and the logarithms of shares, (T,)."""
    n, d = signed.shape
    columns = signed.T
    begin, evolve, collect = jax.random.split(key, 3)
    prior = jax.random.normal(begin, (MEMBERS, d))

    def swept(weights: jax.Array, least: jax.Array, key: jax.Array) -> jax.Array:
        """Every coordinate of each member drawn anew given the others; outputs w.z stay above `least`."""

        def moved(i: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            weights, outputs = state  # outputs w.z, (M, n)
            z, own = columns[i], weights[:, i]
            bounds = own[:, None] - (outputs - least) / z
            low = jnp.max(jnp.where(z > 0, bounds, -jnp.inf), axis=1)
            high = jnp.min(jnp.where(z < 0, bounds, jnp.inf), axis=1)
            drawn = _cut_normal(low, high, uniform[:, i])
            drawn = jnp.where((low < drawn) & (drawn < high), drawn, own)  # rounding, where both are close
            return weights.at[:, i].set(drawn), outputs + (drawn - own)[:, None] * z

        uniform = jax.random.uniform(key, weights.shape)
        return jax.lax.fori_loop(0, d, moved, (weights, weights @ columns))[0]

    def learned(count: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        """One more example, in stages that half of the members pass at least."""

        def stage(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            weights, volume, _, key = state
            key, chosen, moving = jax.random.split(key, 3)
            outputs = weights @ signed[count]
            level = jnp.minimum(0.0, jnp.median(outputs))
            kept = jnp.sum(outputs > level)
            # Those that stay come first, and then copies of them, drawn with replacement.
            order, places = jnp.arange(MEMBERS), jnp.argsort(outputs <= level)
            copied = jax.random.randint(chosen, (MEMBERS,), 0, kept)
            weights = weights[places[jnp.where(order < kept, order, copied)]]
            least = jnp.where(jnp.arange(n) < count, 0.0, -jnp.inf).at[count].set(level)
            weights = jax.lax.fori_loop(
                0, SWEEPS, lambda k, w: swept(w, least, jax.random.fold_in(moving, k)), weights
            )
            return weights, volume + jnp.log(kept / MEMBERS), level, key

        begun = (*state, -jnp.inf, jax.random.fold_in(evolve, count))
        return jax.lax.while_loop(lambda each: each[2] < 0, stage, begun)[:2]

    def record(
        state: tuple[jax.Array, jax.Array], interval: tuple[jax.Array, jax.Array]
    ) -> tuple[tuple[jax.Array, jax.Array], tuple[jax.Array, ...]]:
        first, last = interval
        weights, volume = jax.lax.fori_loop(first, last, learned, state)

        least = jnp.where(jnp.arange(n) < last, 0.0, -jnp.inf)

        def added(k: jax.Array, sums: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            moved = swept(sums[0], least, jax.random.fold_in(collect, last * AVERAGED + k))
            return moved, sums[1] + _normalised(moved).mean(axis=0) / AVERAGED

        _, mean = jax.lax.fori_loop(0, AVERAGED, added, (weights, jnp.zeros(d)))
        return (weights, volume), (_normalised(weights), mean, volume)

    begun = jnp.concatenate([jnp.zeros(1, counts.dtype), counts[:-1]])
    return jax.lax.scan(record, (prior, jnp.zeros(())), (begun, counts))[1]


def _cut_normal(low: jax.Array, high: jax.Array, uniform: jax.Array) -> jax.Array:
    """A standard normal number between low and high, from a uniform one; by its lower tail, for digits."""
    upper = low > -high
    low, high = jnp.where(upper, -high, low), jnp.where(upper, -low, high)
    share = ndtr(low) + uniform * (ndtr(high) - ndtr(low))
    return jnp.where(upper, -1, 1) * ndtri(share)


def _normalised(weights: jax.Array) -> jax.Array:
    """Directions as weights with |w|^2 = d."""
    d = weights.shape[-1]
    return weights * jnp.sqrt(d) / jnp.linalg.vector_norm(weights, axis=-1, keepdims=True)
