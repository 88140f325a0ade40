"""What rows look like that makes an error say something else than is meant: copies, outliers, leaks, codes.

A copy of a training row among the test rows makes the test error too low; one row far out decides what is
learned; a column that is the target says nothing of a prediction; a code for a missing value is no number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from teacherstudent.house.tables import Table

if TYPE_CHECKING:
    import numpy as np

FEWEST = 10
"""Rows below which a row, or a column, may look so by chance."""

COPIES = 0.01
"""Share of the rows that repeat others from which that matters."""

FINE = 0.5
"""Different numbers in a column, as a share of the different rows, from which no row repeats by chance."""

SAME = 1e-6
"""Share of a target's variance that one column does not tell, below which it is that target."""

MOST_OF = 0.5
"""Of the variance of a column, held by one row."""

CODES = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0)
"""Numbers that are written in place of a missing value."""

NAMED = 3
"""Columns that are named one by one."""


@lru_cache(maxsize=2)  # many questions are about one table
def notes(features: Table, targets: Table) -> tuple[str, ...]:
    """What whoever brought these rows must know of them, sentence by sentence."""
    if len(targets.values) < FEWEST:
        return ()
    single: dict[int, list[str]] = {}
    coded = []
    for table in (features, targets):
        for place in _looked_at(table):
            name = "the target" if table is targets else f"column {_name(table, place)}"
            if code := _code(table.values[:, place]):
                coded.append(f"{name} {code}")
            elif (row := _outlier(table.values[:, place])) is not None:
                single.setdefault(row, []).append(name)
    far = [
        f"row {row}, counted from 0, contributes most of the variance of {_listed(names)}: check this row"
        for row, names in list(single.items())[:NAMED]
    ]
    return (*_copies(features, targets), *_leaks(features, targets), *coded[:NAMED], *far)


def _looked_at(table: Table) -> np.ndarray:
    """Places of the columns in which one row may hold most of the variance, or one end is a code."""
    import numpy as np

    low, high, mean = table.values.min(axis=0), table.values.max(axis=0), table.values.mean(axis=0)
    most = np.maximum(high - mean, mean - low) ** 2 > 0.9 * MOST_OF * len(table.values) * table.deviation**2
    return np.flatnonzero(~table.constant & (most | np.isin(low, CODES) | np.isin(high, CODES)))


def repeated(features: Table, targets: Table) -> int:
    """How many rows repeat another one, in features (or a kernel) and targets."""
    pairs = zip(features.values, targets.values, strict=True)
    return len(targets.values) - len({hash((x.tobytes(), y.tobytes())) for x, y in pairs})


def _copies(features: Table, targets: Table) -> list[str]:
    import numpy as np

    rows, again = len(targets.values), repeated(features, targets)
    columns = (*targets.values.T, *features.values.T)
    if again < max(1.0, COPIES * rows) or not any(
        np.unique(each).size > FINE * (rows - again) for each in columns
    ):
        return []
    count = f"{again} of {rows} rows repeat other rows"
    return [f"{count}; the test rows include copies of training rows, so the test error is too small"]


def _leaks(features: Table, targets: Table) -> list[str]:
    """Columns that are a target, but for a factor and a constant."""
    import numpy as np

    known = np.flatnonzero(~features.constant)
    spread = np.outer(features.deviation[known], np.where(targets.constant, np.inf, targets.deviation))
    centred = targets.values - targets.values.mean(axis=0)
    told = ((features.values.T @ centred)[known] / len(centred) / spread) ** 2
    found = [f"column {_name(features, place)}" for place in known[(told > 1 - SAME).any(axis=1)]]
    verb = "is" if len(found) == 1 else "are each"
    return [f"{_listed(found)} {verb} the target up to a factor and a constant"] if found else []


def _code(values: np.ndarray) -> str:
    """How often a column holds a code for a missing value, farther from all others than they are apart."""
    import numpy as np

    for code, sign in ((values.min(), 1), (values.max(), -1)):
        others = values[values != code]
        if code in CODES and (sign * (others - code)).min() > np.ptp(others):
            count = len(values) - others.size
            rows = f"{count} row{'s' * (count != 1)}"
            return f"holds {code:g} in {rows}, far from all others: if it means missing, leave the cell empty"
    return ""


def _outlier(values: np.ndarray) -> int | None:
    """The row that holds most of the variance of a column whose other values differ; None where none does."""
    import numpy as np

    square = (values - values.mean()) ** 2
    row = int(square.argmax())
    varied = np.ptp(np.delete(values, row)) > 0
    return row if varied and square[row] > MOST_OF * square.sum() else None


def _name(table: Table, place: int) -> str:
    return table.columns[place] if table.columns else f"{place} (counted from 0)"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + ", ..." * (len(names) > NAMED)
