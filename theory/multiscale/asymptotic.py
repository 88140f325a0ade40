"""The exact limit n, d -> infinity: gradient flow, gradient descent and ridge regression.

The cost does not depend on n or d. Where a root is not certified the answer is NaN, with a
warning: never a plausible wrong number.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from house.domains import InputError, UnconvergedWarning
from problems.multiscale import MultiScale
from theory import contours
from theory.multiscale.answers import Arrays, asked_for
from theory.multiscale.terms import Terms, at_ridge, on_contour, spectrum_of, untrained


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    started = np.flatnonzero(times > 0)
    pieces = [(started, on_contour(problem, contours.flow(times[started])))] if started.size else []
    return _answer(problem, _assembled(problem, times.size, pieces), observable)


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,), with (1 - eta c)^k instead of e^{-sc}.

    learning_rate: "auto" is 1/upper edge of the limiting spectrum of X^T X. Raises `InputError`
    where the largest eigenvalue makes descent diverge.
    """
    edge = spectrum_of(problem).upper_edge()
    eta = 1 / edge if learning_rate == "auto" else float(learning_rate)
    smallest = 1 - eta * (edge + problem.ridge)
    if smallest <= -1:
        stable = 2 / (edge + problem.ridge)
        raise InputError("learning_rate", eta, f"below 2/(upper edge of the spectrum + ridge) = {stable:g}")
    moving = np.flatnonzero(times > 0)
    pieces = [
        (moving[where], on_contour(problem, contour))
        for where, contour in contours.descent(times[moving], eta, smallest)
    ]
    return _answer(problem, _assembled(problem, times.size, pieces), observable)


def ridge(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    return _answer(problem, at_ridge(problem, problem.ridge + 1 / times), observable)


def _assembled(problem: MultiScale, count: int, pieces: list[tuple[np.ndarray, Terms]]) -> Terms:
    """All times: the untrained student, overwritten wherever a piece has an answer."""
    whole = untrained(problem, count)
    for where, piece in pieces:
        for name, values in vars(piece).items():
            getattr(whole, name)[where] = values
    return whole


def _answer(problem: MultiScale, terms: Terms, observable: Sequence[str] | None) -> Arrays:
    """The observables of the terms, Eq. 4.2.6 read backwards for Q; NaN where nothing is certain."""
    failed = ~terms.converged
    if np.any(failed):
        warnings.warn(
            f"asymptotic route: no certified root at {failed.sum()} of {failed.size} times; NaN there",
            UnconvergedWarning,
            stacklevel=3,
        )
    R = np.where(failed, np.nan, terms.alignment.sum(axis=-1))
    excess = (terms.bias + terms.variance + terms.start).sum(axis=-1)
    unknown = np.where(failed, np.nan, 0.0)
    answer = {
        "R": R,
        "Q": 2 * excess - 1 + 2 * R,
        "excess_risk": excess + unknown,
        "generalisation_error": 2 * excess + problem.noise**2 + unknown,
        "training_error": terms.training + unknown,
        "bias": terms.bias + unknown[:, None],
        "variance": terms.variance + unknown[:, None],
        "start": terms.start + unknown[:, None],
    }
    return asked_for(answer, observable)
