"""The limiting spectrum of X^T X of a measured problem, as it is announced."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory import spectra
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.resolvents import Spectrum

MOST = 5000
"""Eigenvalues, in seconds: roots for a grid of a thousand points fill 300 MB then."""


def limit(problem: MeasuredSpectrum, eigenvalues: np.ndarray | None) -> Mapping[str, np.ndarray | float]:
    """Density and share below at eigenvalues > 0, (J,), the bands, and the share of zeros among as many
    eigenvalues as the covariance has above 0; None for a grid in each band.

    Raises `InputError` unless rows are drawn from a population: a pool's law has no closed bands here; and
    for more than `MOST` eigenvalues.
    """
    if problem.sampling != "population":
        raise InputError("sampling", problem.sampling, "population for the limiting spectrum")
    data = decomposition(problem)
    if data.eigenvalues.size > MOST:
        name, value = ("size", problem.size) if problem.size else ("features", str(problem.features))
        raise InputError(name, value, f"at most {MOST} eigenvalues for the limiting spectrum")
    total = data.counts.sum()
    n = problem.n - (problem.intercept == "trained")  # differences of n rows from their mean
    return spectra.describe_density(Spectrum(n, data.counts, data.eigenvalues * total), eigenvalues)
