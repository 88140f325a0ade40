"""Students that are linear in features, trained on all examples by any step that is announced.

In coordinates w (c, m), one row an output, the gradient of the summed loss is

    g(w) = share (w M) + ridge w - pull,

M = X^T X for weights. The first `STEPWISE` steps are taken one by one. Later ones are composed: the drawn
affine map of a step is applied to itself, so that k steps cost log2(k) products. These are the same iterates
up to rounding, by matrix products alone (no eigenvectors, no formula for the solution).

Students of one draw may differ in everything but the teacher's inputs Z: with X = Z diag(strengths) all of
them meet the same Z^T Z in the coordinates u = strengths w, and move by one matrix product a step. The loop
is bound by how fast that matrix is read, so draws go through it in groups whose matrices fit a CPU's cache.

Axes: S draws, P students of each draw, T recorded times, n rows, m coordinates, c outputs; K parts of a
state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike

from teacherstudent.sims.algorithms import State, Step
from teacherstudent.sims.arrays import groups, side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.linear_students.forms import Students
from teacherstudent.sims.step_limits import STEPWISE

STRIDE = 8
"""Steps between two looks at whether another follows, on a GPU: a look takes longer than a small step."""


def trajectories(
    data: np.ndarray,
    students: Students,
    steps: np.ndarray,
    how: Step,
    options: Mapping[str, float],
    *,
    of_rows: bool = False,
    stepwise: int = STEPWISE,
    dtype: DTypeLike = "float64",
    schedule: np.ndarray | None = None,
) -> np.ndarray:
    """Coordinates after each of the increasing `steps` (T,), (S, P, T, c, m).

    data: M, (S, m, m), or where `of_rows` the rows Z whose Z^T Z it is, (S, n, m). `options` are the step's
    own, without the learning rate. Steps up to `stepwise` are iterated, later ones composed. schedule: at
    each of K steps from 0 on what is added to the share, and what the learning rate is multiplied by, (2, K);
    then all steps are taken, since no two need have the same map. Diverging descent gives infinities or NaN.
    """
    count, width = students.rate.shape[1], data.shape[-1]
    read = numbers_read(data.shape[1], width) if of_rows else width**2
    if schedule is not None:
        stepwise = steps[-1]
    early, counts = np.minimum(steps, stepwise), np.maximum(steps - stepwise, 0)
    real = partial(jnp.asarray, dtype=dtype)
    numbers = {name: real(value) for name, value in options.items()}
    added = None if schedule is None else real(schedule)
    stride = STRIDE if jax.default_backend() == "gpu" else 1

    def followed(group: np.ndarray) -> jax.Array:
        own = real(data[group]), Students(*(real(each[group]) for each in students)), numbers
        states = _iterated(*own, early, added, how=how, of_rows=of_rows, stride=stride)
        if counts[-1]:
            return _composed(*own, states, counts, how=how, of_rows=of_rows)
        return states[:, :, :, 0]

    parts = groups(len(data), read, count * (len(how.begin(0)) * width) ** 2)
    return np.concatenate(side_by_side(followed, parts))[: len(data)]


def numbers_read(n: int, m: int) -> int:
    """Numbers of the rows that a step reads of each draw: Z twice or Z^T Z once, whichever is less."""
    return min(2 * n * m, m * m)


@partial(compiled, by_draw=["data", "students"], static_argnames=("how", "of_rows", "stride"))
def _iterated(
    data: jax.Array,
    students: Students,
    options: Mapping[str, jax.Array],
    steps: jax.Array,
    schedule: jax.Array | None,
    *,
    how: Step,
    of_rows: bool,
    stride: int = 1,
) -> jax.Array:
    """Recorded states, (S, P, T, K, c, m). Every number is traced: only shapes recompile.

    stride: steps that a loop takes before it asks whether others follow; the rest are taken one by one.
    """
    n, m = data.shape[1:]

    def of_one_draw(data: jax.Array, students: Students) -> jax.Array:
        strengths, pull, start, rate, ridge, share = students
        strengths = strengths[:, None]
        rate, ridge, share = (each[:, None, None] for each in (rate, ridge, share))
        by_rows = of_rows and numbers_read(n, m) < m * m
        moment = data.T @ data if of_rows and not by_rows else data
        squares, push = strengths**2, strengths * pull
        gain = share * squares

        def step(now: jax.Array, state: State) -> State:
            own, eta = gain, rate
            if schedule is not None:
                own, eta = gain + schedule[0, now] * squares, rate * schedule[1, now]

            def gradient(u: jax.Array) -> jax.Array:
                outputs = (u @ data.T) @ data if by_rows else u @ moment  # Z^T yhat
                return own * outputs + ridge * u - push

            return how.take(state, gradient, learning_rate=eta, **options)

        def record(state: tuple, stop: jax.Array) -> tuple[tuple, jax.Array]:
            now, parts = state
            if stride > 1:
                strides = (stop - now) // stride
                parts = jax.lax.fori_loop(0, strides, partial(several, now), parts)
                now += strides * stride
            parts = jax.lax.fori_loop(now, stop, step, parts)
            return (stop, parts), jnp.stack(parts)

        def several(first: jax.Array, i: jax.Array, parts: State) -> State:
            for j in range(stride):
                parts = step(first + i * stride + j, parts)
            return parts

        first = jnp.zeros_like(steps[0]), how.begin(strengths * start)
        states = jax.lax.scan(record, first, steps)[1]  # (T, K, P, c, m)
        return states.transpose(2, 0, 1, 3, 4) / strengths[:, None, None]

    return jax.vmap(of_one_draw)(data, students)


@partial(compiled, by_draw=["data", "students", "states"], static_argnames=("how", "of_rows"))
def _composed(
    data: jax.Array,
    students: Students,
    options: Mapping[str, jax.Array],
    states: jax.Array,
    counts: jax.Array,
    *,
    how: Step,
    of_rows: bool,
) -> jax.Array:
    """Coordinates (S, P, T, c, m) after as many more steps as `counts` (T,) says, from states as above.

    In w itself, where the map of a step of descent is symmetric.
    """

    def of_one_draw(data: jax.Array, students: Students, states: jax.Array) -> jax.Array:
        moment = data.T @ data if of_rows else data
        unit = jnp.eye(len(moment), dtype=data.dtype)

        def of_one_student(one: Students, states: jax.Array) -> jax.Array:
            kept, moved, asked = (
                jnp.array(each, data.dtype) for each in _linear(how, {"learning_rate": one.rate, **options})
            )
            curvature = one.share * (one.strengths[:, None] * moment * one.strengths) + one.ridge * unit
            change = jnp.kron(kept.T, unit) - jnp.kron(jnp.outer(asked, moved), curvature)
            count, parts, c, m = states.shape
            flat = states.swapaxes(1, 2).reshape(count, c, parts * m)
            return composed(flat, counts, change, jnp.kron(moved, one.pull))[..., :m]

        return jax.vmap(of_one_student)(students, states)

    return jax.vmap(of_one_draw)(data, students, states)


def _linear(how: Step, options: Mapping[str, Any]) -> tuple[list[list[Any]], list[Any], list[Any]]:
    """A step as s' = s + A s - h g(q.s), by what it makes of single numbers: A (K, K), h (K,) and q (K,)."""
    count = len(how.begin(0.0))
    asked: list[Any] = []

    def gradient(value: float) -> Callable[[Any], float]:
        def of(weights: Any) -> float:
            asked.append(weights)
            return value

        return of

    columns = []
    for part in range(count):
        unit = [float(part == each) for each in range(count)]
        after = how.take(tuple(unit), gradient(0.0), **options)
        columns.append([new - old for new, old in zip(after, unit, strict=True)])
    rows = [list(row) for row in zip(*columns, strict=True)]
    return rows, list(how.take((0.0,) * count, gradient(-1.0), **options)), asked[:count]


def composed(states: jax.Array, counts: jax.Array, change: jax.Array, shift: jax.Array) -> jax.Array:
    """Apply u -> u + u D + c to each of `states` (T, ..., m) as often as `counts` (T,) says.

    By the binary digits of the counts: the map of 2k steps is that of k steps after itself.
    `change` D (m, m) is the map minus the identity, so that slow directions do not lose their digits
    against 1; `shift` c is (..., m). Results that some state does not need may overflow harmlessly.
    """
    own = (slice(None), *[None] * (states.ndim - 1))

    def unfinished(state: tuple[jax.Array, ...]) -> jax.Array:
        return jnp.any(state[0] > 0)

    def double(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        counts, states, change, shift = state
        moved = states + states @ change + shift
        states = jnp.where(counts[own] % 2 == 1, moved, states)
        return counts // 2, states, 2 * change + change @ change, 2 * shift + shift @ change

    return jax.lax.while_loop(unfinished, double, (counts, states, change, shift))[1]


def edge(how: Step, options: Mapping[str, float]) -> float:
    """Learning rate times curvature from which on some state grows, by bisection."""
    kept, moved, asked = (np.array(each) for each in _linear(how, {"learning_rate": 1.0, **options}))

    def grows(x: float) -> bool:
        after = np.eye(len(kept)) + kept - x * np.outer(moved, asked)
        return bool(np.abs(np.linalg.eigvals(after)).max() > 1)

    low, high = 0.0, 1.0
    while not grows(high):
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if grows(middle) else (middle, high)
    return low
