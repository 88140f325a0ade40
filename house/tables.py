"""Tables of numbers as values of parameters: what a file or an array holds, known by its content.

A `Table` is a matrix in memory with the name under which it was given. Two tables are equal where their
numbers are, however they are named; answers record name and digest, so that a changed file is noticed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.house.domains import LARGEST
from teacherstudent.house.errors import Misread
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.progressing import doing_part

if TYPE_CHECKING:
    import numpy as np

SUFFIXES = (".npy", ".npz", ".npz:NAME", ".csv", ".tsv", ".txt", ".gz of these", ".parquet")
"""Endings of files that are read (`table_files`)."""

UNNAMED = "array"
"""The name of a table that was given as numbers, which no text can ask for again."""

DIGITS = 16
"""Hexadecimal digits of a digest: 64 bits tell any tables apart that one person has."""

NUMBER = 8
"""Bytes of a number."""

MOST = 1e50
"""Numbers beyond this have sixth powers that float64 does not hold: variances of errors have the fourth."""

LEAST = 1e-50
"""Columns that vary by less have sixth powers, and their reciprocals, that float64 does not hold."""

WITH_DIGEST = re.compile(rf"(.*) \(digest ([0-9a-f]{{{DIGITS}}})\)")


@dataclass(frozen=True, repr=False)
class Table:
    """A matrix of finite numbers, float64 (rows, columns), which nobody writes to.

    name: the file as it was typed, or `UNNAMED`. digest: of the numbers and their shape. columns: their names
    where they have some, else (). labels: the names of the classes 0, 1, ... that the numbers are, or ().
    said: what whoever asks must know of how the numbers were read.
    """

    name: str = field(compare=False)
    digest: str
    values: np.ndarray = field(compare=False)
    columns: tuple[str, ...] = field(default=(), compare=False)
    labels: tuple[str, ...] = field(default=(), compare=False)
    said: tuple[str, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        """The name with the digest, which `TableFile` reads: the same numbers, or a refusal."""
        return f"{self.name} (digest {self.digest})"

    @cached_property
    def constant(self) -> np.ndarray:
        """Which columns hold one number in all rows, (columns,)."""
        return (self.values == self.values[0]).all(axis=0)

    @cached_property
    def deviation(self) -> np.ndarray:
        """The standard deviation of each column over all rows, (columns,)."""
        return run_interruptibly(lambda: self.values.std(axis=0))

    @cached_property
    def whole(self) -> bool:
        """Whether all numbers are whole, as labels of classes are."""
        return bool((self.values == self.values.round()).all())

    @cached_property
    def different(self) -> np.ndarray:
        """The different numbers, increasing."""
        import numpy as np

        return np.unique(self.values)


def as_table(values: Any, name: str = UNNAMED, **more: Any) -> Table:
    """Numbers as a table; one column where there is one axis. Raises `Misread` with what is wrong.

    more: `columns`, `labels` and `said` of the table. Those of a frame are its own.
    """
    import hashlib

    import numpy as np

    if any(hasattr(values, each) for each in ("iloc", "get_column", "to_frame")):  # of pandas or polars
        from teacherstudent.house.frames import as_frame

        held = as_frame(values)
        return held.numbers(range(len(held.columns)), name)
    kept = np.array(_matrix(values), dtype=np.float64, order="C")  # a copy: whoever gave them may change them
    kept += 0.0  # of two zeros one
    kept.setflags(write=False)
    content = hashlib.blake2b(repr(kept.shape).encode(), digest_size=DIGITS // 2)
    content.update(kept.data)
    return Table(name, content.hexdigest(), kept, **more)


@dataclass(frozen=True)
class TableFile:
    """A table: the name of a file, or in Python the numbers themselves.

    A name may end in the digest of what the file held, `rows.npy (digest ...)`, as answers and settings
    write it: then a file that has changed is refused.
    """

    def parse(self, text: str) -> Any:
        matched = WITH_DIGEST.fullmatch(text)
        name, digest = matched.groups() if matched else (text, "")
        found = self.named(name)
        if digest and found.digest != digest:
            hint = f"its numbers have changed since: their digest is {found.digest}"
            raise Misread(f"{hint}; leave out (digest ...) to read the file as it is now")
        return found

    def check(self, value: Any) -> Any:
        if isinstance(value, Table):
            return value
        return self.parse(str(value)) if isinstance(value, Path) else as_table(value)

    def describe(self) -> str:
        return f"a file of numbers ({', '.join(SUFFIXES)})"

    def named(self, name: str) -> Any:
        """The table in the file of that name. Raises `Misread`."""
        from teacherstudent.house.table_files import read_table_file

        with doing_part(f"reading {name}"):
            return run_interruptibly(lambda: read_table_file(name))


@dataclass(frozen=True)
class FrameFile(TableFile):
    """A table with named columns, of numbers and of texts (`frames.Frame`): a file, or in Python a frame."""

    def check(self, value: Any) -> Any:
        from teacherstudent.house.frames import Frame, as_frame

        if isinstance(value, Frame):
            return value
        return self.parse(str(value)) if isinstance(value, Path) else as_frame(value)

    def named(self, name: str) -> Any:
        from teacherstudent.house.table_files import read_frame

        return read_frame(name)

    def describe(self) -> str:
        return f"a file of named columns ({', '.join(SUFFIXES)})"


@dataclass(frozen=True)
class ColumnNames:
    """Names of columns: one, several separated by commas, or in Python a list. `Frame.places` finds them."""

    def parse(self, text: str) -> str | tuple[str, ...]:
        return self.check(text)

    def check(self, value: Any) -> str | tuple[str, ...]:
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if getattr(value, "ndim", 0) == 1:  # as a frame's columns
            value = value.tolist()
        if isinstance(value, str) and value.strip():
            return value
        if not isinstance(value, list | tuple) or not value:
            raise Misread("give arrays as --features and --targets" if isinstance(value, float) else "")
        return tuple(ColumnNames.check(self, each) for each in value)  # type: ignore[misc]

    def describe(self) -> str:
        return "names of columns, separated by commas"


COPIES = 2
"""Times that the numbers of a table are held while it is made."""


def demand_room(shape: Sequence[int]) -> None:
    """Raise `Misread` where a table of so many numbers does not fit into the memory."""
    from teacherstudent.house import machine

    needed, room = float(NUMBER) * COPIES * math.prod(shape), machine.memory_for_question()
    if needed > room:
        raise Misread(
            f"{' x '.join(map(str, shape))} numbers take {in_bytes(needed)} in memory while they are read: "
            f"more than the {in_bytes(room)} that are available here"
        )


def in_bytes(size: float) -> str:
    """A size in memory, as a person says it."""
    for unit, name in ((2**30, "GB"), (2**20, "MB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / 2**10:.3g} kB"


def _matrix(values: Any) -> np.ndarray:
    """Values as a matrix of finite numbers that float64 holds. Raises `Misread`."""
    import numpy as np

    if hasattr(values, "toarray"):
        raise Misread("it is a sparse matrix: give .toarray() of it")
    try:
        found = np.asarray(values)
    except ValueError:
        raise Misread("its rows have different lengths") from None
    except (RuntimeError, TypeError) as error:  # as of tensors with gradients, or on another device
        cure = "give .detach().cpu() of it" if hasattr(values, "detach") else "give a numpy array"
        raise Misread(f"NumPy cannot read it: {cure} ({error})") from None
    if np.ma.is_masked(values):
        raise Misread("some of its values are masked: remove these rows or fill them in")
    if found.dtype.kind not in "biuf":
        raise Misread(_no_numbers(found))
    if found.ndim == 1:
        found = found[:, None]
    if found.ndim != 2:
        shape = " x ".join(map(str, found.shape)) or "single number"
        raise Misread(f"it has {found.ndim} axes ({shape}): a table has two")
    if not found.size:
        raise Misread(f"it is empty: {found.shape[0]} rows, {found.shape[1]} columns")
    demand_room(found.shape)
    if found.dtype.kind == "f":
        _refuse_where(~np.isfinite(found), found, "is not finite: remove that row or fill it in")
        if float(np.finfo(found.dtype).max) > MOST:
            _refuse_where((found > MOST) | (found < -MOST), found, f"is beyond {MOST:g}: choose other units")
            _refuse_tiny(found)
    elif found.dtype.kind in "iu":
        beyond = (found > LARGEST) | (found < -LARGEST)
        _refuse_where(beyond, found, "is a whole number beyond 2^53, which float64 rounds: is it a name?")
    return found


def _refuse_tiny(found: np.ndarray) -> None:
    """Raise `Misread` where a column is not constant, and its numbers lie closer together than `LEAST`."""
    import numpy as np

    varied = np.ptp(found.astype(np.float64, copy=False), axis=0)
    tiny = np.flatnonzero((varied > 0) & (varied < LEAST))
    if tiny.size:
        others = f" (and {tiny.size - 1} more)" if tiny.size > 1 else ""
        raise Misread(
            f"column {tiny[0]}, counted from 0, varies by {varied[tiny[0]]:.3g}, less than {LEAST:g}: "
            f"choose other units{others}"
        )


def _refuse_where(wrong: np.ndarray, found: np.ndarray, why: str) -> None:
    import numpy as np

    if wrong.any():
        row, column = (int(each) for each in np.unravel_index(int(np.argmax(wrong)), wrong.shape))
        more = int(wrong.sum()) - 1
        others = f" (and {more} more)" if more else ""
        raise Misread(f"row {row}, column {column}, counted from 0: {found[row, column]} {why}{others}")


def _no_numbers(found: np.ndarray) -> str:
    text = "it holds text: write classes as whole numbers 0, 1, ..."
    kinds = {
        "c": "its numbers are complex",
        "U": text,
        "S": text,
        "T": text,
        "M": "it holds dates",
        "m": "it holds durations",
        "V": "it holds records of several fields: give one matrix",
    }
    if found.dtype.hasobject and any(isinstance(each, str) for each in found.flat):
        return text
    if found.dtype.hasobject and found.size and all(map(_is_real, found.flat)):
        return "its numbers are Python objects: convert them, for example by frame.astype(float)"
    return kinds.get(found.dtype.kind, "it holds Python objects, not an array of real numbers")


def _is_real(value: object) -> bool:
    """Whether float64 holds an object as a number, or as 1 for what is true."""
    import numpy as np

    if isinstance(value, int | np.integer):
        return bool(-LARGEST <= value <= LARGEST)
    return isinstance(value, float | np.floating | np.bool_)
