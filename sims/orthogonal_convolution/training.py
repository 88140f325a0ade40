"""Training the kernel on its regulariser. Axes: S draws, T times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.orthogonal_convolution import OrthogonalConvolution
from teacherstudent.problems.orthogonal_convolution.data import kernels
from teacherstudent.sims.arrays import each_draw, nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.orthogonal_convolution.layer import matrix, overlaps, regulariser

Answer = dict[str, np.ndarray]

SHARE = 1 / 50
"""Of a Runge-Kutta step in the curvature's time: its error is 4 SHARE^4/120, 5e-9, in a unit of time."""

AHEAD, WEIGHTS = np.array([0, 1 / 2, 1 / 2, 1]), np.array([1, 2, 2, 1]) / 6
"""Of the four slopes of a Runge-Kutta step: how far ahead of the one before, and its weight in the step."""

MOST = 10**6
"""Steps between two recorded times after which no answer is given."""


def flow(problem: OrthogonalConvolution, times: np.ndarray, *, seeds: Sequence[int]) -> Answer:
    """The problem's observables, (S, T), along the flow; NaN where `MOST` steps do not reach a time."""
    trained = _flowed(kernels(problem, seeds), times, SHARE, MOST, stride=problem.stride)
    return _answer(problem, trained, f"init {problem.init:g}: the flow needs too many steps")


def descent(
    problem: OrthogonalConvolution, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> Answer:
    """The problem's observables, (S, T), after these steps; NaN where they leave the range of numbers."""
    trained = descended(kernels(problem, seeds), times, learning_rate, problem.stride)
    return _answer(problem, trained, f"learning_rate {learning_rate:g}: training diverges")


def descended(starts: np.ndarray, steps: np.ndarray, learning_rate: float, stride: int) -> np.ndarray:
    """Kernels (S, T, M, C, k^D) after each of these increasing numbers of steps from `starts`."""
    return np.asarray(_descended(starts, np.asarray(steps, dtype=np.int64), learning_rate, stride=stride))


def _answer(problem: OrthogonalConvolution, trained: np.ndarray, reason: str) -> Answer:
    trained = np.array(trained)
    lost = ~np.isfinite(trained).all(axis=tuple(range(2, trained.ndim)))
    trained[lost] = 0.0
    seen = _observed(trained, stride=problem.stride, size=problem.size, rows=problem.rows)
    answer = {name: np.where(lost, np.nan, values) for name, values in seen.items()}
    return nan_where_not_finite(answer, reason)


@partial(compiled, by_draw=["starts"], static_argnames="stride")
def _descended(starts: jax.Array, steps: jax.Array, learning_rate: jax.Array, stride: int) -> jax.Array:
    """Kernels of each draw, (S, T, M, C, k^D)."""

    def trajectory(start: jax.Array) -> jax.Array:
        def step(_: jax.Array, kernel: jax.Array) -> jax.Array:
            return kernel - learning_rate * jax.grad(regulariser)(kernel, stride)

        def record(kernel: jax.Array, span: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            kernel = jax.lax.fori_loop(*span, step, kernel)
            return kernel, kernel

        begun = jnp.concatenate([jnp.zeros(1, steps.dtype), steps[:-1]])
        return jax.lax.scan(record, start, (begun, steps))[1]

    return each_draw(trajectory, jnp.asarray(starts))


@partial(compiled, static_argnames="stride", on_cpu=True)
def _flowed(starts: jax.Array, times: jax.Array, share: jax.Array, most: jax.Array, stride: int) -> jax.Array:
    """Kernels (S, T, M, C, k^D) at increasing times; NaN from where `most` steps do not reach the next."""

    def slope(kernel: jax.Array) -> jax.Array:
        return -jax.grad(regulariser)(kernel, stride)

    def step(state: tuple[jax.Array, ...], end: jax.Array) -> tuple[jax.Array, ...]:
        K, time, taken = state
        # |A A^T|_2 is at most its largest sum of a row; the curvature at most 4 (3 |A A^T|_2 + 1)
        size = jnp.max(jnp.sum(jnp.abs(overlaps(K, stride)), axis=tuple(range(1, K.ndim))))
        h = jnp.minimum(share / (4 * (3 * size + 1)), end - time)

        def stage(before: tuple[jax.Array, ...], weights: tuple[jax.Array, ...]) -> tuple[Any, None]:
            (k, total), (ahead, weight) = before, weights
            k = slope(K + ahead * h * k)
            return (k, total + weight * k), None

        nothing = jnp.zeros_like(K)
        (_, total), _ = jax.lax.scan(stage, (nothing, nothing), (AHEAD, WEIGHTS))
        return K + h * total, time + h, taken + 1

    def trajectory(start: jax.Array) -> jax.Array:
        def record(state: tuple[jax.Array, jax.Array], end: jax.Array) -> Any:
            def unfinished(state: tuple[jax.Array, ...]) -> jax.Array:
                return (state[1] < end) & (state[2] < most)

            K, time, _ = jax.lax.while_loop(unfinished, partial(step, end=end), (*state, 0))
            K = jnp.where(time < end, jnp.nan, K)
            return (K, end), K

        return jax.lax.scan(record, (start, jnp.zeros(())), times)[1]

    return jax.lax.map(trajectory, jnp.asarray(starts))


@partial(compiled, static_argnames=("stride", "size", "rows"))
def _observed(kernels: jax.Array, stride: int, size: int, rows: bool) -> dict[str, jax.Array]:
    """The observables, (S, T), of kernels (S, T, M, C, k^D), by the layer's whole matrix; one at a time."""

    def of_kernel(kernel: jax.Array) -> dict[str, jax.Array]:
        A = matrix(kernel, stride, size)
        products = A @ A.T if rows else A.T @ A
        singular = jnp.linalg.svd(A, compute_uv=False)
        return {
            "regulariser": regulariser(kernel, stride),
            "orthogonality_error": jnp.sum((products - jnp.eye(len(products))) ** 2)
            / size ** (kernel.ndim - 2),
            "largest_singular_value": singular[0],
            "smallest_singular_value": singular[-1],
        }

    flat = kernels.reshape(-1, *kernels.shape[2:])
    return {name: values.reshape(kernels.shape[:2]) for name, values in jax.lax.map(of_kernel, flat).items()}
