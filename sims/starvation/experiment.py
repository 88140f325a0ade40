"""Two moons with a gap: networks trained by a recipe, their decision surfaces and feature responses.

Axes: S seeds, n examples, T recorded steps, G grid points a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.sims.arrays import each_draw
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.starvation.boundary import bend, smallest_margin
from teacherstudent.sims.starvation.moons import two_moons
from teacherstudent.sims.starvation.training import Network, Recipe, initial_networks, logits, trained

GRID = np.linspace(-2.0, 2.0, 201)
"""Both axes of the decision surfaces: the published square."""

RECIPES = {
    "plain": Recipe(),
    "decoupled": Recipe(penalty=0.003),
    "weight decay": Recipe(weight_decay=0.01),
    "dropout": Recipe(dropout=0.7),
    "batch normalisation": Recipe(batch_norm=True),
    "Adam, slow": Recipe(adam=True, learning_rate=1e-4),
    "Adam, fast": Recipe(adam=True, learning_rate=3e-3),
}
"""The published recipes; "training longer" is the plain one with ten times the steps."""


class Outcome(NamedTuple):
    """What became of the networks of one recipe."""

    inputs: np.ndarray
    """(S, n, 2)"""
    labels: np.ndarray
    """(S, n), -1 or 1"""
    logits: np.ndarray
    """yhat of the training set at each recorded step, (S, T, n)"""
    surfaces: np.ndarray
    """yhat over x1 (rows) and x0 (columns) on `GRID` after the last step, (S, G, G)"""
    responses: np.ndarray
    """|z_j| at each recorded step, the strongest feature first, (S, T, n)"""
    margin: np.ndarray
    """smallest input-space margin after the last step, (S,)"""
    bend: np.ndarray
    """standard deviation of the boundary's x0 over |x1| <= 1 after the last step, (S,)"""


def two_moons_outcome(
    recipe: Recipe,
    *,
    gap: float,
    steps: Sequence[int],
    seeds: Sequence[int],
    examples: int = 300,
    width: int = 500,
) -> Outcome:
    """Train one network a seed on its own two moons and measure it after each of `steps`.

    Responses (Eq. 6.3.4) are to the features of the initial network (Def. 6.3.1); the sign of a
    feature is arbitrary and left out.
    """
    inputs, labels = two_moons(seeds, examples, gap)
    initial = initial_networks(seeds, width)
    keys = jax.vmap(jax.random.key)(jnp.array(seeds))
    networks = trained(initial, inputs, labels, recipe, jnp.array(steps), keys)
    yhat = np.asarray(_on_training_set(networks, inputs, recipe.batch_norm))
    last = jax.tree.map(lambda parameters: parameters[:, -1], networks)
    surfaces = np.asarray(_surfaces(last, inputs, recipe.batch_norm))
    gram = np.asarray(_tangent_kernels(initial, inputs, recipe.batch_norm))
    vectors = np.linalg.eigh(labels[:, :, None] * gram * labels[:, None, :])[1][..., ::-1]
    margins = labels[:, None, :] * yhat
    return Outcome(
        inputs,
        labels,
        yhat,
        surfaces,
        np.abs(margins @ vectors),  # z = U^T y*yhat, Eq. 6.3.4
        np.array(
            [smallest_margin(f, GRID, x, m) for f, x, m in zip(surfaces, inputs, margins[:, -1], strict=True)]
        ),
        np.array([bend(surface, GRID) for surface in surfaces]),
    )


def _at_rest(network: Network, points: jax.Array, inputs: jax.Array, batch_norm: bool) -> jax.Array:
    """Logits of points; batch normalisation has the statistics of the training set."""
    return logits(network, points, inputs if batch_norm else None)


@partial(compiled, by_draw=["networks", "inputs"], static_argnums=2)
def _on_training_set(networks: Network, inputs: jax.Array, batch_norm: bool) -> jax.Array:
    """(S, T, n)."""

    def of_seed(seed: tuple[Network, jax.Array]) -> jax.Array:
        steps, x = seed
        return jax.lax.map(lambda network: _at_rest(network, x, x, batch_norm), steps)

    return each_draw(of_seed, (networks, inputs))


@partial(compiled, by_draw=["networks", "inputs"], static_argnums=2)
def _surfaces(networks: Network, inputs: jax.Array, batch_norm: bool) -> jax.Array:
    """(S, G, G), row by row, so that no layer of activities outgrows a row."""

    def of_seed(seed: tuple[Network, jax.Array]) -> jax.Array:
        network, x = seed

        def row(x1: jax.Array) -> jax.Array:
            points = jnp.column_stack([GRID, jnp.full(GRID.size, x1)])
            return _at_rest(network, points, x, batch_norm)

        return jax.lax.map(row, jnp.asarray(GRID))

    return each_draw(of_seed, (networks, inputs))


@partial(compiled, by_draw=["networks", "inputs"], static_argnums=2)
def _tangent_kernels(networks: Network, inputs: jax.Array, batch_norm: bool) -> jax.Array:
    """Phi0 Phi0^T of each network on its training set, (S, n, n)."""

    def of_seed(seed: tuple[Network, jax.Array]) -> jax.Array:
        network, x = seed
        slopes = jax.grad(lambda network, point: _at_rest(network, point[None], x, batch_norm)[0])
        layers = jax.vmap(slopes, in_axes=(None, 0))(network, x)
        tangent = jnp.concatenate([layer.reshape(len(x), -1) for layer in layers], axis=1)
        return tangent @ tangent.T  # Eq. 6.3.2

    return each_draw(of_seed, (networks, inputs))
