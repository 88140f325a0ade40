"""Gradient descent for many instances at once: equal draws are drawn once and trained together.

Instances of one n, d and precision that ask for the same seeds share the teacher's inputs, so all their
students move by one matrix product a step (`sims.linear_students.training`). The numbers are those of
`sims.multiscale.descent`, up to rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.house.machine import memory_for_question
from teacherstudent.house.memory import NUMBER
from teacherstudent.house.schedules import Schedule
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.descent import rates, trained
from teacherstudent.sims.linear_students.forms import Students
from teacherstudent.sims.multiscale import descent as single
from teacherstudent.sims.multiscale.data import observables
from teacherstudent.sims.multiscale.source import form_of

MOST_NUMBERS = 2**28
"""Numbers in the arrays that grow with the students of one call: 2 GiB of them."""


def descent(
    problems: Sequence[MultiScale],
    times: np.ndarray,
    *,
    options: Sequence[Mapping[str, Any]],
    seeds: Sequence[Sequence[int]],
) -> Iterator[dict[str, np.ndarray]]:
    """What `sims.multiscale.descent.descent` answers to each question, in their order.

    Questions of equal n, d, seeds and precision share calls as far as memory allows. Those that
    ask for more than R, Q and excess_risk, or whose output penalty or learning rate changes, are answered
    one by one.
    """
    answers: dict[int, tuple[dict[str, np.ndarray], str]] = {}
    for call in _calls(problems, times, options, seeds):
        answers |= _answered(call, problems, times, options, seeds[call[0]])
    for i, (problem, more) in enumerate(zip(problems, options, strict=True)):
        if i in answers:
            yield nan_where_not_finite(*answers[i])
        else:
            yield single.descent(problem, times, seeds=seeds[i], **more)


def _calls(
    problems: Sequence[MultiScale],
    times: np.ndarray,
    options: Sequence[Mapping[str, Any]],
    seeds: Sequence[Sequence[int]],
) -> Iterator[list[int]]:
    """Places of the questions that are answered by one call."""
    alike: dict[tuple[int, int, tuple[int, ...], str], list[int]] = {}
    for i, (problem, more) in enumerate(zip(problems, options, strict=True)):
        scheduled = isinstance(more["learning_rate"], Schedule)
        fading = problem.output_penalty and more["output_penalty_decay"]
        if not (more["observable"] or fading or scheduled):
            alike.setdefault((problem.n, problem.d, tuple(seeds[i]), more["precision"]), []).append(i)
    for (_, d, drawn, _), places in alike.items():
        most = min(MOST_NUMBERS, int(memory_for_question()) // NUMBER)
        size = most // (4 * d**2 + 2 * len(drawn) * len(times) * d)  # composed maps, and weights
        rest = iter(places)
        while call := list(itertools.islice(rest, max(1, size))):
            yield call


def _answered(
    call: Sequence[int],
    problems: Sequence[MultiScale],
    times: np.ndarray,
    options: Sequence[Mapping[str, Any]],
    seeds: Sequence[int],
) -> dict[int, tuple[dict[str, np.ndarray], str]]:
    """R, Q and excess_risk of the questions at these places, trained by one call.

    With each goes the reason for what is not finite of it.
    """
    common = draw(replace(problems[call[0]], noise=1.0, init=1.0), seeds)
    drawn = {i: _of(problems[i], common) for i in call}
    students, reasons = [], {}
    for i, draws in drawn.items():
        ridge, penalty = problems[i].ridge, problems[i].output_penalty
        form = form_of(draws)
        rate, reasons[i] = rates(form, options[i]["learning_rate"], ridge, penalty)
        students.append(form.students(rate, ridge, 1 + penalty))
    together = Students(*(np.concatenate(each, axis=1) for each in zip(*students, strict=True)))
    weights = trained(form, together, times, precision=options[call[0]]["precision"])[:, :, :, 0]
    return {
        i: (observables(draws, weights[:, place]), reasons[i])
        for place, (i, draws) in enumerate(drawn.items())
    }


def _of(problem: MultiScale, common: Draws) -> Draws:
    """What `draw` gives for that problem, from draws of its shape at noise 1 and init 1."""
    return replace(
        common,
        strengths=np.repeat(np.asarray(problem.sigmas), problem.counts),
        noise=problem.noise * common.noise,
        initial=problem.init * common.initial,
    )
