"""Radially invariant groups: which entries of a parameter form a group, and sums over groups.

A group is a set of entries whose common scale does not change the loss: the weights of one neuron or
filter followed by batch normalisation, a whole tensor followed by layer normalisation. For each array of
parameters an `axes` entry names the axes that span one group; the other axes count groups. None marks
parameters that are not radially invariant. An entry holds for everything below it in the tree, so `(0,)`
alone describes a tree of dense layers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

Tree: TypeAlias = Any
"""A pytree of arrays: parameters, gradients, or statistics of their groups."""

Axes: TypeAlias = tuple[int, ...] | None
AxesTree: TypeAlias = Any
"""A pytree of `Axes` that is a prefix of the parameters' tree."""

Kind = Literal["outputs", "whole"]


def is_axes(node: object) -> bool:
    """Whether a node of an `AxesTree` is an entry: None or a plain tuple of whole numbers."""
    return node is None or (type(node) is tuple and all(isinstance(each, int) for each in node))


def group_axes(params: Tree, kinds: Mapping[str, Kind]) -> AxesTree:
    """Build the `AxesTree` of a network from the names of its parameters.

    `kinds` maps a regular expression to "outputs" (one group for each entry of the last axis: dense kernels
    (in, out) and convolution kernels HWIO followed by batch, instance or weight normalisation) or "whole"
    (the tensor is one group: layer normalisation). A name is the path to an array, with slashes, and must
    match as a whole. The first expression that matches a name counts; names without a match get None. Raises
    `ValueError` for an expression that matches nothing.

    >>> params = {"hidden": {"kernel": jnp.ones((8, 4)), "scale": jnp.ones(4)}, "out": jnp.ones((4, 2))}
    >>> group_axes(params, {"hidden/kernel": "outputs"})
    {'hidden': {'kernel': (0,), 'scale': None}, 'out': None}
    """
    unused = set(kinds)

    def axes(path: Any, leaf: jax.Array) -> Axes:
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        for pattern, kind in kinds.items():
            if re.fullmatch(pattern, name):
                unused.discard(pattern)
                return tuple(range(leaf.ndim - (kind == "outputs")))
        return None

    tree = jax.tree_util.tree_map_with_path(axes, params)
    if unused:
        raise ValueError(f"kinds {sorted(unused)}: must match the name of a parameter")
    return tree


def map_groups(function: Callable[..., Any], axes: AxesTree, *trees: Tree) -> Tree:
    """Apply `function(axes, *arrays)` to each array of the trees, with its entry of `axes`.

    Raises `ValueError` if an entry is None: such arrays belong to another transformation.
    """

    def below(entry: Axes, *subtrees: Tree) -> Tree:
        if entry is None and jax.tree.leaves(subtrees):
            raise ValueError("axes None: must name axes, or hide the parameter with by_invariance")
        return jax.tree.map(lambda *arrays: function(entry, *arrays), *subtrees)

    return jax.tree.map(below, axes, *trees, is_leaf=is_axes)


def check_groups(axes: AxesTree, params: Tree) -> None:
    """Raise `ValueError` for axes that an array does not have, groups of one entry, and groups that are zero.

    Inside `jit` and `vmap` values are not known yet, so a zero group gives NaN instead.
    """

    def check(entry: tuple[int, ...], array: jax.Array) -> None:
        shape = jnp.shape(array)
        where = f"axes {entry} of an array of shape {shape}"
        if any(not -len(shape) <= axis < len(shape) for axis in entry):
            raise ValueError(f"{where}: must be axes of the array")
        if group_size(entry, array) < 2:
            raise ValueError(
                f"{where}: a group must hold at least two entries, because one entry has no direction"
            )
        if not isinstance(array, jax.core.Tracer) and not np.all(group_sum(entry, jnp.square(array)) > 0):
            raise ValueError(f"{where}: no group may be zero or NaN, because it has no direction")

    map_groups(check, axes, params)


def group_size(axes: tuple[int, ...], array: jax.Array) -> int:
    """Number d of entries in one group."""
    return math.prod(jnp.shape(array)[axis] for axis in axes)


def group_sum(axes: tuple[int, ...], array: jax.Array) -> jax.Array:
    """The sum over each group; the summed axes are kept with length 1."""
    return jnp.sum(array, axis=axes, keepdims=True)


def squared_radius(axes: AxesTree, params: Tree) -> Tree:
    """|x|^2 of each group, shaped as in `group_sum`."""
    return map_groups(lambda entry, x: group_sum(entry, jnp.square(x)), axes, params)
