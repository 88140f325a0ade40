"""What the theory of a measured spectrum holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need, demand_memory
from teacherstudent.problems.batches import FRESH
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import numbers_of
from teacherstudent.theory.measured_spectrum import instance as of_instance
from teacherstudent.theory.spectral.batches import held as of_batches

BLOCK = 2**17
"""Numbers in an array of rows and pairs of points, of which some are held together."""


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


def instance_sgd(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """As `instance`, and one draw at a time its modes on its rows and their covariance."""
    whole = instance(problem, times, options)

    def numbers(n: int, **sizes: int) -> float:
        rank = min(n, sizes.get("size", problem.columns) or n)
        return whole.numbers(n=n, **sizes) + 6.0 * n * rank + 8.0 * rank * rank

    return Need(whole.sizes, numbers)


def sgd(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The rows, and points of a contour and eigenvalues, of a block of times."""
    modes = 1 + (problem.size or len(problem.modes) or min(problem.rows, problem.columns or problem.rows))
    fresh = options["data"] == FRESH
    return Need({}, lambda times, seeds: numbers_of(problem) + of_batches(modes, times, fresh))


def _law(problem: MeasuredSpectrum) -> Need:
    """The inputs of all draws, and of one at a time both bases, (n, R) and (d, R)."""
    modes = problem.columns

    def numbers(n: int, times: int, seeds: int, size: int = modes) -> float:
        rank = min(n, size)
        decomposed = 2.5 * n * size + 2.0 * rank * (n + size)
        return 1.5 * seeds * n * size + 12 * size + decomposed + _block(size + rank, times, seeds)

    if problem.modes:  # no option gives their number, and no other can make them fit
        demand_memory({"modes": modes}, lambda sizes: numbers(1, 1, 1, sizes["modes"]), ())
        return Need({"n": problem.n}, numbers)
    return Need({"n": problem.n, "size": modes}, numbers)


def _block(errors: int, times: int, seeds: int) -> float:
    """Errors at as many times as are taken together, as filters and in between, and the answer."""
    return 4.0 * min(max(of_instance.TOGETHER, errors), errors * times) + 8.0 * seeds * times


def hold_between_rows(problem: MeasuredSpectrum, points: int) -> None:
    """Raise `InputError` if matrices between rows do not fit into memory at this number of complex points."""

    def numbers(sizes: dict[str, int]) -> float:
        rows = sizes["features"]
        return 2.0 * (points + 6) * rows * (rows + min(problem.columns or rows, rows))

    demand_memory({"features": problem.rows}, numbers, ())


def rows_at(rows: int, columns: int, outputs: int, points: int) -> float:
    """The rows' vectors, their squares, few modes for both; errors of each row at these complex points."""
    modes, pairs = min(columns or rows, rows), min(max(BLOCK, rows), rows * points * (points + 1) // 2)
    return rows * (2.5 * modes + points * (6 * outputs + 12)) + 12.0 * (1 + modes / rows) * pairs


def hold_rows(problem: MeasuredSpectrum, points: int) -> None:
    """Raise `InputError` if the rows' vectors, their errors, or for classes covariances do not fit."""
    contrasts = problem.outputs - 1 if problem.task == "classification" else 0

    def numbers(sizes: dict[str, int]) -> float:
        rows = sizes["features"]
        of_rows = rows_at(rows, problem.columns, problem.outputs + contrasts, points)
        return of_rows + rows * (5.0 * contrasts**2 + 2) + (contrasts and (contrasts + 4.0) * BLOCK)

    demand_memory({"features": problem.rows}, numbers, ())
