r"""Reliability of the formulas on measured rows: diagnostics that need no simulation, and their meaning.

The formulas replace the effect of single rows by its mean. With the leverage l_i of each row at z = ridge +
1/time, q(z) of the limit, and chi_i = l_i P/(q z (1 - l_i)), by which a row changes its own error when
trained on,

    spread = std chi/(1 + mean chi)

is 0 if all rows are equal, and small if their mean is sufficient. zeta = mean(e^2 l2)/(mean e^2 mean l2) is 1
where rows that lie far out have errors as large as others. How large the errors of the formulas are at a
given spread has been measured (`evidence.expected`), not derived. With few training rows they also have
finite-size errors, which the spread does not measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.building import sparse_columns
from teacherstudent.theory.measured_spectrum import leverage
from teacherstudent.theory.measured_spectrum.evidence import FEW
from teacherstudent.theory.measured_spectrum.leverage import Pool
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import Resolvent, resolvent

Verdict = Literal["leverage", "band", "warning"]
"""What to believe: the formula corrected for leverages; only the band between both; or neither."""

SURE, UNSURE, INVENTED = 0.1, 0.2, 0.4
"""Spreads below which the corrected formula is trusted, the band of both, and a second descent of both."""

LOCALISED = 1 / 18
"""Participation, in all rows, below which an eigenvector is localised: that of a random one is 1/3."""

EARLIEST = 1e-100
"""Time zero, beside the one in which the largest eigenvalue is learned: only ratios matter there."""

RISE = 1e-6
"""A rise, beside the error itself, that is above all rounding of the formulas."""

MANY = 256
"""Times at which rows are looked at together."""


@dataclass(frozen=True)
class Trust:
    """Diagnostics of reliability, at T times of a problem that draws from P rows.

    spread, zeta: (T,), NaN where no root is certified. verdicts: at each time. participation: of each
    eigenvector in rows, 1/sum_i U_ik^4, (K,), the strongest first; localised: how many few rows carry.
    sparse: places of columns that distinguish few rows.
    """

    spread: np.ndarray
    zeta: np.ndarray
    verdicts: tuple[Verdict, ...]
    participation: np.ndarray
    localised: int
    sparse: tuple[int, ...]

    @property
    def worst(self) -> Verdict:
        """That of the time at which least is certain."""
        order: tuple[Verdict, ...] = ("warning", "band", "leverage")
        return next(each for each in order if each in self.verdicts)


def trust(problem: MeasuredSpectrum, times: np.ndarray) -> Trust:
    """The numbers at flow times s = eta k, or inverse added ridges, (T,), of any dynamics.

    Raises `InputError` unless rows are drawn from a pool.
    """
    if problem.sampling != "pool":
        raise InputError("sampling", problem.sampling, "pool, because this diagnostic needs real rows")
    rows, spectrum = leverage.pool(problem), task_of(problem).spectrum
    earliest = EARLIEST / (problem.n * rows.eigenvalues[0])
    at = resolvent(spectrum, problem.ridge + 1 / np.maximum(times, earliest))
    blocks = (slice(first, first + MANY) for first in range(0, times.size, MANY))
    numbers = [_numbers(rows, _some(at, each)) for each in blocks]
    found = np.concatenate([np.zeros((2, 0)), *numbers], axis=1)
    spread, zeta = np.where(at.converged, found, np.nan)
    participation = 1 / np.sum(rows.squares.matrix**2, axis=0)
    return Trust(
        spread,
        zeta,
        tuple(verdict(each, problem.n) for each in spread),
        participation,
        int(np.count_nonzero(participation < LOCALISED * problem.rows)),
        sparse_columns(problem.features) if problem.features else (),
    )


def verdict(spread: float, n: int) -> Verdict:
    """What to believe at that spread after training on n rows; a warning where it is NaN.

    Of fewer than `FEW` rows at best the band: both formulas are off by some percent then.
    """
    if not spread < UNSURE:
        return "warning"
    return "leverage" if spread < SURE and n >= FEW else "band"


def second_descent(one: np.ndarray, other: np.ndarray, spread: np.ndarray, above: float = RISE) -> bool:
    """Whether a second descent over training can be claimed, from the curves of both formulas, (T,) each.

    Both must lie above an earlier and a later minimum of theirs at the same time, by more than the share
    `above` of their errors that the formulas may be off. The spread must nowhere be large: where rows differ
    too much, both formulas invent one.
    """
    between = _between_descents(one, above) & _between_descents(other, above)
    return bool(np.any(between) and np.all(spread < INVENTED))


def _between_descents(errors: np.ndarray, above: float) -> np.ndarray:
    """Where errors are above an earlier and a later minimum, (T,)."""
    before = np.minimum.accumulate(errors)
    after = np.minimum.accumulate(errors[::-1])[::-1]
    return errors - np.maximum(before, after) > above * np.abs(errors)


def _some(at: Resolvent, which: slice) -> Resolvent:
    return Resolvent(*(each[which] for each in vars(at).values()))


def _numbers(rows: Pool, at: Resolvent) -> np.ndarray:
    """Spread and zeta at real points, (2, T)."""
    seen = leverage.at(rows, at)
    chi = 1 / seen.kept.real - 1
    spread = chi.std(axis=0) / (1 + chi.mean(axis=0))
    squares = np.sum(seen.errors.real**2, axis=0)
    drawn = rows.squares @ (seen.learned.real**2) + rows.constant
    return np.stack([spread, np.mean(squares * drawn, axis=0) / (squares.mean(axis=0) * drawn.mean(axis=0))])
