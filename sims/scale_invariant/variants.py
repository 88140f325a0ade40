"""Accuracy on digits under the variants of Adam and of SGD that act on the hidden weights.

As roburin2020 Sect. 4.3 compares them: only the radially invariant weights change their scheme, the
rest is trained by Adam throughout. Learning rates fall to 0 along a cosine. Single precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np
import optax

from teacherstudent import optimisers
from teacherstudent.sims.arrays import each_draw
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.scale_invariant.digits import (
    AXES,
    Images,
    accuracy,
    drawn_batches,
    drawn_digits,
    initial_network,
    trajectory,
)

PUBLISHED = {
    "adam": 0.001,
    "adamw": 0.001,
    "adamg": 0.01,
    "adam-s": 0.001,
    "adam-srt": 0.001,
    "sgd-momentum": 0.1,
    "sgd-mrt": 0.1,
}
"""Learning rates of roburin2020 Table 3; momentum factors 0.9 throughout."""

MOMENTUM, BETA2 = 0.9, 0.99
REST = 0.003
"""Adam's learning rate for what is not radially invariant."""

VALIDATION = 300


@dataclass(frozen=True)
class Setting:
    """How many examples are trained on, how noisy their pixels are, and for how many steps."""

    examples: int
    noise: float
    steps: int = 300
    batch: int = 50
    weight_decay: float = 1e-3


class Accuracies(NamedTuple):
    """Shares of images classified well, (M, S): learning rates and seeds."""

    validation: np.ndarray
    test: np.ndarray


def optimiser(scheme: str, learning_rate: Any, setting: Setting) -> optax.GradientTransformation:
    """The scheme on hidden weights, with L2 (adamw: decoupled decay; adamg: none), and Adam on the rest."""

    def falling(rate: Any) -> optax.Schedule:
        return optax.cosine_decay_schedule(rate, setting.steps)

    rate, decay = falling(learning_rate), setting.weight_decay
    rest, l2 = optax.adam(falling(REST)), optax.add_decayed_weights(decay)
    match scheme:
        case "adam":
            return optimisers.by_invariance(AXES, optax.chain(l2, optax.adam(rate, MOMENTUM, BETA2)), rest)
        case "adamw":
            return optimisers.by_invariance(
                AXES, optax.adamw(rate, MOMENTUM, BETA2, weight_decay=decay), rest
            )
        case "adamg":
            return optimisers.adamg(rate, AXES, MOMENTUM, BETA2, others=rest)
        case "adam-s":
            return optimisers.adam_s(rate, AXES, MOMENTUM, BETA2, weight_decay=decay, others=rest)
        case "adam-srt":
            return optimisers.adam_srt(rate, AXES, MOMENTUM, BETA2, weight_decay=decay, others=rest)
        case "sgd-mrt":
            return optimisers.sgd_mrt(rate, AXES, MOMENTUM, decay, others=rest)
    return optimisers.by_invariance(AXES, optax.chain(l2, optax.sgd(rate, MOMENTUM)), rest)


def accuracies(scheme: str, setting: Setting, multiples: Sequence[float], seeds: Sequence[int]) -> Accuracies:
    """Train at these multiples of the published learning rate; one split, network and noise a seed.

    Sets of validation and test are disjoint from the training set; nothing is chosen here.
    """
    sizes = (setting.examples, VALIDATION)
    splits = zip(*(drawn_digits(seed, sizes, setting.noise) for seed in seeds), strict=True)
    sets = tuple(_single(Images(*map(np.stack, zip(*split, strict=True)))) for split in splits)
    starts = _single(jax.tree.map(lambda *each: np.stack(each), *map(initial_network, seeds)))
    batches = np.stack([drawn_batches(s, setting.examples, setting.batch, setting.steps) for s in seeds])
    rates = PUBLISHED[scheme] * np.asarray(multiples, np.float32)
    return Accuracies(*map(np.asarray, _accuracies(scheme, setting, rates, starts, sets, batches[:, None])))


def _single(tree: Any) -> Any:
    """Real numbers in single precision."""
    return jax.tree.map(lambda x: x.astype(np.float32) if x.dtype == np.float64 else x, tree)


@partial(compiled, static_argnames=("scheme", "setting"))
def _accuracies(
    scheme: str, setting: Setting, rates: jax.Array, starts: Any, sets: tuple[Images, ...], batches: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Rate after rate and, on a CPU, seed after seed: one network's activities stay in its cache."""

    def trained(rate: jax.Array, seed: tuple[Any, tuple[Images, ...], jax.Array]) -> tuple[Any, Any]:
        start, (training, validation, test), rows = seed
        rule = optimiser(scheme, rate, setting)
        network, _ = trajectory(rule, start, training, rows, lambda network, state: ())
        return accuracy(network, validation, training), accuracy(network, test, training)

    return jax.lax.map(lambda rate: each_draw(partial(trained, rate), (starts, sets, batches)), rates)
