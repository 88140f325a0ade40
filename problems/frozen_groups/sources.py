"""What may be given as features in groups: a .npz of nine arrays, or in Python these arrays by name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import Misread
from teacherstudent.house.tables import DIGITS, UNNAMED, WITH_DIGEST, ColumnNames, Table, as_table

if TYPE_CHECKING:
    import numpy as np

PARTS = ("tr", "va", "te")
NAMES = {"x": "features", "y": "classes", "a": "attributes"}
MOST_GROUPS = 100
STRIPES = "stripes"
"""The name of rows that are made here."""


@dataclass(frozen=True)
class Part:
    """Rows of one part: features (n, d), and places of their classes and groups, (n,)."""

    features: np.ndarray
    classes: np.ndarray
    groups: np.ndarray


@dataclass(frozen=True, repr=False)
class Rows:
    """All rows, known by their content; equal where their numbers are, however the file is named.

    labels: the classes as they were given, in order. groups: (class, attribute) of each, as given.
    said: what whoever asks must know of how they were read.
    """

    name: str = field(compare=False)
    digest: str
    labels: tuple[int | str, ...] = field(compare=False)
    groups: tuple[tuple[int | str, int | str], ...] = field(compare=False)
    training: Part = field(compare=False)
    validation: Part = field(compare=False)
    test: Part = field(compare=False)
    said: tuple[str, ...] = field(default=(), compare=False, kw_only=True)

    def __repr__(self) -> str:
        """The name with the digest, which `GroupFile` reads: the same numbers, or a refusal."""
        return self.name if self.name == STRIPES else f"{self.name} (digest {self.digest})"


@dataclass(frozen=True)
class GroupFile(ColumnNames):
    """Features in groups. A name may end in the digest of the numbers, as answers and settings write it.

    What is no such file names columns of the one table that is given, which only the whole question knows.
    """

    def parse(self, text: str) -> Any:
        matched = WITH_DIGEST.fullmatch(text)
        name, digest = matched.groups() if matched else (text, "")
        if name != STRIPES and Path(name).suffix.lower() != ".npz":
            return ColumnNames.check(self, text)
        found = self._named(name)
        if digest and found.digest != digest:
            hint = f"its numbers have changed since: their digest is {found.digest}"
            raise Misread(f"{hint}; without (digest ...) the file is read as it is")
        return found

    def check(self, value: Any) -> Any:
        if isinstance(value, Rows):
            return value
        if isinstance(value, Mapping):
            return rows({name: as_table(value[name]) for name in _wanted(value)}, UNNAMED)
        return self.parse(str(value)) if isinstance(value, Path) else ColumnNames.check(self, value)

    def describe(self) -> str:
        arrays = ", ".join(f"{name}_{part}" for part in PARTS for name in NAMES)
        return f"{STRIPES}, or a file .npz with the arrays {arrays}, or names of columns of --table"

    def _named(self, name: str) -> Rows:
        from teacherstudent.house.table_files import read_table_file
        from teacherstudent.problems.frozen_groups import stripes

        if name == STRIPES:
            return rows({each: as_table(values) for each, values in stripes.arrays().items()}, STRIPES)
        return rows({each: read_table_file(f"{name}:{each}") for each in _wanted()}, name)


def _wanted(given: Mapping[str, Any] | None = None) -> list[str]:
    """Names of the nine arrays. Raises `Misread` where one is missing."""
    names = [f"{name}_{part}" for part in PARTS for name in NAMES]
    if given is not None and (missing := [each for each in names if each not in given]):
        raise Misread(f"there is no array {missing[0]}")
    return names


def rows(tables: Mapping[str, Table], name: str) -> Rows:
    """The rows of nine tables. Raises `Misread` with what is wrong."""
    import numpy as np

    for part in PARTS:
        _demand_shapes(tables, part)
    columns = {each: tables[each].values[:, 0].astype(int) for each in tables if each[0] in "ya"}
    labels = np.unique(columns["y_tr"])
    if len(labels) < 2:
        raise Misread("y_tr has only one class, but two or more are needed")
    pairs = np.unique(np.stack([columns["y_tr"], columns["a_tr"]], axis=1), axis=0)
    if len(pairs) > MOST_GROUPS:
        raise Misread(f"y_tr and a_tr give {len(pairs)} groups, more than {MOST_GROUPS}: are they counts?")
    parts = {part: _part(tables, columns, part, labels, pairs) for part in PARTS}
    content = hashlib.blake2b(digest_size=DIGITS // 2)
    for each in sorted(tables):
        content.update(f"{each} {tables[each].digest} ".encode())
    return Rows(
        name,
        content.hexdigest(),
        tuple(map(int, labels)),
        tuple((int(y), int(a)) for y, a in pairs),
        *(parts[part] for part in PARTS),
    )


def _demand_shapes(tables: Mapping[str, Table], part: str) -> None:
    x = tables[f"x_{part}"].values
    if x.shape[1] != tables["x_tr"].values.shape[1]:
        raise Misread(f"x_{part} has {x.shape[1]} columns and x_tr {tables['x_tr'].values.shape[1]}")
    for name in ("y", "a"):
        found = tables[f"{name}_{part}"]
        if found.values.shape != (len(x), 1):
            shape = " x ".join(map(str, found.values.shape))
            raise Misread(f"{name}_{part} is {shape}, but x_{part} has {len(x)} rows: one number per row")
        if not found.whole:
            raise Misread(f"{name}_{part} holds numbers that are not whole, but {NAMES[name]} are 0, 1, ...")


def _part(
    tables: Mapping[str, Table],
    columns: Mapping[str, np.ndarray],
    part: str,
    labels: np.ndarray,
    pairs: np.ndarray,
) -> Part:
    """One part, its groups among those of the training rows; each of them has a row here."""
    import numpy as np

    own = np.stack([columns[f"y_{part}"], columns[f"a_{part}"]], axis=1)
    same = (own[:, None] == pairs).all(axis=-1)
    strange = np.flatnonzero(~same.any(axis=1))
    if strange.size:
        y, a = own[strange[0]]
        raise Misread(f"row {strange[0]} of part {part} has y = {y}, a = {a}, which no training row has")
    empty = np.flatnonzero(~same.any(axis=0))
    if empty.size:
        y, a = pairs[empty[0]]
        raise Misread(f"no row of part {part} has y = {y}, a = {a}, which some training rows have")
    return Part(tables[f"x_{part}"].values, np.searchsorted(labels, own[:, 0]), same.argmax(axis=1))
