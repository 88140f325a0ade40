"""What is said of rows that make an error mean something else, and that nothing is said of others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from teacherstudent.house.tables import table
from teacherstudent.problems.measured_spectrum.odd_rows import FEWEST, notes

P = 60
DRAW = np.random.default_rng(2)
X = DRAW.standard_normal((P, 3))
Y = X @ [1.0, 0.5, 0.0] + DRAW.standard_normal(P)
Rows = tuple[np.ndarray, np.ndarray]


def with_cell(value: float, *rows: int) -> Rows:
    x = X.copy()
    x[list(rows), 1] = value
    return x, Y


def coded() -> Rows:
    y = Y.copy()
    y[[3, 5]] = -999
    return X, y


ODD: dict[str, tuple[Callable[[], Rows], str]] = {
    "copies": (lambda: (np.vstack([X, X[:20]]), np.r_[Y, Y[:20]]), "rows that repeat others: 20 of 80"),
    "one copy": (lambda: (np.vstack([X, X[:1]]), np.r_[Y, Y[:1]]), "rows that repeat others: 1 of 61"),
    "leak": (lambda: (np.c_[X, 1e-4 * Y + 3], Y), "column 3 (counted from 0) is the target but for a factor"),
    "rounded leak": (lambda: (np.c_[-Y.round(4), X], Y), "column 0 (counted from 0) is the target"),
    "outlier": (lambda: with_cell(1e4, 17), "row 17, counted from 0, holds most of the variance of column 1"),
    "code": (lambda: with_cell(-999, 3, 8), "column 1 (counted from 0) holds -999 in 2 rows, far from all"),
    "large code": (lambda: with_cell(9999, 3), "column 1 (counted from 0) holds 9999 in 1 row, far from all"),
    "coded target": (coded, "the target holds -999 in 2 rows"),
}


@pytest.mark.parametrize(("rows", "said"), ODD.values(), ids=ODD)
def test_odd_rows_and_columns_are_said(rows: Callable[[], Rows], said: str) -> None:
    (line,) = notes(*map(table, rows()))
    assert line.startswith(said)


PLAIN: dict[str, Rows] = {
    "Gaussian": (X, Y),
    "levels, whose rows are alike by chance": (np.eye(3)[np.arange(P) % 3], np.arange(P) % 2),
    "one rare level": (np.c_[X, np.arange(P) == 9], Y),
    "a range that holds a code": (np.c_[X, np.linspace(900, 999, P)], Y),
    "nearly the target": (np.c_[X, Y + 0.01 * X[:, 2]], Y),
    "constant columns": (np.c_[X, np.full(P, -999.0)], Y),
    "few rows": (np.ones((FEWEST - 1, 1)) * np.arange(FEWEST - 1)[:, None], np.arange(FEWEST - 1)),
}


@pytest.mark.parametrize("rows", PLAIN.values(), ids=PLAIN)
def test_nothing_is_said_of_others(rows: Rows) -> None:
    assert notes(*map(table, rows)) == ()
