"""A small network with each kind of radially invariant group, on scikit-learn's digits."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

import teacherstudent.sims.arrays  # noqa: F401  (double precision)

Tree = Any

AXES = {"conv": (0, 1, 2), "dense": (0,), "layer": (0, 1), "scale": None, "out": None}
"""Batch normalisation behind the convolution and the dense layer, layer normalisation behind `layer`."""


@cache
def digits() -> tuple[np.ndarray, np.ndarray]:
    """64 images (64, 8, 8, 1) of mean 0 and variance 1, and their classes."""
    from sklearn.datasets import load_digits

    images, classes = load_digits(return_X_y=True)
    images = images[:64].reshape(-1, 8, 8, 1)
    return (images - images.mean()) / images.std(), classes[:64]


def initial(seed: int = 0) -> Tree:
    """Gaussian weights, float64."""
    rng = np.random.default_rng(seed)
    shapes = {"conv": (3, 3, 1, 3), "dense": (27, 6), "layer": (6, 5), "out": (5, 10)}
    weights = {name: jnp.asarray(rng.standard_normal(shape) / 2) for name, shape in shapes.items()}
    return {**weights, "scale": jnp.ones(6)}


def standardised(x: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    """Mean 0 and variance 1 over the axes, with nothing added: exactly blind to scale."""
    return (x - x.mean(axes, keepdims=True)) / jnp.sqrt(x.var(axes, keepdims=True))


def loss(params: Tree) -> jax.Array:
    """Mean cross-entropy of the digits."""
    images, classes = digits()
    x = jax.lax.conv_general_dilated(
        images.astype(params["conv"].dtype), params["conv"], (2, 2), "VALID",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )  # fmt: skip
    x = jax.nn.softplus(standardised(x, (0, 1, 2)))
    x = standardised(x.reshape(len(x), -1) @ params["dense"], (0,))
    x = standardised(jax.nn.softplus(params["scale"] * x) @ params["layer"], (1,))
    return optax.softmax_cross_entropy_with_integer_labels(x @ params["out"], classes).mean()


gradient = jax.jit(jax.grad(loss))


def groups(axes: tuple[int, ...], array: Any) -> np.ndarray:
    """The groups of an array as rows, (groups, d)."""
    counted = [axis for axis in range(np.ndim(array)) if axis not in axes]
    rows = np.transpose(np.asarray(array), counted + list(axes))
    return rows.reshape(int(np.prod([np.shape(array)[axis] for axis in counted], dtype=int)), -1)


def train(optimiser: optax.GradientTransformation, params: Tree, steps: int) -> tuple[list[Tree], list[Tree]]:
    """Parameters before, between and after the steps, and the gradients of the steps."""
    update = jax.jit(optimiser.update)
    state, visited, gradients = optimiser.init(params), [params], []
    for _ in range(steps):
        gradients.append(gradient(params))
        change, state = update(gradients[-1], state, params)
        params = optax.apply_updates(params, change)
        visited.append(params)
    return visited, gradients
