r"""How far the two formulas can be trusted on measured rows: numbers that need no simulation, and what they mean.

The formulas replace what single rows do by its mean. With the leverage l_i of each row at z = ridge + 1/time,
q(z) of the limit, and chi_i = l_i P/(q z (1 - l_i)), by which a row changes its own error when it is trained on,

    spread = std chi/(1 + mean chi)

is 0 where all rows are alike, and small where their mean tells enough. zeta = mean(e^2 l2)/(mean e^2 mean l2)
is 1 where rows that lie far out have errors as large as others. How large the errors of the formulas are at a
given spread has been measured (`MEASURED`), not derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory.measured_spectrum import leverage
from teacherstudent.theory.measured_spectrum.leverage import Pool
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import Resolvent, resolvent

Verdict = Literal["leverage", "band", "warning"]
"""What to believe: the formula corrected for leverages; only that the error is in the band of both; or neither."""

SURE, UNSURE, INVENTED = 0.1, 0.2, 0.4
"""Spreads up to which the corrected formula is trusted, and the band of both, and a second descent."""

LOCALISED = 1 / 18
"""Participation, in rows, below which an eigenvector is localised: a random one's is 1/3."""

SPARSE = 0.2
"""A column that differs from its most frequent value in a smaller share of rows is carried by few of them."""

EARLIEST = 1e-100
"""Time zero, beside the time in which the largest eigenvalue is learned: only ratios matter there."""

MANY = 256
"""Points at which rows are looked at together."""


@dataclass(frozen=True)
class Trust:
    """What tells whether to trust, at T times of a problem that draws from P rows.

    spread, zeta: (T,). verdicts: at each time. participation: of each eigenvector in rows, 1/sum_i U_ik^4,
    (K,), the strongest first; localised: how many are carried by few rows. sparse: places of columns that few
    rows tell apart. converged: where the numbers of that time are certain, (T,).
    """

    spread: np.ndarray
    zeta: np.ndarray
    verdicts: tuple[Verdict, ...]
    participation: np.ndarray
    localised: int
    sparse: tuple[int, ...]
    converged: np.ndarray

    @property
    def worst(self) -> Verdict:
        """That of the time at which least is certain."""
        return max(self.verdicts, key=("leverage", "band", "warning").index)


def trust(problem: MeasuredSpectrum, times: np.ndarray) -> Trust:
    """The numbers at flow times s = eta k, or inverse added ridges, (T,).

    Raises `InputError` unless rows are drawn from a pool.
    """
    if problem.sampling != "pool":
        raise InputError("sampling", problem.sampling, "pool: only of real rows is there anything to doubt")
    rows, spectrum = leverage.pool(problem), task_of(problem).spectrum
    earliest = EARLIEST / (problem.n * rows.eigenvalues[0])
    at = resolvent(spectrum, problem.ridge + 1 / np.maximum(times, earliest))
    found = [_numbers(rows, _some(at, slice(i, i + MANY))) for i in range(0, times.size, MANY)]
    spread, zeta = np.concatenate([np.zeros((2, 0)), *found], axis=1)
    participation = 1 / np.sum(rows.squares**2, axis=0)
    return Trust(
        spread,
        zeta,
        tuple(verdict(each) for each in np.where(at.converged, spread, np.inf)),
        participation,
        int(np.count_nonzero(participation < LOCALISED * problem.rows)),
        _sparse(problem),
        at.converged,
    )


def verdict(spread: float) -> Verdict:
    """What to believe at that spread."""
    return "leverage" if spread < SURE else "band" if spread < UNSURE else "warning"


def second_descent(one: np.ndarray, other: np.ndarray, spread: np.ndarray) -> bool:
    """Whether a second descent over training can be claimed: both formulas, (T,) each, rise and then fall, in
    the same places, and the spread is nowhere large. Of rows that are too unlike, both invent one."""
    if np.any(spread >= INVENTED) or np.any(~np.isfinite(one + other)):
        return False
    tops = [_highest_between(each) for each in (one, other)]
    return all(top is not None for top in tops)


def _highest_between(errors: np.ndarray) -> int | None:
    """Where the largest rise above an earlier minimum is that is followed by a fall, or None."""
    before = np.minimum.accumulate(errors)
    after = np.minimum.accumulate(errors[::-1])[::-1]
    hump = np.minimum(errors - before, errors - after)
    top = int(np.argmax(hump))
    return top if hump[top] > LEAST * errors[top] else None


LEAST = 1e-6
"""A rise, beside the error itself, that is above all rounding of the formulas."""


def _some(at: Resolvent, which: slice) -> Resolvent:
    return Resolvent(*(each[which] for each in vars(at).values()))


def _numbers(rows: Pool, at: Resolvent) -> np.ndarray:
    """Spread and zeta at real points, (2, T)."""
    seen = leverage.at(rows, at)
    left_out, kept = seen.left_out.real, seen.kept.real
    chi = 1 / kept - 1
    spread = chi.std(axis=0) / (1 + chi.mean(axis=0))
    squares = np.sum(seen.errors.real**2, axis=0)
    drawn = rows.squares @ (seen.learned.real**2)
    return np.stack([spread, np.mean(squares * drawn, axis=0) / (squares.mean(axis=0) * drawn.mean(axis=0))])


def _sparse(problem: MeasuredSpectrum) -> tuple[int, ...]:
    if problem.features is None:
        return ()
    values = problem.features.values
    most = (np.unique(column, return_counts=True)[1].max() for column in values.T)
    return tuple(place for place, rows in enumerate(most) if rows > (1 - SPARSE) * len(values))
