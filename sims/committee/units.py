"""The units of both networks, and the numbers that multiply their steps."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import teacherstudent.sims.precision  # noqa: F401  double precision
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.committee import Committee
from teacherstudent.sims.tracing import Function, traced


def functions(activation: str | UserFunction) -> tuple[Function, Function]:
    """A unit's output g and its derivative g', of its field."""
    if isinstance(activation, UserFunction):
        return traced(activation, "activation")
    known: dict[str, tuple[Function, Function]] = {
        "erf": (lambda x: jax.scipy.special.erf(x / np.sqrt(2)), _bell),
        "relu": (jax.nn.relu, lambda x: jnp.where(x > 0, 1.0, 0.0)),
        "linear": (lambda x: x, jnp.ones_like),
    }
    return known[activation]


def _bell(x: jax.Array) -> jax.Array:
    return np.sqrt(2 / np.pi) * jnp.exp(-(x**2) / 2)


class Rates(NamedTuple):
    """A step's factors: of the first layer's push, of the second's, and what decay leaves of each."""

    first: float
    second: float
    kept: float
    second_kept: float


def rates(problem: Committee) -> Rates:
    """eta, eta_v/d, 1 - kappa/d and 1 - kappa_v/d."""
    d = problem.d
    return Rates(
        problem.learning_rate,
        problem.second_layer_learning_rate / d,
        1 - problem.weight_decay / d,
        1 - problem.second_layer_weight_decay / d,
    )
