"""What the simulations on measured rows hold in memory, in numbers, as measured.

Terms besides those of `sims.linear_students.needs`: of all draws S n q training sets (of a law twice, while
it is drawn), S n P mixtures under population, likewise, and S q c weights at time 0. Of one draw the rows
that it is tested on, and `AT_ONCE` outputs, in copies. The prepared rows themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.batches import FRESH
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import numbers_of
from teacherstudent.sims.linear_students.needs import PARTS, maps_of, of_students
from teacherstudent.sims.linear_students.outputs import AT_ONCE
from teacherstudent.sims.step_limits import of_batches


def descent(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any], parts: int = 1) -> Need:
    """parts: of the state of a step."""
    kept = problem.outputs if problem.init else 0
    return _need(problem, maps=maps_of(times, parts), moved=4 * parts, kept=kept)


def stepped(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The same of steps that keep more than weights."""
    return descent(problem, times, options, PARTS)


def sgd(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Beside them a block of batches of every draw; where rows are new, those but no training set."""
    batch, c = options["batch"], problem.outputs
    if options["data"] == FRESH and problem.sampling == "population":

        def fresh(batch: int, times: int, seeds: int, size: int | None = None) -> float:
            m = size or min(problem.columns or problem.rows, problem.rows or problem.columns)
            decomposed = 4 * problem.rows * m + m * problem.columns
            held = seeds * 4 * times * c * m + of_batches(batch * (m + c), seeds)
            return decomposed + held + numbers_of(problem)

        return Need({"batch": batch, **_size(problem)}, fresh)
    whole = _need(problem, maps=0, moved=1, kept=0)

    def numbers(n: int, **sizes: int) -> float:
        columns = sizes.get("size") or problem.columns or n
        return whole.numbers(n=n, **sizes) + of_batches(min(batch, n) * columns, sizes["seeds"])

    return Need(whole.sizes, numbers)


def ridge(problem: MeasuredSpectrum, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Beside them the factor of the normal equations, of draws that go together."""
    return _need(problem, maps=4, moved=1, kept=0)


def _need(problem: MeasuredSpectrum, *, maps: int, moved: int, kept: int) -> Need:
    """maps, moved: matrices and recorded students of a draw in training. kept: weights that it keeps."""
    P, c, kernel = problem.rows, problem.outputs, problem.kernel not in ("", "linear")
    mixed = P * (problem.sampling == "population")

    def numbers(n: int, times: int, seeds: int, size: int | None = None) -> float:
        q = n if kernel else size or problem.columns
        m = n if kernel else min(n + kept, q)
        of_law = n * q * (P == 0)
        basis = m * q * (kept > 0 and m < q)
        drawn = n * q + of_law + 2 * n * mixed + 3 * q * c + 4 * n * c
        trained = of_students(seeds, m, q, c, times, maps=maps, moved=moved)
        tested = P * q + 4 * min(AT_ONCE, times * c * max(P, n))
        return seeds * (drawn + basis) + trained + tested + numbers_of(problem)

    return Need({"n": problem.n, **_size(problem)}, numbers)


def _size(problem: MeasuredSpectrum) -> dict[str, int]:
    """The number of modes of a power law, where it is one."""
    return {"size": problem.size} if problem.size else {}
