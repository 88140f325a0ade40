"""Adam with one second moment for each group: Adam-S and Adam-SRT (roburin2020 Sect. 4, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax

from teacherstudent.optimisers.groups import (
    AxesTree,
    Tree,
    check_groups,
    group_size,
    group_sum,
    map_groups,
    squared_radius,
)
from teacherstudent.optimisers.mixing import by_invariance, required
from teacherstudent.optimisers.transport import tangential


class ScaleByAdamSrtState(NamedTuple):
    """State of Adam-SRT between two updates."""

    count: jax.Array
    """updates so far, ()"""
    mu: Tree
    """first moment, shaped like the parameters"""
    nu: Tree
    """second moment, one number for each group"""
    radius: Tree
    """|x|^2 of each group when the moments were taken"""


def group_moments(
    updates: Tree,
    state: optax.ScaleByAdamState,
    square: Callable[[tuple[int, ...], jax.Array], jax.Array],
    b1: float,
    b2: float,
    eps: float,
    axes: AxesTree,
) -> tuple[Tree, optax.ScaleByAdamState]:
    """One update of Adam with `square(axes, g)`, one number for each group, in place of g^2.

    Returns m_hat/(sqrt(v_hat) + eps) with the bias corrections of Adam, and the new state.
    """
    count = optax.safe_increment(state.count)
    mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, updates)
    nu = map_groups(lambda entry, v, g: b2 * v + (1 - b2) * square(entry, g), axes, state.nu, updates)
    bias1, bias2 = 1 - b1**count, 1 - b2**count
    scaled = jax.tree.map(
        lambda m, v: (m / bias1.astype(m.dtype)) / (jnp.sqrt(v / bias2.astype(v.dtype)) + eps), mu, nu
    )
    return scaled, optax.ScaleByAdamState(count, mu, nu)


def initial_moments(axes: AxesTree, params: Tree) -> optax.ScaleByAdamState:
    """Moments that are zero. Raises `ValueError` as `check_groups` does."""
    check_groups(axes, params)
    zeros = jax.tree.map(jnp.zeros_like, (params, squared_radius(axes, params)))
    return optax.ScaleByAdamState(jnp.zeros([], jnp.int32), *zeros)


def mean_square(axes: tuple[int, ...], gradient: jax.Array) -> jax.Array:
    """d^-1 |g|^2 of each group of d entries, the square of roburin2020 Eq. 15."""
    return group_sum(axes, jnp.square(gradient)) / group_size(axes, gradient)


def scale_by_adam_s(
    axes: AxesTree, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> optax.GradientTransformation:
    """Adam with the mean square of each group in place of elementwise squares (roburin2020 Eqs. 61-63).

    All entries of a group share one step size, so the update has the direction of the momentum. The arguments
    are those of `optax.scale_by_adam`, and `axes` as in `optimisers.groups`, without None. State:
    `optax.ScaleByAdamState` whose `nu` has one number for each group. `init` raises `ValueError` for a group
    of one entry or a group that is zero.
    """

    def init(params: Tree) -> optax.ScaleByAdamState:
        return initial_moments(axes, params)

    def update(
        updates: Tree, state: optax.ScaleByAdamState, params: Tree | None = None
    ) -> tuple[Tree, optax.ScaleByAdamState]:
        del params
        return group_moments(updates, state, mean_square, b1, b2, eps, axes)

    return optax.GradientTransformation(init, update)


def scale_by_adam_srt(
    axes: AxesTree, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> optax.GradientTransformation:
    """Adam-S with moments rescaled and transported along the sphere (roburin2020 Eqs. 78-80).

    Before each update the momentum is transported to the current parameters (`optimisers.transport`),
    and the second moment is rescaled by r_old^2/r^2. This is Algorithm 1 with lines 10 and 11 corrected,
    m <- (<x', x> m - <m, x'> x)/<x', x'> and v <- v <x, x>/<x', x'>. Otherwise as `scale_by_adam_s`.
    `update` needs `params` and raises `ValueError` without them.

    The transport is exact if the step is a multiple of the returned update, as after
    `optax.scale_by_learning_rate`. If parameters also shrink to alpha x (weight decay after this
    transformation, as in AdamW), the transported momentum is alpha times that of Eq. 18.
    """
    standard = scale_by_adam_s(axes, b1, b2, eps)

    def init(params: Tree) -> ScaleByAdamSrtState:
        moments = standard.init(params)
        return ScaleByAdamSrtState(moments.count, moments.mu, moments.nu, squared_radius(axes, params))

    def update(
        updates: Tree, state: ScaleByAdamSrtState, params: Tree | None = None
    ) -> tuple[Tree, ScaleByAdamSrtState]:
        params = required(params)
        radius = squared_radius(axes, params)
        mu = map_groups(tangential, axes, state.mu, params)  # Algorithm 1, line 10
        nu = jax.tree.map(lambda v, old, new: v * (old / new), state.nu, state.radius, radius)  # line 11
        moments = optax.ScaleByAdamState(state.count, mu, nu)
        updates, moments = standard.update(updates, moments)
        return updates, ScaleByAdamSrtState(moments.count, moments.mu, moments.nu, radius)

    return optax.GradientTransformation(init, update)


def adam_s(
    learning_rate: optax.ScalarOrSchedule,
    axes: AxesTree,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    others: optax.GradientTransformation | None = None,
) -> optax.GradientTransformation:
    """Adam-S (roburin2020 Eqs. 61-63) on the radially invariant groups of a network, `others` on the rest.

    `learning_rate` is a number or a schedule, `axes` as in `optimisers.groups`. `weight_decay` (lambda)
    is L2 regularisation: lambda x is added to the gradient before the moments, as in the paper. `others`
    trains the parameters that `axes` marks with None; by default Adam with the same numbers. `update`
    needs the parameters. `init` raises `ValueError` for a group of one entry or a group that is zero. See
    `adam_srt` for an example.
    """
    return _ready(scale_by_adam_s, learning_rate, axes, b1, b2, eps, weight_decay, others)


def adam_srt(
    learning_rate: optax.ScalarOrSchedule,
    axes: AxesTree,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    others: optax.GradientTransformation | None = None,
) -> optax.GradientTransformation:
    """Adam-SRT (roburin2020 Eqs. 78-80) on the radially invariant groups of a network, `others` on the rest.

    The arguments and errors are those of `adam_s`. `update` needs the parameters.

    >>> from teacherstudent import optimisers
    >>> params = {"dense": jnp.ones((8, 4)), "scale": jnp.ones(4), "out": jnp.ones((4, 2))}
    >>> axes = {"dense": (0,), "scale": None, "out": None}  # batch normalisation follows dense
    >>> optimiser = optimisers.adam_srt(1e-3, axes, weight_decay=1e-4)
    >>> state = optimiser.init(params)
    >>> gradients = jax.tree.map(jnp.ones_like, params)
    >>> updates, state = optimiser.update(gradients, state, params)
    >>> params = optax.apply_updates(params, updates)
    """
    return _ready(scale_by_adam_srt, learning_rate, axes, b1, b2, eps, weight_decay, others)


def _ready(
    scale: Callable[..., optax.GradientTransformation],
    learning_rate: optax.ScalarOrSchedule,
    axes: AxesTree,
    b1: float,
    b2: float,
    eps: float,
    weight_decay: float,
    others: optax.GradientTransformation | None,
) -> optax.GradientTransformation:
    decay, rate = optax.add_decayed_weights(weight_decay), optax.scale_by_learning_rate(learning_rate)
    invariant = optax.chain(decay, scale(axes, b1, b2, eps), rate)
    return by_invariance(
        axes, invariant, others or optax.chain(decay, optax.scale_by_adam(b1, b2, eps), rate)
    )
