"""Points of a sweep from a CSV file: a header of parameters, one row for each point."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.reading import file_lines, why_unreadable
from teacherstudent.house.suggestions import did_you_mean


def read_points(path: Path, known: Mapping[str, Parameter]) -> dict[str, tuple[Any, ...]]:
    """The column of each parameter in the header, all of one length.

    Raises `InputError` if the file cannot be read, has an unknown or repeated name in its header,
    has rows of another length than its header, or holds a value outside its domain.
    """
    try:
        return _columns(path, filter(None, csv.reader(file_lines(path), strict=True)), known)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError("points", str(path), f"a readable CSV file ({why_unreadable(error)})") from None


def _columns(
    path: Path, rows: Iterator[list[str]], known: Mapping[str, Parameter]
) -> dict[str, tuple[Any, ...]]:
    """Row by row: of a million rows memory holds the values, not the texts."""
    header = next(rows, [])
    for name in header:
        if name not in known or header.count(name) > 1:
            domain = f"each one of {', '.join(known)}, once"
            hint = "" if name in known else did_you_mean(name, known)
            raise InputError("points", f"column {name} of {path}", domain, hint)
    columns: dict[str, list[Any]] = {name: [] for name in header}
    unfit = InputError(
        "points", str(path), "a CSV file with a header and at least one row, all rows as long as the header"
    )
    for row in rows:
        if len(row) != len(header):
            raise unfit
        for name, text in zip(header, row, strict=True):
            columns[name].append(known[name].parse(text))
    if not any(columns.values()):
        raise unfit
    return {name: tuple(values) for name, values in columns.items()}
