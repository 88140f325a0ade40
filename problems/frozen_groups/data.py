"""What is drawn of rows in groups: the subset that a method keeps, and how likely each row is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teacherstudent.problems import balancing
from teacherstudent.problems.frozen_groups import FrozenGroups
from teacherstudent.problems.spurious_groups import BALANCED, SUBSAMPLING

if TYPE_CHECKING:
    import numpy as np


def kept(problem: FrozenGroups, seeds: Sequence[int]) -> np.ndarray:
    """Which training rows the method trains on, (S, n): all, or where it subsamples a random subset."""
    import numpy as np

    n = len(problem.features.training.classes)
    if problem.method not in SUBSAMPLING:
        return np.ones((len(seeds), n), dtype=bool)
    orders = np.stack([np.random.default_rng([seed, 5]).permutation(n) for seed in seeds])
    members = np.repeat(_members(problem)[:, None], len(seeds), axis=1)
    return balancing.subset(members, orders)


def sampling_probabilities(problem: FrozenGroups) -> np.ndarray:
    """Probability with which a batch draws each row, (n,); equal if the method does not resample."""
    import numpy as np

    n = len(problem.features.training.classes)
    if problem.method in SUBSAMPLING or problem.method not in BALANCED:
        return np.full(n, 1 / n)
    return balancing.probabilities(_members(problem)[:, None])[0]


def _members(problem: FrozenGroups) -> np.ndarray:
    """Which training rows belong to each class or group that the method balances, (K, n)."""
    import numpy as np

    part = problem.features.training
    sets = part.classes if BALANCED[problem.method] == "classes" else part.groups
    return sets == np.arange(sets.max() + 1)[:, None]
