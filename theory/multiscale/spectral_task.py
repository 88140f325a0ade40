"""The multi-scale problem as a spectral task: every feature carries the same share of the teacher.

The teacher has power mu_k = m_k/d in scale k, of strength sigma_k^2. The printed derivation (pezeshki2022
App. .2.3) differs: it gives each scale a separate susceptibility.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral.tasks import Task


def spectrum_of(problem: MultiScale) -> Spectrum:
    """The limiting spectrum's parameters."""
    return Spectrum(problem.n, np.asarray(problem.counts, dtype=float), np.square(problem.sigmas))


def task_of(problem: MultiScale) -> Task:
    """The task, without the problem's output penalty."""
    spectrum = spectrum_of(problem)
    mu = spectrum.weights
    return Task(
        spectrum=spectrum,
        power=mu,
        start=problem.init**2 * mu * spectrum.strengths,
        noise=problem.noise**2,
        ridge=problem.ridge,
    )
