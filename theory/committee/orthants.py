"""Probabilities that up to four jointly Gaussian fields are all positive.

Correlation matrices r, (..., k, k), of k distinct fields; only off-diagonal entries are read.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

PAIRS = tuple(combinations(range(4), 2))
A, B = np.array(PAIRS).T
C, E = np.array(PAIRS[::-1]).T
"""Of four fields, the six pairs a, b and those that are left."""


Rule = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Nodes x on [0, 1], 1 - x to all digits, and weights, which endure roots at both ends."""


def _rule(u: np.ndarray, step: np.ndarray) -> Rule:
    """Of x = 1/(1 + exp(-u)) at points u that are `step` apart there."""
    left = 1 / (1 + np.exp(u))
    return left[::-1], left, step * left * left[::-1]


_v = 0.13 * np.arange(-24, 25)
TANH_SINH = _rule(np.pi * np.sinh(_v), 0.13 * np.pi * np.cosh(_v))
_u = 0.6 * np.arange(-120, 121)
TANH = _rule(_u, np.full(_u.size, 0.6))
NEAR = 0.999
"""A correlation above which the integrand turns so close to an end that `TANH` is needed."""
ONE = np.ones(1)
TINY = float(np.finfo(float).tiny)


def positive(r: np.ndarray) -> np.ndarray:
    """P(all k fields > 0), (...), k from 0 to 3: 1/2^k and the arcs of the correlations."""
    k = r.shape[-1]
    arcs = sum(arc(r[..., i, j]) for i, j in combinations(range(k), 2))
    found: np.ndarray = np.full(r.shape[:-2], 0.5**k) + arcs / (2 * np.pi if k == 2 else 4 * np.pi)
    return found


def four_positive(r: np.ndarray) -> np.ndarray:
    """P(all four fields > 0), (n,)."""
    near = np.max(np.abs(r[:, A, B]), axis=1, initial=0) > NEAR
    found = np.empty(len(r))
    for which, nodes in ((near, TANH), (~near, TANH_SINH)):
        found[which] = 1 / 16 + np.sum(_swept(r[which], *nodes), axis=1)
    return found


def _swept(r: np.ndarray, t: np.ndarray, left: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What each pair a, b adds as all correlations grow from 0 to r, (n, 6) (Plackett).

    The integral over t of r_ab/(2 pi sqrt(1 - t^2 r_ab^2)) P(c, e > 0 | a = b = 0) at correlations t r.
    """
    ab, ac, ae, bc, be, ce = (r[:, i, j, None] for i, j in ((A, B), (A, C), (A, E), (B, C), (B, E), (C, E)))
    open_ = (1 - ab) * (1 + ab) + ab**2 * left * (1 + t)  # 1 - t^2 r_ab^2
    square = t**2 / open_

    def given(own: np.ndarray, x: np.ndarray, y: np.ndarray, other: np.ndarray, z: np.ndarray) -> np.ndarray:
        """own - t^2 (x y + other z - t r_ab (x z + other y))/(1 - t^2 r_ab^2)."""
        found: np.ndarray = own - square * (x * y + other * z - t * (ab * (x * z + other * y)))
        return found

    sizes = np.maximum(given(ONE, ac, ac, bc, bc) * given(ONE, ae, ae, be, be), TINY)
    inner = 0.25 + arc(given(t * ce, ac, ae, bc, be) / np.sqrt(sizes)) / (2 * np.pi)
    swept: np.ndarray = ab[..., 0] / (2 * np.pi) * ((inner / np.sqrt(np.maximum(open_, TINY))) @ weights)
    return swept


def arc(r: np.ndarray) -> np.ndarray:
    """The arc sine of a correlation that rounding may have put beyond 1."""
    found: np.ndarray = np.arcsin(np.clip(r, -1, 1))
    return found
