"""Matrices of overlaps: whether vectors can have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError
from teacherstudent.problems.committee.parameters import SMALLEST

if TYPE_CHECKING:
    import numpy as np

Rows = tuple[tuple[float, ...], ...]

ROUNDING = 1e-12
"""Of the largest entry or eigenvalue: what is so small may be rounding, of numbers that were computed."""


def diagonal(height: int, width: int, value: float) -> Rows:
    """A matrix with that value on its diagonal and 0 elsewhere."""
    return tuple(tuple(value if i == j else 0.0 for j in range(width)) for i in range(height))


def typed(value: float | Rows) -> str:
    """A number or a matrix as one types it."""
    if isinstance(value, float):
        return f"{value:g}"
    return ";".join(",".join(f"{each:g}" for each in row) for row in value)


def demand_size(name: str, value: float) -> None:
    """Raise `InputError` for a number other than 0 whose square vanishes."""
    if value and abs(value) < SMALLEST:
        raise InputError(name, value, f"0, or at least {SMALLEST:g} in absolute value")


def shaped(name: str, rows: Rows, height: int, width: int) -> Rows:
    """The matrix. Raises `InputError` for another shape."""
    if len(rows) != height or len(rows[0]) != width:
        raise InputError(name, typed(rows), f"{height} rows of {width} numbers: units of student and teacher")
    return rows


def gram(name: str, rows: Rows, units: int) -> Rows:
    """The overlaps of some units with each other, symmetric also in rounding.

    Raises `InputError` unless they are symmetric and positive semidefinite, one row for each unit.
    """
    import numpy as np

    if len(rows) != units:
        raise InputError(name, typed(rows), f"{units} rows of {units} numbers, one row per unit")
    matrix = np.array(rows)
    if np.abs(matrix - matrix.T).max() > ROUNDING * np.abs(matrix).max():
        raise InputError(name, typed(rows), "symmetric")
    matrix = (matrix + matrix.T) / 2
    _demand_vectors(name, typed(rows), matrix, "the overlaps of some set of vectors")
    return tuple(map(tuple, matrix.tolist()))


def demand_joint(T: Rows, R0: Rows, Q0: Rows, name: str, value: float | Rows) -> None:
    """Raise `InputError` where no vectors have all these overlaps: of the option that R0 comes from."""
    import numpy as np

    cross = np.array(R0)
    whole = np.block([[np.array(T), cross.T], [cross, np.array(Q0)]])
    _demand_vectors(
        name,
        typed(value),
        whole,
        "overlaps that are possible with the given overlaps of student and teacher units",
    )


def _demand_vectors(name: str, value: str, matrix: np.ndarray, domain: str) -> None:
    """Raise `InputError` for a negative eigenvalue of the matrix where its diagonal is scaled to 1."""
    import numpy as np

    if (np.diagonal(matrix) < 0).any():
        raise InputError(name, value, f"{domain}: squared norms are not negative")
    sizes = np.sqrt(np.diagonal(matrix))
    scale = np.where(sizes > 0, sizes, 1.0)
    least = np.linalg.eigvalsh(matrix / scale[:, None] / scale)[0]
    if least < -ROUNDING * len(matrix) or (matrix[sizes == 0] != 0).any():
        raise InputError(
            name, value, f"{domain}; the smallest eigenvalue of the matrix of cosines is {least:.3g}"
        )
