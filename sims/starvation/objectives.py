"""The losses of a linearised network and their duals, as printed; all else is their gradient.

Conventions: `problems.starvation`. Parameters theta (n,), dual variables alpha (n,), margins
m = y*yhat (n,), one an example.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

import teacherstudent.sims.precision  # noqa: F401  double precision


class Features(NamedTuple):
    """What every objective depends on: Y Phi0 = U S (V = 1), the regulariser, and its target."""

    vectors: jax.Array
    """U, (n, n)."""
    strengths: jax.Array
    """s, (n,)."""
    ridge: jax.Array
    """lambda, scalar."""
    shift: jax.Array
    """gamma, scalar, of spectral decoupling alone."""


def margins(theta: jax.Array, features: Features) -> jax.Array:
    """Margins of the linear student, (n,)."""
    return features.vectors @ (features.strengths * theta)  # y*yhat = U S V^T theta, Eq. 6.3.4


def logistic_loss(margins: jax.Array) -> jax.Array:
    """Summed logistic loss, without overflow at any margin."""
    return jnp.sum(jax.nn.softplus(-margins))


def ridge_loss(theta: jax.Array, features: Features) -> jax.Array:
    """Eq. 6.3.5."""
    return logistic_loss(margins(theta, features)) + features.ridge / 2 * jnp.sum(theta**2)


def decoupled_loss(theta: jax.Array, features: Features) -> jax.Array:
    """Eq. 6.3.17, its penalty centred on margins `shift`."""
    m = margins(theta, features)
    return logistic_loss(m) + features.ridge / 2 * jnp.sum((m - features.shift) ** 2)


def entropy(alpha: jax.Array) -> jax.Array:
    """Summed binary entropy H of Eq. 6.3.6; NaN outside (0, 1)."""
    return -jnp.sum(alpha * jnp.log(alpha) + (1 - alpha) * jnp.log1p(-alpha))


def ridge_dual(alpha: jax.Array, features: Features) -> jax.Array:
    """Eq. 6.3.8: the minimum of Eq. 6.3.7 over theta, reached at `ridge_student`."""
    theta = ridge_student(alpha, features)
    return entropy(alpha) - features.ridge / 2 * jnp.sum(theta**2)


def ridge_student(alpha: jax.Array, features: Features) -> jax.Array:
    """theta = (Y Phi0)^T alpha/lambda, (n,): the student of these dual variables under ridge."""
    return features.strengths * (alpha @ features.vectors) / features.ridge


def decoupled_dual(alpha: jax.Array, features: Features) -> jax.Array:
    """Dual of Eq. 6.3.17 at full rank: min over m of H - alpha m + lambda/2 |m - gamma|^2."""
    m = decoupled_margins(alpha, features)
    fit = jnp.sum((m - features.shift) ** 2)
    return entropy(alpha) - jnp.sum(alpha * m) + features.ridge / 2 * fit


def decoupled_margins(alpha: jax.Array, features: Features) -> jax.Array:
    """m = gamma + alpha/lambda, (n,): where that minimum over margins is."""
    return features.shift + alpha / features.ridge
