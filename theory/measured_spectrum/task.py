r"""A measured problem as a task of the spectral tools: its curves, and where its rows come from.

An intercept that is trained without ridge leaves of n rows their n - 1 differences from their mean. Of a pool
these are n - 1 of the P - 1 directions in which rows differ. In such a direction the pool has the covariance
with divisor P - 1. The mean of the training rows is known to 1/n of all that a new row differs by, so with
`known` for an intercept that is known,

    E_test(n, P) = (1 + 1/n) E_known(n - 1, P - 1),   E_train(n, P) = (1 - 1/n) E_train,known(n - 1, P - 1).

For Gaussian rows (P infinite) this is exact at any size and for every algorithm that is linear in the centred
rows: the mean and the differences of the rows are independent. Of a pool it is exact where the pool's formula
is, for a rotation drawn uniformly, here of the P - 1 directions; of real rows it leaves what that formula
leaves, O(1/P). Without features it is exact for any rows, S^2 (1 + 1/n) with S^2 the targets' variance with
divisor P - 1.

An equal view is one more mode of the pool, of infinite eigenvalue and with no target along it, so that dof
and n T grow by 1: the constant vector. Its test error is that above over 1 - 1/n^2, for the constant vector
is no random direction, and its training error the one above. `leverage` and `per_row` take it so, for they go
by rows; without features both are exact.
"""

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
    Where the intercept is trained its test errors are those of the problem, the factor 1 + 1/n included; its
    training errors are to be multiplied by `training_share`. Raises `InputError` where rows are new ones.
    """
    demand_known(problem)
    data = decomposition(problem)
    pool, lost = problem.sampling == "pool", int(problem.intercept == "trained")
    n, rows = problem.n - lost, problem.rows - lost
    counts = np.append(data.counts, rows - data.counts.sum() if pool else 0.0)
    unbiased = problem.rows / rows if pool else 1.0  # covariances of a pool, by their divisors
    eigenvalues = unbiased * np.append(data.eigenvalues, 0.0)
    new = 1 + lost / problem.n
    return Task(
        spectrum=Spectrum(n, counts, eigenvalues * counts.sum(), pool),
        power=new * unbiased * np.append(data.power, data.residual),
        start=new * problem.init**2 * data.outputs * np.append(data.counts, 0.0) * eigenvalues,
        noise=new * data.outputs * problem.noise**2,
        ridge=problem.ridge,
    )


def training_share(problem: MeasuredSpectrum) -> float:
    """What makes of the training errors of the `task_of` a problem those of the problem."""
    return (problem.n - 1) / (problem.n + 1) if problem.intercept == "trained" else 1.0


def row_correction(problem: MeasuredSpectrum) -> float:
    """What makes of the test error with one more mode, of infinite eigenvalue, that of a trained
    intercept."""
    return 1 - 1 / problem.n**2 if problem.intercept == "trained" else 1.0
