"""Her own training curve, from a CSV file, beside the prediction at the times that it holds.

Nothing of it is fitted. What is converted, steps and averages over outputs, follows from what she says of her
loss, and is said on the page.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine.request import Request
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.grids import MOST_TIMES
from teacherstudent.house.reading import file_lines, why_unreadable

CLOCKS = ("time", "step")
TEST, TRAIN = "test_error", "training_error"
KNOWN = (*CLOCKS, TEST, TRAIN)
COLUMNS = "columns time or step, test_error, and optionally training_error"


@dataclass(frozen=True)
class Curve:
    """Her errors at increasing times on the clock of the page: mean squares summed over outputs, (T,)."""

    times: np.ndarray
    test: np.ndarray
    training: np.ndarray | None


def read(path: Path, asked: Request) -> Curve:
    """The curve in a file, converted to the clock and the convention of the page. Raises `InputError`."""
    columns = _columns(path)
    times = columns["step" if "step" in columns else "time"]
    if len(asked.given) != 1:
        raise InputError(
            "n",
            ",".join(map(str, asked.given)) or "(missing)",
            "one size with --curve: the number of rows that the curve was trained on",
        )
    if "step" in columns and asked.rate is None:
        raise InputError("learning_rate", "(missing)", "given: the times of --curve are steps")
    if "time" in columns and asked.rate is not None:
        times = times / asked.step(asked.sizes[0])
    factor = asked.problem(asked.sizes[0]).outputs if asked.loss == "mse" else 1
    training = columns.get(TRAIN)
    return Curve(times, factor * columns[TEST], None if training is None else factor * training)


def beside(asked: Request, curve: Curve) -> xr.Dataset:
    """Her curve and both predictions at her times."""
    n = asked.sizes[0]
    at = np.unique(np.rint(curve.times)) if asked.rate else curve.times
    place = np.searchsorted(at, np.rint(curve.times)) if asked.rate else np.arange(at.size)
    found = {route: asked.answer(n, route, at) for route in ("asymptotic", "leverage")}
    predicted = {route: each["generalisation_error"].values[place] for route, each in found.items()}
    variables = {
        "own": (curve.test, "own error on new rows", "E_g"),
        "own_predicted": (predicted["asymptotic"], "predicted error, by the formula of a pool", "E_g"),
        "own_corrected": (predicted["leverage"], "predicted error, corrected by leverages", "E_g"),
    }
    if curve.training is not None:
        seen = found["asymptotic"]["training_error"].values[place]
        variables["own_training"] = (curve.training, "own error on training rows", "E_t")
        variables["own_training_predicted"] = (seen, "predicted training error", "E_t")
    described = {
        name: ("own_time", values, {"units": "output^2", "symbol": symbol, "long_name": meaning})
        for name, (values, meaning, symbol) in variables.items()
    }
    return xr.Dataset(described, {"own_time": ("own_time", curve.times)})


def _columns(path: Path) -> dict[str, np.ndarray]:
    """The columns that are known, by name."""
    rows = _rows(path)
    names = [each.strip() for each in rows[0][1]] if rows else []
    clocks = [name for name in names if name in CLOCKS]
    if len(clocks) != 1 or TEST not in names or len(set(names)) < len(names):
        raise InputError(
            "curve", str(path), f"a CSV file with the {COLUMNS}; its first line is {_line(rows)}"
        )
    if not 1 < len(rows) <= MOST_TIMES:
        raise InputError(
            "curve", str(path), f"a file with 1 to {MOST_TIMES - 1} lines below the column names"
        )
    table = np.array([_numbers(path, line, row, names) for line, row in rows[1:]])
    known = [name for name in names if name in KNOWN]
    found = {name: table[:, i] for i, name in enumerate(known)}
    times = found[clocks[0]]
    if clocks == ["step"] and (parts := times != np.rint(times)).any():
        line = rows[1 + int(np.argmax(parts))][0]
        raise InputError("curve", str(path), f"a file whose steps are whole numbers; see line {line}")
    if np.any(np.diff(times) <= 0):
        raise InputError("curve", str(path), f"a file whose {clocks[0]} starts at 0 or more and increases")
    return found


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The lines that are not blank, each with its number in the file."""
    try:
        rows = csv.reader(file_lines(path))
        return [(rows.line_num, row) for row in rows if row and (len(row) > 1 or row[0].strip())]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError("curve", str(path), f"a readable CSV file ({why_unreadable(error)})") from None


def _line(rows: list[tuple[int, list[str]]]) -> str:
    return in_short(",".join(rows[0][1])[:60]) if rows else "(missing)"


def _numbers(path: Path, line: int, row: list[str], names: list[str]) -> list[float]:
    """The numbers of a line in the columns that are known. Others may hold anything, or nothing."""
    if len(row) != len(names):
        domain = f"a file with {len(names)} columns in every line; line {line} has {len(row)}"
        raise InputError("curve", str(path), domain)
    cells = {name: cell for name, cell in zip(names, row, strict=True) if name in KNOWN}
    for name, cell in cells.items():
        if wrong := _wrong(cell):
            raise InputError("curve", str(path), f"{wrong}; see line {line}, column {name}")
    return [float(cell) for cell in cells.values()]


def _wrong(cell: str) -> str:
    """What a file would be if a cell were right; "" where it is."""
    if not cell.strip():
        return "a file without empty cells (remove such lines)"
    try:
        found = float(cell)
    except ValueError:
        return "a file of finite numbers"
    if not np.isfinite(found):
        return "a file of finite numbers"
    return "a file of numbers of 0 or more" if found < 0 else ""
