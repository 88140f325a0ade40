"""Networks with some radially invariant parameters, and others."""

from __future__ import annotations

import jax
import optax

from teacherstudent.optimisers.groups import AxesTree, Tree, is_axes


def by_invariance(
    axes: AxesTree, invariant: optax.GradientTransformation, others: optax.GradientTransformation
) -> optax.GradientTransformation:
    """`invariant` for the parameters that have axes in `axes`, `others` for those marked with None.

    This is an `optax.partition`: each transformation gets only its own parameters.

    >>> axes = {"dense": (0,), "out": None}
    >>> optimiser = by_invariance(axes, optax.sgd(0.1), optax.adam(1e-3))
    """
    labels = jax.tree.map(lambda entry: "others" if entry is None else "invariant", axes, is_leaf=is_axes)
    return optax.transforms.partition({"invariant": invariant, "others": others}, labels)


def required(params: Tree | None) -> Tree:
    """The parameters. Raises `ValueError` if `update` was called without them."""
    if params is None:
        raise ValueError(
            "params None: must be given to update, because the update transports momenta to them"
        )
    return params
