"""Points of a sweep from a CSV file: a header of parameters, one row for each point."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from teacherstudent.house.declarations import Parameter
from teacherstudent.house.domains import InputError


def read_points(path: Path, known: Mapping[str, Parameter]) -> dict[str, tuple[Any, ...]]:
    """The column of each parameter in the header, all of one length.

    Raises `InputError` if the file cannot be read, has an unknown or repeated name in its header,
    has rows of another length than its header, or holds a value outside its domain.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = [row for row in csv.reader(file, strict=True) if row] or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError("points", str(path), f"a readable CSV file ({error})") from None
    for name in header:
        if name not in known or header.count(name) > 1:
            raise InputError("points", f"column {name} of {path}", f"each one of {', '.join(known)}, once")
    if not rows or any(len(row) != len(header) for row in rows):
        raise InputError(
            "points", str(path), "a CSV file with a header, and as many values in each row, one or more rows"
        )
    columns = zip(*rows, strict=True)
    return {
        name: tuple(known[name].parse(text) for text in column)
        for name, column in zip(header, columns, strict=True)
    }
