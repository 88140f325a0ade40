"""Stochastic gradient descent of the multi-scale student. Axes: S draws, T recorded times, d features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from teacherstudent.problems.batches import FRESH, demand_batches
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.linear_students.answers import on_batches
from teacherstudent.sims.linear_students.sgd import BatchSampler
from teacherstudent.sims.multiscale.source import Drawn


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
    """R, Q, excess_risk and what else is asked for, (S, T, ...), as
    `sims.linear_students.answers.on_batches`.

    Fresh examples follow the problem's law with the teacher of each draw. Raises `InputError` for a batch
    larger than n unless data are fresh, for observables on training examples where they are, and for too many
    steps.
    """
    demand_batches(problem.n, batch, data, observable)
    new = data == FRESH
    draws = draw(replace(problem, n=1) if new else problem, seeds)  # new: what is drawn beside rows
    return on_batches(
        Drawn(problem, draws, seeds, observable),
        times,
        n=problem.n,
        learning_rate=learning_rate,
        batch=batch,
        data=data,
        seeds=seeds,
        law=(lambda source: law(problem, source.draws)) if new else lambda _: None,
        curvatures=draws.strengths**2 / problem.d if new else None,
    )


def law(problem: MultiScale, draws: Draws) -> BatchSampler:
    """That of fresh examples, z = g/sqrt(d), x = F^T z, y = z.w + eps; eps = 0 where the draws have none."""
    unit = 1 / np.sqrt(problem.d)
    noise = problem.noise * bool(draws.noise.any())
    return BatchSampler(draws.strengths * unit, draws.teacher[..., None] * unit, np.full((1, 1), noise))
