r"""One scale of features: all errors as averages over the Marchenko-Pastur law.

pezeshki2022 ch. 2.3 (Advani and Saxe), in the conventions of the multi-scale problem: N -> d,
P -> n, t/tau -> flow time s, sigma_w = 1, and features of any one strength sigma, v = sigma^2.
Modes are learned one by one: with the eigenvalues lambda of Z^T Z, c = v lambda and
a = c + ridge, the student's filter is f = (1 - e^{-sa})/a and its propagator p = e^{-sa}. In
the eigenbasis the teacher minus the student is

    M w - v f sqrt(lambda) eps - sigma p w_hat_0,   M = 1 - f c = p + ridge f,

which is Eq. 2.3.13 where ridge = 0. The errors follow by averaging over teacher, noise and
start; nothing here needs a resolvent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale.answers import Arrays, asked_for


@dataclass(frozen=True)
class OneScale:
    """alpha = n/d, v = sigma^2 of every feature, ridge, variances of noise and of v^(1/2) w_hat_0."""

    alpha: float
    strength: float
    ridge: float
    noise: float
    start: float

    @property
    def mismatch(self) -> float:
        """Variance of a teacher's weight minus the student's first one, sigma_w^2 + sigma_w0^2."""
        return 1 + self.start

    @property
    def signal_to_noise(self) -> float:
        """S = (sigma_w^2 + sigma_w0^2)/sigma_eps^2; infinite without noise."""
        return self.mismatch / self.noise if self.noise else np.inf


def one_scale(problem: MultiScale) -> OneScale:
    """The problem's parameters where all features have one strength. Raises `InputError`."""
    if len(set(problem.sigmas)) != 1:
        scales = ",".join(
            f"{count}:{sigma:g}" for count, sigma in zip(problem.counts, problem.sigmas, strict=True)
        )
        raise InputError("scales", scales, "of one strength (--kappa 1) for an average over one spectrum")
    if problem.output_penalty:
        raise InputError("output_penalty", problem.output_penalty, "0 for an average over one spectrum")
    v = problem.sigmas[0] ** 2
    return OneScale(problem.alpha, v, problem.ridge, problem.noise**2, v * problem.init**2)


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,). Raises `InputError` unless of one scale."""
    scale = one_scale(problem)
    beyond = (problem.n - problem.d) / problem.d  # alpha - 1, of which alpha itself may have lost digits
    steepest = max(1.0, scale.strength * times.max())
    spectrum = marchenko_pastur.quadrature(scale.alpha, steepest, beyond)
    lam = spectrum.eigenvalues
    a = scale.strength * lam + scale.ridge
    f, p = -np.expm1(-a * times[:, None]) / a, np.exp(-a * times[:, None])
    missed = p + scale.ridge * f  # M
    zeros, frozen = spectrum.zeros, np.exp(-scale.ridge * times)  # of the start, where no data reach
    learned = scale.strength * f * lam  # 1 - M, without the difference
    noise, start = scale.noise * (scale.strength * f) ** 2 * lam, scale.start * p**2
    still = zeros * scale.start * frozen**2
    twice = (missed**2 + noise + start) @ spectrum.weights + zeros + still
    fitted = lam * (missed**2 + start) + scale.noise * missed**2  # Eq. 2.3.29, both squares
    answer = {
        "R": learned @ spectrum.weights,
        "Q": (learned**2 + noise + start) @ spectrum.weights + still,
        "excess_risk": twice / 2,
        "generalisation_error": twice + scale.noise,  # Eq. 2.3.14
        # a mean over n examples; the noise off the range of the n x d matrix stays
        "training_error": (fitted @ spectrum.weights + scale.noise * max(beyond, 0.0)) / scale.alpha,
    }
    return asked_for(answer, observable)
