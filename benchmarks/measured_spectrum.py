"""Predictions from 5,000 eigenvalues: few that stand for all, against sums over all of them.

Through `teacherstudent.sweep` the same questions about 6,000 measured rows of 5,000 columns took 1.6 to 2.4
CPU-seconds once they were decomposed, and 0.3 to 1 more for each time that the array itself is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum

EIGENVALUES = 5000
ONE_SIZE: dict[str, Any] = {"size": EIGENVALUES, "n": 1000, "noise": 0.3, "capacity": 1.5, "source": 0.5}
RIDGES = np.geomspace(1e-4, 1e2, 50)


def questions(quick: bool) -> tuple[list[MeasuredSpectrum], np.ndarray]:
    """Sample sizes below and above the number of eigenvalues, and times."""
    sizes = np.geomspace(100, 20_000, 4 if quick else 20).astype(int)
    problems = [PROBLEM.instance(size=EIGENVALUES, n=int(n), noise=0.3) for n in sizes]
    return problems, np.geomspace(1e-4, 1e6, 100)


def together(quick: bool) -> Job:
    """The asymptotic route, sample size by sample size."""
    from teacherstudent.theory.measured_spectrum import asymptotic

    problems, times = questions(quick)
    return Job(lambda: [asymptotic.flow(each, times)["generalisation_error"][-1] for each in problems])


def one_by_one(quick: bool) -> Job:
    """The same sums over all eigenvalues, for a share of the times."""
    from teacherstudent.theory.measured_spectrum.task import task_of
    from teacherstudent.theory.spectral import errors, filters

    problems, times = questions(quick)
    some = times[9::10]

    def direct() -> Iterable[float]:
        tasks = [task_of(each) for each in problems]
        return [errors.over_training(task, some.size, filters.flow(task, some)).test[-1] for task in tasks]

    return Job(direct, some.size / times.size)


def at_ridges(quick: bool) -> Job:
    """Test errors of ridge regression at all ridges, by the asymptotic route."""
    from teacherstudent.theory.measured_spectrum import asymptotic

    problem, ridges = PROBLEM.instance(**ONE_SIZE), RIDGES
    return Job(lambda: asymptotic.ridge(problem, 1 / ridges[::-1])["generalisation_error"])


def eigenlearning(quick: bool) -> Job:
    """The same from one effective ridge kappa for each ridge, by Newton's method for all of them at once."""
    problem, ridges, n = PROBLEM.instance(**ONE_SIZE), RIDGES[::-1, None], ONE_SIZE["n"]
    k, capacity, source = np.arange(1.0, EIGENVALUES + 1), ONE_SIZE["capacity"], ONE_SIZE["source"]
    eigenvalues, powers = k**-capacity, k ** -(1 + 2 * source * capacity)

    def theirs() -> Iterable[float]:
        kappa = (ridges + eigenvalues.sum()) / n  # above the solution: the steps fall to it
        for _ in range(100):
            learned = eigenvalues / (eigenvalues + kappa)
            excess = n * kappa - kappa * learned.sum(axis=1, keepdims=True) - ridges
            step = excess / (n - np.sum(learned**2, axis=1, keepdims=True))
            kappa = kappa - step
            if np.max(np.abs(step) / kappa) < 1e-12:
                break
        learned = eigenvalues / (eigenvalues + kappa)
        missed = ((1 - learned) ** 2) @ powers + problem.noise**2
        return n / (n - np.sum(learned**2, axis=1)) * missed

    return Job(theirs)


def rows(quick: bool) -> np.ndarray:
    """A large table: Gaussian rows whose variances fall as a power."""
    count, columns = (600, 200) if quick else (6000, 2000)
    strengths = np.arange(1.0, columns + 1) ** -0.75
    return np.random.default_rng(0).standard_normal((count, columns)) * strengths


def by_square(quick: bool) -> Job:
    """Singular values, and a target along the left singular vectors, from X^T X."""
    from teacherstudent.theory.singular import decompose_by_gram

    matrix = rows(quick)
    return Job(lambda: _powers(decompose_by_gram(matrix), matrix))


def as_it_is(quick: bool) -> Job:
    """The same by the decomposition of X itself."""
    matrix = rows(quick)
    return Job(lambda: _powers(np.linalg.svd(matrix, full_matrices=False), matrix))


def _powers(parts: Any, matrix: np.ndarray) -> list[float]:
    left, singular, _ = parts
    return [*singular, *(left.T @ matrix.sum(axis=1)) ** 2 / len(matrix)]


BENCHMARKS = (
    Pair(
        "measured-spectrum-rows",
        "singular values of a 6,000 x 2,000 matrix, and the power of a target in each mode",
        Side("eigenvectors of X^T X, then multiplied by X", by_square),
        Side("numpy.linalg.svd", as_it_is),
        within=1e-9,
        why="squaring loses eps (s_1/s_k)^2 in the smallest value, with s_1/s_k below 1e3",
    ),
    Pair(
        "measured-spectrum",
        "test error at 100 times x 20 sample sizes from 5,000 eigenvalues, asymptotic route",
        Side("Gauss rules for the spectrum, from all eigenvalues", together),
        Side("sums over all eigenvalues, at a tenth of the times", one_by_one),
        within=1e-10,
        why="a Gauss rule is used only if it differs from the sums by at most 1e-11 at every point",
    ),
    Pair(
        "measured-spectrum-ridge",
        "test error at 50 ridges from 5,000 eigenvalues, asymptotic route",
        Side("the same fixed point, certified, with all parts of both errors", at_ridges),
        Side(
            "eigenlearning (simon2023) by NumPy for all ridges at once: the test error alone, no certificate",
            eigenlearning,
        ),
        within=1e-9,
        why="rounding errors of two ways to the same fixed point",
    ),
)
