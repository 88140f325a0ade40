"""Stochastic gradient descent on rows. Axes: S draws, T recorded times, P rows, m coordinates, c outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from teacherstudent.house import step_sizes
from teacherstudent.problems.batches import FRESH, demand_batches, demand_rows
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.problems.measured_spectrum.intercept import of_batches
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.forms import TrainingSets, smaller
from teacherstudent.sims.linear_students.sgd import Examples, Law, rule, trained
from teacherstudent.sims.measured_spectrum.data import centred_sets
from teacherstudent.sims.measured_spectrum.fresh import population
from teacherstudent.sims.measured_spectrum.measures import observables

DIVERGED = "learning_rate {}: stochastic gradient descent diverges"


def sgd(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    batch: int,
    data: str,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """The observables, (S, T), along descent on batches (`problems.batches`).

    `times` are whole steps, increasing; step 0 is the initial student. Where a student leaves the range of
    float64 the observables are NaN, with an `UnconvergedWarning`. Raises `InputError` for a batch larger than
    what it is taken from, and for more steps than fresh rows of a pool allow or than are simulated.
    """
    demand_batches(problem.n, batch, data)
    problem = of_batches(problem, data)
    if data == FRESH and problem.sampling == "population":
        return _on_new_rows(problem, times, learning_rate, batch, seeds)
    if data == FRESH:
        demand_rows(problem.n, batch, times[-1])
    draws = draw(problem, seeds)
    sets, means = centred_sets(problem, draws)
    rate, reason = _rates(problem, None if data == FRESH else sets, learning_rate, batch)
    how = rule(len(seeds), rate, problem.n, batch, problem.ridge)
    source = Examples(sets.inputs, sets.labels, sets.kernel)
    found = trained(source, _start(sets), how, times, seeds, batch=batch, data=data)
    answer = observables(problem, draws, sets, found.swapaxes(-1, -2), means)
    if data == FRESH:
        del answer["training_error"]
    return nan_where_not_finite(answer, reason)


def _start(sets: TrainingSets) -> np.ndarray:
    """Weights at time 0, or coefficients of a kernel, (S, m, c)."""
    if sets.initial is not None:
        return sets.initial
    return np.zeros((len(sets.inputs), sets.inputs.shape[-1], sets.labels.shape[-1]))


def _rates(
    problem: MeasuredSpectrum, sets: TrainingSets | None, learning_rate: float | Literal["auto"], batch: int
) -> tuple[np.ndarray | float, str]:
    """The step size, NaN where even the mean over batches diverges with it, and the reason.

    sets: what is learned from; None: fresh rows.
    """
    if sets is None:  # of the pool, or of the law: one for all draws
        strengths = population(problem).strengths
        largest, trace = np.array([problem.n * strengths.max() ** 2]), problem.n * np.sum(strengths**2)
    else:
        form = smaller(sets)
        largest, trace = form.curvature(), form.trace()
    if learning_rate == "auto":
        return step_sizes.of_batches(largest, trace, batch, problem.ridge), DIVERGED.format("auto")
    found, reason = step_sizes.of_draws(learning_rate, largest, problem.ridge)
    return found, reason or DIVERGED.format(learning_rate)


def _on_new_rows(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    learning_rate: float | Literal["auto"],
    batch: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """Where every row is drawn anew; the error is the exact mean over such rows."""
    one = population(problem)
    rate, reason = _rates(problem, None, learning_rate, batch)
    how = rule(len(seeds), rate, problem.n, batch, problem.ridge)
    noise = np.concatenate([one.rest, problem.noise * np.eye(problem.outputs)])
    source = Law(one.strengths, np.broadcast_to(one.teacher, (len(seeds), *one.teacher.shape)), noise)
    start = one.start(draw(replace(problem, n=1), seeds).initial, len(seeds))
    found = trained(source, start, how, times, seeds, batch=batch, data=FRESH)
    with np.errstate(over="ignore", invalid="ignore"):  # a diverged student's weights may be anything
        missed = one.teacher - one.strengths[:, None] * found
        error = np.sum(missed**2, axis=(2, 3)) + np.sum(noise**2)
    return nan_where_not_finite({"generalisation_error": error}, reason)
