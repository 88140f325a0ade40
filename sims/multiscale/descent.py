"""Gradient descent of the multi-scale student on drawn data: all examples at every step.

Axes: S draws, T recorded times, n samples, d features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from teacherstudent.house.schedules import Schedule
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.problems.multiscale.fading import MOST_FADING, demand_rate, fading_penalty
from teacherstudent.sims.algorithms import Step, by_algorithm
from teacherstudent.sims.linear_students import descent as training
from teacherstudent.sims.linear_students.answers import Source, answered, descended
from teacherstudent.sims.multiscale.source import Drawn, form_of
from teacherstudent.sims.step_limits import LONGEST, STEPWISE

__all__ = ["LONGEST", "curvature", "descent", "faded_trajectory", "student_trajectory"]


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"] | Schedule,
    output_penalty_decay: float = 0.0,
    precision: str = "float64",
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """R, Q, excess_risk and what else is asked for, (S, T, ...), along gradient descent (Eq. 4.2.4).

    As `sims.linear_students.answers.descended`. With a decay (1/steps) the output penalty fades and every
    step is taken until it is gone. Steps are taken in `precision`, float64 or float32.
    """
    source = Drawn(problem, draw(problem, seeds), seeds, observable)
    if not (problem.output_penalty and output_penalty_decay):
        return descended(source, times, learning_rate=learning_rate, precision=precision)
    penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
    constant = demand_rate(output_penalty_decay, learning_rate)
    rate, reason = training.rates(source.form, constant, problem.ridge)

    def train(source: Source) -> np.ndarray:
        assert isinstance(source, Drawn)
        more: dict[str, Any] = {"ridge": problem.ridge, "dtype": precision}
        return faded_trajectory(source.draws, times, rate, penalties=penalties, **more)[:, :, None]

    return answered(source, train, reason)


def stepped(
    problem: MultiScale,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    how: Step,
    observable: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, np.ndarray]:
    """The same, (S, T, ...), along steps of any algorithm (`sims.algorithms`)."""
    source = Drawn(problem, draw(problem, seeds), seeds, observable)
    return descended(source, times, how=how, **options)


def student_trajectory(
    draws: Draws,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    *,
    ridge: np.ndarray | float = 0.0,
    output_penalty: np.ndarray | float = 0.0,
    stepwise: int = STEPWISE,
    dtype: Any = "float64",
) -> np.ndarray:
    """The student's weights at each recorded step of each draw, (S, T, d): `sims.linear_students.descent`."""
    more: dict[str, Any] = {"stepwise": stepwise, "precision": np.dtype(dtype).name}
    found = training.students(form_of(draws), times, learning_rate, ridge, output_penalty, **more)
    return found[:, :, 0]


def faded_trajectory(
    draws: Draws,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    *,
    penalties: np.ndarray,
    ridge: float = 0.0,
    dtype: Any = "float64",
) -> np.ndarray:
    """As `student_trajectory`, with a separate output penalty at each of the first K steps, (K,).

    While it changes there is no map to compose: every step is taken. From step K on there is none.
    """
    padded = np.zeros(MOST_FADING)  # whatever the decay, one compiled program
    padded[: penalties.size] = penalties
    early = np.append(np.minimum(times, penalties.size), penalties.size)
    more: dict[str, Any] = {"fading": padded, "precision": np.dtype(dtype).name}
    fading = training.students(form_of(draws), early, learning_rate, ridge, **more)[:, :, 0]
    rest, faded = np.maximum(times - penalties.size, 0), replace(draws, initial=fading[:, -1])
    later = student_trajectory(faded, rest, learning_rate, ridge=ridge, dtype=dtype)
    return np.where(np.asarray(times)[:, None] <= penalties.size, fading[:, :-1], later)


def curvature(draws: Draws) -> np.ndarray:
    """The largest eigenvalue of X^T X of each draw, (S,)."""
    return form_of(draws).curvature()


def __getattr__(name: str) -> Callable[..., dict[str, np.ndarray]]:
    """The route of the algorithm of that name."""
    return by_algorithm(stepped, name)
