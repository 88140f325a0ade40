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

from teacherstudent.house.domains import InputError
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
    spectrum = marchenko_pastur.quadrature(scale.alpha, max(1.0, scale.strength * times.max()))
    lam = spectrum.eigenvalues
    a = scale.strength * lam + scale.ridge
    f, p = -np.expm1(-a * times[:, None]) / a, np.exp(-a * times[:, None])
    missed = p + scale.ridge * f  # M
    zeros, frozen = spectrum.zeros, np.exp(-scale.ridge * times)  # of the start, where no data reach
    R = (scale.strength * f * lam) @ spectrum.weights
    noise = scale.noise * (scale.strength * f) ** 2 * lam
    learned = missed**2 + noise + scale.start * p**2
    twice = learned @ spectrum.weights + zeros * (1 + scale.start * frozen**2)
    fitted = lam * (missed**2 + scale.start * p**2) + scale.noise * missed**2  # Eq. 2.3.29, both squares
    beyond = scale.noise * max(1 - 1 / scale.alpha, 0.0)  # noise off the n x d matrix's range
    answer = {
        "R": R,
        "Q": twice - 1 + 2 * R,  # Eq. 4.2.6
        "excess_risk": twice / 2,
        "generalisation_error": twice + scale.noise,  # Eq. 2.3.14
        "training_error": fitted @ spectrum.weights / scale.alpha + beyond,  # a mean over n examples
    }
    return asked_for(answer, observable)
