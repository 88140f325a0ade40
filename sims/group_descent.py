"""Stochastic descent on examples in groups: what is in a batch, what it weighs, and the step that follows.

The loss of each example is the caller's. Axes: n examples, M places of a pool, B examples of a batch, G
groups; weights have any shape W. All is of one seed but for `trajectory`, which has the seeds S first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.sims.arrays import each_draw
from teacherstudent.sims.compilation import compiled


class Examples(NamedTuple):
    """A training set and how an epoch visits it."""

    inputs: jax.Array
    """(n, d)"""
    labels: jax.Array
    """(n,)"""
    groups: jax.Array
    """0 to G - 1, (n,)"""
    pool: jax.Array
    """Examples that a shuffled epoch visits once each, (M,); an example may stand in it more than
    once, and -1 stands for none."""
    probabilities: jax.Array
    """Of each example in an epoch that draws with replacement, (n,)"""


class Rule(NamedTuple):
    """Numbers of the descent: v <- momentum v + gradient + weight_decay w, w <- w - learning_rate v."""

    learning_rate: jax.Array
    momentum: jax.Array
    weight_decay: jax.Array
    group_rate: jax.Array
    """eta_q of group DRO"""


def settling(rule: Rule) -> tuple[Rule, str]:
    """The rule, and "" where weights without a gradient decay; else one that learns NaN, and why.

    Losses here have bounded gradients. Weight decay alone lets weights grow where learning rate times weight
    decay is above 2 (1 + momentum), which is the bound of descent with momentum.
    """
    bound = 2 * (1 + rule.momentum)
    if rule.learning_rate * rule.weight_decay <= bound:
        return rule, ""
    domain = f"it must be at most 2 (1 + momentum)/weight_decay = {bound / rule.weight_decay:g}"
    reason = f"learning_rate {rule.learning_rate:g}: weight decay makes the weights grow; {domain}"
    return rule._replace(learning_rate=np.nan), reason


class State(NamedTuple):
    """What a step changes."""

    weights: jax.Array
    """(W)"""
    velocity: jax.Array
    """(W)"""
    log_shares: jax.Array
    """log q of each group, (G,): what group DRO makes of the loss"""


Losses = Callable[[jax.Array, jax.Array, jax.Array], jax.Array]
"""From weights, inputs (B, d) and labels (B,) to the loss of each example, (B,)."""


@partial(
    compiled,
    by_draw=["examples", "initial", "keys"],
    static_argnames=("losses", "groups", "batch", "resampled", "robust"),
)
def trajectory(
    examples: Examples,
    initial: jax.Array,
    keys: jax.Array,
    rule: Rule,
    epochs: jax.Array,
    *,
    losses: Losses,
    groups: int,
    batch: int,
    resampled: bool,
    robust: bool,
) -> jax.Array:
    """Each seed's weights after each of the increasing `epochs` (T,), (S, T, W).

    `examples`, `initial` (S, W) and `keys` (S,) have one entry a seed. There are that many `groups`.
    `resampled` draws as many examples as there are, with replacement, instead of shuffling the pool;
    `robust` weighs groups as group DRO does. The last batch of an epoch may be smaller. On a CPU seed after
    seed, because the examples of one fit its cache and those of eight do not: two thirds of the time.
    Only shapes and what is named after them recompile.
    """
    begun = jnp.concatenate([jnp.zeros(1, epochs.dtype), epochs[:-1]])

    def train(examples: Examples, initial: jax.Array, key: jax.Array) -> jax.Array:
        def epoch(number: jax.Array, state: State) -> State:
            order = visits(examples, jax.random.fold_in(key, number), resampled)
            order = jnp.pad(order, (0, -order.size % batch), constant_values=-1).reshape(-1, batch)
            return jax.lax.scan(one_batch, state, order)[0]

        def one_batch(state: State, drawn: jax.Array) -> tuple[State, None]:
            return step(state, examples, drawn, rule, losses, robust), None

        def record(state: State, interval: tuple[jax.Array, jax.Array]) -> tuple[State, jax.Array]:
            state = jax.lax.fori_loop(*interval, epoch, state)
            return state, state.weights

        start = State(initial, jnp.zeros_like(initial), jnp.zeros(groups))
        return jax.lax.scan(record, start, (begun, epochs))[1]

    return each_draw(lambda seed: train(*seed), (examples, initial, keys))


def visits(examples: Examples, key: jax.Array, resampled: bool) -> jax.Array:
    """The examples of one epoch in their order, (n,) or (M,): those of a pool first, then its -1."""
    if resampled:
        n = examples.labels.size
        return jax.random.choice(key, n, (n,), p=examples.probabilities)
    lots = jnp.where(examples.pool < 0, 2.0, jax.random.uniform(key, examples.pool.shape))
    return examples.pool[jnp.argsort(lots)]


def step(
    state: State, examples: Examples, drawn: jax.Array, rule: Rule, losses: Losses, robust: bool
) -> State:
    """One step on the examples `drawn` (B,); nothing moves where all of them are -1."""
    inputs, labels = examples.inputs[drawn], examples.labels[drawn]
    present = drawn >= 0

    def of_batch(weights: jax.Array) -> jax.Array:
        return jnp.where(present, losses(weights, inputs, labels), 0.0)

    if robust:
        log_shares, parts = group_shares(
            state.log_shares, of_batch(state.weights), examples.groups[drawn], present, rule.group_rate
        )
    else:
        log_shares, parts = state.log_shares, present / jnp.maximum(jnp.sum(present), 1)
    gradient = jax.grad(lambda weights: jnp.sum(parts * of_batch(weights)))(state.weights)
    gradient += rule.weight_decay * state.weights
    velocity = rule.momentum * state.velocity + gradient
    moved = State(state.weights - rule.learning_rate * velocity, velocity, log_shares)
    return jax.tree.map(lambda new, old: jnp.where(jnp.any(present), new, old), moved, state)


def group_shares(
    log_shares: jax.Array, losses: jax.Array, groups: jax.Array, present: jax.Array, rate: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Group DRO (pezeshki2022 ch. 8.3): new log q of the groups (G,), and what each example (B,) weighs.

    q_g grows by exp(rate x mean loss of g in the batch) and q sums to 1; the batch's loss is
    sum_g q_g x mean loss of g, over the groups that are in it.
    """
    members = present & (groups == jnp.arange(log_shares.size)[:, None])
    sizes = jnp.maximum(jnp.sum(members, axis=1), 1)
    log_shares = jax.nn.log_softmax(log_shares + rate * (members @ losses) / sizes)
    return log_shares, (jnp.exp(log_shares) / sizes) @ members


def pooled(often: np.ndarray, multiple: int = 1) -> np.ndarray:
    """A pool for each seed, (S, M), that holds example i as often as `often` (S, n) says.

    M is the smallest multiple of `multiple` that is enough for all seeds.
    """
    lists = [np.repeat(np.arange(len(counts)), counts) for counts in often]
    longest = max(map(len, lists))
    pools = np.full((len(lists), longest + -longest % multiple), -1)
    for pool, members in zip(pools, lists, strict=True):
        pool[: len(members)] = members
    return pools
