r"""What couples two resolvents of one data set: the deterministic equivalent of G(z) B G(z').

For samples from an infinite population, with h of `theory.resolvents` and the equations of
`theory.spectral.filters` for weights, every error is a sum over two contours of

    sum_k b_k h_k h'_k + T/(1 - T) sum_k b_k h_k h'_k,  T = sum_k t_k (1 - h_k)(1 - h'_k),

b_k the power in mode k and t_k = m_k/n its coupling; label noise has T/(1 - T) alone. By the equation for
q, alpha (1 - T) = q z + sum_k mu_k (1 - h_k) h'_k: parts that do not cancel, also near n = d.

Of a pool the rows that were not drawn are the test, and every mode's error is divided by the mean error of
all P modes, zeros included: with u = sum_k mu_k h_k, h_k/u replaces h_k in both sums and t_k = (1/n - 1/P)
m_k. So alpha (1 - T) u' = q z sum_k mu_k h_k h'_k + sum_k mu_k (1 - h_k) h'_k. Noise in the labels of the
pool is power, spread over its modes evenly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.resolvents import Resolvent
from teacherstudent.theory.spectral.filters import whole
from teacherstudent.theory.spectral.tasks import Task


@dataclass(frozen=True)
class Modes:
    """On rows not trained on: the share of each mode that is missed, and learned, (..., K), and t_k, (K,).

    noisier: how many times as large t_k is for the label noise.
    """

    missed: np.ndarray
    learned: np.ndarray
    coupling: np.ndarray
    noisier: float

    @classmethod
    def of(cls, task: Task, at: Resolvent) -> Modes:
        """Those at the points."""
        spectrum = task.spectrum
        if not spectrum.pool:
            return cls(at.h, at.learned, spectrum.weights / np.asarray(spectrum.alpha)[..., None], 1.0)
        u = at.unlearned[..., None]
        learned = at.learned - (at.learned @ spectrum.weights)[..., None]
        kept = 1 - spectrum.alpha
        return cls(at.h / u, learned / u, spectrum.weights * (kept / spectrum.alpha), 1 / kept)


@dataclass(frozen=True)
class Kernels:
    """Of points z on half of a contour and z' on all of it, (T or 1, J, 2J): amplified = 1/(1 - T), and
    times that missed = sum power h h', moved = sum start h h', crossed = sum cross h h' (0 where there is
    none), and noisy, what label noise of variance 1 is on rows not trained on, their own included."""

    amplified: np.ndarray
    missed: np.ndarray
    moved: np.ndarray
    crossed: np.ndarray
    noisy: np.ndarray

    @classmethod
    def of(cls, task: Task, at: Resolvent, modes: Modes) -> Kernels:
        """The kernels at those points."""
        spectrum, mu = task.spectrum, task.spectrum.weights[..., None, :]
        mates = np.swapaxes(whole(at.h), -1, -2)
        amplified = (mu * at.learned) @ mates  # alpha (1 - T), and in place: these are large
        if spectrum.pool:
            both, u = (mu * at.h) @ mates, at.unlearned
            others = whole(u)[..., None, :]
            amplified += at.qz[..., None] * both
            np.divide(spectrum.alpha * others, amplified, out=amplified)
            noisy = both * amplified / (u[..., None] * others)
            mates = mates / others
        else:
            amplified += at.qz[..., None]
            np.divide(np.asarray(spectrum.alpha)[..., None, None], amplified, out=amplified)
            noisy = amplified

        def summed(each: np.ndarray | None) -> np.ndarray:
            if each is None or not each.any():
                return np.zeros(1)
            found = (each[..., None, :] * modes.missed) @ mates
            found *= amplified
            return found

        return cls(amplified, summed(task.power), summed(task.start), summed(task.cross), noisy)


@dataclass(frozen=True)
class Alone:
    """The kernels amplified and noisy of points with themselves, (...)."""

    amplified: np.ndarray
    noisy: np.ndarray

    @classmethod
    def of(cls, task: Task, at: Resolvent) -> Alone:
        """Those at the points."""
        alpha, mu, u = task.spectrum.alpha, task.spectrum.weights, at.unlearned
        both = at.h**2 @ mu if task.spectrum.pool else np.ones_like(u)
        amplified = alpha * u / (at.qz * both + np.sum(at.learned * at.h * mu, axis=-1))
        return cls(amplified, amplified * both / u**2)
