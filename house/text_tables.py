"""Tables in text: what separates columns, whether the first line holds names, and how numbers are written.

Values are parsed by pandas. Before it sees them, lines and sizes are bounded, also of what is compressed.
"""

from __future__ import annotations

import csv
import re
import warnings
from pathlib import Path
from typing import Any

import pandas as pd

from teacherstudent.house import machine
from teacherstudent.house.errors import Misread, in_short
from teacherstudent.house.frames import MISSING, is_number, read_numbers
from teacherstudent.house.reading import byte_stream, text_stream
from teacherstudent.house.tables import NUMBER, in_bytes

LOOKED_AT = 2**16
"""Letters of a text that show how it is written, beyond its first line."""

PIECE, LONGEST_LINE = 2**18, 2**24
"""Bytes that are read at a time, and of a line: a longer one is no row of a table."""

OF_CELL = 3
"""Numbers that pandas holds for each cell while it reads, besides the text."""

MOST_COLUMNS = 2**17
"""Columns of a text. Wider tables are arrays, which files of numpy hold."""

SEPARATORS = ("\t", ";", ",", "|")
"""What may separate columns; else blanks do."""

EXACT: dict[str, Any] = (
    {"float_precision": "round_trip"}
    if [int(part) for part in pd.__version__.split(".")[:2]] < [3, 1]
    else {}
)
"""What makes pandas read numbers to their last digit; later releases do so, and warn of the option."""

TRUTHS = ("true", "false")

INDEX = "write the file without that index (pandas: index=False; R: row.names=FALSE)"


def _measured(path: Path) -> tuple[int, int]:
    """How many lines and bytes a text has, plain or compressed, without holding it. Raises `Misread`."""
    lines = size = line = 0
    with byte_stream(path) as stream:
        while piece := stream.read(PIECE):
            lines, size = lines + piece.count(b"\n"), size + len(piece)
            line = len(piece) - 1 - piece.rfind(b"\n") if b"\n" in piece else line + len(piece)
            if line > LONGEST_LINE:
                raise Misread(f"it has a line of more than {in_bytes(LONGEST_LINE)}: this is not a table")
            _demand_room(lines, 1, size)
    return lines, size


def _demand_room(rows: int, columns: int, size: int) -> None:
    """Raise `Misread` where a text and its cells do not fit into the memory while they are read."""
    needed, room = float(size) + NUMBER * OF_CELL * rows * columns, machine.memory_for_question()
    if needed > room:
        raise Misread(
            f"{rows} x {columns} cells or more take {in_bytes(needed)} in memory while they are read: more "
            f"than the {in_bytes(room)} that are available here"
        )


def text_frame(path: Path, *, labelled: bool = False) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The columns of a text under their names, and what must be said of how numbers are written.

    labelled: names may be numbers, as labels of points are; then the first of them is none, or empty, as that
    of an index. Columns that pandas does not read as numbers are texts, and missing values are NaN. Where the
    first line holds no names, columns are counted from 0. Raises `Misread`.
    """
    length, size = _measured(path)
    with text_stream(path) as stream:
        begun = stream.readlines(LOOKED_AT)
        begun += stream.readlines(LOOKED_AT)  # many columns have names of more letters
    lines = [line for line in begun if line.strip()]
    while len(lines) > 1 and _remark(*lines[:2]):
        del lines[0]
    if not lines:
        raise Misread("it is empty")
    place = begun.index(lines[0])
    lines[0] = lines[0].lstrip("# ")
    separator = _separator(lines[0])
    first, others = _cells(lines[0], separator), lines[1:]
    if not (labels := labelled and len(first) > 1 and not is_number(first[0])):
        _refuse_counted(first, others, separator)
    named = labels or not any(is_number(cell) or cell.lower() in TRUTHS for cell in first)
    if not (sample := others if named else lines):
        raise Misread("it has no rows below the line of names")
    columns = len(_cells(sample[0], separator))
    if columns > MOST_COLUMNS:
        raise Misread(f"it has {columns} columns, more than {MOST_COLUMNS}: save the array by numpy.save")
    _demand_room(length, columns, size)
    names = [str(i) for i in range(columns)]
    if named:
        names = _names(first, columns, separator, not any(_cells(line, separator)[-1] for line in sample))
    if not named:
        _refuse_half_named(first, others, separator)
    skipped = place + named
    found = _parsed(path, separator, columns, skipped)
    said: tuple[str, ...] = ()
    texts = [j for j, kind in enumerate(found.dtypes) if not pd.api.types.is_numeric_dtype(kind)]
    pointed = any((column % 1 > 0).any() for _, column in found.select_dtypes("float").items())
    european = separator != "," and not pointed  # of 1,234, which may be either
    if any((read := read_numbers(found[j], european)) and read[1] == "decimal commas" for j in texts):
        found = _parsed(path, separator, columns, skipped, dtype=str)  # 1.234 may be written for 1234
        texts, european = list(range(columns)), True
    for kind, changed in _written(found, texts, european).items():
        listed = ", ".join(names[j] for j in changed[:5]) + ", ..." * (len(changed) > 5)
        said += (f"{kind} are read in column{'s' * (len(changed) > 1)} {listed}",)
    found.columns = pd.Index(names)
    return found, said


def _written(found: pd.DataFrame, texts: list[int], european: bool) -> dict[str, list[int]]:
    """Replace texts that are numbers in another writing by these. Returns in which, and of which columns."""
    kinds: dict[str, list[int]] = {}
    for j in texts:
        if read := read_numbers(found[j], european):
            found[j] = read[0]
            if read[1]:
                kinds.setdefault(read[1], []).append(j)
    return kinds


def _parsed(path: Path, separator: str | None, columns: int, skipped: int, **how: Any) -> pd.DataFrame:
    """The cells as pandas reads them; what is short of cells, or has too many, is refused by its line."""
    try:
        with text_stream(path) as stream, warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            warnings.filterwarnings("ignore", "The 'float_precision' argument")  # from pandas 3.1.1 on
            found = pd.read_csv(
                stream,
                sep=separator or r"\s+",
                header=None,
                names=range(columns),
                index_col=False,
                skiprows=skipped,
                keep_default_na=False,
                na_values=list(MISSING),
                skipinitialspace=True,
                low_memory=False,
                **EXACT,
                **how,
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        _refuse_ragged(path, separator, columns, skipped)
        raise Misread(f"it is no table ({str(error)[:80]})") from None
    if found.iloc[:, -1].isna().any():
        _refuse_ragged(path, separator, columns, skipped)
    return found


def _refuse_ragged(path: Path, separator: str | None, columns: int, skipped: int) -> None:
    """Raise `Misread` with the first line that has not as many cells as there are columns."""
    with text_stream(path) as stream:
        for i, line in enumerate(stream, start=1):
            whole = i > skipped and line.strip() and line.count('"') % 2 == 0
            if whole and (cells := len(_cells(line, separator))) != columns:
                raise Misread(f"line {i} has {cells} columns, the first row has {columns}")


def _separator(line: str) -> str | None:
    """What separates the columns of a line; None for blanks."""
    bare = re.sub(r'"[^"]*"', "", line)
    return next((each for each in SEPARATORS if each in bare), None)


def _remark(line: str, following: str) -> bool:
    """Whether a line with # is no line of names, as numpy.savetxt writes one: these are as many as cells."""
    if not line.lstrip().startswith("#"):
        return False
    separator = _separator(following)
    names = _cells(line.lstrip("# "), separator)
    return following.lstrip().startswith("#") or len(names) != len(_cells(following, separator))


def _names(first: list[str], columns: int, separator: str | None, ended: bool) -> list[str]:
    """The names of so many columns, from a first line. That of an index without a name is empty.

    ended: whether the last cells are empty, as of lines that a separator ends.
    """
    if len(first) == columns - 1 and ended:  # by a separator too many
        return [*first, ""]
    if len(first) == columns - 1:  # as R names columns beside its row names
        return ["", *first]
    if columns == 1 and separator is None:
        return [" ".join(first)]
    if len(first) != columns:
        raise Misread(f"its first line has {len(first)} of the names of {columns} columns")
    return first


def _refuse_counted(first: list[str], others: list[str], separator: str | None) -> None:
    """Raise `Misread` where a first line counts the columns, as pandas does where they have no names."""
    if not first[0] and _counts(first[1:]):
        raise Misread(
            f"its first column has no name, and the names of the others are numbers: {INDEX}, and with names"
        )
    if _counts(first) and others and not _may_be_row(len(first), others, separator):
        raise Misread(
            f"its first line counts the columns, {','.join(first[:3])}{',...' * (len(first) > 3)}, as pandas "
            "does: write names, or none (header=False); if it is a row, write decimals (0.0)"
        )


def _counts(cells: list[str]) -> bool:
    return bool(cells) and cells == [str(i) for i in range(len(cells))]


def _may_be_row(columns: int, others: list[str], separator: str | None) -> bool:
    """Whether 0 or 0,1 may well be an example: a class among whole numbers, or one of zeros and ones."""
    cells = [cell for line in others for cell in _cells(line, separator)]
    if columns == 1:
        return any(cell.removeprefix("-").isdigit() for cell in cells)
    return columns == 2 and all(cell in ("0", "1") for cell in cells)


def _refuse_half_named(first: list[str], others: list[str], separator: str | None) -> None:
    """Raise `Misread` where a first line with numbers has a text above numbers, as a name would stand."""
    below = [_cells(line, separator) for line in others[:20]]
    for j, cell in enumerate(first):
        under = [cells[j] for cells in below if j < len(cells) and cells[j] not in MISSING]
        if not is_number(cell) and cell not in MISSING and under and all(map(is_number, under)):
            raise Misread(
                f'line 1, column {j + 1}: "{in_short(cell[:20])}" is no number; names of columns need letters'
            )


def _cells(line: str, separator: str | None) -> list[str]:
    """The cells of a line. What is quoted may hold what separates columns."""
    line = line.strip() if separator is None else line.strip("\r\n")
    try:
        cells = next(csv.reader([line], delimiter=separator or " ", skipinitialspace=True))
    except csv.Error:
        cells = line.split(separator)
    return [cell.strip() for cell in cells]
