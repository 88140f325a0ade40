"""A network and its linearisation trained together: the distance of the theory's student from a real network.

Axes: S seeds, n examples. Every loss is a SUM, its ridge around the initial parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.sims.arrays import each_draw
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.starvation.networks import Activation, initial_parameters, output, tangent
from teacherstudent.sims.starvation.objectives import logistic_loss
from teacherstudent.sims.starvation.paths import paths
from teacherstudent.sims.starvation.small_steps import Motion, follow

STEP = 0.5
"""Step of both students, in units of the inverse of the largest curvature at the start."""


class Trained(NamedTuple):
    """Margins y (yhat - yhat_0) of the network and of its linearisation, (S, n), and what the latter is.

    `problems` are the linearisations as questions that every route of `starvation` answers.
    """

    network: np.ndarray
    linearised: np.ndarray
    problems: tuple[Starvation, ...]

    @property
    def difference(self) -> np.ndarray:
        """|network - linearised|/|linearised| over the training set, (S,)."""
        size = np.linalg.norm(self.linearised, axis=-1)
        return np.linalg.norm(self.network - self.linearised, axis=-1) / size


def linearise(jacobian: np.ndarray, labels: np.ndarray, ridge: float) -> Starvation:
    """The linearised student of Def. 6.3.1: features of Y Phi0 = U S V^T by the thin SVD.

    `jacobian` Phi0 (n, m) with m >= n, `labels` -1 or 1, (n,). Output and parameters are
    measured from their start (Eq. 6.3.3), so that the student begins at 0.
    """
    vectors, strengths, _ = np.linalg.svd(labels[:, None] * jacobian, full_matrices=False)
    return PROBLEM.instance(vectors=vectors.tolist(), strengths=strengths.tolist(), ridge=ridge)


def beside_linearisation(
    inputs: np.ndarray,
    labels: np.ndarray,
    *,
    width: int,
    activation: Activation,
    ridge: float,
    time: float,
    seeds: Sequence[int],
) -> Trained:
    """Train both by gradient descent with one learning rate until learning rate x steps = time.

    `inputs` (S, n, d) and `labels` (S, n) are one data set a seed; the seed draws the network,
    whose hidden layer has `width` units, at least n. Weak features are learned by time 10/ridge.
    """
    start = initial_parameters(seeds, width, inputs.shape[-1])
    jacobians = np.asarray(_tangents(start, inputs, activation))
    problems = tuple(linearise(*each, ridge) for each in zip(jacobians, labels, strict=True))
    stiffest = max(max(problem.strengths) for problem in problems)
    rate = STEP / (stiffest**2 / 4 + ridge)  # a logistic loss bends by 1/4 at most
    linearised = paths(problems, "primal", np.array([time]), learning_rate=rate)[:, 0]
    vectors = np.stack([problem.U for problem in problems])
    return Trained(
        np.asarray(_network_margins(inputs, labels, start, ridge, time, rate, activation)),
        np.einsum("skj,sj->sk", vectors, linearised),  # y*yhat = U z, Eq. 6.3.4
        problems,
    )


@partial(compiled, by_draw=["parameters", "inputs"], static_argnums=2)
def _tangents(parameters: jax.Array, inputs: jax.Array, activation: Activation) -> jax.Array:
    return jax.vmap(tangent, in_axes=(0, 0, None))(parameters, inputs, activation)


@partial(compiled, by_draw=["inputs", "labels", "start"], static_argnums=6)
def _network_margins(
    inputs: jax.Array,
    labels: jax.Array,
    start: jax.Array,
    ridge: float,
    time: float,
    rate: float,
    activation: Activation,
) -> jax.Array:
    """Margins of the trained networks, (S, n), seed by seed."""

    def train(seed: tuple[jax.Array, ...]) -> jax.Array:
        x, y, initial = seed
        begun = output(initial, x, activation)

        def margins(parameters: jax.Array) -> jax.Array:
            return y * (output(parameters, x, activation) - begun)  # centred, Eq. 6.3.3

        def loss(parameters: jax.Array) -> jax.Array:
            decay = ridge / 2 * jnp.sum((parameters - initial) ** 2)
            return logistic_loss(margins(parameters)) + decay  # Eq. 6.3.5

        descend = Motion(lambda state, _: -jax.grad(loss)(state), lambda *_: jnp.inf)
        return margins(follow(descend, None, initial, jnp.array([time]), jnp.asarray(rate))[0])

    return each_draw(train, (inputs, labels, start))
