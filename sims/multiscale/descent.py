"""Full-batch gradient descent of the multi-scale student on drawn data.

The first `STEPWISE` steps are taken one by one. From there on the drawn affine map of one step,
w -> w + D w + c, is composed with itself instead of iterated, so that k steps cost log2(k)
products: the same iterates up to rounding, by nothing but matrix products (no eigenvectors, no
formula for the solution). Axes: S draws, T recorded times, n samples, d features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from jax.typing import DTypeLike

from teacherstudent.house.step_sizes import of_draws
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.problems.multiscale.fading import fading_penalty
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.lengths import LONGEST, STEPWISE
from teacherstudent.sims.multiscale.data import extras, labels, observables, training_set
from teacherstudent.sims.multiscale.fading import while_fading
from teacherstudent.sims.multiscale.steps import Students, trajectories

DIVERGED = "learning_rate {}: gradient descent diverges, or rounding outlasts it"


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    output_penalty_decay: float = 0.0,
    precision: str = "float64",
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """R, Q, excess_risk and what else is asked for, (S, T, ...), along gradient descent (Eq. 4.2.4).

    `times` are whole steps, increasing; step 0 is the initial student. `learning_rate` is in
    units of 1/curvature; "auto" is 1/largest eigenvalue of X^T X of each draw. With a decay
    (1/steps) the output penalty fades and every step is taken until it is gone. Steps are taken in
    `precision`, float64 or float32. Where descent leaves its range (it diverges, or outlasts
    `LONGEST`) the observables are NaN, with an `UnconvergedWarning`.
    """
    draws = draw(problem, seeds)
    fades = bool(problem.output_penalty and output_penalty_decay)
    step, reason = rates(draws, learning_rate, problem.ridge, 0.0 if fades else problem.output_penalty)

    if fades:
        penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
        follow = partial(faded_trajectory, penalties=penalties)
    else:
        follow = partial(student_trajectory, output_penalty=problem.output_penalty)

    def train(draws: Draws) -> np.ndarray:
        return follow(draws, times, step, ridge=problem.ridge, dtype=precision)

    weights = train(draws)
    return nan_where_not_finite(
        {**observables(draws, weights), **extras(problem, draws, train, weights, seeds, observable)},
        reason,
    )


def faded_trajectory(
    draws: Draws,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    *,
    penalties: np.ndarray,
    ridge: float = 0.0,
    dtype: DTypeLike = "float64",
) -> np.ndarray:
    """As `student_trajectory`, with an output penalty of its own at each of the first K steps, (K,).

    From step K on there is none.
    """
    early, faded = while_fading(draws, times, learning_rate, penalties, ridge, dtype)
    rest = np.maximum(times - penalties.size, 0)
    later = student_trajectory(replace(draws, initial=faded), rest, learning_rate, ridge=ridge, dtype=dtype)
    return np.where(np.asarray(times)[:, None] <= penalties.size, early, later)


def rates(
    draws: Draws, learning_rate: float | Literal["auto"], ridge: float, penalty: float
) -> tuple[np.ndarray, str]:
    """The step size of each draw, (S,), NaN where descent diverges with it.

    With it goes the reason for what is not finite of the answer.
    """
    diverged = DIVERGED.format(learning_rate)
    found, reason = of_draws(learning_rate, curvature(draws), ridge, penalty)
    return found, reason or diverged


def curvature(draws: Draws) -> np.ndarray:
    """The largest eigenvalue of X^T X of each draw, (S,)."""
    inputs, _ = training_set(draws)
    transposed = inputs.swapaxes(-1, -2)
    n, d = inputs.shape[-2:]
    gram = inputs @ transposed if n < d else transposed @ inputs  # the same nonzero eigenvalues
    found: np.ndarray = np.linalg.eigvalsh(gram)[:, -1]  # on the host: several times faster than XLA's
    return found


def student_trajectory(
    draws: Draws,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    *,
    ridge: np.ndarray | float = 0.0,
    output_penalty: np.ndarray | float = 0.0,
    stepwise: int = STEPWISE,
    dtype: DTypeLike = "float64",
) -> np.ndarray:
    """The student's weights at each recorded step of each draw, (S, T, d).

    `times` as in `descent`; `learning_rate`, `ridge` and `output_penalty` are each one for all
    draws or one a draw, (S,). Steps up to `stepwise` are iterated and later ones composed (see
    the module). Only the recorded states are kept. Diverging descent gives infinities or NaN,
    steps beyond `LONGEST` give NaN, without a warning.
    """
    one = student(draws, learning_rate, ridge=ridge, output_penalty=output_penalty)
    return followed(draws.inputs, one, times, stepwise=stepwise, dtype=dtype)[:, 0]


def student(
    draws: Draws,
    learning_rate: np.ndarray | float,
    *,
    ridge: np.ndarray | float = 0.0,
    output_penalty: np.ndarray | float = 0.0,
) -> Students:
    """The one student of each draw as the step loop takes it, P = 1; numbers as in `student_trajectory`."""
    count, _, d = draws.inputs.shape
    numbers = (learning_rate, ridge, 1 + output_penalty)
    return Students(
        np.broadcast_to(draws.strengths, (count, 1, d)),
        labels(draws)[:, None],
        draws.initial[:, None],
        *(np.broadcast_to(each, count).astype(float)[:, None] for each in numbers),
    )


def followed(
    inputs: np.ndarray,
    students: Students,
    times: np.ndarray,
    *,
    stepwise: int = STEPWISE,
    dtype: DTypeLike = "float64",
) -> np.ndarray:
    """As `student_trajectory`, of P students of each draw at once: (S, P, T, d) from Z, (S, n, d)."""
    _, n, d = inputs.shape
    # with n >= d the samples hold every direction, and only the range of whole numbers ends the time
    last = LONGEST[np.dtype(dtype).name] if n < d else 2.0**62
    steps = np.minimum(times, last).astype(np.int64)
    weights = trajectories(inputs, students, steps, stepwise, dtype)
    return np.where(np.asarray(times)[:, None] <= last, weights, np.nan)
