"""Many questions in one call: each row of an array is one of them at one time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.schedules import Schedule
from teacherstudent.problems.multiscale import SCATTER, MultiScale
from teacherstudent.theory.multiscale import asymptotic
from teacherstudent.theory.multiscale.answers import Arrays
from teacherstudent.theory.multiscale.penalised import unpenalised
from teacherstudent.theory.multiscale.spectral_task import task_of
from teacherstudent.theory.spectral import filters, limits, parts
from teacherstudent.theory.spectral.limits import Limit
from teacherstudent.theory.spectral.parts import Parts
from teacherstudent.theory.spectral.tasks import Task

ROWS = 128
"""Solved for and summed at once: what fits a cache."""

Options = Sequence[Mapping[str, Any]]

Students = Callable[[Limit[Any], np.ndarray, np.ndarray], Any]
"""From limits of R questions, their times, (R,), and their numbers, (R,), to students as `limits.made`."""


def flow(
    instances: Sequence[MultiScale], times: np.ndarray, *, options: Options, seeds: Sequence[Any]
) -> Iterator[Arrays]:
    """Gradient flow, as `asymptotic.flow` of each question in turn."""
    yield from _answers(instances, times, "flow", options, lambda limit, at, _: limits.flow(limit, at))


def ridge(
    instances: Sequence[MultiScale], times: np.ndarray, *, options: Options, seeds: Sequence[Any]
) -> Iterator[Arrays]:
    """Ridge regression, as `asymptotic.ridge` of each question in turn."""
    yield from _answers(instances, times, "ridge", options, lambda limit, at, _: limits.ridge(limit, at))


def descent(
    instances: Sequence[MultiScale], times: np.ndarray, *, options: Options, seeds: Sequence[Any]
) -> Iterator[Arrays]:
    """Gradient descent, as `asymptotic.descent` of each question in turn.

    Raises `InputError` where the learning rate of any of them is unstable.
    """

    def students(limit: Limit[Any], at: np.ndarray, which: np.ndarray) -> Any:
        rates: dict[int, float] = {}
        for row, i in enumerate(which):
            if i not in rates:
                edge = partial(limit.edge.item, row)
                one = Limit(limit.ridge[row], limit.equivalent, edge, limit.speed[row])
                rates[i] = one.rate(options[i]["learning_rate"])
        rate = np.array([rates[i] for i in which])
        return filters.descent_of(limit.matrix, at, rate, limit.edge)

    yield from _answers(instances, times, "descent", options, students)


def _alone(problem: MultiScale, options: Mapping[str, Any]) -> bool:
    """Whether a question is answered by itself."""
    groups = options.get("observable") or ()
    fades = problem.output_penalty and options.get("output_penalty_decay")
    scheduled = isinstance(options.get("learning_rate"), Schedule)
    return bool(asymptotic.on_examples(groups) or SCATTER in groups or fades or scheduled)


def _answers(
    problems: Sequence[MultiScale], times: np.ndarray, name: str, options: Options, students: Students
) -> Iterator[Arrays]:
    """The answers in order: of questions of one shape from one call, of the others from the route itself."""
    numbers = [
        i for i, (each, own) in enumerate(zip(problems, options, strict=True)) if not _alone(each, own)
    ]
    found = _parts([problems[i] for i in numbers], times, np.array(numbers), students) if numbers else {}
    for i, (problem, own) in enumerate(zip(problems, options, strict=True)):
        if i in found:
            yield asymptotic.answered(problem, found[i], None, own.get("observable"))
        else:
            yield getattr(asymptotic, name)(problem, times, **own)


def _parts(
    problems: Sequence[MultiScale], times: np.ndarray, numbers: np.ndarray, students: Students
) -> dict[int, Parts]:
    """The parts of questions, by the numbers of these questions."""
    tasks = [task_of(unpenalised(each)) for each in problems]
    speed = np.array([1.0 + each.output_penalty for each in problems])
    found: dict[int, Parts] = {}
    for some, own in Task.alike(tasks):
        limit = limits.of_task(own, speed[some])
        which, at = np.repeat(np.arange(some.size), times.size), np.tile(times, some.size)
        blocks = []
        for first in range(0, which.size, ROWS):
            rows = which[first : first + ROWS]
            of = students(limit.rows(rows), at[first : first + ROWS], numbers[some][rows])
            blocks.append(vars(limits.measured_rows(own.rows(rows), of, parts)))
        whole = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        for k, i in enumerate(numbers[some]):
            mine = slice(k * times.size, (k + 1) * times.size)
            found[int(i)] = Parts(**{name: values[mine] for name, values in whole.items()})
    return found
