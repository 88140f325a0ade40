"""Where the resolvent is needed for an error at one time, with the weight of each such point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory import contours
from teacherstudent.theory.measured_spectrum.asymptotic import _solved, upper_edge
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

NEAR = 1e-12
"""How near zero, beside n times the smallest eigenvalue, the pole is evaluated where no ridge moves it."""

FAR = 1e100
"""How far from the spectrum, beside its size, nothing has been learned."""


@dataclass(frozen=True)
class Points:
    """Points z with q, (J,), so that a residual at a time is 2 Re sum_j weight_j (residual at z_j).

    started: v/z of each, by which initial weights enter, (J,). certain: whether all q are.
    """

    z: np.ndarray
    q: np.ndarray
    weights: np.ndarray
    started: np.ndarray
    certain: bool


def flow(problem: MeasuredSpectrum, times: np.ndarray) -> list[Points]:
    """Those of gradient flow at times s >= 0, one for each."""
    moving = np.flatnonzero(times > 0)
    return _at_times(problem, times, [(moving, contours.flow(times[moving]))] if moving.size else [])


def descent(problem: MeasuredSpectrum, times: np.ndarray, learning_rate: float | str) -> list[Points]:
    """Those of gradient descent after whole steps k >= 0. Raises `InputError` where it would diverge."""
    edge = upper_edge(problem, decomposition(problem))
    eta = 1 / edge if isinstance(learning_rate, str) else learning_rate
    smallest = 1 - eta * (edge + problem.ridge)
    if smallest <= -1:
        most = 2 / (edge + problem.ridge)
        raise InputError("learning_rate", f"{eta:g}", f"below 2/(upper edge + ridge) = {most:g}")
    moving = np.flatnonzero(times > 0)
    pieces = contours.descent(times[moving], eta, smallest) if moving.size else []
    return _at_times(problem, times, [(moving[where], contour) for where, contour in pieces])


def ridge(problem: MeasuredSpectrum, times: np.ndarray) -> list[Points]:
    """That of ridge regression at ridge + 1/time, times > 0."""
    z = problem.ridge + 1 / times
    q, certain = _solved(problem, decomposition(problem), z.astype(complex))
    return [
        Points(z[i : i + 1], q[i : i + 1], np.array([0.5]), np.zeros(1), bool(certain[i]))
        for i in range(times.size)
    ]


def _at_times(
    problem: MeasuredSpectrum, times: np.ndarray, pieces: list[tuple[np.ndarray, contours.Contour]]
) -> list[Points]:
    """Points in the order of times: nodes of each contour, and the pole at v = 0 of (1 - p)/v."""
    lam = decomposition(problem).eigenvalues
    near = max(problem.ridge, NEAR * problem.n * lam[-1])
    far = np.full(1, FAR * problem.n * lam[0], dtype=complex)
    found = dict.fromkeys(range(times.size), _solved_at(problem, far, np.array([0.5]), np.ones(1)))
    for where, contour in pieces:
        rest = contour.outside(0.0)
        for place, v, weights, left in zip(where, contour.nodes, contour.weights, rest, strict=True):
            z = v + problem.ridge
            found[place] = _solved_at(
                problem, np.append(z, near), np.append(weights / v, left / 2), np.append(v / z, 0.0)
            )
    return [found[place] for place in range(times.size)]


def _solved_at(problem: MeasuredSpectrum, z: np.ndarray, weights: np.ndarray, started: np.ndarray) -> Points:
    q, certain = _solved(problem, decomposition(problem), z)
    return Points(z, q, weights, started, bool(certain.all()))
