r"""How many noise features it takes to separate the examples, in the limit of large n and d.

All margins can be positive if and only if some logits (e_s, e_c) have E[m_-^2] < (d/n) r^2 at r = 1 (see
`margin`); scales play no part. The root of that mean square is convex in (e_s, e_c), and at 0 it is 1/sqrt 2:
d = n/2 features of noise alone separate any labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.spurious_groups.shortfall import shortfall

MOST_STEPS = 200
"""Newton steps: about t^2/4 down a tail of t standard deviations, then a few."""
SHORTEST = 2.0**-20
"""Shortest fraction of a Newton step tried."""
STATIONARY = 1e-8
"""Relative gain that a Newton step promises, up to which a minimum is certified."""
NOTHING = 1e-30
"""A ratio below this one counts as 0: no sample is that large."""


@dataclass(frozen=True)
class Separation:
    """Of K ensembles. logits: (e_s, e_c) at r = 1, (K, 2); ratio: E[m_-^2] there, (K,); least: where that is
    certified as the smallest there is, (K,)."""

    logits: np.ndarray
    ratio: np.ndarray
    least: np.ndarray


def smallest_ratio(feature_std: float, minority: float) -> float:
    """The ratio d/n above which the examples can be separated and below which they cannot.

    feature_std: sigma > 0; minority: share of examples with a != y. Raises `ArithmeticError` where no
    minimum is certified.
    """
    found = separate(np.array([feature_std]), np.array([minority]), np.zeros(1))
    if not found.least[0]:
        raise ArithmeticError(f"separability at feature_std {feature_std:g}: no minimum certified")
    return float(found.ratio[0])


def separate(feature_std: np.ndarray, minority: np.ndarray, enough: np.ndarray) -> Separation:
    """Logits that separate with the fewest noise features, or just with fewer than `enough` n, (K,).

    By damped Newton steps on the root of the mean square, from 0 on.
    """
    e, ratio = np.zeros((len(enough), 2)), np.full(len(enough), 0.5)
    least = np.zeros(len(enough), dtype=bool)
    going = np.flatnonzero(ratio >= enough)
    for _ in range(MOST_STEPS):
        if not going.size:
            break
        sigma, share = feature_std[going], minority[going]
        root, gradient, hessian = _root(e[going], sigma, share)
        step = np.linalg.solve(hessian, -gradient[..., None])[..., 0]
        gain = -np.sum(gradient * step, axis=-1)
        least[going] = gain <= STATIONARY * root
        fraction, searching = 1.0, ~least[going]
        while np.any(searching) and fraction >= SHORTEST:
            trial = e[going] + fraction * step
            reached = _root(trial, sigma, share)[0]
            lower = searching & (reached <= root - fraction / 4 * gain)
            e[going[lower]], ratio[going[lower]] = trial[lower], reached[lower] ** 2
            searching &= ~lower
            fraction /= 2
        least[going] |= ratio[going] < NOTHING
        stuck = searching
        going = going[~(least[going] | stuck | (ratio[going] < enough[going]))]
    return Separation(e, np.where(ratio < NOTHING, 0.0, ratio), least)


def _root(e: np.ndarray, sigma: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """sqrt(E[m_-^2]) at r = 1, with gradient and Hessian by (e_s, e_c)."""
    triple = np.concatenate([e, np.ones((len(e), 1))], axis=-1)
    lacking = shortfall(np.zeros(len(e)), triple, sigma, share)
    root = np.maximum(np.sqrt(lacking.square), np.finfo(float).tiny)
    gradient = lacking.gradient[:, 1:3] / (2 * root[:, None])
    squared = gradient[:, :, None] * gradient[:, None, :]
    hessian = lacking.hessian[:, 1:3, 1:3] / 2 - squared
    return root, gradient, hessian / root[:, None, None]
