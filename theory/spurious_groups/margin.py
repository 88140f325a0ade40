r"""The direction of largest margin in the limit of large n and d, by convex Gaussian comparison.

Weights with logits (e_s, e_c, r) (see `shortfall`) can be fitted to the noise of the n training examples so
that all margins are at least kappa if and only if

    E[(kappa - m)_+^2] <= (d/n) r^2.

Let kappa(theta) be the largest such margin at theta = (e_s/gamma_s, e_c/gamma_c, r/(gamma_n noise_std)),
whose norm is that of the weights. m is linear in theta for each draw of its normal variables, so that the
condition describes a convex cone and kappa is concave and homogeneous of degree one. Hence the direction
of largest margin, among |theta| = 1, is that of the one minimum of the strongly convex

    |theta|^2/2 - kappa(theta),

where |theta| is the margin itself; it is above 0 where the examples can be separated, and theta = 0 is the
minimum where they cannot. Examples with m < kappa become support vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from teacherstudent.theory.spurious_groups.separability import separate
from teacherstudent.theory.spurious_groups.shortfall import Shortfall, shortfall

MOST_STEPS = 100
"""Newton steps for the direction; most take about ten."""
MOST_INNER_STEPS = 200
"""Newton steps for one margin: about as many as it lies standard deviations in the tail, then a few."""
SHORTEST = 2.0**-30
"""Shortest fraction of a Newton step tried: below it, rounding hides any descent."""
CERTIFIED = 1e-8
"""Newton step, relative to theta, up to which the one minimum is certified: the error is of its square."""
ROUNDING = 16 * float(np.finfo(float).eps)
HIDDEN = 64
"""Descent, in roundings of the value, that the value may hide: such a Newton step is taken as a whole."""


@dataclass(frozen=True)
class Ensemble:
    """What the limit depends on: numbers, or arrays that broadcast against each other.

    gamma_spurious, gamma_core: scales of the features. noise_scale: gamma_n noise_std. feature_std: sigma.
    minority: share of examples with a != y. ratio: d/n. The last two of the examples that are kept.
    """

    gamma_spurious: ArrayLike
    gamma_core: ArrayLike
    noise_scale: ArrayLike
    feature_std: ArrayLike
    minority: ArrayLike
    ratio: ArrayLike


@dataclass(frozen=True)
class MaxMargin:
    """The direction of largest margin, in arrays of the ensemble's shape; NaN where it is not certified.

    spurious, core, noise: e_s, e_c and r at |w| = 1. margin: the smallest margin at |w| = 1. support:
    share of support vectors among the examples that are kept.
    """

    spurious: np.ndarray
    core: np.ndarray
    noise: np.ndarray
    margin: np.ndarray
    support: np.ndarray


@dataclass(frozen=True)
class _Cone:
    """K ensembles side by side: scales, (K, 3), of theta; feature_std, minority and ratio, (K,)."""

    scales: np.ndarray
    feature_std: np.ndarray
    minority: np.ndarray
    ratio: np.ndarray

    def some(self, which: np.ndarray) -> _Cone:
        return _Cone(*(each[which] for each in vars(self).values()))

    def lacking(self, kappa: np.ndarray, theta: np.ndarray) -> Shortfall:
        return shortfall(kappa, self.scales * theta, self.feature_std, self.minority)


@dataclass(frozen=True)
class _Margin:
    """kappa(theta), (K,); its gradient, (K, 3), and Hessian, (K, 3, 3); share as in `Shortfall`."""

    kappa: np.ndarray
    gradient: np.ndarray
    hessian: np.ndarray
    share: np.ndarray


def max_margin(ensemble: Ensemble) -> MaxMargin:
    """The direction of largest margin for every entry of an ensemble, by damped Newton steps.

    Entries are NaN where no minimum is certified, mainly if the examples cannot be separated
    (`separability.smallest_ratio`).
    """
    fields = vars(ensemble).values()
    shape = np.broadcast_shapes(*map(np.shape, fields))
    columns = [np.broadcast_to(np.asarray(each, float), shape).ravel() for each in fields]
    cone = _Cone(np.stack(columns[:3], axis=-1), *columns[3:])
    start = separate(cone.feature_std, cone.minority, cone.ratio)
    theta = np.concatenate([start.logits, np.ones((start.ratio.size, 1))], axis=-1) / cone.scales
    theta /= np.linalg.norm(theta, axis=-1, keepdims=True)
    theta *= _kappa(cone, theta)[:, None]  # the best length: below 0, the value at the origin, from here on
    certified = np.zeros(len(theta), dtype=bool)
    going = np.flatnonzero(start.ratio < cone.ratio)
    for _ in range(MOST_STEPS):
        if not going.size:
            break
        theta[going], certified[going], stuck = _step(cone.some(going), theta[going])
        going = going[~(certified[going] | stuck)]
    theta[~certified] = np.nan
    norm, share = np.linalg.norm(theta, axis=-1), np.full(len(theta), np.nan)
    share[certified] = _margin(cone.some(certified), theta[certified]).share
    answers = (*(cone.scales * theta / norm[:, None]).T, norm, share)
    return MaxMargin(*(each.reshape(shape) for each in answers))


def _step(cone: _Cone, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One Newton step on |theta|^2/2 - kappa(theta); which entries stay as certified, and which are stuck."""
    here = _margin(cone, theta)
    slope = theta - here.gradient
    step = np.linalg.solve(np.eye(3) - here.hessian, -slope[..., None])[..., 0]
    certified = np.linalg.norm(step, axis=-1) <= CERTIFIED * np.linalg.norm(theta, axis=-1)
    descent = np.sum(slope * step, axis=-1)
    value = np.sum(theta**2, axis=-1) / 2 - here.kappa
    slack = ROUNDING * (np.sum(theta**2, axis=-1) + np.abs(cone.scales * theta).sum(axis=-1))
    slack[-descent <= HIDDEN * slack] = np.inf
    moved, searching, fraction = theta + step, np.flatnonzero(~certified), 1.0
    while searching.size and fraction >= SHORTEST:
        trial = theta[searching] + fraction * step[searching]
        possible = trial[:, 2] > 0
        lower = np.zeros(searching.size, dtype=bool)
        inside = searching[possible]
        reached = np.sum(trial[possible] ** 2, axis=-1) / 2 - _kappa(cone.some(inside), trial[possible])
        lower[possible] = reached <= value[inside] + fraction / 4 * descent[inside] + slack[inside]
        moved[searching[lower]] = trial[lower]
        searching, fraction = searching[~lower], fraction / 2
    stuck = np.zeros(len(theta), dtype=bool)
    stuck[searching] = True
    return moved, certified, stuck


def _margin(cone: _Cone, theta: np.ndarray) -> _Margin:
    """kappa(theta) and its derivatives, those of an implicit function."""
    kappa = _kappa(cone, theta)
    lacking = cone.lacking(kappa, theta)
    gradient, hessian = lacking.gradient.copy(), lacking.hessian.copy()
    gradient[:, 3] -= 2 * cone.ratio * cone.scales[:, 2] * theta[:, 2]
    hessian[:, 3, 3] -= 2 * cone.ratio
    slope = -gradient[:, 1:] / gradient[:, :1]
    along = np.concatenate([slope[:, None], np.broadcast_to(np.eye(3), (len(theta), 3, 3))], axis=1)
    bend = -(along.swapaxes(-1, -2) @ hessian @ along) / gradient[:, :1, None]
    scales = cone.scales
    return _Margin(kappa, scales * slope, scales[:, :, None] * bend * scales[:, None], lacking.share)


def _kappa(cone: _Cone, theta: np.ndarray) -> np.ndarray:
    """kappa(theta), (K,), by Newton steps on the root of the mean square, which is convex, from above."""
    e = cone.scales * theta
    allowed, size = np.sqrt(cone.ratio) * e[:, 2], np.abs(e).sum(axis=-1)
    kappa = e[:, 1] + (1 - 2 * cone.minority) * e[:, 0] + allowed  # above, by Jensen's inequality
    for _ in range(MOST_INNER_STEPS):
        lacking = cone.lacking(kappa, theta)
        root = np.sqrt(lacking.square)
        step = (root - allowed) * 2 * root / lacking.gradient[:, 0]
        kappa = kappa - step
        if np.all(np.abs(step) <= ROUNDING * size):  # what is left is of its square, or rounding
            break
    return kappa
