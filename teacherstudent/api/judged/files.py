"""Draws and theories in files: CSV as people write it, which is data and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.api.judged.values import Labels, Values, real_numbers, refuse_repeated
from teacherstudent.house.errors import InputError, Misread

if TYPE_CHECKING:
    from teacherstudent.house.frames import Frame

INDICES = ("", "seed", "index", "draw", "run")
"""Names of columns that count rows, in capitals or not."""

LONG = ("seed", "point", "value")

TEXTS = (".csv", ".tsv", ".txt")


def draws_in_file(given: Any, option: str) -> Values:
    """Draws (S, P): one row for each draw, or a row for each seed, point and value. Raises `InputError`."""
    return _finite(_draws_of(_frame(given, option), str(given), option), str(given), option)


def theory_in_file(given: Any, option: str) -> Values:
    """A theory (P,): point and value, values alone, or one row under the points. Raises `InputError`."""
    return _finite(_theory_of(_frame(given, option), str(given), option), str(given), option)


def _finite(found: Values, name: str, option: str) -> Values:
    real_numbers(found.values, option)  # refuses what is infinite
    return replace(found, name=name)


def _frame(given: Any, option: str) -> Frame:
    """The columns of a file. Raises `InputError`."""
    from teacherstudent.house.frames import as_frame
    from teacherstudent.house.reading import why_unreadable
    from teacherstudent.house.table_files import read_frame
    from teacherstudent.house.text_tables import text_frame

    name = str(given)
    suffix = Path(name.removesuffix(".gz")).suffix.lower()
    try:
        if "\0" in name:
            raise Misread("no file has such a name")
        if suffix not in TEXTS:
            return read_frame(name)
        columns, said = text_frame(Path(name), labelled=True)
        return as_frame(columns, name, said)
    except (OSError, UnicodeError, Misread) as error:
        why = error.hint if isinstance(error, Misread) else why_unreadable(error).lower()
        raise InputError(option, name, "a table of numbers, as .csv", why) from None


def _draws_of(frame: Frame, name: str, option: str) -> Values:
    """Draws in a file: long (seed, point, value), or one row for each draw."""
    lower = [each.lower() for each in frame.columns]
    if {*LONG} <= {*lower}:
        return _long([lower.index(each) for each in LONG], frame, name, option)
    places, said = _columns_of_points(frame, name, option)
    values = frame.values[:, places]
    columns = [frame.columns[j] for j in places]
    if columns == [str(i) for i in range(len(frame.columns))]:  # a file without names
        _refuse_labels_among_draws(values, name, option)
        return Values(values, None, frame.said)
    return Values(values, _labels(columns, name, option), (*frame.said, *said))


def _refuse_labels_among_draws(values: np.ndarray, name: str, option: str) -> None:
    """Raise `InputError` where the first of several rows is the only one that increases, as points do."""
    if min(values.shape) > 2 and np.flatnonzero((np.diff(values) > 0).all(axis=1)).tolist() == [0]:
        domain = "a table whose first line, if it has the points, begins with a name: seed,0.1,0.2,..."
        raise InputError(option, name, domain)


def _columns_of_points(frame: Frame, name: str, option: str) -> tuple[list[int], list[str]]:
    """The columns of a wide file that are points, and what is said of the others."""
    rest = [j for j, each in enumerate(frame.columns) if each.strip().lower() not in INDICES]
    numeric = [j for j in rest if _number(frame.columns[j]) is not None]
    said = []
    kept = []
    for j in rest:
        if j in frame.texts:
            _refuse_spoilt(frame, j, name, option)
            said.append(f"column {frame.columns[j]} of {name} holds text: left out")
        elif numeric and j not in numeric:
            said.append(
                f"column {frame.columns[j]} of {name} is no point, as its name is no number: left out"
            )
        else:
            kept.append(j)
    if not kept:
        raise InputError(option, name, "a table with a column of numbers for each point")
    return kept, said


def _refuse_spoilt(frame: Frame, place: int, name: str, option: str) -> None:
    """Raise `InputError` where a column of numbers holds a text somewhere."""
    cells = [(i, each) for i, each in enumerate(frame.texts[place]) if each is not None]
    wrong = [(i, each) for i, each in cells if _number(each) is None]
    if wrong and len(wrong) < len(cells):
        row, text = wrong[0]
        where = f"column {frame.columns[place]}, row {row}, counted from 0"
        raise InputError(option, name, f'a table of numbers: {where}, is "{text[:20]}"')


def _long(places: list[int], frame: Frame, name: str, option: str) -> Values:
    """Draws of a file with a line for each seed and point."""
    value = places[2]
    if value in frame.texts:
        _refuse_spoilt(frame, value, name, option)
        raise InputError(option, name, "a table with numbers in its column value")
    if frame.missing(places[:2]).any():
        raise InputError(option, name, "a table with a seed and a point in each row")
    seeds, points = (_cells(frame, place) for place in places[:2])
    labels = list(dict.fromkeys(points))
    if not any(isinstance(each, str) for each in labels):
        labels.sort()
    rows = {each: i for i, each in enumerate(dict.fromkeys(seeds))}
    columns = {each: j for j, each in enumerate(labels)}
    values, seen = np.full((len(rows), len(columns)), np.nan), set()
    for seed, point, number in zip(seeds, points, frame.values[:, value], strict=True):
        if (seed, point) in seen:
            raise InputError(option, name, f"a table with one row for seed {seed} and point {point}")
        seen.add((seed, point))
        values[rows[seed], columns[point]] = number
    refuse_repeated(labels, name, option)
    return Values(values, tuple(labels), frame.said)


def _theory_of(frame: Frame, name: str, option: str) -> Values:
    """A theory in a file: point and value, values alone, or one row under the labels of the points."""
    lower = [each.lower() for each in frame.columns]
    if {"point", "value"} <= {*lower}:
        kept = [lower.index("point"), lower.index("value")]
    else:
        unindexed = [j for j, each in enumerate(lower) if each.strip() not in INDICES]
        kept = unindexed if unindexed else list(range(len(lower)))
    labelled = all(_number(frame.columns[j]) is not None for j in kept) and "0" not in lower[:1]
    if len(frame.values) == 1 and len(kept) > (1 if labelled else 2):
        wide = _draws_of(frame, name, option)
        return replace(wide, values=wide.values[0])
    if len(kept) > 2 or kept[-1] in frame.texts:
        found = ", ".join(frame.columns[:5])
        raise InputError(option, name, f"a table of two columns, point and value (its columns: {found})")
    values = frame.values[:, kept[-1]]
    if len(kept) == 1:
        return Values(values, None, frame.said)
    if frame.missing(kept[:1]).any():
        raise InputError(option, name, "a table with a point in each row")
    labels = _cells(frame, kept[0])
    refuse_repeated(labels, name, option)
    return Values(values, tuple(labels), frame.said)


def _cells(frame: Frame, place: int) -> list[float | str]:
    """The cells of a column as labels."""
    return list(frame.texts[place]) if place in frame.texts else frame.values[:, place].tolist()


def _number(text: str) -> float | None:
    from teacherstudent.house.frames import is_number

    return float(text) if is_number(text) and np.isfinite(float(text)) else None


def _labels(columns: Sequence[str], name: str, option: str) -> Labels:
    """Names of columns as labels: numbers where all are."""
    numbers = [_number(each) for each in columns]
    labels: list[Any] = list(columns) if None in numbers else numbers
    refuse_repeated(labels, name, option)
    return tuple(labels)
