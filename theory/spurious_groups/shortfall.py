r"""What margins lack, on average, in the limit of large n and d; with derivatives.

For logits (e_s, e_c) of the spurious and core feature and a standard deviation r of the logit over noise,
the margin of an example to which the weights were not fitted is

    m = e_c (1 + sigma z) +- e_s (1 + sigma z') + r z'',   z standard normal, + majority, - minority:

normal in each group, of mean e_c +- e_s and variance V = sigma^2 (e_s^2 + e_c^2) + r^2. What it lacks to a
margin kappa has the mean square, with t = (kappa - mean)/sqrt V,

    E[(kappa - m)_+^2] = V [(1 + t^2) Phi(t) + t phi(t)],

its derivative by kappa is 2 sqrt V [t Phi(t) + phi(t)] and by V is Phi(t).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

SIGNS = np.array([1.0, -1.0])
"""Which way the spurious feature points in the majority and in the minority."""


@dataclass(frozen=True)
class Shortfall:
    """For K margins kappa and K triples (e_s, e_c, r).

    square: E[(kappa - m)_+^2], (K,). gradient: (K, 4), and hessian: (K, 4, 4), by kappa, e_s, e_c, r.
    share: of examples with m < kappa, (K,).
    """

    square: np.ndarray
    gradient: np.ndarray
    hessian: np.ndarray
    share: np.ndarray


def shortfall(kappa: np.ndarray, e: np.ndarray, feature_std: np.ndarray, minority: np.ndarray) -> Shortfall:
    """Of margins kappa, (K,), at e = (e_s, e_c, r), (K, 3); sigma and the minority's share, (K,)."""
    k = len(kappa)
    weights = np.stack([1 - minority, minority], axis=-1)  # (K, 2): majority, minority
    curvature = np.zeros((k, 4, 4))  # of V
    curvature[:, 1, 1] = curvature[:, 2, 2] = 2 * feature_std**2
    curvature[:, 3, 3] = 2.0
    slope = np.concatenate([np.zeros((k, 1)), curvature[:, [1, 2, 3], [1, 2, 3]] * e], axis=-1)  # of V
    V = np.sum(slope[:, 1:] * e, axis=-1)[:, None] / 2
    gap = np.array([[1.0, -sign, -1.0, 0.0] for sign in SIGNS])  # of kappa - mean
    t = (kappa[:, None] - e[:, 1:2] - SIGNS * e[:, 0:1]) / np.sqrt(V)
    density, below = np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi), ndtr(t)
    first = t * below + density  # E[(t + z)_+]
    share = np.sum(weights * below, axis=-1)
    by_gap = 2 * np.sqrt(V) * first
    mixed = np.einsum("kg,gi,kj->kij", weights * density / np.sqrt(V), gap, slope)
    return Shortfall(
        square=np.sum(weights * V * (below + t * first), axis=-1),
        gradient=(weights * by_gap) @ gap + share[:, None] * slope,
        hessian=np.einsum("kg,gi,gj->kij", 2 * weights * below, gap, gap)
        + mixed
        + mixed.swapaxes(-1, -2)
        - np.einsum("kg,ki,kj->kij", weights * density * t / (2 * V), slope, slope)
        + share[:, None, None] * curvature,
        share=share,
    )
