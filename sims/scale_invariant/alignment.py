"""Training trajectories on the sphere of several schemes, on the same batches (roburin2022 Fig. 3.4).

Plain SGD with L2 against AdaGradG, which should follow it, AdaGrad, which should not, and a control: SGD
whose effective learning rate stays what it was at the start. Where even the control stays near SGD, agreement
says nothing about the schedule. The rest of the network is always trained by SGD.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import numpy as np
import optax

from teacherstudent import optimisers
from teacherstudent.sims.arrays import each_draw
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.scale_invariant.digits import (
    AXES,
    Images,
    Network,
    drawn_batches,
    drawn_digits,
    initial_network,
    trajectory,
)

SCHEMES = ("sgd", "adagradg-exact", "adagradg", "control", "adagrad")


class Paths(NamedTuple):
    """Weights of both hidden layers, the start first: (S, T + 1, 64, h) and (S, T + 1, h, h)."""

    first: np.ndarray
    second: np.ndarray

    @property
    def units(self) -> np.ndarray:
        """Directions of all 2 h hidden units, (S, T + 1, 2 h, 64), padded by zeros to 64 entries."""
        layers = [np.swapaxes(each, -1, -2) for each in self]
        width = max(each.shape[-1] for each in layers)
        rows = np.concatenate(
            [np.pad(each, [(0, 0)] * 3 + [(0, width - each.shape[-1])]) for each in layers], axis=2
        )
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def optimiser(
    scheme: str, learning_rate: float, weight_decay: float, adagrad_rate: float
) -> optax.GradientTransformation:
    """One of `SCHEMES` for the hidden weights; SGD with L2 for the rest."""
    sgd = optax.chain(optax.add_decayed_weights(weight_decay), optax.sgd(learning_rate))
    match scheme:
        case "sgd":
            return sgd
        case "control":  # no L2, for it would be undone
            fixed = optax.chain(optax.sgd(learning_rate), optimisers.keep_radius((0,)))
            return optimisers.by_invariance(AXES, fixed, sgd)
        case "adagrad":
            return optimisers.by_invariance(AXES, optax.adagrad(adagrad_rate), sgd)
    exact = scheme == "adagradg-exact"
    return optimisers.adagradg(learning_rate, AXES, weight_decay, exact)


def paths(
    scheme: str,
    *,
    learning_rate: float,
    weight_decay: float,
    adagrad_rate: float,
    records: int,
    every: int,
    seeds: Sequence[int],
    examples: int = 1000,
    batch: int = 50,
    noise: float = 1.0,
    nudge: float = 0.0,
) -> Paths:
    """Hidden weights at the start and after each `every` steps, `records` times.

    Data, network and batches belong to the seed: the same for every scheme. `noise` is that of the
    pixels, `drawn_digits`. `nudge`: angle in radians by which each hidden unit starts off its place, in
    the direction of the next one.
    """
    draws = [drawn_digits(seed, (examples,), noise)[0] for seed in seeds]
    data = Images(*(np.stack(each) for each in zip(*draws, strict=True)))
    starts = Network(*(np.stack(each) for each in zip(*map(initial_network, seeds), strict=True)))
    starts = starts._replace(first=turned(starts.first, nudge), second=turned(starts.second, nudge))
    batches = np.stack([drawn_batches(seed, examples, batch, records * every) for seed in seeds])
    seen = _paths(
        scheme,
        (learning_rate, weight_decay, adagrad_rate),
        starts,
        data,
        batches.reshape(len(seeds), records, every, -1),
    )
    return Paths(*(np.concatenate([s[:, None], x], axis=1) for s, x in zip(starts[:2], seen, strict=True)))


@partial(compiled, by_draw=["starts", "data", "batches"], static_argnames=("scheme", "numbers"))
def _paths(
    scheme: str, numbers: tuple[float, float, float], starts: Network, data: Images, batches: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Seed after seed on a CPU: the activities of one network stay in its cache."""

    def of_seed(seed: tuple[Network, Images, jax.Array]) -> tuple[jax.Array, jax.Array]:
        return trajectory(optimiser(scheme, *numbers), *seed, lambda network, _: network[:2])[1]

    return each_draw(of_seed, (starts, data, batches))


def turned(weights: np.ndarray, angle: float) -> np.ndarray:
    """Weights (..., inputs, h) with each unit, a column, turned by that many radians towards another."""
    length = np.linalg.norm(weights, axis=-2, keepdims=True)
    unit, towards = weights / length, np.roll(weights, 1, axis=-1)
    towards = towards - np.sum(towards * unit, axis=-2, keepdims=True) * unit
    towards = towards / np.linalg.norm(towards, axis=-2, keepdims=True)
    return weights + length * (np.sin(angle) * towards - 2 * np.sin(angle / 2) ** 2 * unit)


def angles(units: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Angle between unit vectors along the last axis, in radians, accurate however small it is."""
    apart, together = (np.linalg.norm(each, axis=-1) for each in (units - others, units + others))
    return 2 * np.arctan2(apart, together)
