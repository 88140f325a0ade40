"""The chain of the overlaps: their law at any d, without weights, at a cost that does not grow with d.

A step needs of its example only the fields and how long the example is outside of the weights' span. In a
frame whose first M directions hold the teacher, w* = B sqrt(d) and w = (X, rest) sqrt(d) with S the Gram
matrix of the rests: T = B B^T, R = X B^T, Q = X X^T + S. An example has standard normal coordinates z along
the teacher's directions and, with S = F F^T, along the student's, where the rests have fields F z'; beyond
both it has d - K - M more, of which only the sum of squares matters. A step w -> a w + p x/sqrt(d) is

    X -> a X + p z^T/d,    S -> a^2 S + a (p (F z')^T + F z' p^T)/d + p p^T |x - its first M|^2/d^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.interruptible import in_threads
from teacherstudent.problems.committee import Committee
from teacherstudent.problems.committee.data import root
from teacherstudent.sims.arrays import at_a_time
from teacherstudent.sims.committee.online import certain, steps_at
from teacherstudent.sims.committee.streams import Fields, pieces
from teacherstudent.sims.committee.units import Rates, functions, rates
from teacherstudent.sims.compilation import compiled

AHEAD = 2048
"""Steps for which numbers are drawn at once, at most."""

START = 4
"""Stream of what is drawn at step 0, apart from those of `problems.committee` and of training."""

DRAWN = ("coordinates", "beyond", "noise")


class State(NamedTuple):
    """Students: coordinates along the teacher's directions X (..., K, M), S (..., K, K), v (..., K)."""

    along: np.ndarray
    rest: np.ndarray
    second_layer: np.ndarray


def chain(problem: Committee, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """As `online.online`, from draws of the fields. Raises `InputError` for d < K + M."""
    problem.demand_room()
    steps, frame = steps_at(problem, times), root(np.asarray(problem.T))
    size = -(-len(seeds) // at_a_time())
    filled = [*seeds, *[seeds[-1]] * (-len(seeds) % size)]  # one shape for all
    parts = [filled[first : first + size] for first in range(0, len(filled), size)]
    ahead = min(AHEAD, 1 << int(np.diff(steps, prepend=0).max()).bit_length())  # few shapes to compile for
    follow = partial(_followed, problem, frame, ahead)
    follow(np.ones(1, int), parts[0])  # compiles alone, not once in each thread
    found = in_threads([partial(follow, steps, part) for part in parts], at_a_time())
    along, rest, v = (np.concatenate(each)[: len(seeds)] for each in zip(*found, strict=True))
    with np.errstate(over="ignore", invalid="ignore"):  # training may diverge
        R, Q = along @ frame.T, along @ along.swapaxes(-1, -2) + rest
    return certain(problem, R, Q, v, np.asarray(problem.T))


def start(problem: Committee, frame: np.ndarray, seed: int) -> State:
    """A student at step 0: as given, or overlaps that weights from N(0, init^2) have with the frame."""
    v, K, M, d = np.asarray(problem.second_layer), problem.width, problem.teacher_width, problem.d
    if problem.R0 is not None:
        along = np.asarray(problem.R0) @ np.linalg.pinv(frame.T)
        return State(along, np.asarray(problem.Q0) - along @ along.T, v)
    generator = np.random.default_rng([seed, START])
    along = generator.standard_normal((K, M))
    factor = np.tril(generator.standard_normal((K, K)), -1)  # Bartlett's, of a Gram matrix of normal vectors
    factor += np.diag(np.sqrt(generator.chisquare(d - M - np.arange(K))))
    return State(problem.init / np.sqrt(d) * along, problem.init**2 / d * factor @ factor.T, v)


def _followed(
    problem: Committee, frame: np.ndarray, ahead: int, steps: np.ndarray, seeds: Sequence[int]
) -> list[np.ndarray]:
    """The states of these seeds, (S, T, ...) each, after each of the increasing steps."""
    factors, outer = rates(problem), (frame, np.asarray(problem.teacher_second_layer))
    drawn_starts = seeds if problem.R0 is None else seeds[:1]
    begun = [start(problem, frame, seed) for seed in drawn_starts]
    stacked = map(np.stack, zip(*begun, strict=True))
    state = State(*(np.broadcast_to(each, (len(seeds), *each.shape[1:])) for each in stacked))
    draws, recorded = [Fields(problem, seed, ahead) for seed in seeds], []
    for count in np.diff(steps, prepend=0):
        for few in pieces(count, ahead):
            for each in draws:
                each.draw(few)
            drawn = tuple(np.stack([getattr(each, name) for each in draws]) for name in DRAWN)
            state = advanced(problem.activation, problem.d, factors, outer, state, drawn, few)
        recorded.append(state)
    return [np.stack(each, axis=1) for each in zip(*recorded, strict=True)]


@partial(compiled, by_draw=["state", "draws"], static_argnames="activation")
def advanced(
    activation: str,
    d: jax.Array,
    rates: Rates,
    teacher: tuple[jax.Array, jax.Array],
    state: State,
    draws: tuple[jax.Array, jax.Array, jax.Array],
    count: jax.Array,
) -> State:
    """The students, one of each seed, after the first `count` of the steps that were drawn.

    teacher: B (M, M) and v* (M,). draws: coordinates (S, N, M + K), the teacher's first, squares beyond these
    (S, N) and label noise (S, N). Sums are spelled out: a product of such small matrices costs a call.
    """
    g, slope = functions(activation)
    frame, outer = teacher

    def step(state: State, z: jax.Array, beyond: jax.Array, noise: jax.Array) -> State:
        X, S, v = state
        own, others = z[: len(frame)], z[len(frame) :]
        aside = _times(_factor(S), others)
        field = _times(X, own) + aside
        output = g(field)
        error = jnp.sum(v * output) - jnp.sum(outer * g(_times(frame, own))) - noise
        push = -rates.first * error * v * slope(field) / d
        a, across = rates.kept, push[:, None] * aside
        squares = jnp.sum(others**2) + beyond
        return State(
            a * X + push[:, None] * own,
            a * a * S + a * (across + across.T) + squares * push[:, None] * push,
            rates.second_kept * v - rates.second * error * output,
        )

    def next_step(i: jax.Array, state: State) -> State:
        return jax.vmap(step)(state, *(each[:, i] for each in draws))

    moved: State = jax.lax.fori_loop(0, count, next_step, state)
    return moved


def _times(matrix: jax.Array, vector: jax.Array) -> jax.Array:
    return jnp.sum(matrix * vector, axis=-1)


def _factor(gram: jax.Array) -> jax.Array:
    """Lower F with F F^T = gram, Cholesky's; a column is 0 where rounding leaves nothing of its square."""
    places = jnp.arange(len(gram))

    def column(j: jax.Array, left: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        gram, factor = left
        square = gram[j, j]
        scale = jnp.where(square > 0, 1 / jnp.sqrt(jnp.where(square > 0, square, 1.0)), 0.0)
        found = jnp.where(places >= j, gram[:, j] * scale, 0.0)
        return gram - found[:, None] * found, factor.at[:, j].set(found)

    factor: jax.Array = jax.lax.fori_loop(0, len(gram), column, (gram, jnp.zeros_like(gram)))[1]
    return factor
