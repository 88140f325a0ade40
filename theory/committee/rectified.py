"""Moments of max(x, 0): second ones of Gaussian fields over orthants, by Stein's lemma.

Fields that are parallel are one field: of these only the first is kept, since given one the other is certain.
A field of variance 0 is never positive.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np

from teacherstudent.theory.committee.orthants import TINY, arc, four_positive, positive

PARALLEL = 1e-15
"""1 - |r| below which two fields are one: a few roundings."""
OWN = 1e-6
"""Size of what each vector has of its own: its square is an error, as is rounding over it."""


class Rectified:
    """g(x) = max(x, 0), g'(x) = 1 where x > 0."""

    def second(self, C: np.ndarray) -> np.ndarray:
        size, r = _correlations(C)
        arc = np.sqrt(np.maximum(1 - r**2, 0)) + r * (np.pi - np.arccos(r))
        return np.outer(size, size) * arc / (2 * np.pi)

    def derivatives(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        size, r = _correlations(C)
        return np.where(size[a] * size[b] > 0, _both(r[a, b]), 0)

    def third(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """C_bc P(a, c > 0) + C_ab sqrt(C_aa C_cc - C_ac^2)/(2 pi C_aa)."""
        size, r = _correlations(C)
        pair = r[a, b][:, None] * np.sqrt(np.maximum(1 - r[a] ** 2, 0)) / (2 * np.pi)
        scale = (size[a] > 0)[:, None] * size[b][:, None] * size
        return scale * (r[b] * _both(r[a]) + pair)

    def fourth(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Each unordered c, e once."""
        size, r = _correlations(C)
        same, apart = r >= 1 - PARALLEL, r <= PARALLEL - 1
        apart |= np.diag(size == 0)
        found = np.zeros((a.size, *C.shape))
        for p, c, e, fields, at in _plan(len(C), *(each.tobytes() for each in (a, b, same, apart))):
            found[p, c, e] = found[p, e, c] = _truncated(r[fields[:, :, None], fields[:, None, :]], at)
        return found * size[:, None] * size


def _correlations(C: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviations, (N,), and correlations, (N, N); 0 with a field of variance 0."""
    size = np.sqrt(np.maximum(np.diagonal(C), 0))
    whole = np.where(size > 0, size, 1)
    r = np.clip(C / whole / whole[:, None], -1, 1)
    np.fill_diagonal(r, 1)
    return size, r


def _both(r: np.ndarray) -> np.ndarray:
    """P(both > 0)."""
    return 0.25 + arc(r) / (2 * np.pi)


@lru_cache(maxsize=8)
def _plan(
    N: int, first: bytes, second: bytes, alike: bytes, opposite: bytes
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]]:
    """The quadruples a, b, c <= e of N fields that can all be positive, by which of them are the same.

    Of each kind: the place p of the pair a, b among the given ones, (n,), c and e, (n,), the k fields that
    differ, (n, k), c first, and the column of e. first, second: a and b, (P,). alike, opposite: (N, N).
    """
    same, apart = (np.frombuffer(each, dtype=bool).reshape(N, N) for each in (alike, opposite))
    pairs = [np.frombuffer(each, dtype=np.intp) for each in (first, second)]
    upper = np.triu_indices(N)
    p, place = (each.ravel() for each in np.indices((pairs[0].size, upper[0].size)))
    a, b, c, e = pairs[0][p], pairs[1][p], upper[0][place], upper[1][place]
    possible = ~np.any([apart[x, y] for x, y in combinations_with_replacement((a, b, c, e), 2)], axis=0)
    new = np.stack([~same[c, e], ~(same[a, c] | same[a, e]), ~(same[b, c] | same[b, e] | same[b, a])])
    found = []
    for kept in product((False, True), repeat=3):
        n = np.flatnonzero(possible & np.all(new == np.array(kept)[:, None], axis=0))
        if n.size:
            others = [each[n] for each, keep in zip((e, a, b), kept, strict=True) if keep]
            found.append((p[n], c[n], e[n], np.stack([c[n], *others], axis=1), int(kept[0])))
    return found


def _truncated(r: np.ndarray, e: int) -> np.ndarray:
    """E[x_0 x_e 1(all > 0)] of k distinct fields of correlations r, (n, k, k), by Stein's lemma twice.

    r_0e P(all > 0) + sum over j > 0 of r_ej (2 pi)^-1/2 E[x_0 1(rest > 0) | x_j = 0], and that mean likewise
    is a sum over the rest m of S_0m (2 pi S_mm)^-1/2 P(others > 0 | x_j = x_m = 0), S given x_j = 0.
    """
    k = r.shape[-1]
    found: np.ndarray = r[:, 0, e] * (four_positive(r) if k == 4 else positive(r))
    if k == 1:
        return found
    j, m, *others = _steps(k)

    def given_j(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """S_xy, (n, steps)."""
        both: np.ndarray = r[:, x, y] - r[:, x, j] * r[:, y, j]
        return both

    spread = np.maximum(given_j(m, m), TINY)
    others_too = np.full(spread.shape, 0.5 ** len(others))
    if len(others) == 2:
        others_too += _left(r, j, m, *others) / (2 * np.pi)
    slope = given_j(np.zeros_like(m), m) / np.sqrt(spread)
    found += np.sum(r[:, e, j] * slope * others_too, axis=1) / (2 * np.pi)
    return found


def _left(r: np.ndarray, j: np.ndarray, m: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Arc sine of the correlation of fields x and y given j and m, (n, steps).

    Where fields depend on each other linearly it is 0/0 or the arc of 1, and only together do terms of the
    sum have a limit. So it is that of vectors with these correlations, each with a little of its own.
    """
    values, axes = np.linalg.eigh(r)
    own = np.broadcast_to(OWN * np.eye(r.shape[-1]), r.shape)
    vectors = np.concatenate([axes * np.sqrt(np.maximum(values, 0))[:, None, :], own], axis=2)

    def beside(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """What of the vectors `one` is at right angles to `other`."""
        along = np.sum(one * other, axis=2) / np.sum(other**2, axis=2)
        rest: np.ndarray = one - along[:, :, None] * other
        return rest

    first = vectors[:, j]
    second, one, two = (beside(vectors[:, each], first) for each in (m, x, y))
    one, two = beside(one, second), beside(two, second)
    across = np.linalg.norm(one, axis=2) * np.linalg.norm(beside(two, one), axis=2)
    found: np.ndarray = np.arctan2(np.sum(one * two, axis=2), across)
    return found


@cache
def _steps(k: int) -> np.ndarray:
    """Columns j, m and the others, (k, steps): all orders of k fields up to that of the others; j > 0."""
    orders = [each for each in permutations(range(k)) if each[0] and list(each[2:]) == sorted(each[2:])]
    return np.array(orders).T
