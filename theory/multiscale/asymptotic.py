r"""The exact limit n, d -> infinity: gradient flow, gradient descent and ridge regression.

With p(C) the propagator of the dynamics (e^{-sA}, (1 - eta A)^k; A = C + ridge), the student is
w_hat = f X^T y + p w_hat_0, f = (1 - p)/A, and the error operator M = I - f C. On a contour
(theory.contours), p <-> G(z), f <-> G(z)/v and M <-> (z/v) G(z), z = v + ridge. The
two-resolvent equivalent then leaves three kernels (derivation: CONTRIBUTING's style of proof,
checked against an independent one in paper_checks):

    bias <-> P/(1-T)/(v v'),  variance <-> noise^2 T/(1-T)/(v v'),
    start <-> init^2 V/(1-T)/(z z'),

P = sum mu h h', V = sum mu s_k h h', T = (q q'/alpha) sum mu s_k^2 h h', s_k = sigma_k^2. A
training example is fitted by the student that it helped to train, which multiplies every kernel,
and the example's own noise, by (q z/alpha)(q' z'/alpha). The printed derivation
(pezeshki2022 App. .2.3) differs in giving each scale a susceptibility of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from house.domains import InputError
from house.running import UnconvergedWarning
from problems.multiscale import MultiScale
from theory import contours
from theory.multiscale.answers import Arrays, asked_for
from theory.resolvents import Resolvent, Spectrum, resolvent


@dataclass(frozen=True)
class Risk:
    """Twice the excess risk, term by term, 1 - R and the training error; each (T,).

    NaN where nothing was certified.
    """

    misalignment: np.ndarray
    bias: np.ndarray
    variance: np.ndarray
    start: np.ndarray
    training: np.ndarray

    def observables(self, noise: float) -> Arrays:
        """R, Q and excess_risk = 1/2 (1 - 2R + Q) (Eq. 4.2.6); errors as in Advani and Saxe."""
        R = 1 - self.misalignment
        twice = self.bias + self.variance + self.start
        return {
            "R": R,
            "Q": twice - 1 + 2 * R,
            "excess_risk": twice / 2,
            "generalisation_error": twice + noise**2,
            "training_error": self.training,
        }


def spectrum_of(problem: MultiScale) -> Spectrum:
    """The limiting spectrum's parameters: only ratios of the sizes."""
    weights = np.asarray(problem.counts, dtype=float) / problem.d
    return Spectrum(problem.alpha, weights, np.square(problem.sigmas))


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    started = times > 0
    risk = _before(problem, times.size)
    if np.any(started):
        _place(risk, started, _on_contour(problem, contours.flow(times[started])))
    return asked_for(_certified(risk).observables(problem.noise), observable)


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,), with (1 - eta c)^k instead of e^{-sc}.

    learning_rate: "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError`
    where the largest eigenvalue makes descent diverge.
    """
    edge = spectrum_of(problem).upper_edge()
    eta = 1 / edge if learning_rate == "auto" else float(learning_rate)
    smallest = 1 - eta * (edge + problem.ridge)
    if smallest <= -1:
        raise InputError(
            "learning_rate",
            eta,
            f"below 2/(upper edge of the spectrum + ridge) = {2 / (edge + problem.ridge):g}",
        )
    risk = _before(problem, times.size)
    moving = np.flatnonzero(times > 0)
    for where, contour in contours.descent(times[moving], eta, smallest):
        _place(risk, moving[where], _on_contour(problem, contour))
    return asked_for(_certified(risk).observables(problem.noise), observable)


def ridge(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, problem.ridge + 1 / times)
    mu, v, h = spectrum.weights, spectrum.strengths, at.h
    shared = at.q**2 / spectrum.alpha * (h * h @ (mu * v * v))
    bias, variance = (h * h @ mu) / (1 - shared), problem.noise**2 * shared / (1 - shared)
    risk = Risk(
        misalignment=h @ mu,
        bias=bias,
        variance=variance,
        start=np.zeros(times.size),
        training=(at.q * at.z / spectrum.alpha) ** 2 * (bias + variance + problem.noise**2),
    )
    risk.misalignment[~at.converged] = np.nan
    return asked_for(_certified(risk).observables(problem.noise), observable)


def _before(problem: MultiScale, count: int) -> Risk:
    """The untrained student: R = 0, Q = init^2 sum mu v."""
    start = (
        problem.init**2 * float(np.sum(np.asarray(problem.counts) * np.square(problem.sigmas))) / problem.d
    )
    training = 1 + start + problem.noise**2
    return Risk(
        np.ones(count), np.ones(count), np.zeros(count), np.full(count, start), np.full(count, training)
    )


def _place(whole: Risk, where: np.ndarray, part: Risk) -> None:
    for name, values in vars(part).items():
        getattr(whole, name)[where] = values


def _on_contour(problem: MultiScale, contour: contours.Contour) -> Risk:
    """All terms at the T times of a contour with J upper-half nodes."""
    spectrum = spectrum_of(problem)
    v, weights = contour.nodes, contour.weights
    at = resolvent(spectrum, v + problem.ridge)
    mu, strength = spectrum.weights, spectrum.strengths
    over_v, over_z = weights / v, weights / at.z

    fitted = at.q * at.z / spectrum.alpha

    misalignment = 2 * np.sum(over_v * (at.h @ mu), axis=-1).real
    bias = variance = start = training = np.zeros(v.shape[0])
    for other, mate_v, mate_z, mate_fitted in (
        (at, over_v, over_z, fitted),
        (_conjugate(at), np.conj(over_v), np.conj(over_z), np.conj(fitted)),
    ):
        shared = _pairs(at, other, mu * strength**2) * (
            at.q[:, :, None] * other.q[:, None, :] / spectrum.alpha
        )
        amplified = 1 / (1 - shared)
        missed = _pairs(at, other, mu) * amplified
        kept = problem.init**2 * _pairs(at, other, mu * strength) * amplified
        bias = bias + _sum(over_v, missed, mate_v)
        variance = variance + problem.noise**2 * _sum(over_v, shared * amplified, mate_v)
        start = start + _sum(over_z, kept, mate_z)
        # amplified = 1 + T/(1-T): the example's own noise and that of the others
        unexplained = missed + problem.noise**2 * amplified
        training = training + _sum(over_v * fitted, unexplained, mate_v * mate_fitted)
        training = training + _sum(over_z * fitted, kept, mate_z * mate_fitted)
    misalignment[~np.all(at.converged, axis=-1)] = np.nan
    return Risk(misalignment, bias, variance, start, training)


def _conjugate(at: Resolvent) -> Resolvent:
    return Resolvent(np.conj(at.z), np.conj(at.q), np.conj(at.h), at.converged)


def _pairs(at: Resolvent, other: Resolvent, factor: np.ndarray) -> np.ndarray:
    """sum_k factor_k h_k(z_i) h_k(z_j'), (T, J, J)."""
    return (at.h * factor) @ np.swapaxes(other.h, -1, -2)


def _sum(left: np.ndarray, kernel: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Both half-planes of the first variable against one of the second: twice the real part."""
    return 2 * np.einsum("ti,tij,tj->t", left, kernel, right, optimize=True).real


def _certified(risk: Risk) -> Risk:
    """NaN in every term where the root was not certified, with a warning that says so."""
    failed = np.isnan(risk.misalignment)
    if np.any(failed):
        warnings.warn(
            f"asymptotic route: no certified root at {failed.sum()} of {failed.size} times; NaN there",
            UnconvergedWarning,
            stacklevel=3,
        )
        for values in vars(risk).values():
            values[failed] = np.nan
    return risk
