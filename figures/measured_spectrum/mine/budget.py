"""How many subsets of large tables are measured, and at which sizes: as many as some minutes of work allow.

The cost is counted in operations, not in measured time, so that an answer does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from teacherstudent.theory.singular import LARGE, RESOLVED

ALLOWED = 3e13
"""Operations that all subsets may take: five minutes where a matrix product makes 1e11 in a second."""

FEWEST = 4
"""Subsets of a size, at least: fewer say too little about their own scatter."""

SQUARED, WHOLE = (5, 8), (26, 0)
"""Cost of the decompositions of one subset, over m^2 M and over m^3 of a matrix m x M, m <= M, through its
square or as it is: once for training, and again over the ridge, where the square is known already. Measured:
a matrix product of so many operations takes as long."""

OUTPUTS = 4
"""The same, over the rows left over, columns and m: each of them along each mode, twice."""


@dataclass(frozen=True)
class Rows:
    """All rows: how many, columns of linear features, 0 of a kernel, and the weakest singular value over the
    strongest."""

    count: int
    columns: int
    weakest: float


def affordable_sizes(wanted: Sequence[int], rows: Rows, subsets: int = FEWEST) -> tuple[int, ...]:
    """Those of the wanted sizes, increasing, of which so many subsets each can be measured.

    The largest, which the page is about, is always among them; of the others the largest are taken first.
    """
    taken: list[int] = []
    for size in sorted(wanted, reverse=True):
        if not taken or subsets * _operations([*taken, size], rows) <= ALLOWED:
            taken.append(size)
    return tuple(sorted(taken))


def affordable_subsets(wanted: int, sizes: Sequence[int], rows: Rows) -> int:
    """How many subsets of each size are measured: as many as are wanted, or fewer."""
    return min(wanted, max(FEWEST, int(ALLOWED / _operations(sizes, rows))))


def _operations(sizes: Sequence[int], rows: Rows) -> float:
    """What one subset of each size takes: its decompositions, and its outputs on the rows left over."""
    total = 0.0
    for n in sizes:
        columns = rows.columns or n
        less, more = sorted((n, columns))
        large = rows.columns and less * less * more >= LARGE and rows.weakest >= RESOLVED
        over_more, over_less = SQUARED if large else WHOLE
        total += less**2 * (over_more * more + over_less * less) + OUTPUTS * (rows.count - n) * columns * less
    return total
