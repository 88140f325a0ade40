"""Networks of which only some parameters are radially invariant."""

from __future__ import annotations

import jax
import optax

from teacherstudent.optimisers.groups import AxesTree, Tree, is_axes


def by_invariance(
    axes: AxesTree, invariant: optax.GradientTransformation, others: optax.GradientTransformation
) -> optax.GradientTransformation:
    """`invariant` for the parameters that `axes` gives axes to, `others` for those it marks with None.

    An `optax.partition`: each of the two sees its own parameters only.

    >>> axes = {"dense": (0,), "out": None}
    >>> optimiser = by_invariance(axes, optax.sgd(0.1), optax.adam(1e-3))
    """
    labels = jax.tree.map(lambda entry: "others" if entry is None else "invariant", axes, is_leaf=is_axes)
    return optax.partition({"invariant": invariant, "others": others}, labels)


def required(params: Tree | None) -> Tree:
    """The parameters. Raises `ValueError` where `update` was called without them."""
    if params is None:
        raise ValueError("params None: must be given to update, for groups are transported to them")
    return params
