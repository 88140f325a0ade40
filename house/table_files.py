"""Files of numbers: .npy, one array of a .npz, text (`text_tables`) and .parquet. Nothing is ever unpickled.

How large an array is stands at the head of its file; what does not fit into memory is refused unread.
"""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from weakref import WeakValueDictionary

import numpy as np

from teacherstudent.house.errors import Misread, in_short
from teacherstudent.house.frames import Frame, as_frame
from teacherstudent.house.reading import byte_stream, file_stamp
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.tables import NUMBER, Table, as_table, demand_room, in_bytes

LONGEST_HEAD = 10_000
"""Bytes of the head of an array, as `numpy.load` bounds it, which reads it first."""

_READ: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
"""Tables that somebody holds, by their files as they are now: one question names a file several times."""


def read_table_file(name: str) -> Table:
    """The table in that file; FILE.npz:NAME is one array of several. Raises `Misread` with what is wrong."""
    found: Table = _read(name, Table)
    return found


def read_frame(name: str, labelled: bool = False) -> Frame:
    """The columns in that file, with their names, missing values and texts. Raises `Misread`.

    labelled: names in a text may be numbers (`text_tables.text_frame`).
    """
    found: Frame = _read(name, Frame, labelled)
    return found


def _read(name: str, kind: type, labelled: bool = False) -> Any:
    """The content of a file as a `Table` or a `Frame`, read now unless somebody holds it."""
    file, array = _parted(name)
    path = Path(file)
    try:
        if "\0" in file:
            raise Misread("a name of a file cannot contain a null character")
        now = file_stamp(path)
        text = path.with_suffix("") if path.suffix.lower() == ".gz" else path
        reader = _READERS.get(text.suffix.lower())
        if reader is None or (text != path and reader is not _text):
            raise Misread(_wrong_suffix(path))
        key = (kind, labelled, name, path.resolve(), now)
        if (known := _READ.get(key)) is None:
            found = _text(path, array, labelled) if reader is _text else reader(path, array)
            known = _READ[key] = _as(kind, found, name)
    except OSError as error:
        raise Misread((error.strerror or str(error)).lower()) from None
    except UnicodeError:
        raise Misread("it is not UTF-8 text, or the name is not that of a file") from None
    return known


def _as(kind: type, found: Any, name: str) -> Any:
    """What a reader gives, an array or a frame of pandas with remarks, as a `Table` or a `Frame`."""
    if isinstance(found, np.ndarray) and kind is Table:
        return as_table(found, name)
    columns, said = found if isinstance(found, tuple) else (found, ())
    held = as_frame(columns, name, said)
    return held.numbers(range(len(held.columns)), name) if kind is Table else held


def _parted(name: str) -> tuple[str, str]:
    """The file and the array in it that are meant."""
    file, colon, array = name.rpartition(":")
    return (file, array) if colon and file.lower().endswith(".npz") else (name, "")


def _wrong_suffix(path: Path) -> str:
    if path.suffix.lower() in (".pkl", ".pickle", ".joblib", ".pt", ".mat", ".h5", ".xlsx"):
        return f"{path.suffix} is not read: save the array by numpy.save, or as .csv"
    return f"it ends in {path.suffix}" if path.suffix else "its name has no ending that says the format"


def _npy(path: Path, _: str) -> np.ndarray:
    with byte_stream(path) as stream, _as_misread():
        return _array(stream)


def _npz(path: Path, name: str) -> np.ndarray:
    with _as_misread(), byte_stream(path) as file, zipfile.ZipFile(file) as archive:
        names = [each for each in archive.namelist() if each.endswith(".npy") and each.isprintable()]
        members = {each.removesuffix(".npy"): each for each in names}
        if not members:
            raise Misread("it holds no array")
        if not name and len(members) > 1:
            listed = ", ".join(f"{path}:{each}" for each in list(members)[:5])
            raise Misread(f"it holds {len(members)} arrays; choose one: {listed}")
        if name and name not in members:
            hint = did_you_mean(name, members) or f"there are {', '.join(list(members)[:5])}"
            raise Misread(f"it holds no array {name}; {hint}")
        with archive.open(members[name or next(iter(members))]) as stream:
            return _array(stream)


def read_arrays(path: Path, most: float) -> dict[str, np.ndarray]:
    """All arrays in a file .npz, by name, with at most that many bytes together.

    Raises `Misread` with what is wrong, or `OSError`.
    """
    with _as_misread(), byte_stream(path, most) as file, zipfile.ZipFile(file) as archive:
        if sum(each.file_size for each in archive.infolist()) > most:
            raise Misread(f"it holds more than {in_bytes(most)}")
        found = {}
        for name in archive.namelist():
            with archive.open(name) as stream:
                found[name.removesuffix(".npy")] = _array(stream)
        return found


def _array(stream: IO[bytes]) -> np.ndarray:
    """The array in a .npy file, after a look at its head."""
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
    length = int.from_bytes(stream.read(2 * version[0]), "little")
    if length > LONGEST_HEAD:
        raise Misread("it holds no matrix of numbers: its header is too long")
    stream.seek(np.lib.format.MAGIC_LEN)
    shape, _, dtype = heads[version](stream)
    if dtype.hasobject:
        raise Misread("it holds pickled Python objects, which are never read: save an array of numbers")
    demand_room(shape if dtype.itemsize <= NUMBER else (*shape, dtype.itemsize // NUMBER))
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


@contextmanager
def _as_misread() -> Iterator[None]:
    """Whatever libraries raise of a file that is not what its name says: NumPy, zipfile, zlib, tokenize."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a head that Python 2 wrote
            warnings.simplefilter("ignore", SyntaxWarning)  # one that is damaged
            yield
    except (ImportError, Misread, OSError, UnicodeError):
        raise
    except Exception as error:
        raise Misread(f"it is damaged, or no such file ({_short(error)})") from None


def _short(error: Exception) -> str:
    return in_short((str(error).splitlines() or [""])[0][:80])


def _text(path: Path, _: str, labelled: bool = False) -> Any:
    from teacherstudent.house.text_tables import text_frame  # which needs pandas

    with _as_misread():
        return text_frame(path, labelled=labelled)


def _parquet(path: Path, _: str) -> Any:
    import pandas as pd

    try:
        with _as_misread(), byte_stream(path) as file:
            from pyarrow.parquet import read_metadata

            about = read_metadata(file)
            demand_room((about.num_rows, about.num_columns))
            return pd.read_parquet(file)
    except ImportError:
        raise Misread(
            "pandas reads .parquet by pyarrow, which is not installed: pip install pyarrow"
        ) from None


_READERS: dict[str, Callable[[Path, str], Any]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".csv": _text,
    ".tsv": _text,
    ".txt": _text,
    ".parquet": _parquet,
}
