"""Order parameters that stay equal because exchanging units leaves the equations unchanged.

The equations keep such an equality, but arithmetic would not: rounding that breaks it grows where the units
specialise. So each orbit is one number, and its slope is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Orbits:
    """Which entries of R, (K, M), Q, (K, K), and v, (K,), are one number: its place in each list.

    R_at, (r, 2), Q_at, (q, 2), and v_at, (s,), hold a representative of each.
    """

    R: np.ndarray
    Q: np.ndarray
    v: np.ndarray
    R_at: np.ndarray
    Q_at: np.ndarray
    v_at: np.ndarray


def orbits(
    C: np.ndarray, v: np.ndarray, teacher: np.ndarray, nearly: float = 0.0, moving: bool = False
) -> Orbits:
    """Those under exchanges of two units of the student, of the teacher, and of both with one number.

    C: all overlaps, students first, (K + M, K + M). v, (K,), and teacher, (M,): second layers. What the
    exchanges may change by `nearly` are overlaps of the student and, if it is `moving`, its second layer.
    """
    K, N = v.size, len(C)
    label = np.arange(N * N).reshape(N, N)
    label = np.minimum(label, label.T)
    exact = np.concatenate([v, teacher])
    exchanges = [*_exchanges(C, exact, K, np.zeros_like(C), np.zeros_like(exact))]
    if nearly:
        of_C, of_v = np.full_like(C, nearly), np.zeros_like(exact)
        of_C[K:, K:], of_v[:K] = 0, nearly * moving
        exchanges += _exchanges(C, exact, K, of_C, of_v)
    while True:
        before = label
        for order in exchanges:
            moved = label[np.ix_(order, order)]
            label = np.minimum(np.minimum(label, moved), label.T)
        if np.array_equal(before, label):
            break
    R, R_at = _numbered(label[:K, K:])
    Q, Q_at = _numbered(label[:K, :K])
    own, at = np.unique(np.diagonal(label)[:K], return_index=True)
    return Orbits(R, Q, np.searchsorted(own, np.diagonal(label)[:K]), R_at, Q_at, at)


def _numbered(label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _, at, number = np.unique(label, return_index=True, return_inverse=True)
    return number.reshape(label.shape), np.stack(np.unravel_index(at, label.shape), axis=1)


def _exchanges(
    C: np.ndarray, second_layers: np.ndarray, K: int, of_C: np.ndarray, of_v: np.ndarray
) -> Iterator[np.ndarray]:
    """Orders of the fields that change nothing by more: they generate all that such exchanges do."""
    N = len(C)
    ways = (
        [[(i, j)] for i in range(K) for j in range(i + 1, K)],
        [[(i, j)] for i in range(K, N) for j in range(i + 1, N)],
        [[(i, j), (K + i, K + j)] for i in range(min(K, N - K)) for j in range(i + 1, min(K, N - K))],
    )
    for way in ways:
        done = set()
        for swaps in way:
            if swaps[0][0] in done:  # exchanges with the next equal unit reach the others
                continue
            order = np.arange(N)
            for i, j in swaps:
                order[[i, j]] = j, i
            if (np.abs(second_layers[order] - second_layers) <= of_v).all() and (
                np.abs(C[np.ix_(order, order)] - C) <= of_C
            ).all():
                done.add(swaps[0][0])
                yield order
