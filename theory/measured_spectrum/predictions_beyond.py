"""Will more rows help? Predictions beyond the measured rows, each at its best ridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory.measured_spectrum.more_rows import FITTED, at_ridge, pool_of

BEYOND, GRID = 1e-3, 200
"""How far beyond the eigenvalues the best ridge is searched, and the number of ridges of the first search."""


@dataclass(frozen=True)
class Ahead:
    """Ridge regression on `n` rows at the best ridge for which the measured rows give a prediction.

    error, stderr, leave_one_out, scatter: the predictions there (`more_rows.ridge`). reason: "" where the
    error has its minimum at that ridge; else why a smaller ridge, which may be better, is refused.
    """

    n: int
    ridge: float
    error: float
    stderr: float
    leave_one_out: float
    scatter: float
    reason: str


def ahead(problem: MeasuredSpectrum, factors: Sequence[float] = (2, 4, 10)) -> tuple[Ahead, ...]:
    """Whether more rows will help: predictions for these multiples of the number of measured rows.

    The problem's own n, ridge and sampling do not matter. Raises `InputError` for a law, and for a multiple
    below 1.

        >>> from teacherstudent.problems.measured_spectrum import PROBLEM
        >>> best = ahead(PROBLEM.instance(features="diabetes", targets="diabetes"), (1, 4))
        >>> [f"{each.n} rows: {each.error:.0f} +- {each.stderr:.0f}" for each in best]
        ['442 rows: 3004 +- 204', '1768 rows: 2951 +- 201']
    """
    if not problem.measured:
        raise InputError("features", "(missing)", "given, because a law has no measured rows")
    if min(factors) < 1:
        raise InputError("factors", min(factors), "at least 1")
    sizes = [round(each * problem.rows) for each in factors]
    return tuple(_ahead(replace(problem, sampling="new-rows", n=each)) for each in sizes)


def _ahead(problem: MeasuredSpectrum) -> Ahead:
    pool = pool_of(problem)
    edge, largest = pool.edge(), float(pool.values.max())
    smallest = max(edge, BEYOND * float(pool.values.min()))
    power, beyond = np.sum(pool.targets**2, axis=1), np.trace(pool.beyond)

    def at(x: np.ndarray) -> np.ndarray:
        h = pool.missed(np.exp(x))
        both, left = pool.zeros + (h * h).sum(axis=-1), pool.left(np.exp(x))
        return pool.test(both, left**2, h**2 @ power + beyond)

    grid = np.linspace(np.log(smallest), np.log(max(largest, smallest) / BEYOND), GRID)
    place = int(np.argmin(at(grid)))
    low, high = grid[max(place - 1, 0)], grid[min(place + 1, GRID - 1)]
    best = scipy.optimize.minimize_scalar(
        lambda x: float(at(np.array(x))), bounds=(low, high), method="bounded"
    )
    z = np.exp(np.array([best.x if place else grid[0]]))
    reason = (
        "a smaller ridge may be better, but these rows are too few to predict this: below this ridge "
        f"df1/N > {FITTED:g}"
    )
    error, stderr, alone, scatter = (float(each[0]) for each in at_ridge(pool, z).values())
    return Ahead(
        problem.n,
        float(pool.ridge_at(z)[0]),
        error,
        stderr,
        alone,
        scatter,
        reason * (not place and edge > 0),
    )
