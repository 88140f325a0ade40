r"""The terms of R and of the risk in the limit n, d -> infinity, scale by scale.

With p(C) the propagator of the dynamics (e^{-sA}, (1 - eta A)^k; A = C + ridge), the student is
w_hat = f X^T y + p w_hat_0, f = (1 - p)/A, and the error operator M = I - f C. On a contour
(theory.contours), p <-> G(z), f <-> G(z)/v and M <-> (z/v) G(z), z = v + ridge. R needs one
resolvent, the risk the equivalent of two,

    G(z) B G(z') <-> diag(h h' b) + diag(s h h') (q q'/alpha) tr[B s h h']/(1 - T),

over z z', with s_k = sigma_k^2 and T = (q q'/alpha) sum mu s_k^2 h h'. The printed derivation
(pezeshki2022 App. .2.3) differs in giving each scale a susceptibility of its own.

A training example is fitted by the student that it helped to train, which multiplies every
kernel, and the example's own noise, by (q z/alpha)(q' z'/alpha).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.contours import Contour
from teacherstudent.theory.resolvents import Spectrum, resolvent


@dataclass(frozen=True)
class Terms:
    """What the order parameters are made of, at T times for K scales.

    alignment: R of each scale, (T, K). bias, variance, start: halves of the mean squared error
    per scale from the teacher, the label noise and the initial weights, (T, K); their sum is the
    excess risk. training: mean squared error on the training examples, (T,). overlap: mean
    product of label and residual there, (T,). converged: (T,).
    """

    alignment: np.ndarray
    bias: np.ndarray
    variance: np.ndarray
    start: np.ndarray
    training: np.ndarray
    overlap: np.ndarray
    converged: np.ndarray


def spectrum_of(problem: MultiScale) -> Spectrum:
    """The limiting spectrum's parameters: only ratios of the sizes."""
    weights = np.asarray(problem.counts, dtype=float) / problem.d
    return Spectrum(problem.alpha, weights, np.square(problem.sigmas))


def untrained(problem: MultiScale, count: int) -> Terms:
    """The initial student, `count` times: R = 0, Q = init^2 sum mu s."""
    spectrum = spectrum_of(problem)
    start = problem.init**2 * spectrum.weights * spectrum.strengths / 2
    training = 1 + 2 * start.sum() + problem.noise**2
    rows = (np.zeros_like(start), spectrum.weights / 2, np.zeros_like(start), start)
    alignment, bias, variance, initial = (np.tile(row, (count, 1)) for row in rows)
    whole, overlap = np.full(count, training), np.full(count, 1 + problem.noise**2)
    return Terms(alignment, bias, variance, initial, whole, overlap, np.ones(count, dtype=bool))


def at_ridge(problem: MultiScale, ridge: np.ndarray) -> Terms:
    """Ridge regression at effective ridges (T,): one resolvent, taken twice."""
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, ridge)
    mu, s, h = spectrum.weights, spectrum.strengths, at.h
    shared = (at.q**2 / spectrum.alpha)[:, None] * mu * s**2 * h**2  # T, scale by scale
    amplified = 1 / (1 - shared.sum(axis=-1, keepdims=True))
    missed = (h * h @ mu)[:, None]
    bias = (mu * h**2 + missed * amplified * shared) / 2
    variance = problem.noise**2 * shared * amplified / 2
    risk = 2 * (bias + variance).sum(axis=-1)
    fitted = at.q * ridge / spectrum.alpha
    training = fitted**2 * (risk + problem.noise**2)
    overlap = fitted * (h @ mu + problem.noise**2)
    return Terms(mu * (1 - h), bias, variance, np.zeros_like(bias), training, overlap, at.converged)


def on_contour(problem: MultiScale, contour: Contour) -> Terms:
    """Any linear dynamics through its contour with J upper-half nodes at each of T times."""
    z = contour.nodes + problem.ridge
    return of_transforms(problem, z, contour.weights / contour.nodes, contour.weights / z)


def of_transforms(problem: MultiScale, z: np.ndarray, over_v: np.ndarray, over_z: np.ndarray) -> Terms:
    """Any filter of C on any contour of points z (T or 1, J): M and p are sums of weights times h.

    over_v: weights of M, and of f over z, (T, J); over_z: weights of p, (T, J). In the sums over
    two variables the first runs over half of the contour and the second over all of it.
    """
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, z)
    mu, s, h = spectrum.weights, spectrum.strengths, at.h
    error, kept = _once(over_v, h), _once(over_z, h)  # M and p on each scale
    inner, outer = (at.q / spectrum.alpha)[..., None] * h, _whole(at.q[..., None] * h)
    mates = np.swapaxes(_whole(h), -1, -2)
    amplified = (inner * (mu * s**2)) @ np.swapaxes(outer, -1, -2)  # T, and in place: these are large
    np.reciprocal(np.subtract(1, amplified, out=amplified), out=amplified)  # 1/(1 - T)
    missed = (h * mu) @ mates
    missed *= amplified

    def coupled(weights: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        """Sum of weight weight' kernel h h' (q q'/alpha), scale by scale: (T, K)."""
        return (
            2 * np.sum(weights[..., None] * inner * (kernel @ (_whole(weights)[..., None] * outer)), 1).real
        )

    fitted = at.q * at.z / spectrum.alpha

    def refitted(weights: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        """Sum of weight weight' kernel (q z/alpha)(q' z'/alpha): (T,)."""
        mine = weights * fitted
        return 2 * np.sum(mine * (kernel @ _whole(mine)[..., None])[..., 0], axis=-1).real

    bias = mu * error**2 + mu * s**2 * coupled(over_v, missed)
    variance, start = np.zeros(error.shape), mu * s * kept**2
    training = refitted(over_v, missed)
    if problem.noise:
        variance = mu * s**2 * coupled(over_v, amplified)
        # amplified = 1 + T/(1 - T): the example's own noise and that of the others
        training = training + problem.noise**2 * refitted(over_v, amplified)
    if problem.init:
        moved = ((h * (mu * s)) @ mates) * amplified
        start = start + mu * s**2 * coupled(over_z, moved)
        training = training + problem.init**2 * refitted(over_z, moved)
    return Terms(
        mu * (1 - error),
        bias / 2,
        problem.noise**2 * variance / 2,
        problem.init**2 * start / 2,
        training,
        2 * np.sum(over_v * fitted * (h @ mu + problem.noise**2), axis=-1).real,
        np.broadcast_to(np.all(at.converged, axis=-1), training.shape),
    )


def _once(weights: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Sum over the whole contour of weights (T, J) and h (T, J, K): (T, K)."""
    return 2 * (weights[:, None, :] @ h)[:, 0, :].real


def _whole(half: np.ndarray) -> np.ndarray:
    """Values on the upper half of a contour, (T, J, ...), and on its mirror image: (T, 2J, ...)."""
    return np.concatenate([half, np.conj(half)], axis=1)
