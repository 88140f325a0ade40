"""The dynamics of `problems.starvation`: what moves, along which gradient, how fast at most.

Gradients are those of `objectives`, by automatic differentiation. Curvatures are bounds: a
logistic loss bends by at most alpha at margins with sigma(-m) = alpha, and alpha is followed
so closely that a step never takes it far on its way to 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from teacherstudent.sims.starvation import objectives
from teacherstudent.sims.starvation.objectives import Features
from teacherstudent.sims.starvation.small_steps import Motion


class Dynamics(NamedTuple):
    """A motion, the margins (n,) of its state, and whether the state is dual (starts at alpha0) or 0."""

    motion: Motion
    margins: Callable[[jax.Array, Features], jax.Array]
    dual: bool


def _steepness(margins: jax.Array, features: Features) -> jax.Array:
    return jnp.max(features.strengths) ** 2 * jnp.max(jax.nn.sigmoid(-margins))


def _descend_ridge(theta: jax.Array, features: Features) -> jax.Array:
    return -jax.grad(objectives.ridge_loss)(theta, features)


def _ridge_curvature(theta: jax.Array, _: jax.Array, features: Features) -> jax.Array:
    return _steepness(objectives.margins(theta, features), features) + features.ridge


def _descend_decoupled(theta: jax.Array, features: Features) -> jax.Array:
    return -jax.grad(objectives.decoupled_loss)(theta, features)


def _decoupled_curvature(theta: jax.Array, _: jax.Array, features: Features) -> jax.Array:
    penalty = jnp.max(features.strengths) ** 2 * features.ridge
    return _steepness(objectives.margins(theta, features), features) + penalty


def _mirror(m: jax.Array, features: Features) -> jax.Array:
    """Gradient of 6.3.8 in the entropy metric: m' = K sigma(-m) - lambda m, free of alpha's rounding."""
    theta = features.strengths * (jax.nn.sigmoid(-m) @ features.vectors)
    return objectives.margins(theta, features) - features.ridge * m


def _mirror_curvature(m: jax.Array, _: jax.Array, features: Features) -> jax.Array:
    return _steepness(m, features) + features.ridge


def _barrier(alpha: jax.Array, velocity: jax.Array) -> jax.Array:
    """The entropy's curvature, and the rate at which alpha leaves or nears the ends of (0, 1)."""
    return jnp.max((1 + jnp.abs(velocity)) / (alpha * (1 - alpha)))


def _dual_curvature(alpha: jax.Array, velocity: jax.Array, features: Features) -> jax.Array:
    return _barrier(alpha, velocity) + jnp.max(features.strengths) ** 2 / features.ridge


def _decoupled_dual_curvature(alpha: jax.Array, velocity: jax.Array, features: Features) -> jax.Array:
    return _barrier(alpha, velocity) + 1 / features.ridge


def _dual_margins(alpha: jax.Array, features: Features) -> jax.Array:
    return objectives.margins(objectives.ridge_student(alpha, features), features)


DYNAMICS = {
    "primal": Dynamics(Motion(_descend_ridge, _ridge_curvature), objectives.margins, dual=False),
    "primal-decoupled": Dynamics(
        Motion(_descend_decoupled, _decoupled_curvature), objectives.margins, dual=False
    ),
    "mirror": Dynamics(Motion(_mirror, _mirror_curvature), lambda m, _: m, dual=False),
    "dual": Dynamics(Motion(jax.grad(objectives.ridge_dual), _dual_curvature), _dual_margins, dual=True),
    "decoupled": Dynamics(
        Motion(jax.grad(objectives.decoupled_dual), _decoupled_dual_curvature),
        objectives.decoupled_margins,
        dual=True,
    ),
}
