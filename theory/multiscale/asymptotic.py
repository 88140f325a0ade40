r"""The exact limit n, d -> infinity: gradient flow, gradient descent and ridge regression.

With p(C) the propagator of the dynamics (e^{-sA}, (1 - eta A)^k; A = C + ridge), the student is
w_hat = f X^T y + p w_hat_0, f = (1 - p)/A, and the error operator M = I - f C. On a contour
(theory.contours), p <-> G(z), f <-> G(z)/v and M <-> (z/v) G(z), z = v + ridge. The
two-resolvent equivalent then leaves three kernels (derivation: CONTRIBUTING's style of proof,
checked against an independent one in paper_checks):

    bias <-> P/(1-T)/(v v'),  variance <-> noise^2 T/(1-T)/(v v'),
    start <-> init^2 V/(1-T)/(z z'),

P = sum mu h h', V = sum mu v_k h h', T = (q q'/alpha) sum mu v_k^2 h h'. The printed derivation
(pezeshki2022 App. .2.3) differs in giving each scale a susceptibility of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from house.domains import InputError
from house.running import UnconvergedWarning
from problems.multiscale import MultiScale
from theory import contours
from theory.resolvents import Resolvent, Spectrum, resolvent

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Risk:
    """Twice the excess risk, term by term, and 1 - R; each (T,). NaN where nothing was certified."""

    misalignment: np.ndarray
    bias: np.ndarray
    variance: np.ndarray
    start: np.ndarray

    def observables(self) -> Arrays:
        """R, Q and excess_risk = 1/2 (1 - 2R + Q) (Eq. 4.2.6)."""
        R = 1 - self.misalignment
        twice = self.bias + self.variance + self.start
        return {"R": R, "Q": twice - 1 + 2 * R, "excess_risk": twice / 2}


def spectrum_of(problem: MultiScale) -> Spectrum:
    """The limiting spectrum's parameters: only ratios of the sizes."""
    weights = np.asarray(problem.counts, dtype=float) / problem.d
    return Spectrum(problem.alpha, weights, np.square(problem.sigmas))


def flow(problem: MultiScale, times: np.ndarray) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    started = times > 0
    risk = _before(problem, times.size)
    if np.any(started):
        _place(risk, started, _on_contour(problem, contours.flow(times[started])))
    return _certified(risk).observables()


def descent(problem: MultiScale, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,), with (1 - eta c)^k instead of e^{-sc}.

    learning_rate: "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError`
    where the largest eigenvalue makes descent diverge.
    """
    edge = spectrum_of(problem).upper_edge()
    eta = 1 / edge if learning_rate == "auto" else float(learning_rate)
    smallest = 1 - eta * (edge + problem.ridge)
    if smallest <= -1:
        raise InputError(
            "learning_rate", eta, f"below 2/(upper edge of the spectrum + ridge) = {2 / (edge + problem.ridge):g}"
        )
    risk = _before(problem, times.size)
    moving = np.flatnonzero(times > 0)
    for where, contour in contours.descent(times[moving], eta, smallest):
        _place(risk, moving[where], _on_contour(problem, contour))
    return _certified(risk).observables()


def ridge(problem: MultiScale, times: np.ndarray) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, problem.ridge + 1 / times)
    mu, v, h = spectrum.weights, spectrum.strengths, at.h
    shared = at.q**2 / spectrum.alpha * (h * h @ (mu * v * v))
    risk = Risk(
        misalignment=h @ mu,
        bias=(h * h @ mu) / (1 - shared),
        variance=problem.noise**2 * shared / (1 - shared),
        start=np.zeros(times.size),
    )
    risk.misalignment[~at.converged] = np.nan
    return _certified(risk).observables()


def _before(problem: MultiScale, count: int) -> Risk:
    """The untrained student: R = 0, Q = init^2 sum mu v."""
    start = problem.init**2 * float(np.sum(np.asarray(problem.counts) * np.square(problem.sigmas))) / problem.d
    return Risk(np.ones(count), np.ones(count), np.zeros(count), np.full(count, start))


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

    misalignment = 2 * np.sum(over_v * (at.h @ mu), axis=-1).real
    bias = variance = start = np.zeros(v.shape[0])
    for other, mate_v, mate_z in (
        (at, over_v, over_z),
        (_conjugate(at), np.conj(over_v), np.conj(over_z)),
    ):
        shared = _pairs(at, other, mu * strength**2) * (
            at.q[:, :, None] * other.q[:, None, :] / spectrum.alpha
        )
        amplified = 1 / (1 - shared)
        bias = bias + _sum(over_v, _pairs(at, other, mu) * amplified, mate_v)
        variance = variance + problem.noise**2 * _sum(over_v, shared * amplified, mate_v)
        start = start + problem.init**2 * _sum(over_z, _pairs(at, other, mu * strength) * amplified, mate_z)
    misalignment[~np.all(at.converged, axis=-1)] = np.nan
    return Risk(misalignment, bias, variance, start)


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
