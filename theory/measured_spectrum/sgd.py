"""Stochastic gradient descent: one pass at any size, and batches of one set of rows in the limit."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.house.certainty import nan_where, not_negative
from teacherstudent.house.errors import InputError
from teacherstudent.problems.batches import FRESH, demand_batches
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.intercept import of_batches
from teacherstudent.theory.measured_spectrum.task import task_of, training_share
from teacherstudent.theory.spectral import batches, compression, filters, one_pass, replacement

Arrays = dict[str, np.ndarray]


def asymptotic(
    problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str, batch: int, data: str
) -> Arrays:
    """After whole steps k >= 0, (T,). Conventions: `problems.batches`.

    Raises `InputError` where the mean square error diverges, for batches larger than n, for one pass over
    rows of a pool, which are not Gaussian and end, and for reshuffled rows beyond the first epoch. In that
    epoch the training error, of rows seen and not yet seen, is NaN. Fresh rows have no training mean: their
    intercept is known. With a trained one batches are of n - 1 rows, an error of 1/n in what they add.
    """
    demand_batches(problem.n, batch, data)
    of = batches.read(problem.n, batch, data, times[-1])
    if of == FRESH and problem.sampling == "pool":
        hint = "use --route simulation for one pass over the rows of a pool"
        raise InputError("sampling", "pool", "population on this route for rows that are seen once", hint)
    problem = of_batches(problem, data)
    if of == FRESH and problem.intercept == "trained":
        domain = f"none or pool for --data {data} on this route, which cannot centre rows seen once"
        raise InputError("intercept", "trained", domain, "use --route simulation")
    task = task_of(problem)
    eta = batches.rate(task, learning_rate, batch, data, of)
    if of == FRESH:
        parts = one_pass.over_training(task, times, eta, batch)
        test = (parts.bias + parts.variance + parts.start).sum(axis=-1) + task.noise
        test = nan_where(~parts.converged, "asymptotic route: a computed variance is below zero", test)
        if data == FRESH:
            return {"generalisation_error": test}
        reason = "asymptotic route: some rows of the first epoch have not been seen yet"
        unknown = nan_where(np.ones(times.size, dtype=bool), reason, {"training_error": 0 * test})
        return {"generalisation_error": test, **unknown}
    edge = task.spectrum.upper_edge()
    mean = compression.over_training(
        task, times, partial(filters.descent, learning_rate=eta, upper_edge=edge)
    )
    added = replacement.over_training(compression.thinned(task), times, eta, batch)
    more = added.modes.sum(axis=(0, 2))
    more = not_negative(more, one_pass.TRUNCATED * np.max(np.abs(added.modes), initial=0))
    answer = {
        "generalisation_error": mean.test + more,
        "training_error": training_share(problem) * (mean.training + added.examples),
    }
    certain = mean.converged & added.converged & np.isfinite(more)
    return dict(nan_where(~certain, "asymptotic route: no certified root", answer))
