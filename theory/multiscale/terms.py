r"""The terms of R and of the risk in the limit n, d -> infinity, scale by scale.

With p(C) the propagator of the dynamics (e^{-sA}, (1 - eta A)^k; A = C + ridge), the student is
w_hat = f X^T y + p w_hat_0, f = (1 - p)/A, and the error operator M = I - f C. On a contour
(theory.contours), p <-> G(z), f <-> G(z)/v and M <-> (z/v) G(z), z = v + ridge. R needs one
resolvent, the risk the equivalent of two,

    G(z) B G(z') <-> diag(h h' b) + diag(s h h') (q q'/alpha) tr[B s h h']/(1 - T),

over z z', with s_k = sigma_k^2 and T = (q q'/alpha) sum mu s_k^2 h h'. The printed derivation
(pezeshki2022 App. .2.3) differs in giving each scale a susceptibility of its own.

Every number is a sum of parts that are not negative, each of which is as small as it is: neither
the little that is learned early, f C <-> (s/v) q h, nor the little that is missed late is a difference
of larger numbers. By the equation for q, alpha (1 - T) = q z + sum mu s q h h', also near n = d.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.contours import Contour
from teacherstudent.theory.resolvents import Resolvent, Spectrum, at_zero, resolvent


@dataclass(frozen=True)
class Terms:
    """What the order parameters are made of, at T times for K scales.

    alignment and unaligned: R of each scale, and its share of the features minus that, (T, K).
    bias, variance, start: halves of the mean squared error per scale from the teacher, the label
    noise and the initial weights, (T, K); their sum is the excess risk. signal: mean square of what
    the student makes of the teacher, per scale, (T, K). converged: (T,).
    """

    alignment: np.ndarray
    unaligned: np.ndarray
    bias: np.ndarray
    variance: np.ndarray
    start: np.ndarray
    signal: np.ndarray
    converged: np.ndarray


@dataclass(frozen=True)
class Filter:
    """A filter of C for each of T times: sums over points z of weights times resolvents.

    at: their equivalents, (T or 1, J); over_v: weights of M, and of f over z, (T, J); over_z: weights
    of p, (T, J). The points are the upper half of a set that is symmetric about the real axis.
    learning: weights of f over z, (T, J), in which f is small where little is learned; on a contour around
    0 they differ by those of 1/z, whose sum with anything learned vanishes.
    """

    at: Resolvent
    over_v: np.ndarray
    over_z: np.ndarray
    learning: np.ndarray

    def at_times(self, rows: slice) -> Filter:
        """The same for some of the times."""
        at = self.at if len(self.at.z) == 1 else Resolvent(*(each[rows] for each in vars(self.at).values()))
        return Filter(at, self.over_v[rows], self.over_z[rows], self.learning[rows])


def spectrum_of(problem: MultiScale) -> Spectrum:
    """The limiting spectrum's parameters."""
    return Spectrum(problem.n, np.asarray(problem.counts, dtype=float), np.square(problem.sigmas))


def untrained(problem: MultiScale, count: int) -> Terms:
    """The initial student, `count` times: R = 0, Q = init^2 sum mu s."""
    spectrum = spectrum_of(problem)
    mu = spectrum.weights
    start = problem.init**2 * mu * spectrum.strengths / 2
    nothing = np.zeros_like(mu)
    rows = (nothing, mu, mu / 2, nothing, start, nothing)
    alignment, unaligned, bias, variance, first, signal = (np.tile(row, (count, 1)) for row in rows)
    return Terms(alignment, unaligned, bias, variance, first, signal, np.ones(count, dtype=bool))


def at_ridge(problem: MultiScale, ridge: np.ndarray) -> Terms:
    """Ridge regression at effective ridges (T,): one resolvent, taken twice."""
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, ridge)
    alpha, mu = spectrum.alpha, spectrum.weights
    learned = spectrum.strengths * at.qh  # f C
    amplified = alpha / (at.qz + (learned * at.h) @ mu)  # 1/(1 - T)
    shared = amplified[:, None] * mu * learned**2 / alpha  # T/(1 - T), scale by scale
    mutual = (at.h**2 @ mu)[:, None] * shared
    return Terms(
        alignment=mu * learned,
        unaligned=mu * at.h,
        bias=(mu * at.h**2 + mutual) / 2,
        variance=problem.noise**2 * shared / 2,
        start=np.zeros_like(mutual),
        signal=mu * learned**2 + mutual,
        converged=at.converged,
    )


Poles = Sequence[tuple[float, Resolvent]]
"""Poles v of an integrand that a contour may leave out, each with the equivalent there, (1,)."""


def poles_of(problem: MultiScale) -> Poles:
    """That of 1/v, and that of G(z)/z where n < d.

    Without ridge they are one. Where the spectrum then begins at 0, as at n = d, it is enclosed.
    """
    spectrum, ridge = spectrum_of(problem), problem.ridge
    if not ridge:
        return [(0.0, at_zero(spectrum))] if spectrum.lower_edge() else []
    first = (0.0, resolvent(spectrum, np.array([ridge])))
    return [first, (-ridge, at_zero(spectrum))] if problem.init and problem.n < problem.d else [first]


def on_contour(problem: MultiScale, contour: Contour, poles: Poles) -> Filter:
    """The filter of any linear dynamics from its contour with J upper-half nodes at each of T times."""
    v, ridge = contour.nodes, problem.ridge
    at = resolvent(spectrum_of(problem), v + ridge)
    over_v, over_z = contour.weights / v, contour.weights / at.z
    for pole, equivalent in poles:
        rest = contour.outside(pole)[:, None] / 2  # it is real: half for itself, half for its mirror image
        at = _joined(at, equivalent)
        over_v = np.concatenate([over_v, rest if pole == 0 else 0 * rest], axis=1)
        over_z = np.concatenate([over_z, rest if pole == -ridge else 0 * rest], axis=1)
    return Filter(at, over_v, over_z, over_v)


def _joined(at: Resolvent, point: Resolvent) -> Resolvent:
    """The equivalents at z (T, J), and at one more point, (1,), that serves all times: (T, J + 1)."""

    def both(mine: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.concatenate([mine, np.broadcast_to(other, (len(mine), *other.shape))], axis=1)

    return Resolvent(*(both(getattr(at, name), values) for name, values in vars(point).items()))


def filtered(problem: MultiScale, by: Filter) -> Terms:
    """The terms of a student that a filter makes."""
    spectrum, at = spectrum_of(problem), by.at
    mu, s = spectrum.weights, spectrum.strengths
    taken = s * at.qh
    error, learned = once(by.over_v, at.h), once(by.learning, taken)  # M and f C on each scale
    kernels = Kernels.of(problem, at)
    outer = whole(taken)

    def coupled(weights: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        """Sum of weight weight' kernel s^2 h h' (q q'/alpha), scale by scale: (T, K)."""
        mine, other = weights[..., None] * taken, whole(weights)[..., None] * outer
        return 2 / spectrum.alpha * np.sum(mine * (kernel @ other), 1).real

    mutual = mu * coupled(by.learning, kernels.missed)
    variance, start = np.zeros(error.shape), np.zeros(error.shape)
    if problem.noise:
        variance = problem.noise**2 * mu * coupled(by.learning, kernels.amplified)
    if problem.init:
        kept = once(by.over_z, at.h)  # p
        start = problem.init**2 * mu * (s * kept**2 + coupled(by.over_z, kernels.moved))
    return Terms(
        alignment=mu * learned,
        unaligned=mu * error,
        bias=(mu * error**2 + mutual) / 2,
        variance=variance / 2,
        start=start / 2,
        signal=mu * learned**2 + mutual,
        converged=np.broadcast_to(np.all(at.converged, axis=-1), error.shape[:1]),
    )


@dataclass(frozen=True)
class Kernels:
    """Of points z on half of a contour and z' on all of it, (T or 1, J, 2J): amplified = 1/(1 - T), and
    times that missed = sum mu h h' and moved = sum mu s h h', or 0 without a start."""

    amplified: np.ndarray
    missed: np.ndarray
    moved: np.ndarray

    @classmethod
    def of(cls, problem: MultiScale, at: Resolvent) -> Kernels:
        """The kernels at those points."""
        spectrum = spectrum_of(problem)
        mu, s = spectrum.weights, spectrum.strengths
        mates = np.swapaxes(whole(at.h), -1, -2)
        amplified = (mu * s * at.qh) @ mates  # alpha (1 - T), and in place: these are large
        amplified += at.qz[..., None]
        np.divide(spectrum.alpha, amplified, out=amplified)
        missed = (mu * at.h) @ mates
        missed *= amplified
        moved = (((mu * s) * at.h) @ mates) * amplified if problem.init else np.zeros(1)
        return cls(amplified, missed, moved)


def once(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sum over all of a contour of weights (T, J) and values (T or 1, J, K): (T, K)."""
    return 2 * (weights[:, None, :] @ values)[:, 0, :].real


def whole(half: np.ndarray) -> np.ndarray:
    """Values on the upper half of a contour, (T, J, ...), and on its mirror image: (T, 2J, ...)."""
    return np.concatenate([half, np.conj(half)], axis=1)
