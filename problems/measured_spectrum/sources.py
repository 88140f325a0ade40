"""What may be given as features, targets, a kernel or a law: files, scikit-learn's own sets, listed modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.house.domains import Domain, Number, Whole
from teacherstudent.house.errors import Misread, in_short
from teacherstudent.house.extras import importing_extra
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.tables import WITH_DIGEST, ColumnNames, Table, TableFile, as_table

if TYPE_CHECKING:
    from teacherstudent.house.frames import Frame

BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
"""Sets that scikit-learn (extra `data`) installs: nothing is downloaded."""


@dataclass(frozen=True)
class OrBundled(TableFile):
    """A table: a file, scikit-learn's set of that name, or in Python the numbers themselves.

    part: which part of the set, 0 its features, 1 its targets.
    """

    part: int

    def named(self, name: str) -> Table:
        if name not in BUNDLED:
            try:
                return super().named(name)
            except Misread as misread:
                raise Misread("; ".join(filter(None, (misread.hint, did_you_mean(name, BUNDLED))))) from None
        with importing_extra(f"the data set {name}"):
            from sklearn import datasets as installed

        return as_table(getattr(installed, f"load_{name}")(return_X_y=True)[self.part], name)

    def describe(self) -> str:
        return f"{super().describe()} or (extra data) one of {', '.join(BUNDLED)}"


@dataclass(frozen=True)
class OrClasses(OrBundled):
    """A table, or one column of texts, which are the names of classes."""

    def check(self, value: Any) -> Any:
        from teacherstudent.house.frames import as_frame

        named = value if hasattr(value, "columns") else {"targets": value}
        return _or_classes(lambda: super(OrClasses, self).check(value), lambda: as_frame(named))

    def named(self, name: str) -> Any:
        from teacherstudent.house.table_files import read_frame

        return _or_classes(lambda: super(OrClasses, self).named(name), lambda: read_frame(name))


def _or_classes(read: Callable[[], Table], read_columns: Callable[[], Frame]) -> Table:
    """A table, or the classes in what is none because it is one column of texts."""
    try:
        return read()
    except Misread:
        try:
            held = read_columns()
        except Misread:
            held = None
        if not held or held.columns[1:] or not held.texts or held.counted([0]) or held.dates([0]):
            raise
        return held.classes(0, held.name)


@dataclass(frozen=True)
class OrColumns(OrBundled, ColumnNames):
    """A table, or what is none: names of columns of the one table that is given, as they were typed.

    Which it is depends on whether there is such a table, which only the whole question knows.
    """

    def describe(self) -> str:
        return f"{super().describe()}, or names of columns of --table"

    def parse(self, text: str) -> Any:
        try:
            return super().parse(text)
        except Misread:
            if WITH_DIGEST.fullmatch(text):  # as only files are written
                raise
            return ColumnNames.check(self, text)

    def check(self, value: Any) -> Any:
        names = value.tolist() if getattr(value, "ndim", 0) == 1 else value
        if isinstance(names, list | tuple) and names and all(isinstance(each, str) for each in names):
            return ColumnNames.check(self, names)
        return super().check(value)


ASYMMETRY = 1e-8
"""How much two numbers of a symmetric matrix may differ by rounding, relative to its largest number."""


@dataclass(frozen=True)
class Gram(TableFile):
    """A table that may be a kernel of all rows with all rows: square and symmetric."""

    def check(self, value: Any) -> Table:
        return _symmetric(super().check(value))

    def named(self, name: str) -> Table:
        return _symmetric(super().named(name))

    def describe(self) -> str:
        return f"{super().describe()}, as many columns as rows, symmetric"


def _symmetric(found: Table) -> Table:
    import numpy as np

    matrix = found.values
    rows, columns = matrix.shape
    if rows != columns:
        raise Misread(f"it has {rows} rows and {columns} columns")
    apart = matrix - matrix.T
    np.abs(apart, out=apart)
    i, j = (int(each) for each in np.unravel_index(int(apart.argmax()), apart.shape))
    if apart[i, j] > ASYMMETRY * np.abs(matrix).max():
        raise Misread(
            f"row {i}, column {j}, counted from 0, is {matrix[i, j]}, and "
            f"row {j}, column {i} is {matrix[j, i]}"
        )
    return found


MOST_SAMPLED = 10**5
"""Modes that functions give, one by one."""


def _sampled_modes(*given: Any) -> list[tuple[int, float, float]]:
    """Modes k = 1, ..., size of functions (eigenvalue, power, size) of k. Raises `Misread`."""
    import numpy as np

    if len(given) != 3 or not all(map(callable, given[:2])) or not isinstance(given[2], int):
        raise Misread("give two functions and a number of modes: (lambda k: k**-1.5, lambda k: k**-2.0, 400)")
    size = Whole(1, MOST_SAMPLED).check(given[2])
    k = np.arange(1.0, size + 1)
    try:
        with np.errstate(all="ignore"):
            columns = [np.broadcast_to(np.asarray(each(k), float), k.shape).tolist() for each in given[:2]]
    except Exception as error:  # whatever a user's function may raise
        raise Misread(f"for 1.0, 2.0, ... it raised {type(error).__name__}: {in_short(str(error))}") from None
    return [(1, *each) for each in zip(*columns, strict=True)]


@dataclass(frozen=True)
class Modes:
    """A comma-separated list of count:eigenvalue:power; in Python also two functions of k, and how many k."""

    count: Whole
    eigenvalue: Number
    power: Number

    def parse(self, text: str) -> tuple[tuple[int, float, float], ...]:
        triples = [part.split(":") for part in text.split(",")]
        return self.check(
            [(self.count.parse(m), self.eigenvalue.parse(v), self.power.parse(t)) for m, v, t in triples]
        )

    def check(self, value: Any) -> tuple[tuple[int, float, float], ...]:
        if isinstance(value, str | bytes | Mapping | Set) or len(value) == 0:
            raise ValueError("not a list of triples")
        if any(map(callable, value)):
            value = _sampled_modes(*value)
        return tuple(
            (self.count.check(m), self.eigenvalue.check(v), self.power.check(t)) for m, v, t in value
        )

    def describe(self) -> str:
        domains: tuple[Domain, ...] = (self.count, self.eigenvalue, self.power)
        count, eigenvalue, power = (each.describe() for each in domains)
        return f"count:eigenvalue:power[,...], count {count}, eigenvalue {eigenvalue}, power {power}"
