"""Stochastic gradient descent of linear students: every step is taken, on a new batch.

Batches come in blocks, so that drawing them costs little compared with the steps: one epoch where examples
are reshuffled, else as many steps as `BLOCK` numbers hold. A batch follows from the draw's seed and the
number of its step or epoch, never from the length of a block or from what is recorded.

Axes: S draws, T recorded times, n examples, b of a batch, m coordinates, c outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.batches import REPLACEMENT, RESHUFFLED
from teacherstudent.sims.arrays import groups, side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.step_limits import BLOCK

LONGEST = 10_000_000
"""Most steps: each is taken, because no two have the same batch."""

STREAM = 6
"""Of a seed's random numbers those of the batches: the problems draw from smaller ones."""

SORTED = 8
"""Batches of more than the square root of so many n are drawn by ordering all examples."""


class BatchSampler(NamedTuple):
    """Gaussian examples, each new: x = strengths g and y = g teacher + noise h, with g, h ~ N(0, 1)."""

    strengths: np.ndarray
    """(m,)"""
    teacher: np.ndarray
    """of each draw, (S, m, c)"""
    noise: np.ndarray
    """(e, c): what each of e independent causes adds to the labels"""


class Examples(NamedTuple):
    """Those that are learned from more than once, or in one pass over rows of a pool."""

    inputs: np.ndarray
    """(S, n, m), or the kernel of examples with each other, (S, n, n)"""
    labels: np.ndarray
    """(S, n, c)"""
    kernel: bool = False
    """whether coordinates are coefficients of the kernel, one an example, m = n"""


class Rule(NamedTuple):
    """Numbers of a step, each (S,)."""

    pace: np.ndarray
    """eta n/b"""
    decay: np.ndarray
    """eta ridge"""
    output_share: np.ndarray
    """1 + output penalty: the share of yhat in what a label leaves over"""


def rule(
    draws: int, learning_rate: np.ndarray | float, n: int, batch: int, ridge: float, penalty: float = 0.0
) -> Rule:
    """The rule of a step for each draw; `learning_rate` is one for all or one a draw, (S,)."""
    rate = np.broadcast_to(learning_rate, draws).astype(float)
    with np.errstate(over="ignore", invalid="ignore"):  # a rate may be anything
        return Rule(rate * n / batch, rate * ridge, np.full(draws, 1 + penalty))


def train_on_batches(
    source: BatchSampler | Examples,
    start: np.ndarray,
    how: Rule,
    times: np.ndarray,
    seeds: Sequence[int],
    *,
    batch: int,
    data: str,
) -> np.ndarray:
    """Coordinates after each of the increasing steps `times`, (S, T, m, c), from `start` (S, m, c).

    Of `Examples`, fresh ones are taken in their given order. Diverging descent gives infinities or NaN.
    Raises `InputError` for times beyond `LONGEST`.
    """
    if times[-1] > LONGEST:
        raise InputError("times", f"{times[-1]:g}", f"at most {LONGEST}, because each step is simulated")
    steps, shortest = jnp.asarray(times, dtype=jnp.int64), 1 << int(times[-1]).bit_length()
    read = start[0].size * (1 + len(times)) + max(BLOCK, batch * start.shape[1])
    kept: tuple[np.ndarray, ...]
    if isinstance(source, Examples):
        n = source.inputs.shape[1]
        length = min(shortest, _length(batch)) if data == REPLACEMENT else n // batch
        kept = (source.inputs, source.labels)
        follow = partial(_revisiting, batch=batch, order=data, kernel=source.kernel, length=length)
        read += source.inputs[0].size
    else:
        length = min(shortest, _length(batch * start.shape[1]))
        follow = partial(_new, batch=batch, length=length)
        strengths, noise = (
            np.broadcast_to(each, (len(seeds), *each.shape)) for each in (source.strengths, source.noise)
        )
        kept = (strengths, source.teacher, noise)
    arrays = (*kept, start, *how, np.asarray(seeds, dtype=np.uint64))

    def followed(group: np.ndarray) -> np.ndarray:
        return np.asarray(follow(*(jnp.asarray(each[group]) for each in arrays), steps))

    return np.concatenate(side_by_side(followed, groups(len(seeds), read, read)))[: len(seeds)]


@partial(
    compiled,
    by_draw=["strengths", "teacher", "noise", "start", "pace", "decay", "share", "seeds"],
    static_argnames=("batch", "length"),
)
def _new(
    strengths: jax.Array,
    teacher: jax.Array,
    noise: jax.Array,
    start: jax.Array,
    pace: jax.Array,
    decay: jax.Array,
    share: jax.Array,
    seeds: jax.Array,
    steps: jax.Array,
    *,
    batch: int,
    length: int,
) -> jax.Array:
    """Recorded coordinates, (S, T, m, c), of draws whose examples are all new. length: steps of a block."""
    m = start.shape[1]

    def one(strengths, teacher, noise, start, pace, decay, share, seed):  # type: ignore[no-untyped-def]
        def block(number: jax.Array) -> tuple[jax.Array, jax.Array]:
            drawn = jax.vmap(lambda key: jax.random.normal(key, (batch, m + len(noise))))
            g, rest = jnp.split(drawn(_keys(seed, number, length)), [m], axis=-1)
            return g * strengths, g @ teacher + rest @ noise

        def step(drawn: tuple[jax.Array, jax.Array], i: jax.Array, u: jax.Array) -> jax.Array:
            x, y = drawn[0][i], drawn[1][i]
            return u - pace * (x.T @ (share * (x @ u) - y)) - decay * u

        return _followed(block, step, length, start, steps)

    return jax.vmap(one)(strengths, teacher, noise, start, pace, decay, share, seeds)


@partial(
    compiled,
    by_draw=["inputs", "labels", "start", "pace", "decay", "share", "seeds"],
    static_argnames=("batch", "order", "kernel", "length"),
)
def _revisiting(
    inputs: jax.Array,
    labels: jax.Array,
    start: jax.Array,
    pace: jax.Array,
    decay: jax.Array,
    share: jax.Array,
    seeds: jax.Array,
    steps: jax.Array,
    *,
    batch: int,
    order: str,
    kernel: bool,
    length: int,
) -> jax.Array:
    """Recorded coordinates, (S, T, m, c), of draws that take their batches from n examples."""
    n = inputs.shape[1]

    def one(inputs, labels, start, pace, decay, share, seed):  # type: ignore[no-untyped-def]
        def block(number: jax.Array) -> jax.Array:
            if order == REPLACEMENT:
                keys = _keys(seed, number, length)
                return jax.vmap(lambda key: without_repetition(key, n, batch))(keys)
            (key,) = _keys(seed, number, 1)
            row = jax.random.permutation(key, n) if order == RESHUFFLED else jnp.arange(n)
            return row[: length * batch].reshape(length, batch)

        def step(places: jax.Array, i: jax.Array, u: jax.Array) -> jax.Array:
            chosen = places[i]
            x, y = inputs[chosen], labels[chosen]
            missed = pace * (share * (x @ u) - y)
            shrunk = u - decay * u
            return shrunk.at[chosen].add(-missed) if kernel else shrunk - x.T @ missed

        return _followed(block, step, length, start, steps)

    return jax.vmap(one)(inputs, labels, start, pace, decay, share, seeds)


def without_repetition(key: jax.Array, n: int, batch: int) -> jax.Array:
    """`batch` different places below n, (b,), all sets as likely: by Floyd's algorithm, or a shuffle."""
    if batch**2 > SORTED * n:
        return jax.random.permutation(key, n)[:batch]
    last = jnp.arange(n - batch, n)
    lots = jax.random.randint(key, (batch,), 0, last + 1)

    def choose(i: jax.Array, chosen: jax.Array) -> jax.Array:
        return chosen.at[i].set(jnp.where(jnp.any(chosen == lots[i]), last[i], lots[i]))

    return jax.lax.fori_loop(0, batch, choose, jnp.full(batch, -1))


def _length(numbers: int) -> int:
    """Steps of a block whose batches hold so many numbers each."""
    return max(1, BLOCK // numbers)


def _keys(seed: jax.Array, block: jax.Array, length: int) -> jax.Array:
    """The keys of a block's steps, (length,), by the numbers of these."""
    own = jax.random.fold_in(jax.random.key(seed), STREAM)
    return jax.vmap(lambda i: jax.random.fold_in(own, block * length + i))(jnp.arange(length))


def _followed(block, step, length: int, start: jax.Array, steps: jax.Array) -> jax.Array:  # type: ignore[no-untyped-def]
    """States (T, ...) after each of the increasing `steps` (T,): each block drawn, each of its steps taken.

    Every state is written to the place of the next recorded time, and stays there when that time has come.
    """
    last = steps[-1]
    records = jnp.zeros((steps.size, *start.shape), start.dtype).at[0].set(start)

    def through(number: jax.Array, state: tuple) -> tuple:
        drawn, first = block(number), number * length

        def one(i: jax.Array, state: tuple) -> tuple:
            u, records, place = state
            u = step(drawn, i, u)
            records = jax.lax.dynamic_update_index_in_dim(records, u, place, 0)
            return u, records, place + (steps[place] == first + i + 1)

        return jax.lax.fori_loop(0, jnp.minimum(length, last - first), one, state)

    state = (start, records, (steps[0] == 0).astype(steps.dtype))
    return jax.lax.fori_loop(0, -(-last // length), through, state)[1]
