"""How many subsets of large tables are measured, and at which sizes: as many as some minutes of work allow.

The cost is counted in operations, not in measured time, so that an answer does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from teacherstudent.theory.singular import LARGE, RESOLVED

ALLOWED = 1.8e13
"""Operations that all subsets may take: three minutes where a matrix product makes 1e11 in a second."""

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

    The largest two neighbours are taken first, as they tell what more rows bring; then others, the largest
    first. Of sizes that all are too large it is the smallest.
    """

    def affordable(sizes: Sequence[int]) -> bool:
        return subsets * _operations(sizes, rows) <= ALLOWED

    ordered = sorted(wanted, reverse=True)
    pairs = (list(pair) for pair in pairwise(ordered) if affordable(pair))
    taken = next(pairs, [])
    for size in ordered:
        if size not in taken and affordable([*taken, size]):
            taken.append(size)
    return tuple(sorted(taken)) or (min(wanted),)


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
