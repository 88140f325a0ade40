"""What the means and standard deviations of a printed table say of a statement, at any rounding of the print.

Welch's test: samples of different variance, with Satterthwaite's degrees of freedom. Of several comparisons
that one statement makes each is tested at `LEVEL` over their number (Bonferroni), so that one of them is
decided wrongly with at most that probability. Runs count as independent: no table prints how they are paired.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.evidence import Erratum, Verdict, WrongClaim

LEVEL = 0.05


class Cell(NamedTuple):
    """Mean and standard deviation over `runs` runs, as printed; `half` of the last digit of each."""

    mean: float
    std: float
    runs: int
    halves: tuple[float, float]


class Difference(NamedTuple):
    """A weighted sum of means, whose sign is asked."""

    cells: Sequence[Cell]
    weights: Sequence[float] = (1.0, -1.0)

    @property
    def mean(self) -> float:
        """The sum as printed."""
        return float(np.dot(self.weights, [cell.mean for cell in self.cells]))


Statement = Mapping[str, Difference]
"""The comparisons that a statement makes, by what is compared."""


@dataclass(frozen=True)
class Table:
    """A printed table: its place in a paper, the runs behind each cell, and its rows as they are printed.

    A line of `rows` is a name and, after each bar, a mean and a standard deviation. A dash is a cell that is
    not printed, or that the scan does not show. `runs` is one number, or one for each column.
    """

    paper: str
    place: str
    runs: int | Sequence[int]
    columns: Sequence[str]
    rows: str

    @cached_property
    def printed(self) -> dict[tuple[str, str], tuple[str, str]]:
        """The digits of each cell, by row and column."""
        found = {}
        for line in self.rows.strip().splitlines():
            name, *cells = (part.strip() for part in line.split("|"))
            for column, cell in zip(self.columns, cells, strict=True):
                if cell != "-":
                    mean, std = cell.split()
                    found[name, column] = mean, std
        return found

    def __getitem__(self, where: tuple[str, str]) -> Cell:
        mean, std = self.printed[where]
        runs = self.runs if isinstance(self.runs, int) else self.runs[self.columns.index(where[1])]
        return Cell(float(mean), float(std), runs, (_half(mean), _half(std)))

    def row(self, name: str) -> list[Cell]:
        """The cells of a row that are printed, in order."""
        return [self[name, column] for column in self.columns if (name, column) in self.printed]

    def against(self, one: str, *others: str) -> Statement:
        """One row less others, in every column that has both."""
        return {
            f"{column}: {other}": Difference([self[one, column], self[other, column]])
            for other in others
            for column in self.columns
            if {(one, column), (other, column)} <= self.printed.keys()
        }


def _half(digits: str) -> float:
    return float(0.5 * 10.0 ** -len(digits.partition(".")[2]))


def on_average(one: Sequence[Cell], other: Sequence[Cell]) -> Difference:
    """The mean over some cells less that over others."""
    weights = [1 / len(one)] * len(one) + [-1 / len(other)] * len(other)
    return Difference([*one, *other], weights)


def probabilities(of: Difference) -> np.ndarray:
    """Two-sided probability of so large a difference where there is none: as printed, and the least and the
    largest at any rounding, (3,)."""
    from scipy import stats

    weights = np.array(of.weights)
    stds, runs = (np.array([cell[i] for cell in of.cells], dtype=float) for i in (1, 2))
    of_mean, of_std = np.array([cell.halves for cell in of.cells]).T
    signs = np.array([np.zeros(stds.size), *itertools.product((-1.0, 1.0), repeat=stds.size)])
    parts = (weights * np.maximum(stds + of_std * signs, 0)) ** 2 / runs
    error, degrees = parts.sum(axis=1), parts.sum(axis=1) ** 2 / (parts**2 / (runs - 1)).sum(axis=1)
    slack = np.abs(weights) @ of_mean * np.array([[0.0], [-1.0], [1.0]])
    p = 2 * stats.t.sf(np.maximum(abs(of.mean) + slack, 0) / np.sqrt(error), degrees)
    return np.array([p[0, 0], p[:, 1:].min(), p[:, 1:].max()])


class Count(NamedTuple):
    """Of how many comparisons the printed difference is positive; and of how many it is shown to be positive,
    to be negative, and neither."""

    above: int
    larger: int
    smaller: int
    open: int


def count_significant(statement: Statement) -> Count:
    """What the comparisons of a statement show, each at `LEVEL` over their number, whatever the rounding."""
    level = LEVEL / len(statement)
    shown = [np.sign(each.mean) * (probabilities(each)[2] < level) for each in statement.values()]
    above = sum(each.mean > 0 for each in statement.values())
    return Count(above, shown.count(1), shown.count(-1), shown.count(0))


Told = Mapping[str, tuple[Statement, Count]]
"""Statements by name, and what their comparisons show."""


def against_print(told: Told, *controls: str, errata: tuple[Erratum, ...] = ()) -> dict[str, Any]:
    """What a check of statements consists of. controls: statements of which it is wrong that all is shown.

    The judge counts the statements that show something else.
    """

    def judge(found: Mapping[str, Count], claimed: Mapping[str, Count]) -> Verdict:
        wrong = sum(found[name] != claimed[name] for name in found)
        return none_wrong(
            wrong, len(found), "Welch's test for every possible rounding of the printed numbers", "statements"
        )

    return {
        "evidence": lambda _: {name: count_significant(statement) for name, (statement, _) in told.items()},
        "claim": claim_except(told),
        "judge": judge,
        "wrong": tuple(
            WrongClaim(f"{name}: all shown significant", claim_except(told, name)) for name in controls
        ),
        "errata": errata,
    }


def claim_except(told: Told, *names: str, **others: Count) -> Callable[[object], dict[str, Count]]:
    """The claim, but that all comparisons of some statements are shown to be positive, or show `others`."""
    changed = {name: Count(n, n, 0, 0) for name in names for n in (len(told[name][0]),)}
    return lambda _: {name: count for name, (_, count) in told.items()} | changed | others
