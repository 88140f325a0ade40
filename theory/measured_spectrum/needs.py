"""What the theory of a measured spectrum holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need, hold
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory.measured_spectrum.instance import BLOCK
from teacherstudent.theory.measured_spectrum.leverage import BLOCK as PAIRS

CONTOUR = 13
"""Points of a flow for one time, on half of the contour and at the pole."""

POINTS = 60
"""Points of a contour for one time, at most."""

ANSWER = 8
"""Numbers of a time and observable while it is put together."""


def instance(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All draws, and one at a time its rows, their decomposition, and errors at a block of times."""
    if not problem.measured:
        return _law(problem)
    rows, columns, outputs = problem.rows, _columns(problem), _outputs(problem)
    mixed = problem.sampling == "population"

    def numbers(n: int, times: int, seeds: int) -> float:
        rank, tested = min(n, columns or n), rows if mixed else max(rows - n, 1)
        drawn = seeds * (1.2 * n * (rows if mixed else 1) + 2 * n * outputs + 2 * columns * outputs)
        if columns:
            kept = float(rows * columns)
            decomposed = 3.5 * n * columns + 3.0 * rank * (n + columns) + tested * (columns + rank)
        else:
            kept = 4.0 * rows * rows
            decomposed = 2.0 * n * rows + 6.0 * n * n + 2.0 * tested * n
        block = min(BLOCK, (tested + rank) * outputs * times)
        return kept + drawn + decomposed + 4.0 * block + ANSWER * seeds * times

    return Need({"n": problem.n}, numbers)


def leverage(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """All rows in their own basis, and at a time errors of each at each point, and a block of pairs."""
    if not problem.measured:
        return Need({}, lambda times, seeds: float(times))
    rows, outputs = problem.rows, _outputs(problem)
    rank = min(_columns(problem) or rows, rows)
    given = 2.0 * rows * (_columns(problem) or 2 * rows)

    def numbers(times: int, seeds: int) -> float:
        return (
            given
            + 2.0 * rows * rank
            + 2.0 * POINTS * (2 * outputs + 6) * rows
            + 24.0 * PAIRS
            + POINTS * times
        )

    return Need({}, numbers)


def per_row(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Of each point of a time what each row is to each other, and some such matrices of a pair."""
    rows = problem.rows
    rank = min(_columns(problem) or rows, rows)
    points = CONTOUR

    def numbers(times: int, seeds: int) -> float:
        return points * 2.0 * rows * (rows + rank) + 10.0 * rows * rows + 10.0 * times

    return Need({}, numbers)


def _law(problem: MeasuredSpectrum) -> Need:
    """The inputs of all draws, and of one at a time both bases, (n, R) and (d, R)."""
    modes = problem.size or sum(count for count, _, _ in problem.modes)

    def numbers(n: int, times: int, seeds: int, size: int = modes) -> float:
        rank = min(n, size)
        decomposed = 2.5 * n * size + 2.0 * rank * (n + size)
        block = min(BLOCK, (size + rank) * times)
        return 1.5 * seeds * n * size + 12 * size + decomposed + 4.0 * block + ANSWER * seeds * times

    if problem.modes:  # no option gives their number, and no other can make them fit
        hold({"modes": modes}, lambda sizes: numbers(1, 1, 1, sizes["modes"]), ())
        return Need({"n": problem.n}, numbers)
    return Need({"n": problem.n, "size": modes}, numbers)


def _columns(problem: MeasuredSpectrum) -> int:
    """Features of a row; 0 of a kernel, which has none of its own."""
    linear = problem.kernel == "linear" and problem.features is not None
    return problem.features.values.shape[1] if linear and problem.features is not None else 0


def _outputs(problem: MeasuredSpectrum) -> int:
    assert problem.targets is not None
    if problem.task == "classification":
        return int(np.unique(problem.targets.values).size)
    return int(problem.targets.values.shape[1])
