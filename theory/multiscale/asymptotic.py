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
from teacherstudent.house.errors import InputError
from teacherstudent.house.schedules import Schedule
from teacherstudent.house.step_sizes import edge_of, in_the_limit
from teacherstudent.problems.multiscale import SCATTER, MultiScale
from teacherstudent.problems.multiscale.fading import demand_rate, fading_penalty
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.multiscale import fading, scatter, scheduled
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
    rate = options["learning_rate"]
    if isinstance(rate, Schedule) and not (problem.output_penalty and output_penalty_decay):
        return _scheduled(problem, times, rate, options.get("observable"))
    if not (problem.output_penalty and output_penalty_decay and moving.size):
        plain: Arrays = by_algorithm(trained, "descent")(problem, times, **options)
        return plain
    edge = spectrum_of(problem).upper_edge()
    options.pop("learning_rate")
    eta = in_the_limit(demand_rate(output_penalty_decay, rate), edge, problem.ridge, problem.output_penalty)
    penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
    faded = replace(problem, output_penalty=0.0)  # in the filter, at each step's own strength
    task = task_of(faded)
    pieces = [(moving, fading.descent(problem, times[moving], eta, penalties, edge))]
    first = _measured(faded, task, (), 1, **options)
    answer = _measured(faded, task, pieces, times.size, **options)
    return _resolved(answer, first, "a fading penalty's")


def _scheduled(
    problem: MultiScale, times: np.ndarray, schedule: Schedule, observable: Sequence[str] | None
) -> Arrays:
    """The same where the learning rate is a function of the step. Raises `InputError` for unstable ones."""
    free, speed = unpenalised(problem), 1 + problem.output_penalty
    edge, rates, moving = spectrum_of(problem).upper_edge(), schedule.rates(times), np.flatnonzero(times > 0)
    stable = edge_of(np.array(edge), problem.ridge, problem.output_penalty)
    if (largest := rates.max(initial=0.0)) >= stable:
        domain = f"below {stable:.6g} at every step; at step {rates.argmax()} it is {largest:.6g}"
        raise InputError("learning_rate", schedule, domain, "use --route instance, for drawn data")
    task, pieces = task_of(free), []
    if largest:
        pieces = [(moving, scheduled.descent(free, times[moving], speed * rates, edge))]
    first = _measured(problem, task, (), 1, observable)
    return _resolved(_measured(problem, task, pieces, times.size, observable), first, "a schedule's")


def _resolved(answer: Arrays, first: Arrays, whose: str) -> Arrays:
    """NaN for what has fallen so far from its first value that a contour for all steps errs as much."""
    reason = f"asymptotic route: {whose} contour does not resolve the end of training"
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
