"""A task: the spectrum of rows, how a target and initial weights lie in it, label noise, and ridge."""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    spectrum: Spectrum
    power: np.ndarray
    start: np.ndarray
    noise: float
    ridge: float
    cross: np.ndarray | None = None

    @property
    def size(self) -> int:
        """K."""
        return self.spectrum.strengths.size
