"""Tables of numbers as values of parameters: what a file holds, known by its content.

A `Table` is a matrix in memory with the name under which it was given. Two tables are equal where their
numbers are; answers record name and digest, so that a file that has changed since is noticed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import Misread

if TYPE_CHECKING:
    import numpy as np

SUFFIXES = (".npy", ".npz", ".csv")


@dataclass(frozen=True)
class Table:
    """A matrix of finite numbers, (rows, columns): whole numbers stay whole, which tells classes.

    name: the file as it was typed, or "array". digest: of the numbers and their shape.
    """

    name: str = field(compare=False)
    digest: str
    values: np.ndarray = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name} (sha256 {self.digest})"


def table(values: Any, name: str = "array") -> Table:
    """Numbers as a table; one column where there is one axis. Raises `Misread`."""
    import hashlib

    import numpy as np

    found = np.asarray(values)
    if found.ndim == 1:
        found = found[:, None]
    if found.ndim != 2 or found.dtype.kind not in "biuf" or not found.size:
        raise Misread("rows and columns of real numbers")
    if not np.all(np.isfinite(found)):
        raise Misread(f"row {int(np.argmin(np.isfinite(found).all(axis=1)))} is not finite")
    kept = np.ascontiguousarray(found, dtype=np.int64 if found.dtype.kind in "biu" else np.float64)
    kept.setflags(write=False)
    digest = hashlib.sha256(repr((kept.shape, kept.dtype.str)).encode() + kept.tobytes()).hexdigest()[:16]
    return Table(name, digest, kept)


@dataclass(frozen=True)
class TableFile:
    """A table: the name of a file, or in Python the numbers themselves."""

    def parse(self, text: str) -> Table:
        return table(_read(Path(text)), text)

    def check(self, value: Any) -> Table:
        if isinstance(value, Table):
            return value
        return self.parse(str(value)) if isinstance(value, Path) else table(value)

    def describe(self) -> str:
        return f"a file of numbers ({', '.join(SUFFIXES)})"


def _read(path: Path) -> Any:
    """The numbers in a file; nothing is ever unpickled."""
    import numpy as np

    if path.suffix == ".npy":
        return np.load(path, allow_pickle=False)
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            (only,) = archive.files
            return archive[only]
    return np.loadtxt(path, delimiter=",", ndmin=2)
