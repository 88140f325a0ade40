"""What is minimised: losses of x that feel its direction alone, on the population or on samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm

import teacherstudent.sims.precision  # noqa: F401  double precision
from teacherstudent.problems.scale_invariant import ScaleInvariant


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["hinge_weight", "margin", "class_mean", "class_noise"],
    meta_fields=["name"],
)
@dataclass(frozen=True)
class Loss:
    """A loss and the numbers of hinge-kr, of which only the name recompiles."""

    name: str
    hinge_weight: Any
    margin: Any
    class_mean: Any
    class_noise: Any

    @classmethod
    def of(cls, problem: ScaleInvariant) -> Loss:
        """The loss of a problem."""
        own = ("hinge_weight", "margin", "class_mean", "class_noise")
        return cls(problem.loss, **{name: getattr(problem, name) for name in own})

    def sample(
        self, normal: jax.Array, xi: jax.Array, teacher: jax.Array, noise: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """One input (d,) and its target, made of standard normal numbers (d,) and xi."""
        if self.name == "hinge-kr":
            label = jnp.where(xi < 0, -1.0, 1.0)
            return label * self.class_mean * teacher + self.class_noise * normal, label
        return normal, activation(self.name, normal @ teacher) + noise * xi

    @property
    def steepness(self) -> Any:
        """A bound on the curvature over angles, up to a factor of two: what steps of a flow resolve."""
        if self.name != "hinge-kr":
            return 1.0
        swing = self.class_mean / self.class_noise / math.sqrt(2 * math.pi)
        return 2 * self.class_mean * (1 + self.hinge_weight * (1 + swing))


def population_loss(loss: Loss, weights: jax.Array, teacher: jax.Array) -> jax.Array:
    """Mean over inputs and label noise, up to a constant, of one x (d,)."""
    m = direction(weights) @ teacher
    if loss.name == "hinge-kr":
        a = (loss.margin - loss.class_mean * m) / loss.class_noise
        hinge = loss.class_noise * (a * norm.cdf(a) + norm.pdf(a))  # E max(margin - y f, 0)
        return -2 * loss.class_mean * m + 2 * loss.hinge_weight * hinge
    return 1 - (m**2 if loss.name == "squared-correlation" else m)


def sample_loss(loss: Loss, weights: jax.Array, inputs: jax.Array, targets: jax.Array) -> jax.Array:
    """Mean over samples: inputs (n, d), targets (n,)."""
    output = activation(loss.name, inputs @ direction(weights))
    if loss.name == "hinge-kr":
        hinge = jnp.maximum(loss.margin - targets * output, 0)
        return jnp.mean(-2 * targets * output + 2 * loss.hinge_weight * hinge)
    return jnp.mean((targets - output) ** 2 / 2 if loss.name == "mse" else 1 - targets * output)


def direction(weights: jax.Array) -> jax.Array:
    """u = x/|x|, (d,)."""
    return weights / jnp.linalg.norm(weights)


def activation(loss: str, field: jax.Array) -> jax.Array:
    """phi(h) of student and teacher; variance 1 for h ~ N(0, 1)."""
    return (field**2 - 1) / math.sqrt(2) if loss == "squared-correlation" else field


def angle(weights: jax.Array, teacher: jax.Array) -> jax.Array:
    """Angle in radians of x (d,) to the unit vector u*, by the arc tangent: accurate near 0 and pi."""
    along = weights @ teacher
    return jnp.arctan2(jnp.linalg.norm(weights - along * teacher), along)
