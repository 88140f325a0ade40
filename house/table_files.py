"""Files of numbers: .npy, one array of a .npz, and .csv. Nothing is ever unpickled.

How large an array is stands at the head of its file; what does not fit into memory is refused unread.
"""

from __future__ import annotations

import csv
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from teacherstudent.house.errors import Misread, in_short
from teacherstudent.house.nearest import meant
from teacherstudent.house.tables import Table, demand_room, table

if TYPE_CHECKING:
    import numpy as np

SUFFIXES = (".npy", ".npz", ".npz:NAME", ".csv")

_READ: WeakValueDictionary[tuple[Any, ...], Table] = WeakValueDictionary()
"""Tables that somebody holds, by their files as they are now: one question names a file several times."""


def read(name: str) -> Table:
    """The table in that file; FILE.npz:NAME is one array of several. Raises `Misread` with what is wrong."""
    file, array = _parted(name)
    path = Path(file)
    try:
        if "\0" in file:
            raise Misread("no file has such a name")
        about = path.stat()
        if not path.is_file():
            raise Misread("it is a folder" if path.is_dir() else "it is no file that can be read twice")
        reader = _READERS.get(path.suffix.lower())
        if reader is None:
            raise Misread(_wrong_suffix(path))
        key = (name, path.resolve(), about.st_mtime_ns, about.st_size, about.st_ino)
        if (known := _READ.get(key)) is None:
            known = _READ[key] = table(reader(path, array), name)
    except OSError as error:
        raise Misread((error.strerror or str(error)).lower()) from None
    except UnicodeError:
        raise Misread("it is not text in UTF-8, or no file has such a name") from None
    return known


def _parted(name: str) -> tuple[str, str]:
    """The file and the array in it that are meant."""
    file, colon, array = name.rpartition(":")
    return (file, array) if colon and file.lower().endswith(".npz") else (name, "")


def _wrong_suffix(path: Path) -> str:
    if path.suffix.lower() in (".pkl", ".pickle", ".joblib", ".pt", ".mat", ".h5", ".parquet", ".xlsx"):
        return f"{path.suffix} is not read: save the array by numpy.save, or as .csv"
    return f"it ends in {path.suffix}" if path.suffix else "its name has no such ending"


def _npy(path: Path, _: str) -> np.ndarray:
    with path.open("rb") as stream, _as_misread():
        return _array(stream)


def _npz(path: Path, name: str) -> np.ndarray:
    with _as_misread(), zipfile.ZipFile(path) as archive:
        names = [each for each in archive.namelist() if each.endswith(".npy") and each.isprintable()]
        members = {each.removesuffix(".npy"): each for each in names}
        if not members:
            raise Misread("it holds no array")
        if not name and len(members) > 1:
            listed = ", ".join(f"{path}:{each}" for each in list(members)[:5])
            raise Misread(f"it holds {len(members)} arrays, name one: {listed}")
        if name and name not in members:
            hint = meant(name, members) or f"there are {', '.join(list(members)[:5])}"
            raise Misread(f"it holds no array {name}; {hint}")
        with archive.open(members[name or next(iter(members))]) as stream:
            return _array(stream)


def _array(stream: IO[bytes]) -> np.ndarray:
    """The array in a .npy file, after a look at its head."""
    import numpy as np

    if stream.read(1) == b"\x80":
        raise Misread("it is a pickle, which is never read: save the array by numpy.save")
    stream.seek(0)
    version = np.lib.format.read_magic(stream)
    heads = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in heads:
        raise Misread("it holds records of several fields: give one matrix")
    shape, _, dtype = heads[version](stream)
    if dtype.hasobject:
        raise Misread("it holds pickled objects of Python, which are never read: save an array of numbers")
    demand_room(shape)
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


@contextmanager
def _as_misread() -> Iterator[None]:
    """Whatever libraries raise of a file that is not what its name says: NumPy, zipfile, zlib, tokenize."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a head that Python 2 wrote
            yield
    except (Misread, OSError):
        raise
    except Exception as error:
        raise Misread(f"it is damaged, or no such file ({_short(error)})") from None


def _short(error: Exception) -> str:
    return in_short((str(error).splitlines() or [""])[0][:80])


def _csv(path: Path, _: str) -> np.ndarray:
    """Numbers in text: commas, semicolons or tabs between columns, one line of names or none."""
    import numpy as np

    with path.open(encoding="utf-8-sig", newline="") as stream:
        names_at_least = stream.readlines(LOOKED_AT)  # many columns have names of more letters
        begun = [*names_at_least, *stream.readlines(LOOKED_AT)]
    lines = [line for line in begun if line.strip()]
    if not lines:
        raise Misread("it is empty")
    parting = next((each for each in PARTINGS if each in lines[0]), None)
    first, others = _cells(lines[0], parting), lines[1:]
    _refuse_counted(first, others, parting)
    named = _names(first)
    sample = others if named else lines
    if not sample:
        raise Misread("it is empty under its line of names")
    columns = len(_cells(sample[0], parting))
    length = sum(len(line.encode()) for line in sample) / len(sample)
    demand_room((int(path.stat().st_size / length), columns))
    if named:
        _refuse_index(first, columns, parting)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return np.loadtxt(
                stream,
                delimiter=parting,
                comments=None,
                quotechar='"',
                skiprows=_skipped(path, named),
                ndmin=2,
            )
    except ValueError as error:
        raise Misread(_first_wrong(path, parting, named) or _short(error)) from None


LOOKED_AT = 2**16
"""Letters of a text that tell how it is written, and how long its lines are."""

PARTINGS = ("\t", ";", ",")
"""What may stand between columns; else blanks do."""

TRUTHS = ("true", "false")

UNNAMED = ("", "Unnamed: 0")
"""Names of an index: none, and what pandas makes of none when it reads and writes a file again."""

INDEX = "write the file without that index (pandas: index=False; R: row.names=FALSE)"


def _names(cells: list[str]) -> bool:
    """Whether a first line holds names of columns: no cell of it is a number, or a truth."""
    return not any(_is_number(cell) or cell.lower() in TRUTHS for cell in cells)


def _refuse_counted(first: list[str], others: list[str], parting: str | None) -> None:
    """Raise `Misread` where a first line counts the columns, as pandas does where they have no names."""
    if not first[0] and _counts(first[1:]):
        raise Misread(f"its first column has no name, and the others are counted: {INDEX}, and with names")
    if _counts(first) and others and not _may_be_row(len(first), others, parting):
        raise Misread(
            f"its first line counts the columns, {','.join(first[:3])}{',...' * (len(first) > 3)}, as pandas "
            "does: write names, or none (header=False); if it is a row, write decimals (0.0)"
        )


def _counts(cells: list[str]) -> bool:
    return bool(cells) and cells == [str(i) for i in range(len(cells))]


def _may_be_row(columns: int, others: list[str], parting: str | None) -> bool:
    """Whether 0 or 0,1 may well be an example: a class among whole numbers, or one of zeros and ones."""
    cells = [cell for line in others for cell in _cells(line, parting)]
    if columns == 1:
        return any(cell.removeprefix("-").isdigit() for cell in cells)
    return columns == 2 and all(cell in ("0", "1") for cell in cells)


def _refuse_index(names: list[str], columns: int, parting: str | None) -> None:
    """Raise `Misread` where the names are not those of the columns."""
    if names[0].startswith("#"):  # a remark
        return
    if names[0] in UNNAMED:
        raise Misread(f"its first column has no name: {INDEX}")
    lengths = f"its first line has {len(names)} of the names of {columns} columns"
    if len(names) == columns - 1:
        raise Misread(f"{lengths}: {INDEX}")
    if parting and len(names) != columns:  # else blanks may belong to the name of one column
        raise Misread(lengths)


def _skipped(path: Path, named: bool) -> int:
    """Lines before the first row: blank ones, and that of the names."""
    if not named:
        return 0
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return next(i for i, line in enumerate(stream) if line.strip()) + 1


def _cells(line: str, parting: str | None) -> list[str]:
    """The cells of a line. What is quoted may hold what parts columns."""
    line = line.strip() if parting is None else line.strip("\r\n")
    try:
        cells = next(csv.reader([line], delimiter=parting or " ", skipinitialspace=True))
    except csv.Error:
        cells = line.split(parting)
    return [cell.strip() for cell in cells]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _first_wrong(path: Path, parting: str | None, named: bool) -> str:
    """The first cell that is no number, or the first line of another length, by its line in the file."""
    columns = 0
    with path.open(encoding="utf-8-sig", newline="") as stream:
        for i, line in islice(enumerate(stream, start=1), _skipped(path, named), None):
            if line.strip():
                cells = _cells(line, parting)
                columns = columns or len(cells)
                if wrong := _wrong_cell(cells, columns):
                    return f"line {i}{wrong}"
    return ""


def _wrong_cell(cells: list[str], columns: int) -> str:
    """What is wrong with a line of so many columns; "" where nothing is."""
    if len(cells) != columns:
        return f" has {len(cells)} columns, the first row has {columns}"
    for j, cell in enumerate(cells, start=1):
        if not cell:
            return f", column {j} is empty: leave that row out, or fill it in"
        if not _is_number(cell):
            return f', column {j}: "{in_short(cell[:20])}" is no number{_instead(cell)}'
    return ""


def _instead(cell: str) -> str:
    if cell.lower() in TRUTHS:
        return ": write True and False as 1 and 0"
    if _is_number(cell.replace(",", ".")):
        return ", a decimal comma: write a point"
    return ": write classes as whole numbers 0, 1, ..., and leave other text out"


_READERS: dict[str, Callable[[Path, str], Any]] = {".npy": _npy, ".npz": _npz, ".csv": _csv}
