"""The exact limit n, d -> infinity: gradient flow, gradient descent and ridge regression.

The cost does not depend on n or d. Where a root is not certified the answer is NaN, with a
warning: never a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.fading import fading_penalty
from teacherstudent.theory import contours
from teacherstudent.theory.multiscale import examples, fading, terms
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.examples import Examples
from teacherstudent.theory.multiscale.penalised import shrunk, shrunk_outputs, unpenalised
from teacherstudent.theory.multiscale.terms import Filter, Terms, on_contour, poles_of, spectrum_of

V = TypeVar("V", Terms, Examples)

Pieces = Sequence[tuple[np.ndarray, Filter]]
"""Filters for some of the times, each with the indices of these."""

TOGETHER = 40
"""Times whose sums over two variables are taken at once: what fits a cache is twice as fast."""

ON_EXAMPLES = ("training", "outputs")
"""Groups of observables that are measured on the training examples."""


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    plain, clock = unpenalised(problem), (1 + problem.output_penalty) * times
    started = np.flatnonzero(times > 0)
    slowest = spectrum_of(plain).lower_edge() + plain.ridge
    around = contours.flow(clock[started], slowest)
    filters = [(started, on_contour(plain, around, poles_of(plain)))] if started.size else []
    return _trained(problem, plain, times.size, filters, observable)


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
    plain, speed = unpenalised(problem), 1 + problem.output_penalty
    edge = spectrum_of(problem).upper_edge()
    eta = 1 / edge if learning_rate == "auto" else float(learning_rate)
    smallest = 1 - eta * (speed * edge + problem.ridge)
    if smallest <= -1:
        stable = 2 / (speed * edge + problem.ridge)
        bound = "2/(upper edge of the spectrum + ridge)" if speed == 1 else "2/((1 + penalty) edge + ridge)"
        raise InputError("learning_rate", eta, f"below {bound} = {stable:g}")
    moving = np.flatnonzero(times > 0)
    if problem.output_penalty and output_penalty_decay and moving.size:
        penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
        faded = replace(problem, output_penalty=0.0)  # in the filter, at each step's own strength
        filters = [(moving, fading.descent(problem, times[moving], eta, penalties, edge))]
        return _resolved(faded, _trained(faded, faded, times.size, filters, observable), observable)
    gap = speed * eta * (spectrum_of(plain).lower_edge() + plain.ridge)
    poles = poles_of(plain)
    filters = [
        (moving[where], on_contour(plain, contour, poles))
        for where, contour in contours.descent(times[moving], speed * eta, smallest, gap)
    ]
    return _trained(problem, plain, times.size, filters, observable)


def ridge(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    effective = (problem.ridge + 1 / times) / (1 + problem.output_penalty)
    plain = unpenalised(problem)
    outputs = examples.at_ridge(plain, effective) if _on_examples(observable) else None
    return _answer(problem, terms.at_ridge(plain, effective), outputs, observable)


def _on_examples(observable: Sequence[str] | None) -> bool:
    return any(group in ON_EXAMPLES for group in observable or ())


def _trained(
    problem: MultiScale, plain: MultiScale, count: int, filters: Pieces, observable: Sequence[str] | None
) -> Arrays:
    """All times: the untrained student, overwritten wherever a filter has an answer.

    plain: the problem of which they are filters, without its constant output penalty.
    """
    whole = _overwritten(terms.untrained(plain, count), filters, partial(terms.filtered, plain))
    outputs = None
    if _on_examples(observable):
        outputs = _overwritten(examples.untrained(plain, count), filters, partial(examples.filtered, plain))
    return _answer(problem, whole, outputs, observable)


def _resolved(problem: MultiScale, answer: Arrays, observable: Sequence[str] | None) -> Arrays:
    """NaN, with a warning, for what has fallen so far that a contour for all steps errs as much."""
    first = _trained(problem, problem, 1, [], observable)
    reason = "asymptotic route: a fading penalty's contour does not resolve the end of training"
    return {
        name: nan_where(values < fading.RESOLVED * first[name], reason, values, of="times")
        for name, values in answer.items()
    }


def _overwritten(whole: V, filters: Pieces, made: Callable[[Filter], V]) -> V:
    """The arrays of `whole` with those that the filters make in the place of some times."""
    for where, each in filters:
        for first in range(0, where.size, TOGETHER):
            rows = slice(first, first + TOGETHER)
            for name, values in vars(made(each.at_times(rows))).items():
                getattr(whole, name)[where[rows]] = values
    return whole


def _answer(
    problem: MultiScale, plain: Terms, outputs: Examples | None, observable: Sequence[str] | None
) -> Arrays:
    """The observables of the terms, sums without cancellation; NaN where nothing is certain."""
    of = shrunk(problem, plain)
    excess = (of.bias + of.variance + of.start).sum(axis=-1)
    answer = {
        "R": of.alignment.sum(axis=-1),
        "Q": (of.signal + 2 * (of.variance + of.start)).sum(axis=-1),
        "excess_risk": excess,
        "generalisation_error": 2 * excess + problem.noise**2,
        "bias": of.bias,
        "variance": of.variance,
        "start": of.start,
    }
    if outputs is not None:
        on = shrunk_outputs(problem, outputs)
        answer |= {"training_error": on.training, "training_output": on.output}
    certain = nan_where(~of.converged, "asymptotic route: no certified root", answer)
    return asked_for(certain, observable)
