"""Descent of linear students on all examples, by any step that is announced.

Axes: S draws, T recorded times, m coordinates (`forms`), c outputs, q features.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from teacherstudent.house.schedules import MOST_STEPS, Schedule
from teacherstudent.house.step_sizes import edge_of, of_draws
from teacherstudent.sims.algorithms import Step, descent
from teacherstudent.sims.linear_students.forms import Form, Students
from teacherstudent.sims.linear_students.training import edge, trajectories
from teacherstudent.sims.step_limits import STEPWISE

DIVERGED = "learning_rate {}: gradient descent diverges, or rounding errors persist"


def rates(
    form: Form,
    learning_rate: float | Literal["auto"] | Schedule,
    ridge: float,
    penalty: float = 0.0,
    how: Step = descent.STEP,
    options: Mapping[str, float] | None = None,
) -> tuple[np.ndarray, str]:
    """The step size of each draw, (S,), NaN where descent diverges with it.

    "auto" is that of `house.step_sizes` for X^T X, or the rows' kernel, of each draw. With the rates goes the
    reason for what is not finite of the answer.
    """
    found, reason = of_draws(learning_rate, form.curvature(), ridge, penalty, edge(how, options or {}))
    return found, reason or DIVERGED.format(learning_rate)


def students(
    form: Form,
    times: np.ndarray,
    learning_rate: np.ndarray | float,
    ridge: np.ndarray | float,
    penalty: np.ndarray | float = 0.0,
    *,
    how: Step = descent.STEP,
    options: Mapping[str, float] | None = None,
    stepwise: int = STEPWISE,
    precision: str = "float64",
    fading: np.ndarray | None = None,
    pace: np.ndarray | None = None,
) -> np.ndarray:
    """Weights, or coefficients of a kernel, after each of the steps `times`, (S, T, c, q).

    `learning_rate`, `ridge` and output `penalty` are one for all draws or one a draw, (S,); `options` are the
    step's own. Steps up to `stepwise` are iterated, later ones composed. fading: a separate output penalty at
    each step, instead; pace: factor of the learning rate at each step. Then all are iterated. Diverging
    descent gives infinities or NaN, steps beyond the last that is answered for give NaN, without a warning.
    """
    one = form.students(learning_rate, ridge, 1 + np.asarray(penalty))
    more: dict[str, Any] = {"how": how, "options": options, "stepwise": stepwise, "precision": precision}
    if fading is not None or pace is not None:
        added, factor = 0.0 if fading is None else fading, 1.0 if pace is None else pace
        more["schedule"] = np.stack(np.broadcast_arrays(added, factor))
    return form.weights(trained(form, one, times, **more)[:, 0])


def paced(
    form: Form, times: np.ndarray, schedule: Schedule, ridge: float, penalty: float
) -> tuple[np.ndarray, np.ndarray]:
    """What multiplies a learning rate of 1 at each step, and the times at which rounding hides weights, (T,).

    As many steps whatever the times, so that one compiled program serves all.
    """
    rates = schedule.rates(times)
    padded = np.zeros(MOST_STEPS)
    padded[: rates.size] = rates
    return padded, schedule.outgrown(times, edge_of(form.curvature(), ridge, penalty))


def trained(
    form: Form,
    students: Students,
    times: np.ndarray,
    *,
    how: Step = descent.STEP,
    options: Mapping[str, float] | None = None,
    stepwise: int = STEPWISE,
    precision: str = "float64",
    schedule: np.ndarray | None = None,
) -> np.ndarray:
    """Coordinates, (S, P, T, c, m), of P students of each draw on the same rows: else as `students`."""
    last = form.last(precision)
    coordinates = trajectories(
        form.matrix,
        students,
        np.minimum(times, last).astype(np.int64),
        how,
        options or {},
        of_rows=form.strengths is not None,
        stepwise=stepwise,
        dtype=precision,
        schedule=schedule,
    )
    coordinates[:, :, np.asarray(times) > last] = np.nan
    return coordinates
