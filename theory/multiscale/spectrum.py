"""The limiting spectrum of X^T X of a multi-scale problem, as it is announced."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import spectra
from teacherstudent.theory.multiscale.safe_range import check_strengths
from teacherstudent.theory.multiscale.spectral_task import spectrum_of


def limit(problem: MultiScale, eigenvalues: np.ndarray | None) -> Mapping[str, np.ndarray | float]:
    """Density and share below at eigenvalues > 0, (J,), the bands, and the share of zeros.

    eigenvalues: None for a grid in each band, its ends included. The density (1/curvature) has mass
    min(1, alpha). One strength gives the Marchenko-Pastur law, pezeshki2022 Eq. 2.3.30. Raises
    `InputError` at extreme strengths.
    """
    check_strengths(problem)
    return spectra.describe_density(spectrum_of(problem), eigenvalues)
