"""The network of the two-moons experiment and its training: full-batch descent on a MEAN loss.

As published (pezeshki2022 App. .4.2 and its script): one hidden layer of ReLU units, momentum
0.9. Axes: S seeds, n examples, h hidden units, T recorded steps; all but `trained` is of one seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from teacherstudent.sims.arrays import each_draw
from teacherstudent.sims.compilation import compiled

MOMENTUM = 0.9
SMALLEST_VARIANCE = 1e-5
"""Added to a hidden unit's variance before batch normalisation divides by its root."""


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["penalty", "weight_decay", "learning_rate"],
    meta_fields=["adam", "batch_norm", "dropout"],
)
@dataclass(frozen=True)
class Recipe:
    """How to train; the default is the plain network (empirical risk minimisation).

    penalty: c of c mean(yhat^2), spectral decoupling with lambda = 2c, added to a mean loss. weight_decay: w
    of w/2 |theta|^2. dropout: share of the hidden units silenced at each step.
    """

    penalty: float = 0.0
    weight_decay: float = 0.0
    learning_rate: float = 0.01
    adam: bool = False
    batch_norm: bool = False
    dropout: float = 0.0

    def optimiser(self) -> optax.GradientTransformation:
        """Gradient descent with momentum, or Adam; weight decay joins the gradient before either."""
        rule = optax.adam(self.learning_rate) if self.adam else optax.sgd(self.learning_rate, MOMENTUM)
        return optax.chain(optax.add_decayed_weights(self.weight_decay), rule)


class Network(NamedTuple):
    """Parameters. The last column of `first` and the last entry of `second` are biases."""

    first: jax.Array
    """(h, 3)"""
    scale: jax.Array
    """(h,), of batch normalisation alone"""
    offset: jax.Array
    """(h,), likewise"""
    second: jax.Array
    """(h + 1,)"""


def initial_networks(seeds: Sequence[int], width: int) -> Network:
    """One network a seed, weights and biases uniform in +-1/sqrt(fan-in), as the published script draws."""

    def uniform(stream: int, fan_in: int, *shape: int) -> np.ndarray:
        draws = [np.random.default_rng([seed, stream]).uniform(-1, 1, shape) for seed in seeds]
        return np.stack(draws) / np.sqrt(fan_in)

    neutral = np.ones((len(seeds), width))
    return Network(uniform(2, 2, width, 3), neutral, 0 * neutral, uniform(3, width, width + 1))


def logits(
    network: Network, inputs: jax.Array, batch: jax.Array | None, kept: jax.Array | float = 1.0
) -> jax.Array:
    """Logits (n,); hidden units are normalised by the mean and variance over `batch` where it is given.

    A unit is affine in its inputs, so its statistics are those of the inputs, and normalising
    it changes its weights and its bias alone. `kept` multiplies activities (n, h). Vectors, because XLA
    multiplies matrices of three columns more slowly.
    """
    weights, points = network.first, _with_constant(inputs)
    if batch is not None:
        seen = _with_constant(batch)
        covariance = jnp.cov(seen, rowvar=False, bias=True)
        variance = jnp.einsum("hi,ij,hj->h", weights, covariance, weights)
        scale = network.scale / jnp.sqrt(variance + SMALLEST_VARIANCE)
        mean = weights @ seen.mean(axis=0)
        weights = (scale[:, None] * weights).at[:, -1].add(network.offset - scale * mean)
    active = kept * (sum(x[:, None] * w for x, w in zip(points.T, weights.T, strict=True)) > 0)
    slopes = network.second[:-1] * weights.T
    return sum(x * (active @ slope) for x, slope in zip(points.T, slopes, strict=True)) + network.second[-1]


def _with_constant(points: jax.Array) -> jax.Array:
    """Inputs (n, 3) whose last column, of ones, meets the biases."""
    return jnp.column_stack([points, jnp.ones(len(points))])


def loss(network: Network, inputs: jax.Array, labels: jax.Array, recipe: Recipe, key: jax.Array) -> jax.Array:
    """Mean logistic loss with the recipe's penalty; `key` draws which units are silent."""
    kept = 1.0
    if recipe.dropout:
        n, h = len(inputs), len(network.first)
        words = jax.random.bits(key, (n, -(-h // 4)), np.uint64)  # each is of four units
        bits = jax.lax.bitcast_convert_type(words, np.uint16).reshape(n, -1)[:, :h]
        kept = (bits < (1 - recipe.dropout) * 2.0**16) / (1 - recipe.dropout)
    yhat = logits(network, inputs, inputs if recipe.batch_norm else None, kept)
    return jnp.mean(jax.nn.softplus(-labels * yhat)) + recipe.penalty * jnp.mean(yhat**2)  # Eq. 6.3.17


@partial(compiled, by_draw=["networks", "inputs", "labels", "keys"])
def trained(
    networks: Network, inputs: jax.Array, labels: jax.Array, recipe: Recipe, steps: jax.Array, keys: jax.Array
) -> Network:
    """Each seed's network after each of the increasing `steps` (T,): parameters (S, T, ...).

    `networks`, `inputs` (S, n, 2), `labels` (S, n) and `keys` (S,) are one a seed. On a CPU seed
    after seed, because the activities of one fit its cache and those of ten do not: a third of the
    time. Other numbers in the recipe do not recompile, other kinds (adam, batch_norm,
    dropout) do.
    """
    begun = jnp.concatenate([jnp.zeros(1, steps.dtype), steps[:-1]])
    optimiser = recipe.optimiser()

    def train(seed: tuple[Network, jax.Array, jax.Array, jax.Array]) -> Network:
        network, x, y, key = seed

        def step(count: jax.Array, state: tuple[Network, Any]) -> tuple[Network, Any]:
            network, memory = state
            gradient = jax.grad(loss)(network, x, y, recipe, jax.random.fold_in(key, count))
            change, memory = optimiser.update(gradient, memory, network)
            return optax.apply_updates(network, change), memory

        def record(state: tuple[Network, Any], interval: tuple[jax.Array, jax.Array]) -> tuple[Any, Network]:
            state = jax.lax.fori_loop(*interval, step, state)
            return state, state[0]

        return jax.lax.scan(record, (network, optimiser.init(network)), (begun, steps))[1]

    return each_draw(train, (networks, inputs, labels, keys))
