"""Schemes whose groups stay on their spheres: AdaGradG and AdamG.

Published for groups of radius 1. Here every group keeps the radius r that it starts with: the
gradient at u = x/r is r times that at x, and steps of u are r times as long for x, so that r
does not change the output of the network.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax

from teacherstudent.optimisers.adam import group_moments, initial_moments
from teacherstudent.optimisers.groups import (
    AxesTree,
    Tree,
    check_groups,
    group_sum,
    map_groups,
    squared_radius,
)
from teacherstudent.optimisers.mixing import by_invariance, required
from teacherstudent.optimisers.transport import tangential, transported


class ScaleByAdaGradGState(NamedTuple):
    """State of AdaGradG: v, the decaying sum of squared gradient norms, one number for each group."""

    v: Tree


def keep_radius(axes: AxesTree) -> optax.GradientTransformation:
    """Rescale the updated groups to their old radius: x' = |x| (x + dx)/|x + dx|.

    The last transformation of a chain that stays on the sphere. No state. `update` needs `params` and raises
    `ValueError` without them.
    """

    def onto_sphere(entry: tuple[int, ...], step: jax.Array, x: jax.Array) -> jax.Array:
        moved = x + step
        ratio = group_sum(entry, jnp.square(x)) / group_sum(entry, jnp.square(moved))
        return moved * jnp.sqrt(ratio) - x

    def update(updates: Tree, params: Tree | None = None) -> Tree:
        return map_groups(onto_sphere, axes, updates, required(params))

    return optax.stateless(update)


def along_geodesic(axes: AxesTree) -> optax.GradientTransformation:
    """Apply the tangential part of an update along a great circle: x' = Exp_x(dx), at the radius of x.

    Unlike with `keep_radius`, a step of length r phi turns by the angle phi, not by arctan phi.
    """

    def exponential(entry: tuple[int, ...], step: jax.Array, x: jax.Array) -> jax.Array:
        tangent = tangential(entry, step, x)
        radius, length = (jnp.sqrt(group_sum(entry, jnp.square(vector))) for vector in (x, tangent))
        angle = length / radius
        return (jnp.cos(angle) - 1) * x + jnp.sinc(angle / jnp.pi) * tangent

    def update(updates: Tree, params: Tree | None = None) -> Tree:
        return map_groups(exponential, axes, updates, required(params))

    return optax.stateless(update)


def scale_by_adagradg(
    axes: AxesTree, decay: float, initial: float, exact: bool = False
) -> optax.GradientTransformation:
    """Divide by the root of a decaying sum of past squared gradient norms, without the present one.

    v_{k+1} = decay v_k + |g_k|^2 and g_k/sqrt(v_k), with g the gradient on the unit sphere
    (roburin2022 Sect. 3.4.2). v_0 is `initial` times r_0^4 of each group. `exact` adds
    |g|^4/(4 decay v) to v, which the theorem's second order drops. `axes` and errors as in
    `scale_by_adam_srt`. Chain a learning rate and `keep_radius` after it.
    """

    def init(params: Tree) -> ScaleByAdaGradGState:
        check_groups(axes, params)
        return ScaleByAdaGradGState(
            jax.tree.map(lambda radius: initial * jnp.square(radius), squared_radius(axes, params))
        )

    def update(
        updates: Tree, state: ScaleByAdaGradGState, params: Tree | None = None
    ) -> tuple[Tree, ScaleByAdaGradGState]:
        radius = squared_radius(axes, required(params))

        def accumulate(entry: tuple[int, ...], v: jax.Array, g: jax.Array, r2: jax.Array) -> jax.Array:
            square = r2 * group_sum(entry, jnp.square(g))
            beyond = jnp.square(square) / (4 * decay * v) if exact else 0.0
            return decay * v + square + beyond

        v = map_groups(accumulate, axes, state.v, updates, radius)
        scaled = jax.tree.map(lambda g, v, r2: r2 * g / jnp.sqrt(v), updates, state.v, radius)
        return scaled, ScaleByAdaGradGState(v)

    return optax.GradientTransformation(init, update)


def adagradg(
    learning_rate: float,
    axes: AxesTree,
    weight_decay: float = 0.0,
    exact: bool = False,
    others: optax.GradientTransformation | None = None,
) -> optax.GradientTransformation:
    """The scheme on the sphere that is equivalent to SGD with L2 regularisation (roburin2020 Theorem 4).

    `learning_rate` eta (a number, not a schedule, because v_0 depends on it) and `weight_decay` lambda are
    those of SGD: decay (1 - eta lambda)^4, initial v_0 = r_0^4/(2 eta^2 (1 - eta lambda)^2), rate (2
    decay)^(-1/2). As printed, the scheme follows SGD to second order in the change of the radius. With
    `exact` it follows SGD up to rounding, at any learning rate. `others` trains the parameters that `axes`
    marks with None; by default SGD with eta and lambda. `update` needs the parameters. Raises `ValueError`
    for a schedule, and unless 0 <= eta lambda < 1.

    >>> optimiser = adagradg(0.1, {"dense": (0,), "out": None}, weight_decay=1e-3, exact=True)
    """
    if callable(learning_rate):
        raise ValueError(
            "learning_rate: must be a number, not a schedule, because the initial v depends on it"
        )
    shrink = 1 - learning_rate * weight_decay
    if not 0 < shrink <= 1:
        raise ValueError(
            f"learning_rate x weight_decay {learning_rate * weight_decay:g}: must be at least 0 and below 1"
        )
    decay, initial = shrink**4, 1 / (2 * learning_rate**2 * shrink**2)  # Theorem 4
    invariant = optax.chain(
        scale_by_adagradg(axes, decay, initial, exact),
        optax.scale_by_learning_rate((2 * decay) ** -0.5),
        keep_radius(axes),
    )
    plain = optax.chain(optax.add_decayed_weights(weight_decay), optax.sgd(learning_rate))
    return by_invariance(axes, invariant, others or plain)


def scale_by_adamg(
    axes: AxesTree, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> optax.GradientTransformation:
    """Adam on the sphere: a transported tangent momentum over the root of the moving average of |g|^2.

    Adam-G of cho2017: |g|^2 is summed over the group, not averaged. `axes` and errors as in
    `scale_by_adam_srt`. Chain a learning rate, in radians, and `along_geodesic` after it. Steps must turn
    by less than a quarter circle.
    """

    def init(params: Tree) -> optax.ScaleByAdamState:
        return initial_moments(axes, params)

    def update(
        updates: Tree, state: optax.ScaleByAdamState, params: Tree | None = None
    ) -> tuple[Tree, optax.ScaleByAdamState]:
        params = required(params)
        radius = jax.tree.map(jnp.sqrt, squared_radius(axes, params))
        tangent = map_groups(tangential, axes, updates, params)
        on_sphere = jax.tree.map(jnp.multiply, tangent, radius)
        carried = state._replace(mu=map_groups(transported, axes, state.mu, params))
        scaled, state = group_moments(on_sphere, carried, _square, b1, b2, eps, axes)
        return jax.tree.map(jnp.multiply, scaled, radius), state

    return optax.GradientTransformation(init, update)


def adamg(
    learning_rate: optax.ScalarOrSchedule,
    axes: AxesTree,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    others: optax.GradientTransformation | None = None,
) -> optax.GradientTransformation:
    """AdamG on the radially invariant groups, which keep their radius, and `others` on the rest.

    Adam-G of cho2017, named AdamG in roburin2020. There is no weight decay, because it would have no effect.
    `others` trains the parameters that `axes` marks with None; by default Adam with the same numbers.
    `update` needs the parameters.

    >>> optimiser = adamg(1e-2, {"dense": (0,), "out": None}, others=optax.adam(1e-3))
    """
    rate = optax.scale_by_learning_rate(learning_rate)
    invariant = optax.chain(scale_by_adamg(axes, b1, b2, eps), rate, along_geodesic(axes))
    return by_invariance(axes, invariant, others or optax.adam(learning_rate, b1, b2, eps))


def _square(axes: tuple[int, ...], gradient: jax.Array) -> jax.Array:
    return group_sum(axes, jnp.square(gradient))
