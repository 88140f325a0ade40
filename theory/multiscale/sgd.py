"""Stochastic gradient descent: one pass at any size, and batches of one set of examples in the limit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.batches import FRESH, demand_batches
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.answers import Arrays
from teacherstudent.theory.multiscale.asymptotic import answered, on_examples
from teacherstudent.theory.multiscale.penalised import unpenalised
from teacherstudent.theory.multiscale.spectral_task import task_of
from teacherstudent.theory.spectral import batches, examples, filters, limits, one_pass, parts, replacement


def asymptotic(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    batch: int,
    data: str,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """After whole steps k >= 0, (T,). Conventions: `problems.batches`.

    Raises `InputError` where the mean square error diverges, for batches and observables that the data do not
    have, and for reshuffled examples beyond the first epoch.
    """
    demand_batches(problem.n, batch, data, observable)
    of = batches.read(problem.n, batch, data, times[-1])
    task = task_of(unpenalised(problem))
    eta = batches.rate(task, learning_rate, batch, data, of, problem.output_penalty)
    eta *= 1 + problem.output_penalty
    if of == FRESH:
        return answered(problem, one_pass.over_training(task, times, eta, batch), None, observable)
    added = replacement.over_training(task, times, eta, batch)
    measures = [parts, examples] if on_examples(observable) else [parts]
    pieces = filters.descent(task, times, eta, task.spectrum.upper_edge())
    mean, *seen = limits.measured(task, pieces, times.size, measures)
    outputs = added.on_examples(seen[0]) if seen else None
    return answered(problem, added.on(mean), outputs, observable)
