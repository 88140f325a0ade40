"""Full-batch gradient descent on every weight of a two-layer or deep linear network.

The input correlation X X^T that enters a step is the drawn data's own, not assumed to be the
identity. Weights outside the support are 0 and are not moved. Axes: S draws, T recorded times; layer l is
W_l, (N_l, N_l-1), from N_0 inputs to N_D outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.linear_network import Draws, LinearNetwork, draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.linear_network.modes import mode_strengths

Layers: TypeAlias = tuple[jax.Array, ...]

LONGEST = 10**9
"""Steps beyond which no answer is tried: each is taken, at two microseconds or more."""


def descent(
    problem: LinearNetwork, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """Mode strengths u, (S, T, mode), along gradient descent (Eqs. 2.2.3-2.2.4) on the summed loss.

    Under support triangular residual and squared_norm instead, (S, T) each. `times` are whole steps,
    increasing; step 0 is the initial network. Where descent leaves the range of float64 all are NaN, with an
    `UnconvergedWarning`. Raises `InputError` for times beyond `LONGEST`.
    """
    draws = draw(problem, seeds)
    if problem.support == "triangular":
        found = sizes(draws, layer_trajectory(draws, times, learning_rate))
    else:
        found = {"u": mode_strengths(draws, map_trajectory(draws, times, learning_rate))}
    return nan_where_not_finite(
        found, f"learning_rate {learning_rate}: gradient descent on the network diverges"
    )


def sizes(draws: Draws, layers: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    """residual |Y - W_2 W_1 X| and squared_norm |W_1|^2 + |W_2|^2, (S, T), of weights (S, T, ...)."""
    first, second = layers
    with np.errstate(over="ignore", invalid="ignore"):  # a diverged network may be anything
        missing = draws.targets[:, None] - second @ (first @ draws.inputs[:, None])
        norm = sum(np.sum(layer**2, axis=(-1, -2)) for layer in layers)
        return {"residual": np.sqrt(np.sum(missing**2, axis=(-1, -2))), "squared_norm": np.asarray(norm)}


def map_trajectory(draws: Draws, times: np.ndarray, learning_rate: float) -> np.ndarray:
    """The whole input-output map W_D ... W_1 at each recorded step of each draw, (S, T, N_D, N_0).

    `times` and `InputError` as in `descent`. Diverging descent gives infinities or NaN, without
    a warning.
    """
    return np.asarray(_recorded(network_map, draws, times, learning_rate))


def layer_trajectory(draws: Draws, times: np.ndarray, learning_rate: float) -> tuple[np.ndarray, ...]:
    """The weights W_1, ..., W_D at each recorded step of each draw, each (S, T, N_l, N_l-1).

    As `map_trajectory`, at the cost of the memory for all layers.
    """
    return tuple(map(np.asarray, _recorded(tuple, draws, times, learning_rate)))


def network_map(layers: Layers) -> jax.Array:
    """W_D ... W_1 of one network, (N_D, N_0)."""
    return reduce(lambda product, layer: layer @ product, layers)


def _recorded(
    record: Callable[[Layers], jax.Array | Layers], draws: Draws, times: np.ndarray, learning_rate: float
) -> jax.Array | Layers:
    """What `record` sees of the layers at each recorded step: its arrays with axes (S, T) first."""
    if np.max(times) > LONGEST:
        raise InputError("times", f"{np.max(times):g}", f"at most {LONGEST:g} steps, all of them simulated")
    transposed = draws.inputs.swapaxes(-1, -2)
    return _trajectories(
        tuple(map(jnp.asarray, draws.weights)),
        jnp.asarray(draws.inputs @ transposed),
        jnp.asarray(draws.targets @ transposed),
        draws.supports and tuple(map(jnp.asarray, draws.supports)),
        jnp.asarray(learning_rate, dtype=float),
        jnp.asarray(times, dtype=np.int64),
        record=record,
    )


@partial(
    compiled,
    by_draw=["initial", "input_correlation", "target_correlation"],
    static_argnames="record",
)
def _trajectories(
    initial: Layers,
    input_correlation: jax.Array,
    target_correlation: jax.Array,
    supports: Layers | None,
    learning_rate: jax.Array,
    steps: jax.Array,
    record: Callable[[Layers], jax.Array | Layers],
) -> jax.Array | Layers:
    """Recordings of all draws. Every array is traced: only shapes and `record` recompile."""

    def trajectory(
        initial: Layers, input_correlation: jax.Array, target_correlation: jax.Array
    ) -> jax.Array | Layers:
        def step(_: jax.Array, layers: Layers) -> Layers:
            network, pull_back = jax.vjp(network_map, layers)
            error = network @ input_correlation - target_correlation  # dL/dW of Eq. 2.2.2
            (gradient,) = pull_back(error)  # chain rule: W_2^T error and error W_1^T at depth 2
            if supports is not None:
                gradient = jax.tree.map(jnp.multiply, gradient, supports)
            return jax.tree.map(lambda w, g: w - learning_rate * g, layers, gradient)  # Eqs. 2.2.3-2.2.4

        def advance(layers: Layers, count: jax.Array) -> tuple[Layers, jax.Array | Layers]:
            layers = jax.lax.fori_loop(0, count, step, layers)
            return layers, record(layers)

        return jax.lax.scan(advance, initial, jnp.diff(steps, prepend=0))[1]

    return jax.vmap(trajectory)(initial, input_correlation, target_correlation)
