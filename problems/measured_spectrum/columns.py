"""What columns of the features look like: units that differ much, identifiers and dates.

A student learns columns of a large standard deviation first, and a ridge shrinks those of a small one most.
So a number that only names its row, as an identifier or a date does, may decide what is learned.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from teacherstudent.house.tables import Table

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.problems.measured_spectrum import MeasuredSpectrum

APART = 1e3
"""Ratio of standard deviations from which columns differ much."""

FEWEST = 10
"""Different numbers in a column that is said to number or to order the rows."""

FIRST = 100
"""Rows that are looked at first."""

NAMED = 3
"""Columns that are named one by one."""


@lru_cache(maxsize=2)
def deviations(table: Table) -> np.ndarray:
    """Standard deviation of each column over all rows, (p,); 1 where a column is constant."""
    import numpy as np

    return np.where(table.constant, 1.0, table.deviation)


def scaled(problem: MeasuredSpectrum) -> np.ndarray:
    """The features of a problem, each divided by its standard deviation where the problem says so, (P, p)."""
    assert problem.features is not None
    values = problem.features.values
    return values / deviations(problem.features) if problem.standardise else values


def ratio(table: Table | None) -> float:
    """The largest of these over the smallest one, without constant columns; 1 without columns."""
    if table is None or table.constant.all():
        return 1.0
    found = deviations(table)[~table.constant]
    return float(found.max() / found.min())


def hints(table: Table | None, standardised: bool) -> list[str]:
    """What whoever brought these features must know of their columns, sentence by sentence."""
    return [] if table is None else _hints(table, standardised)


@lru_cache(maxsize=2)
def _hints(table: Table, standardised: bool) -> list[str]:
    import numpy as np

    found, kinds = [], [_kind(column) for column in table.values.T]
    if not standardised and ratio(table) > APART:
        scales = np.where(table.constant, np.nan, deviations(table))
        most, least = int(np.nanargmax(scales)), int(np.nanargmin(scales))
        lost = np.flatnonzero(scales < np.finfo(float).eps * max(table.values.shape) * scales[most])
        found.append(
            f"the columns' standard deviations differ by a factor of {ratio(table):.1e}, from "
            f"{_listed(table, [least])} ({scales[least]:.2g}) to {_listed(table, [most])} "
            f"({scales[most]:.2g}), so large columns are learned first; --standardise divides each column "
            "by its standard deviation"
            + (f", without which {_listed(table, lost.tolist())} is lost in rounding" if lost.size else "")
        )
    for kind in filter(None, dict.fromkeys(kinds)):
        places = [place for place, each in enumerate(kinds) if each == kind]
        found.append(
            f"{_listed(table, places)} {kind}: unless it also describes new rows, use --leave-out, or "
            "delete it from the table"
        )
    return found


def _listed(table: Table, places: list[int]) -> str:
    """Columns by their names, or by their places, counted from 0, where they have none."""
    names = [table.columns[place] if table.columns else str(place) for place in places[:NAMED]]
    listed = ", ".join(names) + (", ..." if len(places) > NAMED else "")
    return f"column {listed}" + ("" if table.columns else " (counted from 0)")


def _kind(values: np.ndarray) -> str:
    """How a column numbers or orders the rows; "" where it does not, as most tell by their first rows."""
    return _kind_of(values, FEWEST) if _kind_of(values[:FIRST], 1) else ""


def _kind_of(values: np.ndarray, fewest: int) -> str:
    import numpy as np

    different, steps = np.unique(values).size, np.diff(values)
    if different < fewest:
        return ""
    if (values == values.round()).all():
        if _dates(values):
            return "contains whole numbers that look like dates"
        if different == values.size:
            return "contains a different whole number in every row, like an identifier"
    ordered = (steps >= 0).all() or (steps <= 0).all()
    return "is sorted from the first row to the last, like an index or a time" if ordered else ""


def _dates(values: np.ndarray) -> bool:
    """Whether whole numbers read as year, month and day, as year and month, or as seconds since 1970."""
    day, months = values % 100, values // 100
    monthly = (day >= 1) & (day <= 12) & (months >= 1900) & (months <= 2100)
    month, year = months % 100, months // 100
    daily = (day >= 1) & (day <= 31) & (month >= 1) & (month <= 12) & (year >= 1900) & (year <= 2100)
    seconds = (values >= 3e8) & (values <= 4.2e9)
    return bool(monthly.all() or daily.all() or seconds.all())
