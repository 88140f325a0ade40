"""Drawn examples of `problems.spurious_groups`: training and test sets, subsets, batches, first weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError
from teacherstudent.problems import balancing
from teacherstudent.problems.spurious_groups import BALANCED, GROUPS, SUBSAMPLING, SpuriousGroups

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Draws:
    """Drawn examples, one set a seed (leading axis S).

    inputs: x before scaling, (S, n, dimension): spurious, core, noise. labels: y, and attributes:
    a, (S, n), +1 or -1.
    """

    inputs: np.ndarray
    labels: np.ndarray
    attributes: np.ndarray

    @property
    def groups(self) -> np.ndarray:
        """Place of each example's group in `GROUPS`, (S, n)."""
        return 2 * (self.labels > 0) + (self.attributes > 0)


def draw(problem: SpuriousGroups, seeds: Sequence[int]) -> Draws:
    """Draw one training set a seed; for subsampling methods, before anything is left out.

    Labels: -1 first, half of them (or as `groups` counts them). Minority: under law published round(minority
    n) examples drawn without replacement among both classes; under printed each with probability `minority`.
    Attributes, features and noise have separate random streams, so two problems of equal shape see common
    random numbers.
    """
    import numpy as np

    labels, attributes = _labels(problem, seeds)
    features = problem.feature_std * _normal(seeds, 1, problem.n, 2)
    if problem.law == "published":
        features -= features.mean(axis=1, keepdims=True)
    noise = problem.noise_std * _normal(seeds, 2, problem.n, problem.noise_features)
    signs = np.stack([attributes, labels], axis=-1)
    return Draws(np.concatenate([signs * (1 + features), noise], axis=-1), labels, attributes)


def fresh(problem: SpuriousGroups, seeds: Sequence[int], each: int) -> Draws:
    """Test examples that no student has seen, `each` of every group, group after group.

    The published test set has the training set's shares of groups; here all groups are known equally
    well. Noise features are fresh, or, where `test_noise` makes them zero, left out: two columns of
    inputs.
    """
    import numpy as np

    noisy = problem.test_noise == "fresh"
    signs = np.repeat(np.array(GROUPS), each, axis=0)
    labels, attributes = (np.tile(column, (len(seeds), 1)) for column in signs.T)
    inputs = signs[:, ::-1] * (1 + problem.feature_std * _normal(seeds, 3, 4 * each, 2))
    if noisy:
        noise = problem.noise_std * _normal(seeds, 4, 4 * each, problem.noise_features)
        inputs = np.concatenate([inputs, noise], axis=-1)
    return Draws(inputs, labels, attributes)


def kept(problem: SpuriousGroups, draws: Draws, seeds: Sequence[int]) -> np.ndarray:
    """Which examples the method trains on, (S, n): all, or a random subset where it subsamples.

    Each class (suby) or group (subg) keeps as many as the smallest has. Raises `InputError` where a
    draw has an empty class or group.
    """
    import numpy as np

    if problem.method not in SUBSAMPLING:
        return np.ones(draws.labels.shape, dtype=bool)
    orders = np.stack([np.random.default_rng([seed, 5]).permutation(problem.n) for seed in seeds])
    stays = balancing.subset(_members(problem, draws), orders)
    if not np.all(stays.any(axis=-1)):
        raise InputError(
            "method", problem.method, "another method, because a group is empty in one of the draws"
        )
    return stays


def sampling_probabilities(problem: SpuriousGroups, draws: Draws, kept: np.ndarray) -> np.ndarray:
    """Probability with which the next example of a batch is each of those kept, (S, n), rows sum to 1.

    Equal, except for rwy, rwg and gdro, which draw every class or group equally often.
    """
    if problem.method in SUBSAMPLING or problem.method not in BALANCED:
        return kept / kept.sum(axis=-1, keepdims=True)
    return balancing.probabilities(_members(problem, draws))


def initial_weights(problem: SpuriousGroups, seeds: Sequence[int], stream: int = 0) -> np.ndarray:
    """w at time 0, (S, dimension); another `stream` starts again, as just train twice does."""
    import numpy as np

    if problem.init == 0:
        return np.zeros((len(seeds), problem.dimension))
    reach = problem.init / np.sqrt(problem.dimension)
    uniform = [np.random.default_rng([seed, 6, stream]).uniform(-1, 1, problem.dimension) for seed in seeds]
    return reach * np.stack(uniform) / problem.scales


def _labels(problem: SpuriousGroups, seeds: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """y and a, (S, n)."""
    import numpy as np

    n = problem.n
    if problem.groups:
        pairs = np.repeat(np.array(GROUPS), problem.groups, axis=0).T
        labels, attributes = (np.tile(column, (len(seeds), 1)) for column in pairs)
        return labels, attributes
    labels = np.tile(np.where(np.arange(n) < n // 2, -1, 1), (len(seeds), 1))
    uniform = np.stack([np.random.default_rng([seed, 0]).random(n) for seed in seeds])
    if problem.law == "published":
        minority = uniform.argsort(axis=-1).argsort(axis=-1) < round(problem.minority * n)
    else:
        minority = uniform < problem.minority
    return labels, np.where(minority, -labels, labels)


def _members(problem: SpuriousGroups, draws: Draws) -> np.ndarray:
    """Which examples belong to each class or group that the method balances, (2 or 4, S, n)."""
    import numpy as np

    if BALANCED[problem.method] == "classes":
        return np.stack([draws.labels == label for label in (-1, 1)])
    return np.stack([draws.groups == group for group in range(len(GROUPS))])


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
