"""The spread of the test error between data sets (`theory.spectral.spread`), of measured rows or a law."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import rows_of
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.singular import off
from teacherstudent.theory.spectral.spread import Mixed, outer_sums, variance, without_heavy_tails


def at_ridge(problem: MeasuredSpectrum, ridge: np.ndarray) -> np.ndarray:
    """Standard deviation of the test error between data sets of `problem.n` Gaussian rows, (T,).

    ridge: effective ridges, (T,). The population is that of the measured rows, or the law, however the
    problem draws; the test is the exact mean over it, without the half, with label noise. NaN where no root
    is certified.

        >>> import numpy as np
        >>> from teacherstudent.problems.measured_spectrum import PROBLEM
        >>> law = PROBLEM.instance(modes=((100, 1.0, 1.0),), n=200, noise=0.5)
        >>> at_ridge(law, np.array([20.0])).round(4).tolist()
        [0.0304]
    """
    kept, df2, shared, converged = population(problem, ridge)
    lost = int(problem.intercept == "trained")  # a row, and the mean of the others adds 1/n of the error
    unit = shared.unit()
    found = np.sqrt(variance(problem.n - lost, kept, df2, shared.scaled(1 / unit)))
    found = np.where(converged, found * (1 + lost / problem.n) * unit, np.nan)
    spectrum = task_of(replace(problem, sampling="population")).spectrum
    return without_heavy_tails(found, spectrum, ridge, problem.noise)


def population(problem: MeasuredSpectrum, ridge: np.ndarray) -> tuple[np.ndarray, Mixed, Mixed, np.ndarray]:
    """N, df2 and S of `variance` at effective ridges (T,), and where their root is certified, (T,)."""
    task = task_of(replace(problem, sampling="population"))
    at = resolvent(task.spectrum, ridge)
    a, b, counts = at.learned, at.h, task.spectrum.features
    df2 = Mixed(a**2 @ counts, -(a**2 * b) @ counts, (a * b) ** 2 @ counts)
    vectors, rest = targets_of(problem, problem.noise)
    weights = (b**2, a * b**2, (a * b) ** 2)
    shared = Mixed(*(outer_sums(each[:, :-1], vectors) for each in weights)).plus(rest)
    return at.qz * counts.sum(), df2, shared, at.converged


def targets_of(problem: MeasuredSpectrum, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """theta_k sqrt(lambda_k) of each output, (K, c), and the covariance, (c, c), of what no feature expresses
    and of label noise of that standard deviation."""
    data = decomposition(problem)
    noisy = noise**2 * np.eye(data.outputs)
    if data.along is None:
        return np.sqrt(data.power)[:, None], noisy
    assert data.vectors is not None
    beyond = off(data.vectors, rows_of(problem).targets)  # a difference of squares would keep no digit of it
    return data.along / np.sqrt(problem.rows), beyond.T @ beyond / problem.rows + noisy
