"""The optimiser of each scheme, and the effective learning rate of the steps that it takes.

The weights x (d,) are one radially invariant group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax

import teacherstudent.sims.precision  # noqa: F401  double precision
from teacherstudent import optimisers
from teacherstudent.problems.scale_invariant import ON_THE_SPHERE, ScaleInvariant

GROUP = (0,)


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["learning_rate", "ridge", "momentum", "beta1", "beta2", "epsilon", "v0"],
    meta_fields=["scheme"],
)
@dataclass(frozen=True)
class Scheme:
    """A scheme and its numbers, of which only the name recompiles."""

    scheme: str
    learning_rate: float
    ridge: float
    momentum: float
    beta1: float
    beta2: float
    epsilon: float
    v0: float

    @classmethod
    def of(cls, problem: ScaleInvariant, learning_rate: float) -> Scheme:
        """The scheme of a problem, with steps of that size."""
        own = ("ridge", "momentum", "beta1", "beta2", "epsilon", "v0")
        return cls(problem.scheme, learning_rate, **{name: getattr(problem, name) for name in own})

    def optimiser(self) -> optax.GradientTransformation:
        """The real thing: optax's own, or one of `optimisers`; L2 joins the gradient but for adamw."""
        rate, l2 = optax.scale_by_learning_rate(self.learning_rate), optax.add_decayed_weights(self.ridge)
        adam = (self.beta1, self.beta2, self.epsilon)
        match self.scheme:
            case "sgd":
                return optax.chain(l2, optax.sgd(self.learning_rate))
            case "sgd-momentum":
                return optax.chain(l2, optax.sgd(self.learning_rate, self.momentum))
            case "sgd-mrt":
                return optax.chain(l2, optimisers.trace_rt(self.momentum, GROUP), rate)
            case "adam":
                return optax.chain(l2, optax.adam(self.learning_rate, *adam))
            case "adamw":
                return optax.adamw(self.learning_rate, *adam, weight_decay=self.ridge)
            case "adam-s":
                return optax.chain(l2, optimisers.scale_by_adam_s(GROUP, *adam), rate)
            case "adam-srt":
                return optax.chain(l2, optimisers.scale_by_adam_srt(GROUP, *adam), rate)
            case "adamg":
                moments, move = optimisers.scale_by_adamg(GROUP, *adam), optimisers.along_geodesic(GROUP)
                return optax.chain(moments, rate, move)
        v = optimisers.scale_by_adagradg(GROUP, self.beta2, self.v0, exact=self.scheme == "adagradg-exact")
        return optax.chain(v, rate, optimisers.keep_radius(GROUP))

    def division(self, before: Any, after: Any) -> jax.Array:
        """The vector b of roburin2020 Eqs. 3 and 9 that the step from `before` to `after` divided by.

        One number where it is the same for all entries. Read from the optimiser's states.
        """
        if self.scheme.startswith("sgd"):
            return jnp.ones(())
        if self.scheme.startswith("adagradg"):
            return jnp.sqrt(optax.tree_utils.tree_get(before, "v"))
        count, nu = optax.tree_utils.tree_get(after, "count"), optax.tree_utils.tree_get(after, "nu")
        root = jnp.sqrt(nu / (1 - self.beta2**count)) + self.epsilon
        return (1 - self.beta1**count) / (1 - self.beta1) * root

    def effective_learning_rate(
        self, weights: jax.Array, moved: jax.Array, before: Any, after: Any
    ) -> jax.Array:
        """Eq. 11 for the step from `weights` to `moved`, (d,) each, between two states.

        x' = s x - eta a/b gives <x', x>/r^2 = s - A <c, u>, so that eta^e = eta/(B <x', x>); on the
        sphere c is tangent, and x' what is left of the step after it was bent: eta^e = eta/B.
        """
        B = jnp.sqrt(jnp.mean(jnp.square(self.division(before, after))))
        return self.learning_rate / (B * (1.0 if self.scheme in ON_THE_SPHERE else moved @ weights))
