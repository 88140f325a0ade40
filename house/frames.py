"""Tables with named columns, of numbers and of texts, in which values may be missing.

A `Frame` is what somebody brings: one table of everything. `Frame.numbers` makes a `Table` of some of its
columns, or says in one line what stands in the way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from teacherstudent.house.domains import LARGEST
from teacherstudent.house.errors import InputError, Misread, in_short
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.tables import DIGITS, UNNAMED, Table, as_table, demand_room

MISSING = (
    "", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "-nan", "?", "-", ".", "null", "NULL",
    "None",
)  # fmt: skip
"""What people write in place of a value."""

UNNAMED_INDEX = "Unnamed: 0"
"""What pandas calls a first column without a name, which is an index."""

PAIRS = ({"false": 0.0, "true": 1.0}, {"no": 0.0, "yes": 1.0})
"""Texts that are 0 and 1."""

GROUPS = r"[ '\u00a0\u202f\u2009]"
WRITINGS = {
    comma: re.compile(
        rf"[-+]?((\d+|[1-9]\d{{0,2}}(({group}\d{{3}})+|({GROUPS}\d{{3}})+))({point}\d*)?|{point}\d+)(e[-+]?\d+)?",
        re.IGNORECASE,
    )
    for comma, group, point in ((False, ",", r"\."), (True, r"\.", ","))
}
"""Numbers with separated thousands and a decimal point (False), or a decimal comma (True)."""

DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[ -][a-z]{3,9}\.?[ -]\d{2,4}"
    r"|[a-z]{3,9}\.? \d{1,2},? \d{4})([ T]\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(:\d\d(\.\d*)?)?",
    re.I,
)

SHOWN = 5
"""Columns that a line names."""


@dataclass(frozen=True, repr=False)
class Frame:
    """Columns under names, float64 (rows, columns) with NaN for what is missing or no number.

    texts: of the columns that are no numbers, by their places, (rows,) each, None where one is missing.
    said: what whoever asks must know of how values were read. name and digest: as of a `Table`; the digest
    is of names and values.
    """

    name: str = field(compare=False)
    digest: str
    columns: tuple[str, ...] = field(compare=False)
    values: np.ndarray = field(compare=False)
    texts: Mapping[int, np.ndarray] = field(compare=False)
    said: tuple[str, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        """The name with the digest, as of a `Table`."""
        return f"{self.name} (digest {self.digest})"

    def missing(self, places: Sequence[int]) -> np.ndarray:
        """Which values of these columns are missing, (rows, places)."""
        found = np.isnan(self.values[:, places])
        for i, j in enumerate(places):
            if j in self.texts:
                found[:, i] = [each is None for each in self.texts[j]]
        return found

    def places(self, names: str | Sequence[str], option: str) -> list[int]:
        """Where the columns of these names stand: names, or a text of names separated by commas.

        A name in quotes may hold a comma; a number is the place of a column, counted from 0, unless it is a
        name. Raises `InputError` for `option` where there is no such column, or more than one.
        """
        import csv

        listed = [names] if isinstance(names, str) else list(names)
        if isinstance(names, str) and names not in self.columns:
            with suppress(csv.Error):
                listed = next(csv.reader([names], skipinitialspace=True), listed)
        return list(dict.fromkeys(self._place(each.strip(), option) for each in listed))

    def _place(self, name: str, option: str) -> int:
        found = [j for j, each in enumerate(self.columns) if each.strip() == name]
        if not found and name == UNNAMED_INDEX and not self.columns[0]:
            found = [0]
        if not found and name.isdecimal() and int(name) < len(self.columns):
            found = [int(name)]
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(map(str, found))
            domain = f"the name of one column: {len(found)} have it; give a position, from 0: {places}"
            raise InputError(option, name, domain)
        domain = f"a column of {self.name}: {_listed(self.columns)}"
        raise InputError(option, name, domain, did_you_mean(name, self.columns))

    def without(self, rows: np.ndarray) -> Frame:
        """The same without the rows that are marked, (rows,)."""
        texts = {j: each[~rows] for j, each in self.texts.items()}
        return Frame(self.name, self.digest, self.columns, self.values[~rows], texts, self.said)

    def dates(self, places: Iterable[int]) -> list[int]:
        """Those of the columns that hold dates or times of day."""
        return [j for j in places if j in self.texts and _are_dates(self.texts[j])]

    def numbers(self, places: Sequence[int], name: str) -> Table:
        """These columns as a table of that name. Raises `Misread` where one is no column of numbers."""
        if not self.columns[0] and 0 in places:
            raise Misread(
                "its first column has no name, like an index: remove it (pandas: index=False; R: row.names="
                f"FALSE), or use --table and --leave-out '{UNNAMED_INDEX}'"
            )
        if dated := self.dates(places):
            raise Misread(f"column {_listed(self.columns[j] for j in dated)} holds dates: leave it out")
        for j in set(places) & set(self.texts):
            texts = self.texts[j]
            wrong = [i for i, each in enumerate(texts) if not (each is None or is_number(each))]
            row = wrong[0] if wrong else next(i for i, each in enumerate(texts) if each is not None)
            why = "no number" if wrong else "a whole number beyond 2^53, which float64 rounds: is it a name?"
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            place = f"column {in_short(self.columns[j])}, row {row}, counted from 0"
            cure = "with --table, --encode one-hot turns texts into numbers"
            raise Misread(f'{place}: "{in_short(texts[row][:20])}" is {why}{more}; {cure}')
        if counted := self.counted(places):
            said = f"values are missing in {len(self.values)} rows: {counted}"
            raise Misread(f"{said}; with --table, --missing drop leaves these rows out")
        values = self.values if list(places) == list(range(len(self.columns))) else self.values[:, places]
        return as_table(values, name, columns=tuple(self.columns[j] for j in places), said=self.said)

    def classes(self, place: int, name: str) -> Table:
        """A column of texts, none missing, as the places of its different texts, which are the labels."""
        labels = sorted({*self.texts[place]})
        codes = np.searchsorted(np.array(labels, dtype=object), self.texts[place])
        return as_table(codes, name, columns=(self.columns[place],), labels=tuple(labels), said=self.said)

    def counted(self, places: Sequence[int]) -> str:
        """How many values are missing in each of these columns; "" where none is."""
        each = self.missing(places).sum(axis=0)
        return _listed(f"{self.columns[j]} {count}" for j, count in zip(places, each, strict=True) if count)


def _listed(names: Iterable[str]) -> str:
    listed = [each if each else "(no name)" for each in names]
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN + 1 else ""
    return ", ".join(in_short(each) for each in (listed[:SHOWN] if more else listed)) + more


def as_frame(given: Any, name: str = UNNAMED, said: tuple[str, ...] = ()) -> Frame:
    """Columns as a frame: of pandas or polars, lists by name, records, or a matrix with counted columns.

    Booleans are 0 and 1, and so are true and false, yes and no; categories are numbers or texts, as they
    are. Raises `Misread`.
    """
    import pandas as pd

    if hasattr(given, "to_frame") and not hasattr(given, "columns"):
        given = given.to_frame()
    if hasattr(given, "get_column"):  # polars, whose own conversion needs pyarrow
        given = {each: given.get_column(each).to_list() for each in given.columns}
    if not isinstance(given, pd.DataFrame):
        records = isinstance(given, np.ndarray) and given.dtype.names
        try:
            given = pd.DataFrame(given if isinstance(given, Mapping) or records else as_table(given).values)
        except ValueError as error:
            raise error if isinstance(error, Misread) else Misread(f"it is no table ({error})") from None
    rows, columns = given.shape
    if not rows or not columns:
        raise Misread(f"it is empty: {rows} rows, {columns} columns")
    demand_room(given.shape)
    names = tuple("" if str(each) == UNNAMED_INDEX else str(each).strip() for each in given.columns)
    values, texts = np.empty(given.shape), {}
    kinds = [each.kind if isinstance(each, np.dtype) else "" for each in given.dtypes]
    plain = [j for j, kind in enumerate(kinds) if kind in "fbiu" and kind]
    numeric = given if len(plain) == columns else given.iloc[:, plain]
    values[:, plain] = numeric.to_numpy(float)  # all at once, as there may be many
    beyond = [j for j in plain if kinds[j] in "iu" and np.abs(values[:, j]).max() >= LARGEST]
    for j in sorted({*range(columns)} - {*plain} | {*beyond}):
        values[:, j], text, remark = _column(given.iloc[:, j])
        if text is not None:
            texts[j] = text
        said += (f"column {names[j]}: {remark}",) if remark else ()
    values[np.isnan(values)] = np.nan  # of many, one
    values += 0.0  # of two zeros one
    values.setflags(write=False)
    content = hashlib.blake2b(repr((values.shape, names)).encode(), digest_size=DIGITS // 2)
    content.update(values.data)
    content.update(repr([(j, each.tolist()) for j, each in texts.items()]).encode())
    return Frame(name, content.hexdigest(), names, values, texts, said)


def _column(column: Any) -> tuple[Any, np.ndarray | None, str]:
    """A column as numbers, NaN where missing; its texts where it has others; and what must be said of it."""
    import pandas as pd

    kind = column.dtype
    whole = pd.api.types.is_integer_dtype(kind)
    if whole and len(present := column.dropna()) and (present.min() < -LARGEST or present.max() > LARGEST):
        column, kind = column.astype(object).map(str, na_action="ignore"), None  # float64 would round it
    if kind is not None and (pd.api.types.is_bool_dtype(kind) or pd.api.types.is_numeric_dtype(kind)):
        if pd.api.types.is_complex_dtype(kind):
            raise Misread(f"column {column.name} holds complex numbers")
        return column.to_numpy(dtype=float, na_value=np.nan), None, ""
    cells = [None if _is_missing(each) else each for each in column.astype(object)]
    present = [each for each in cells if each is not None]
    beyond = any(isinstance(each, Integral) and abs(int(each)) > LARGEST for each in present)
    if not beyond and all(isinstance(each, Real | Decimal | np.bool_) for each in present):
        return np.array([np.nan if each is None else float(each) for each in cells]), None, ""
    odd = [each for each in present if np.iterable(each) and not isinstance(each, str | bytes)]
    if odd:
        kind = type(odd[0]).__name__
        raise Misread(f"column {column.name} holds objects ({kind}), not one number or text in each row")
    texts = np.array([None if each is None else str(each).strip() for each in cells], dtype=object)
    known = {each.lower() for each in texts if each is not None}
    for pair in PAIRS:
        if known <= set(pair):
            said = ", ".join(
                f"{word} is {value:.0f}" for word, value in pair.items() if word in ("yes", "no")
            )
            return [np.nan if each is None else pair[each.lower()] for each in texts], None, said
    return np.full(len(texts), np.nan), texts, ""


def is_number(text: str) -> bool:
    """Whether a text is a number in plain writing."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _is_missing(value: Any) -> bool:
    import pandas as pd

    if isinstance(value, str):
        return value.strip() in MISSING
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)


def read_numbers(texts: Any, european: bool) -> tuple[Any, str] | None:
    """Texts that are all numbers in one writing, as floats with NaN, and which it is; None for other texts.

    european: whether a comma between digits is more likely a decimal one than one of thousands.
    """
    cells = [None if _is_missing(each) else str(each).strip() for each in texts]
    present = [each for each in cells if each is not None]
    for comma in (european, not european):
        if present and all(map(WRITINGS[comma].fullmatch, present)):
            point, group = (",", ".") if comma else (".", ",")
            plain = [None if each is None else re.sub(rf"[{group}]|{GROUPS}", "", each) for each in cells]
            numbers = [np.nan if each is None else float(each.replace(point, ".")) for each in plain]
            if comma and any("," in each for each in present):
                return np.array(numbers), "decimal commas"
            grouped = any(re.search(rf"[{group}]|{GROUPS}", each) for each in present)
            return np.array(numbers), "separators of thousands" if grouped else ""
    return None


def _are_dates(texts: np.ndarray) -> bool:
    present = [each for each in texts if each is not None]
    return bool(present) and all(map(DATE.fullmatch, present))
