"""Transport of a momentum when its parameters move on their sphere.

Optax gives a transformation the current parameters, not the previous ones. They suffice: the
step lies in the plane of the old parameters and the momentum, so the new parameters determine the angle by
which both have turned. x = r u are the parameters of one group, a its momentum.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from teacherstudent.optimisers.groups import group_sum


def tangential(axes: tuple[int, ...], momentum: jax.Array, params: jax.Array) -> jax.Array:
    """P_u a = a - <a, u> u, the part of a momentum that is tangent to the sphere at the parameters.

    If the last step was x' = x - s a, this is the rescaled transport of roburin2020 Eq. 18 exactly,
    RT(a) = (<x', x> a - <x', a> x)/<x', x'> = P_u' a, and needs no copy of x.
    """
    along = group_sum(axes, momentum * params) / group_sum(axes, jnp.square(params))
    return momentum - along * params


def transported(axes: tuple[int, ...], momentum: jax.Array, params: jax.Array) -> jax.Array:
    """The parallel transport of a tangent momentum to the new parameters (roburin2020 Eq. 72).

    This is the tangential part of the momentum, rescaled to the old length of the momentum. This is exact for
    a step that turns by
    less than a quarter circle in the plane of the old parameters and the momentum, for any length of the new
    parameters.
    """
    tangent = tangential(axes, momentum, params)
    before, after = (group_sum(axes, jnp.square(vector)) for vector in (momentum, tangent))
    moving = after > 0  # a momentum of zero stays zero
    return tangent * jnp.sqrt(jnp.where(moving, before, 0) / jnp.where(moving, after, 1))
