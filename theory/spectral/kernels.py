r"""What couples two resolvents of one data set: deterministic equivalents of G(z) B G(z').

For samples from an infinite population, with lambda_k the covariance's eigenvalues and q, h of
`theory.resolvents`, in the basis of the eigenvectors

    z z' G(z) B G(z') <-> diag(h h' b) + diag(c h~ h~') tr[B ...]/(1 - T),  T = sum_k t_k h~_k h~'_k,

where h~_k = 1 - h_k is what is learned of mode k and t_k = m_k/n its coupling. The mean squared error of a
row that was not trained on is so the sum over both contours of (S + noise^2)/(1 - T), S = sum_k power_k h h'.
By the equation for q, n (1 - T)/d = q z + sum_k mu_k (1 - h_k) h'_k: parts that do not cancel, also near n = d.

Of rows of a pool that are drawn without replacement the rest is the test. Every mode's error is then divided by
their mean, u = sum_k mu_k h_k over all P modes, zeros included: on rows not drawn, h_k/u is missed and 1 - h_k/u
learned; t_k = (1/n - 1/P) m_k and (n/P) (1 - T) u' = q z sum_k mu_k h h' + sum_k mu_k (1 - h_k) h'_k. The label
noise of the rows that were drawn is power spread over all P modes evenly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.resolvents import Resolvent
from teacherstudent.theory.spectral.filters import whole
from teacherstudent.theory.spectral.tasks import Task


@dataclass(frozen=True)
class Modes:
    """Share of each mode that is missed and learned on rows not trained on, (T or 1, J, K), and its coupling
    t_k, (K,); of the label noise it is `noisier` times as large."""

    missed: np.ndarray
    learned: np.ndarray
    coupling: np.ndarray
    noisier: float

    @classmethod
    def of(cls, task: Task, at: Resolvent) -> Modes:
        """Those at the points."""
        spectrum = task.spectrum
        if not spectrum.pool:
            return cls(at.h, at.learned, spectrum.weights / spectrum.alpha, 1.0)
        u = at.unlearned[..., None]
        learned = at.learned - (at.learned @ spectrum.weights)[..., None]
        kept = 1 - spectrum.alpha
        return cls(at.h / u, learned / u, spectrum.weights * (kept / spectrum.alpha), 1 / kept)


@dataclass(frozen=True)
class Kernels:
    """Of points z on half of a contour and z' on all of it, (T or 1, J, 2J): amplified = 1/(1 - T), and
    times that missed = sum power h h', moved = sum start h h', crossed = sum cross h h' (0 where there is none),
    and noisy, what unit label noise is on rows not trained on, their own included."""

    amplified: np.ndarray
    missed: np.ndarray
    moved: np.ndarray
    crossed: np.ndarray
    noisy: np.ndarray

    @classmethod
    def of(cls, task: Task, at: Resolvent) -> Kernels:
        """The kernels at those points."""
        spectrum, mu = task.spectrum, task.spectrum.weights
        modes = Modes.of(task, at)
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
            np.divide(spectrum.alpha, amplified, out=amplified)
            noisy = amplified

        def summed(each: np.ndarray | None) -> np.ndarray:
            if each is None or not each.any():
                return np.zeros(1)
            found = (each * modes.missed) @ mates
            found *= amplified
            return found

        return cls(amplified, summed(task.power), summed(task.start), summed(task.cross), noisy)
