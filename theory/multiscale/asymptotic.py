"""The exact limit n, d -> infinity: gradient flow, gradient descent and ridge regression.

The cost does not depend on n or d. Where a root is not certified the answer is NaN, with a
warning: never a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.fading import fading_penalty
from teacherstudent.theory.multiscale import fading
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.penalised import shrunk, shrunk_outputs, unpenalised
from teacherstudent.theory.multiscale.terms import spectrum_of, task_of
from teacherstudent.theory.spectral import examples, filters, parts
from teacherstudent.theory.spectral.examples import Examples
from teacherstudent.theory.spectral.filters import Pieces, overwritten
from teacherstudent.theory.spectral.parts import Parts

ON_EXAMPLES = ("training", "outputs")
"""Groups of observables that are measured on the training examples."""


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    plain, clock = unpenalised(problem), (1 + problem.output_penalty) * times
    pieces = list(filters.flow(task_of(plain), clock))
    return _trained(problem, plain, times.size, pieces, observable)


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    output_penalty_decay: float = 0.0,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,), with (1 - eta c)^k instead of e^{-sc}.

    learning_rate: "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError` where
    the largest eigenvalue makes descent diverge at the largest output penalty.
    """
    speed = 1 + problem.output_penalty
    edge = spectrum_of(problem).upper_edge()
    eta = in_the_limit(learning_rate, edge, problem.ridge, problem.output_penalty)
    moving = np.flatnonzero(times > 0)
    if problem.output_penalty and output_penalty_decay and moving.size:
        penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
        faded = replace(problem, output_penalty=0.0)  # in the filter, at each step's own strength
        pieces = [(moving, fading.descent(problem, times[moving], eta, penalties, edge))]
        return _resolved(faded, _trained(faded, faded, times.size, pieces, observable), observable)
    plain = unpenalised(problem)
    pieces = list(filters.descent(task_of(plain), times, speed * eta, edge))
    return _trained(problem, plain, times.size, pieces, observable)


def ridge(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    effective = (problem.ridge + 1 / times) / (1 + problem.output_penalty)
    task = task_of(unpenalised(problem))
    outputs = examples.at_ridge(task, effective) if on_examples(observable) else None
    return answered(problem, parts.at_ridge(task, effective), outputs, observable)


def on_examples(observable: Sequence[str] | None) -> bool:
    """Whether any group asked for is measured on the training examples."""
    return any(group in ON_EXAMPLES for group in observable or ())


def _trained(
    problem: MultiScale, plain: MultiScale, count: int, pieces: Pieces, observable: Sequence[str] | None
) -> Arrays:
    """All times: the untrained student, overwritten wherever a filter has an answer.

    plain: the problem of which they are filters, without its constant output penalty.
    """
    task = task_of(plain)
    whole = overwritten(parts.untrained(task, count), pieces, partial(parts.filtered, task))
    outputs = None
    if on_examples(observable):
        outputs = overwritten(examples.untrained(task, count), pieces, partial(examples.filtered, task))
    return answered(problem, whole, outputs, observable)


def _resolved(problem: MultiScale, answer: Arrays, observable: Sequence[str] | None) -> Arrays:
    """NaN, with a warning, for what has fallen so far that a contour for all steps errs as much."""
    first = _trained(problem, problem, 1, [], observable)
    reason = "asymptotic route: a fading penalty's contour does not resolve the end of training"
    return {
        name: nan_where(values < fading.RESOLVED * first[name], reason, values, of="times")
        for name, values in answer.items()
    }


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
    certain = nan_where(~of.converged, "asymptotic route: no certified root", answer)
    return asked_for(certain, observable)
