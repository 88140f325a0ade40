"""What columns of the features look like: units that differ much, identifiers and dates.

A student learns columns of a large standard deviation first, and a ridge shrinks those of a small one most.
So a number that only names its row, as an identifier or a date does, may decide what is learned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.house.tables import Table

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.problems.measured_spectrum import MeasuredSpectrum

APART = 1e3
"""Ratio of standard deviations from which columns differ much."""

FEWEST = 10
"""Different numbers in a column that is said to number or to order the rows."""

NAMED = 3
"""Columns that are named one by one."""


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
    if table is None:
        return []
    return [each for each in (_apart(table, standardised), *_names_of_rows(table)) if each]


def _apart(table: Table, standardised: bool) -> str:
    import numpy as np

    if standardised or ratio(table) <= APART:
        return ""
    found = np.where(table.constant, np.nan, table.deviation)
    most, least = int(np.nanargmax(found)), int(np.nanargmin(found))
    return (
        f"the columns' standard deviations differ by a factor of {ratio(table):.1e}, from column {least} "
        f"({found[least]:.2g}) to column {most} ({found[most]:.2g}): large ones are learned first; "
        f"--standardise divides each by its own{_lost(table, found)}"
    )


def _lost(table: Table, found: np.ndarray) -> str:
    """Which columns are below the rounding of the largest one, in a phrase."""
    import numpy as np

    lost = np.flatnonzero(found < np.finfo(float).eps * max(table.values.shape) * np.nanmax(found))
    return f", without which columns {_listed(lost.tolist())} are lost in rounding" if lost.size else ""


def _listed(places: list[int]) -> str:
    return ", ".join(map(str, places[:NAMED])) + (", ..." if len(places) > NAMED else "")


def _names_of_rows(table: Table) -> list[str]:
    """The columns that look like identifiers, dates or an order of the rows."""
    import numpy as np

    kinds: dict[str, list[int]] = {}
    for place in np.flatnonzero(~table.constant):
        if kind := _kind(table.values[:, place]):
            kinds.setdefault(kind, []).append(int(place))
    found = []
    for kind, places in kinds.items():
        which = f"column {places[0]} is" if len(places) == 1 else f"columns {_listed(places)} are"
        found.append(
            f"{which} {kind} (counted from 0): what says nothing of a new row is left out by "
            "--leave-out, or deleted from the table"
        )
    return found


def _kind(values: np.ndarray) -> str:
    """How a column numbers or orders the rows; "" where it does not."""
    import numpy as np

    different = np.unique(values)
    if different.size < FEWEST:
        return ""
    whole = bool((values == values.round()).all())
    if whole and _dates(different):
        return "whole numbers that read as dates"
    if whole and different.size == values.size:
        return "different whole numbers in all rows, as an identifier is"
    steps = np.diff(values)
    if (steps >= 0).all() or (steps <= 0).all():
        return "in order from the first row to the last, as an index or a time is"
    return ""


def _dates(different: np.ndarray) -> bool:
    """Whether whole numbers read as year, month and day, as year and month, or as seconds since 1970."""
    day, months = different % 100, different // 100
    month, year = months % 100, months // 100
    calendar = (day >= 1) & (day <= 31) & (month >= 1) & (month <= 12) & (year >= 1900) & (year <= 2100)
    monthly = (day >= 1) & (day <= 12) & (months >= 1900) & (months <= 2100)
    seconds = (different >= 3e8) & (different <= 4.2e9)
    return bool(calendar.all() or monthly.all() or (seconds.all() and different[-1] - different[0] > 86400))
