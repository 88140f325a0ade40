r"""One scale without ridge: where gradient flow ends, when to stop it, and what no student can beat.

The closed forms that Advani and Saxe read off Eq. 2.3.13, for gradient flow at ridge 0;
generalisation errors E_g hold the label noise and no one-half. Conventions:
`theory.multiscale.one_scale`. A is the mismatch sigma_w^2 + sigma_w0^2, S the signal to noise
ratio A/sigma_eps^2. Functions raise `InputError` where the ridge is not zero, or without noise
where S would be infinite.
"""

from __future__ import annotations

import numpy as np
import scipy

from teacherstudent.house.errors import InputError
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale.one_scale import OneScale


def final_errors(scale: OneScale) -> tuple[float, float]:
    """E_g and the training error per example after infinite time; E_g is infinite at alpha = 1.

    Training drives the noise into the zero modes (alpha < 1, all examples are fitted) or leaves
    it where the student cannot reach (alpha > 1).
    """
    _without_ridge(scale)
    alpha, A, noise = scale.alpha, scale.mismatch, scale.noise
    if alpha < 1:
        return (1 - alpha) * A + noise / (1 - alpha), 0.0
    fitted = noise * (1 - 1 / alpha)
    if alpha == 1:
        return (np.inf if noise else 0.0), fitted
    return noise * alpha / (alpha - 1), fitted


def growth_at_equality(scale: OneScale, times: np.ndarray) -> np.ndarray:
    """E_g at alpha = 1 and flow times s -> infinity, (T,), up to order s^(-1/2).

    The density ends in 1/(pi sqrt lambda): the modes learned at s number s^(-1/2), and each
    adds noise s. Raises `InputError` unless alpha = 1.
    """
    _without_ridge(scale)
    if scale.alpha != 1:
        raise InputError("alpha", scale.alpha, "1 for the growth law")
    s = scale.strength * times
    return scale.noise * (2 * (2 - np.sqrt(2)) * np.sqrt(s / np.pi) + 1 / 2)


def mode_stopping_times(scale: OneScale, eigenvalues: np.ndarray) -> np.ndarray:
    """When to stop each mode: s = ln(1 + lambda S)/lambda, any shape; S where lambda = 0."""
    _without_ridge(scale)
    S = _finite_signal_to_noise(scale)
    positive = np.where(eigenvalues > 0, eigenvalues, 1.0)
    return np.where(eigenvalues > 0, np.log1p(positive * S) / positive, S) / scale.strength


def stopping_time(scale: OneScale) -> float:
    """The flow time of least E_g when all modes stop together: the root of dE_g/ds.

    It lies between the stopping times of the modes of the two edges. The minimum is flat: the
    errors of two students agree much closer than their stopping times.
    """
    low, high = marchenko_pastur.edges(scale.alpha)
    soon, late = scale.strength * mode_stopping_times(scale, np.array([high, low]))
    spectrum = marchenko_pastur.quadrature(scale.alpha, max(1.0, late))
    lam = spectrum.eigenvalues

    def slope(log_s: float) -> float:
        """1/2 dE_g/ds: noise learned minus signal learned."""
        rate = -np.exp(log_s) * lam
        p, learned = np.exp(rate), -np.expm1(rate)
        return float((p * (scale.noise * learned - scale.mismatch * lam * p)) @ spectrum.weights)

    ends = np.log(soon / 2), np.log(2 * late)  # wider, because the edges may meet to rounding
    return float(np.exp(scipy.optimize.brentq(slope, *ends, xtol=1e-14))) / scale.strength


def floor(scale: OneScale) -> float:
    """The least E_g of any filter of the modes.

    Ridge regression towards the start reaches it at ridge v/S, and so would gradient flow if each mode could
    stop at a separate time.
    """
    S = _finite_signal_to_noise(scale)
    half = (scale.alpha - 1 - 1 / S) / 2
    root = np.sqrt(half**2 + scale.alpha / S)
    kap = (root - half) / scale.alpha if half < 0 else 1 / S / (root + half)  # kap (alpha - 1/(1+kap)) = 1/S
    return float(scale.noise + scale.mismatch * kap / (1 + kap))


def _without_ridge(scale: OneScale) -> None:
    if scale.ridge:
        raise InputError("ridge", scale.ridge, "0 for the closed forms of one scale")


def _finite_signal_to_noise(scale: OneScale) -> float:
    if not scale.noise:
        raise InputError("noise", 0.0, "> 0: without noise early stopping does not help")
    return scale.signal_to_noise
