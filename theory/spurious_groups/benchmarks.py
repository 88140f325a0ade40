"""What follows from the counts of Table 1: shares, sizes after subsampling, and what an epoch sees.

pezeshki2022 Table 1, Sects. 8.2, 8.4 and 8.5.4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from teacherstudent.problems.spurious_groups.counts import Benchmark


def counts(benchmark: Benchmark) -> np.ndarray:
    """Training examples of each group, (classes, attributes)."""
    return np.array(benchmark.counts)


def class_shares(benchmark: Benchmark) -> np.ndarray:
    """P(Y = y), (classes,)."""
    groups = counts(benchmark)
    return groups.sum(axis=1) / groups.sum()


def class_shares_by_attribute(benchmark: Benchmark) -> np.ndarray:
    """P(Y = y | A = a), (classes, attributes)."""
    groups = counts(benchmark)
    return groups / groups.sum(axis=0)


def size_with_balanced_groups(benchmark: Benchmark) -> int:
    """Examples that subsampling of groups (SUBG) keeps: as many of each as of the smallest."""
    groups = counts(benchmark)
    return int(groups.min() * groups.size)


def size_with_balanced_classes(benchmark: Benchmark) -> int:
    """Examples that subsampling of classes (SUBY) keeps."""
    classes = counts(benchmark).sum(axis=1)
    return int(classes.min() * classes.size)


def distinct_examples(size: ArrayLike, draws: ArrayLike) -> np.ndarray:
    """Expected number of distinct examples among `draws` uniform draws with replacement from `size`.

    N (1 - (1 - 1/N)^k) (end of 8.5.4).
    """
    size = np.asarray(size, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):  # one example is seen by the first draw
        missed = np.where(np.asarray(draws) > 0, np.exp(draws * np.log1p(-1 / size)), 1.0)
    return size * (1 - missed)


def share_seen(benchmark: Benchmark, groups: np.ndarray, epochs: float) -> float:
    """Expected share of the given groups that group-balanced batches (RWG) have seen after some epochs.

    groups: which of them count, (classes, attributes) of booleans. An epoch has as many draws as there
    are examples, each group as likely as any other.
    """
    sizes = counts(benchmark)
    draws = epochs * sizes.sum() / sizes.size
    return float(distinct_examples(sizes[groups], draws).sum() / sizes[groups].sum())
