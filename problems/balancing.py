"""Classes or groups made equally large: a subset of examples, or probabilities of drawing them.

Axes: S seeds, n examples, K sets (classes or groups) that an example may belong to; each belongs to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def subset(members: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Which examples stay, (S, n), of `members` (K, S, n): the first of each set in the given order (S, n).

    As many of each set as the smallest has: none where one is empty.
    """
    import numpy as np

    shuffled = np.take_along_axis(members, orders[None], axis=-1)
    smallest = shuffled.sum(axis=-1).min(axis=0)
    chosen = shuffled & (np.cumsum(shuffled, axis=-1) <= smallest[:, None])
    stays = np.zeros(orders.shape, dtype=bool)
    np.put_along_axis(stays, orders, chosen.any(axis=0), axis=-1)
    return stays


def probabilities(members: np.ndarray) -> np.ndarray:
    """With which an example is each of those, (S, n), where each set that is not empty is as likely."""
    import numpy as np

    shares = members / np.maximum(members.sum(axis=-1, keepdims=True), 1)
    present = np.any(members, axis=-1).sum(axis=0)
    return shares.sum(axis=0) / present[:, None]
