"""Groups found by clusters of Gram matrices (roburin2022 ch. 4), on striped digits.

A convolutional network of two layers, 3 x 3 x 8 and 3 x 3 x 16, rectified, zero beyond the edges, whose
outputs are linear in all activations of the second. One is trained for a pass to find what images look like;
another is then trained on batches in which each cluster is as frequent as any other.

Axes: n images of 8 x 8 pixels, C channels, P positions, B images of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.house.extras import importing_extra
from teacherstudent.problems.striped_digits import SIDE, digits, striped
from teacherstudent.sims.compilation import compiled

FIRST, SECOND, CLASSES, PATCH = 8, 16, 2, 3
TRAINING, ALIKE = 1200, 0.95
"""Training images, and the probability that the direction of stripes is the class."""
BATCH = 32
FINDING, LEARNING = 1, 5
"""Passes of the network that finds clusters, and of the one that is tested."""
RATE = 3e-3
"""Of Adam."""
KINDS = ("Gram matrices", "mean and variance", "last layer", "pixels", "Gram matrices, untrained")
SETS = ("as they come", "clusters", "clusters in classes", "true groups")
"""By what batches are balanced."""


class Network(NamedTuple):
    """Parameters."""

    first: Any
    """(9, 8)"""
    first_bias: Any
    second: Any
    """(72, 16)"""
    second_bias: Any
    out: Any
    """(1024, 2)"""
    out_bias: Any


@dataclass(frozen=True)
class Striped:
    """Images (n, 8, 8), classes and directions of the stripes (n,); tests (m, ...) have all four groups."""

    images: np.ndarray
    classes: np.ndarray
    directions: np.ndarray
    tests: np.ndarray
    test_classes: np.ndarray
    test_directions: np.ndarray


def drawn(seed: int) -> Striped:
    """A training set; the images left over are tested once in either direction."""
    generator = np.random.default_rng([seed, 0])
    images, classes = digits()
    order = generator.permutation(len(classes))
    chosen, rest = order[:TRAINING], order[TRAINING:]
    same = generator.random(TRAINING) < ALIKE
    directions = np.where(same, classes[chosen], 1 - classes[chosen])
    both = np.repeat([0, 1], len(rest))
    return Striped(
        striped(images[chosen], directions, generator),
        classes[chosen],
        directions,
        striped(np.concatenate([images[rest], images[rest]]), both, generator),
        np.tile(classes[rest], 2),
        both,
    )


def initial(seed: int) -> Network:
    """Normal weights of variance 2/fan-in, 1/fan-in for the outputs."""
    generator = np.random.default_rng([seed, 1])

    def normal(rows: int, columns: int, variance: float) -> np.ndarray:
        return np.sqrt(variance / rows) * generator.standard_normal((rows, columns))

    area = PATCH**2
    return Network(
        normal(area, FIRST, 2.0),
        np.zeros(FIRST),
        normal(area * FIRST, SECOND, 2.0),
        np.zeros(SECOND),
        normal(SIDE**2 * SECOND, CLASSES, 1.0),
        np.zeros(CLASSES),
    )


def clusters(seed: int, data: Striped, kinds: Sequence[str] = KINDS) -> dict[str, np.ndarray]:
    """Two clusters of the training images by each kind of feature, (n,): 0 or 1, in no order."""
    with importing_extra("k-means"):
        from sklearn.cluster import KMeans

    untrained = initial(seed)
    rows = epochs(seed, 2, FINDING, np.full(TRAINING, 1 / TRAINING), False)
    network = trained(untrained, data, rows)
    found = {}
    for kind in kinds:
        seen = np.asarray(features(network if kind in KINDS[:3] else untrained, data.images, kind))
        found[kind] = np.asarray(KMeans(2, n_init=3, random_state=seed % 2**32).fit_predict(seen))
    return found


def matchings(seed: int) -> dict[str, np.ndarray]:
    """Of one draw: the shares of images that clusters by each of `KINDS` match, (5,)."""
    data = drawn(seed)
    return {"matching": np.array([matching(each, data.directions) for each in clusters(seed, data).values()])}


def worst_groups(seed: int) -> dict[str, np.ndarray]:
    """Of one draw: accuracies of the worst group, (4,), by what batches are balanced by (`SETS`)."""
    data = drawn(seed)
    (own,) = clusters(seed, data, KINDS[:1]).values()
    sets = (None, own, 2 * data.classes + own, 2 * data.classes + data.directions)
    return {"accuracy": np.array([worst_group(seed, data, each) for each in sets])}


def features(network: Network, images: np.ndarray, kind: str) -> Any:
    """What is clustered, (n, F): of Gram matrices each divided by its norm."""
    if kind == "pixels":
        return images.reshape(len(images), -1)
    maps = np.asarray(activations(network, images))
    if kind == "last layer":
        return maps.reshape(len(maps), -1)
    if kind == "mean and variance":
        found = np.concatenate([maps.mean(axis=1), maps.var(axis=1)], axis=1)
    else:
        found = gram(maps).reshape(len(maps), -1)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def gram(maps: np.ndarray) -> np.ndarray:
    """Second moments of the channels over positions, (n, C, C), of activations (n, P, C)."""
    return np.asarray(np.einsum("npc,npd->ncd", maps, maps) / maps.shape[1])


def matching(found: np.ndarray, directions: np.ndarray) -> float:
    """Share of images whose cluster is their direction, in the better of the two orders."""
    same = float(np.mean(found == directions))
    return max(same, 1 - same)


def worst_group(seed: int, data: Striped, balanced_by: np.ndarray | None) -> float:
    """Smallest test accuracy of the four groups, of a newly trained network.

    balanced_by: sets of the training images, (n,), of which each is as frequent; None: images as they come.
    """
    if balanced_by is None:
        chances = np.full(TRAINING, 1 / TRAINING)
    else:
        counts = np.bincount(balanced_by)
        chances = 1 / (np.count_nonzero(counts) * counts[balanced_by])
    rows = epochs(seed, 3, LEARNING, chances, balanced_by is not None)
    network = trained(initial(seed), data, rows)
    right = np.asarray(logits(network, data.tests)).argmax(axis=1) == data.test_classes
    groups = 2 * data.test_classes + data.test_directions
    return float(min(right[groups == group].mean() for group in range(4)))


def epochs(seed: int, stream: int, count: int, chances: np.ndarray, drawn: bool) -> np.ndarray:
    """Rows of the batch of each step, (T, B): as many passes, shuffled, or drawn with these chances (n,)."""
    generator = np.random.default_rng([seed, stream])
    n = len(chances) - len(chances) % BATCH
    if drawn:
        return generator.choice(len(chances), (count * n // BATCH, BATCH), p=chances)
    return np.concatenate([generator.permutation(len(chances))[:n].reshape(-1, BATCH) for _ in range(count)])


def trained(network: Network, data: Striped, rows: np.ndarray) -> Network:
    """The network after a step of Adam on each batch of rows, (T, B)."""
    start = jax.tree.map(jnp.asarray, network)
    images, classes = jnp.asarray(data.images), jnp.asarray(data.classes)
    found: Network = _trained(start, images, classes, jnp.asarray(rows))
    return found


@compiled
def _trained(network: Network, images: jax.Array, classes: jax.Array, rows: jax.Array) -> Network:
    rule = optax.adam(RATE)

    def step(state: Any, batch: jax.Array) -> tuple[Any, None]:
        network, memory = state
        slope = jax.grad(_loss)(network, images[batch], classes[batch])
        change, memory = rule.update(slope, memory, network)
        return (optax.apply_updates(network, change), memory), None

    return jax.lax.scan(step, (network, rule.init(network)), rows)[0][0]


def _loss(network: Network, images: jax.Array, classes: jax.Array) -> jax.Array:
    found = _logits(network, images)
    return optax.softmax_cross_entropy_with_integer_labels(found, classes).mean()


def _logits(network: Network, images: jax.Array) -> jax.Array:
    return _activations(network, images).reshape(len(images), -1) @ network.out + network.out_bias


def _activations(network: Network, images: jax.Array) -> jax.Array:
    first = jax.nn.relu(_patches(images[..., None]) @ network.first + network.first_bias)
    second = jax.nn.relu(_patches(first) @ network.second + network.second_bias)
    return second.reshape(len(images), -1, SECOND)


def _patches(maps: jax.Array) -> jax.Array:
    """The 3 x 3 positions around each, 0 beyond the edges, side by side: (n, H, W, C) to (n, H, W, 9 C)."""
    side, edge = maps.shape[1], PATCH // 2
    padded = jnp.pad(maps, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    parts = [padded[:, i : i + side, j : j + side] for i in range(PATCH) for j in range(PATCH)]
    return jnp.concatenate(parts, axis=-1)


logits = compiled(_logits)
"""(n, 2) of images (n, 8, 8)."""

activations = compiled(_activations)
"""Of the second layer, (n, P, C)."""
