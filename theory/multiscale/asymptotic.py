"""The exact limit n, d -> infinity: gradient flow, gradient descent and ridge regression.

The cost does not depend on n or d. Where a root is not certified the answer is NaN, with a
warning: never a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.domains import InputError
from teacherstudent.problems.multiscale import MultiScale, fading_penalty
from teacherstudent.theory import contours
from teacherstudent.theory.multiscale import fading
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.penalised import shrunk, unpenalised
from teacherstudent.theory.multiscale.terms import Terms, at_ridge, on_contour, spectrum_of, untrained


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    plain, clock = unpenalised(problem), (1 + problem.output_penalty) * times
    started = np.flatnonzero(times > 0)
    pieces = [(started, on_contour(plain, contours.flow(clock[started])))] if started.size else []
    return _answer(problem, shrunk(problem, _assembled(plain, times.size, pieces)), observable)


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
        terms = fading.descent(problem, times[moving], eta, penalties, edge)
        return _answer(problem, _assembled(problem, times.size, [(moving, terms)]), observable)
    pieces = [
        (moving[where], on_contour(plain, contour))
        for where, contour in contours.descent(times[moving], speed * eta, smallest)
    ]
    return _answer(problem, shrunk(problem, _assembled(plain, times.size, pieces)), observable)


def ridge(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    effective = (problem.ridge + 1 / times) / (1 + problem.output_penalty)
    return _answer(problem, shrunk(problem, at_ridge(unpenalised(problem), effective)), observable)


def _assembled(problem: MultiScale, count: int, pieces: list[tuple[np.ndarray, Terms]]) -> Terms:
    """All times: the untrained student, overwritten wherever a piece has an answer."""
    if len(pieces) == 1 and pieces[0][0].size == count:
        return pieces[0][1]
    whole = untrained(problem, count)
    for where, piece in pieces:
        for name, values in vars(piece).items():
            getattr(whole, name)[where] = values
    return whole


def _answer(problem: MultiScale, terms: Terms, observable: Sequence[str] | None) -> Arrays:
    """The observables of the terms, Eq. 4.2.6 read backwards for Q; NaN where nothing is certain."""
    R = terms.alignment.sum(axis=-1)
    excess = (terms.bias + terms.variance + terms.start).sum(axis=-1)
    answer = {
        "R": R,
        "Q": 2 * excess - 1 + 2 * R,
        "excess_risk": excess,
        "generalisation_error": 2 * excess + problem.noise**2,
        "training_error": terms.training,
        "training_output": 1 + problem.noise**2 - 2 * terms.overlap + terms.training,
        "bias": terms.bias,
        "variance": terms.variance,
        "start": terms.start,
    }
    certain = nan_where(~terms.converged, "asymptotic route: no certified root", answer)
    return asked_for(certain, observable)
