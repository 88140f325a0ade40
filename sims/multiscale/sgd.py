"""Stochastic gradient descent of the multi-scale student. Axes: S draws, T recorded times, d features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from teacherstudent.house.step_sizes import of_batches, of_draws
from teacherstudent.problems.batches import FRESH, demand_batches
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.sgd import Examples, Law, rule, trained
from teacherstudent.sims.multiscale.data import extras, observables, training_set
from teacherstudent.sims.multiscale.descent import curvature

DIVERGED = "learning_rate {}: stochastic gradient descent diverges"


def sgd(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    batch: int,
    data: str,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """R, Q, excess_risk and what else is asked for, (S, T, ...), along descent on batches.

    Conventions: `problems.batches`. `times` are whole steps, increasing; step 0 is the initial student. Fresh
    examples follow the problem's law with the teacher of each draw. Where a student leaves the range of
    float64 the observables are NaN, with an `UnconvergedWarning`. Raises `InputError` for a batch larger than
    n unless data are fresh, for observables on training examples where they are, and for too many steps.
    """
    demand_batches(problem.n, batch, data, observable)
    draws = draw(
        replace(problem, n=1) if data == FRESH else problem, seeds
    )  # fresh: what is drawn beside rows
    rate, reason = rates(problem, draws, learning_rate, batch, data)
    how = rule(len(seeds), rate, problem.n, batch, problem.ridge, problem.output_penalty)

    def train(draws: Draws) -> np.ndarray:
        source = law(problem, draws) if data == FRESH else Examples(*_columns(*training_set(draws)))
        found = trained(source, draws.initial[..., None], how, times, seeds, batch=batch, data=data)
        return found[..., 0]

    weights = train(draws)
    return nan_where_not_finite(
        {**observables(draws, weights), **extras(problem, draws, train, weights, seeds, observable)},
        reason,
    )


def law(problem: MultiScale, draws: Draws) -> Law:
    """That of fresh examples, z = g/sqrt(d), x = F^T z, y = z.w + eps; eps = 0 where the draws have none."""
    unit = 1 / np.sqrt(problem.d)
    noise = problem.noise * bool(draws.noise.any())
    return Law(draws.strengths * unit, draws.teacher[..., None] * unit, np.full((1, 1), noise))


def rates(
    problem: MultiScale, draws: Draws, learning_rate: float | Literal["auto"], batch: int, data: str
) -> tuple[np.ndarray | float, str]:
    """The step size, NaN where even the mean over batches diverges with it, and the reason, as in
    `sims.multiscale.descent.rates`."""
    if data == FRESH:
        powers = problem.n / problem.d * draws.strengths**2
        largest, trace = np.full(len(draws.initial), powers.max()), powers.sum()
    else:
        inputs, _ = training_set(draws)
        largest, trace = curvature(draws), np.sum(inputs**2, axis=(1, 2))
    if learning_rate == "auto":
        return of_batches(largest, trace, batch, problem.ridge, problem.output_penalty), DIVERGED.format(
            "auto"
        )
    found, reason = of_draws(learning_rate, largest, problem.ridge, problem.output_penalty)
    return found, reason or DIVERGED.format(learning_rate)


def _columns(inputs: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of one output."""
    return inputs, labels[..., None]
