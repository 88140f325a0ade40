"""What the theory of a measured spectrum holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need, hold
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import numbers_of
from teacherstudent.theory.measured_spectrum import instance as of_instance
from teacherstudent.theory.measured_spectrum import leverage as of_leverage

CONTOUR = 7
"""Points of a flow for one time, on half of the contour and at the pole."""

CIRCLE = 60
"""Points of a descent of few steps, most of the time."""


def instance(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All draws, and one at a time its rows, their decomposition, and errors at a block of times."""
    if not problem.measured:
        return _law(problem)
    rows, columns, outputs = problem.rows, problem.columns, problem.outputs
    mixed = problem.sampling == "population"

    def numbers(n: int, times: int, seeds: int) -> float:
        rank, tested = min(n, columns or n), rows if mixed else max(rows - n, 1)
        drawn = seeds * (1.2 * n * (rows if mixed else 1) + 2 * n * outputs + 2 * columns * outputs)
        if columns:
            decomposed = 2.5 * n * columns + 2.0 * rank * (n + columns) + tested * (columns + rank)
        else:
            decomposed = 2.0 * n * rows + 5.0 * n * n + 2.0 * tested * n
        return numbers_of(problem) + drawn + decomposed + _block((tested + rank) * outputs, times, seeds)

    return Need({"n": problem.n}, numbers)


def _law(problem: MeasuredSpectrum) -> Need:
    """The inputs of all draws, and of one at a time both bases, (n, R) and (d, R)."""
    modes = problem.columns

    def numbers(n: int, times: int, seeds: int, size: int = modes) -> float:
        rank = min(n, size)
        decomposed = 2.5 * n * size + 2.0 * rank * (n + size)
        return 1.5 * seeds * n * size + 12 * size + decomposed + _block(size + rank, times, seeds)

    if problem.modes:  # no option gives their number, and no other can make them fit
        hold({"modes": modes}, lambda sizes: numbers(1, 1, 1, sizes["modes"]), ())
        return Need({"n": problem.n}, numbers)
    return Need({"n": problem.n, "size": modes}, numbers)


def _block(errors: int, times: int, seeds: int) -> float:
    """Errors at as many times as are taken together, as filters and in between, and the answer."""
    return 4.0 * min(max(of_instance.BLOCK, errors), errors * times) + 8.0 * seeds * times


def leverage(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All rows in their own basis, and at a time errors of each at each point, and a block of pairs."""
    rows, outputs = problem.rows, problem.outputs
    rank = min(problem.columns or rows, rows)
    kept = numbers_of(problem) + 4.0 * rows * rank + 2.0 * CIRCLE * (2 * outputs + 6) * rows
    pairs = 24.0 * min(of_leverage.BLOCK, CIRCLE**2 / 2 * rows)
    return Need({}, lambda times, seeds: kept + pairs + CIRCLE * times)


def per_row_flow(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Of each point of a time what each row is to each other, and some such matrices of a pair."""
    return _between_rows(problem, CONTOUR)


def per_row_ridge(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Of the one point of a time what each row is to each other, in real numbers, and of a pair."""
    return _between_rows(problem, 1)


def _between_rows(problem: MeasuredSpectrum, points: int) -> Need:
    rows = problem.rows
    rank = min(problem.columns or rows, rows)
    kept = numbers_of(problem) + 2.0 * points * rows * (rows + rank) + 8.0 * rows * (rows + rank)
    return Need({}, lambda times, seeds: kept + 10.0 * times)
