"""Draws and theories in files: CSV as people write it, which is data and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.api.judged.values import Labels, Values, real_numbers, refuse_repeated
from teacherstudent.house.errors import InputError, Misread

if TYPE_CHECKING:
    from teacherstudent.house.frames import Frame

INDICES = ("", "seed", "index", "draw", "run")
"""Names of columns that count rows, in capitals or not."""

LONG = ("seed", "point", "value")


def values_in_file(given: Any, option: str, *, draws: bool) -> Values:
    """Draws (S, P): one row for each draw, or the columns seed, point and value. A theory
    (P,): columns point and value, values alone, or one row of values below the points. Raises `InputError`.
    """
    from teacherstudent.house.table_files import read_frame

    try:
        frame = read_frame(str(given), labelled=True)
        found = (_draws_of if draws else _theory_of)(frame)
    except Misread as error:
        raise InputError(option, str(given), "a table of numbers, as .csv", error.hint) from None
    real_numbers(found.values, option)  # refuses what is infinite
    if found.labels:
        refuse_repeated(found.labels, frame.name, option)
    return replace(found, name=frame.name)


def _draws_of(frame: Frame) -> Values:
    """Draws in a file: long (seed, point, value), or one row for each draw."""
    lower = [each.lower() for each in frame.columns]
    if {*LONG} <= {*lower}:
        return _long([lower.index(each) for each in LONG], frame)
    if "point" in lower:
        raise Misread("a table with a column point also needs the columns seed and value")
    places, said = _columns_of_points(frame)
    values, columns = frame.values[:, places], [frame.columns[j] for j in places]
    if columns != [str(i) for i in range(len(frame.columns))]:
        return Values(values, _labels(columns), (*frame.said, *said))
    if min(values.shape) > 2 and np.flatnonzero((np.diff(values) > 0).all(axis=1)).tolist() == [0]:
        raise Misread("if its first line contains the points, it must begin with a name: seed,0.1,0.2,...")
    return Values(values, None, frame.said)  # a file without names


def _columns_of_points(frame: Frame) -> tuple[list[int], list[str]]:
    """The columns of a wide file that are points, and what is said of the others."""
    rest = [j for j, each in enumerate(frame.columns) if each.strip().lower() not in INDICES]
    numeric = [j for j in rest if _number(frame.columns[j]) is not None]
    said, kept = [], []
    for j in rest:
        left_out = f"column {frame.columns[j]} of {frame.name} is left out:"
        if j in frame.texts:
            _refuse_spoilt(frame, j)
            said.append(f"{left_out} it holds text")
        elif numeric and j not in numeric:
            said.append(f"{left_out} its name is not a number, so it is not a point")
        else:
            kept.append(j)
    if not kept:
        raise Misread("it has no column of numbers for a point")
    return kept, said


def _refuse_spoilt(frame: Frame, place: int) -> None:
    """Raise `Misread` where a column of numbers holds a text somewhere."""
    cells = [(i, each) for i, each in enumerate(frame.texts[place]) if each is not None]
    wrong = [(i, each) for i, each in cells if _number(each) is None]
    if wrong and len(wrong) < len(cells):
        row, text = wrong[0]
        raise Misread(f'column {frame.columns[place]}, row {row}, counted from 0, is "{text[:20]}"')


def _long(places: list[int], frame: Frame) -> Values:
    """Draws of a file with a line for each seed and point."""
    value = places[2]
    if value in frame.texts:
        _refuse_spoilt(frame, value)
        raise Misread("its column value holds text")
    if frame.missing(places[:2]).any():
        raise Misread("a row lacks its seed or its point")
    seeds, points = (_cells(frame, place) for place in places[:2])
    labels = list(dict.fromkeys(points))
    if not any(isinstance(each, str) for each in labels):
        labels.sort()
    rows = {each: i for i, each in enumerate(dict.fromkeys(seeds))}
    columns = {each: j for j, each in enumerate(labels)}
    values, seen = np.full((len(rows), len(columns)), np.nan), set()
    for seed, point, number in zip(seeds, points, frame.values[:, value], strict=True):
        if (seed, point) in seen:
            raise Misread(f"it has more than one row for seed {seed} and point {point}")
        seen.add((seed, point))
        values[rows[seed], columns[point]] = number
    return Values(values, tuple(labels), frame.said)


def _theory_of(frame: Frame) -> Values:
    """A theory in a file: point and value, values alone, or one row under the labels of the points."""
    lower = [each.strip().lower() for each in frame.columns]
    if {"point", "value"} <= {*lower}:
        kept = [lower.index("point"), lower.index("value")]
    else:
        kept = [j for j, each in enumerate(lower) if each not in INDICES] or list(range(len(lower)))
    labelled = all(_number(lower[j]) is not None for j in kept) and "0" not in lower[:1]
    if len(frame.values) == 1 and len(kept) > (1 if labelled else 2):
        wide = _draws_of(frame)
        return replace(wide, values=wide.values[0])
    if len(kept) > 2 or kept[-1] in frame.texts:
        raise Misread(f"a theory has two columns, point and value (its columns: {', '.join(lower[:5])})")
    values = frame.values[:, kept[-1]]
    if len(kept) == 1:
        return Values(values, None, frame.said)
    if frame.missing(kept[:1]).any():
        raise Misread("a row lacks its point")
    return Values(values, tuple(_cells(frame, kept[0])), frame.said)


def _cells(frame: Frame, place: int) -> list[float | str]:
    """The cells of a column as labels."""
    return list(frame.texts[place]) if place in frame.texts else frame.values[:, place].tolist()


def _number(text: str) -> float | None:
    from teacherstudent.house.frames import is_number

    return float(text) if is_number(text) and np.isfinite(float(text)) else None


def _labels(columns: Sequence[str]) -> Labels:
    """Names of columns as labels: numbers where all are."""
    numbers = [_number(each) for each in columns]
    return tuple(columns) if None in numbers else tuple(numbers)  # type: ignore[arg-type]
