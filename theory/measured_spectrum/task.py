"""A measured problem as a task of the spectral tools: its curves, and where its rows come from."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import demand_known
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral.tasks import Task


def task_of(problem: MeasuredSpectrum) -> Task:
    """The task of the problem's decomposition. What no feature expresses is power at eigenvalue 0.

    Of a pool of P rows that eigenvalue has what the rank leaves of P; of a population it has no feature.
    Raises `InputError` where rows are new ones.
    """
    demand_known(problem)
    data = decomposition(problem)
    pool = problem.sampling == "pool"
    counts = np.append(data.counts, problem.rows - data.counts.sum() if pool else 0.0)
    start = problem.init**2 * data.outputs * data.counts * data.eigenvalues
    return Task(
        spectrum=Spectrum(problem.n, counts, np.append(data.eigenvalues, 0.0) * counts.sum(), pool),
        power=np.append(data.power, data.residual),
        start=np.append(start, 0.0),
        noise=data.outputs * problem.noise**2,
        ridge=problem.ridge,
    )
