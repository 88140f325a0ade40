"""A task: the spectrum of rows, how a target and initial weights lie in it, label noise, and ridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.theory.resolvents import Spectrum


@dataclass(frozen=True)
class Task:
    """Regression on n rows by the loss 1/2 sum (y - phi.w)^2 + ridge/2 |w|^2, over K eigenvalues.

    spectrum: strengths v_k = d lambda_k, lambda_k the eigenvalues of the rows' covariance and d the number
    of features (of a pool's rows). power: theta_k^2 lambda_k, summed over what has that eigenvalue and over
    outputs, (K,); what no feature expresses is power at strength 0. start: the same of the initial weights,
    w0_k^2 lambda_k, or its mean if they are random, (K,); cross: theta_k w0_k lambda_k, (K,), or None where
    they know nothing of the target. noise: variance of the label noise, summed over outputs.

    Of B questions whose `Spectrum` is one for each, all arrays are (B, K) and all numbers (B,).
    """

    spectrum: Spectrum
    power: np.ndarray
    start: np.ndarray
    noise: Any
    ridge: Any
    cross: np.ndarray | None = None

    @classmethod
    def stacked(cls, tasks: Sequence[Task]) -> Task:
        """One for all of these questions, without pools, whose starts know nothing of their targets."""
        spectra = [each.spectrum for each in tasks]

        def stack(of: Sequence[Any], name: str) -> np.ndarray:
            return np.array([getattr(each, name) for each in of], dtype=float)

        samples, features, strengths = (stack(spectra, name) for name in ("samples", "features", "strengths"))
        spectrum = Spectrum(samples, features, strengths)
        return cls(spectrum, *(stack(tasks, name) for name in ("power", "start", "noise", "ridge")))

    @property
    def size(self) -> int:
        """K."""
        return self.spectrum.strengths.shape[-1]

    def alike(self) -> list[np.ndarray]:
        """The questions, (B,), in groups whose matrices have the same poles (`filters.matrix_of`)."""
        seen = np.any(self.start, axis=-1) & (self.spectrum.beyond < 0)
        ends = [self.ridge > 0, self.spectrum.lower_edge() > 0, self.spectrum.beyond < 0, seen]
        kind = np.array(ends).T @ [1, 2, 4, 8]
        return [np.flatnonzero(kind == each) for each in np.unique(kind)]

    def rows(self, which: np.ndarray) -> Task:
        """Those of some of the questions, (R,), which may come several times; itself of one question."""
        if not self.spectrum.many:
            return self
        each = (self.power, self.start, self.noise, self.ridge)
        return Task(self.spectrum.rows(which), *(values[which] for values in each))
