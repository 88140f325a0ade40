"""The exact limit n, d -> infinity: students of each algorithm that works on all examples.

The cost does not depend on n or d. Where a root is not certified the answer is NaN, with a
warning: never a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.multiscale import SCATTER, MultiScale
from teacherstudent.problems.multiscale.fading import fading_penalty
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.multiscale import fading, scatter
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.penalised import shrunk, shrunk_outputs, unpenalised
from teacherstudent.theory.multiscale.spectral_task import spectrum_of, task_of
from teacherstudent.theory.spectral import examples, limits, parts
from teacherstudent.theory.spectral.examples import Examples
from teacherstudent.theory.spectral.parts import Parts
from teacherstudent.theory.spectral.tasks import Task

ON_EXAMPLES = ("training", "outputs")
"""Groups of observables that are measured on the training examples."""


def trained(
    problem: MultiScale,
    times: np.ndarray,
    *,
    algorithm: Algorithm,
    observable: Sequence[str] | None = None,
    **options: Any,
) -> Arrays:
    """Students at times, (T,), on the clock of the algorithm; options: its own.

    A learning rate "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError` where the
    largest eigenvalue makes weights grow.
    """
    task = task_of(unpenalised(problem))
    students = limits.made(algorithm, limits.of_task(task, 1 + problem.output_penalty), times, options)
    return _measured(problem, task, students, times.size, observable)


def descent(
    problem: MultiScale, times: np.ndarray, *, output_penalty_decay: float = 0.0, **options: Any
) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,), as `trained`, at the largest output penalty."""
    moving = np.flatnonzero(times > 0)
    if not (problem.output_penalty and output_penalty_decay and moving.size):
        plain: Arrays = by_algorithm(trained, "descent")(problem, times, **options)
        return plain
    edge = spectrum_of(problem).upper_edge()
    eta = in_the_limit(options.pop("learning_rate"), edge, problem.ridge, problem.output_penalty)
    penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
    faded = replace(problem, output_penalty=0.0)  # in the filter, at each step's own strength
    task = task_of(faded)
    pieces = [(moving, fading.descent(problem, times[moving], eta, penalties, edge))]
    first = _measured(faded, task, (), 1, **options)
    answer = _measured(faded, task, pieces, times.size, **options)
    # What has fallen so far that a contour for all steps errs as much:
    reason = "asymptotic route: a fading penalty's contour does not resolve the end of training"
    return {
        name: nan_where(values < fading.RESOLVED * first[name], reason, values, of="times")
        for name, values in answer.items()
    }


def ridge(
    problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None, **options: Any
) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,), as `trained`, and the
    scatter of the excess risk between draws."""
    others = [group for group in observable or () if group != SCATTER]
    answer: Arrays = by_algorithm(trained, "ridge")(problem, times, observable=others, **options)
    if observable and SCATTER in observable:
        return {**answer, "excess_risk_scatter": scatter.at_ridge(problem, problem.ridge + 1 / times)}
    return answer


def on_examples(observable: Sequence[str] | None) -> bool:
    """Whether any group asked for is measured on the training examples."""
    return any(group in ON_EXAMPLES for group in observable or ())


def _measured(
    problem: MultiScale,
    task: Task,
    students: Iterable[Any] | limits.Ridges,
    count: int,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """What these students of a task are worth: of the problem, but for a constant output penalty."""
    measures = [parts, examples] if on_examples(observable) else [parts]
    whole, *outputs = limits.measured(task, students, count, measures)
    return answered(problem, whole, outputs[0] if outputs else None, observable)


def answered(
    problem: MultiScale, plain: Parts, outputs: Examples | None, observable: Sequence[str] | None
) -> Arrays:
    """The observables of the parts, sums without cancellation; NaN where nothing is certain."""
    of = shrunk(problem, plain)
    excess = (of.bias + of.variance + of.start).sum(axis=-1) / 2
    answer = {
        "R": of.alignment.sum(axis=-1),
        "Q": (of.signal + of.variance + of.start).sum(axis=-1),
        "excess_risk": excess,
        "generalisation_error": 2 * excess + problem.noise**2,
        "bias": of.bias / 2,
        "variance": of.variance / 2,
        "start": of.start / 2,
    }
    if outputs is not None:
        on = shrunk_outputs(problem, outputs)
        answer |= {"training_error": on.training, "training_output": on.output}
    return asked_for(limits.certain(answer, of.converged), observable)


def __getattr__(name: str) -> Callable[..., Arrays]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
