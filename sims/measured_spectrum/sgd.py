"""Stochastic gradient descent on rows. Axes: S draws, T recorded times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from teacherstudent.problems.batches import FRESH, demand_batches, demand_rows
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.intercept import of_batches
from teacherstudent.sims.linear_students.answers import on_batches
from teacherstudent.sims.measured_spectrum.fresh import population
from teacherstudent.sims.measured_spectrum.source import Drawn, New, OnePass


def sgd(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    batch: int,
    data: str,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """The observables, (S, T), as `sims.linear_students.answers.on_batches`.

    Raises `InputError` for a batch larger than what it is taken from, and for more steps than fresh rows of a
    pool allow or than are simulated.
    """
    demand_batches(problem.n, batch, data)
    problem = of_batches(problem, data)
    new = data == FRESH and problem.sampling == "population"
    if data == FRESH and not new:
        demand_rows(problem.n, batch, times[-1])
    more: dict[str, Any] = {"learning_rate": learning_rate, "batch": batch, "data": data, "seeds": seeds}
    if data == FRESH:  # of the pool, or of the law: one step size for all draws
        more["curvatures"] = population(problem).strengths ** 2
    if new:
        return on_batches(New(problem, seeds), times, n=problem.n, law=lambda source: source.law, **more)
    kind = OnePass if data == FRESH else Drawn
    return on_batches(kind.of(problem, seeds), times, n=problem.n, **more)
