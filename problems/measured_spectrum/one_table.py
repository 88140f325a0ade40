"""From one table of everything to features and targets: which columns, which rows, and texts as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import InputError, Misread, in_short
from teacherstudent.house.tables import UNNAMED, Table, as_table, demand_room

if TYPE_CHECKING:
    from teacherstudent.house.frames import Frame

Names = str | tuple[str, ...]

OF_TABLE = ("target", "leave_out", "missing", "encode")
"""What only one table has."""

MOST_LEVELS = 0.5
"""Different texts of a column, as a share of the rows: more are names of rows."""


def features_and_targets(
    *,
    table: Frame,
    target: Names | None,
    features: Any = None,
    leave_out: Names | None = None,
    missing: str | None = None,
    encode: str | None = None,
) -> tuple[Table, Table]:
    """The features and the targets in one table. Raises `InputError`.

    target, features and leave_out are names of columns; without `features` all other columns are features.
    """
    if isinstance(features, Table):  # a file has the name of a column
        if features.name == UNNAMED:
            raise InputError("features", str(features), "names of columns with --table")
        features = features.name
    if target is None:
        listed = ", ".join(table.columns[:20]) + ", ..." * (len(table.columns) > 20)
        raise InputError("target", "(missing)", f"given with one table: a column of {table.name}: {listed}")
    return _read(table.name, table, target, features, leave_out, missing == "drop", encode == "one-hot")


@lru_cache(maxsize=2)  # many questions are about one table
def _read(
    name: str,
    held: Frame,
    target: Names,
    features: Names | None,
    leave_out: Names | None,
    drop: bool,
    encode: bool,
) -> tuple[Table, Table]:
    outputs = dict.fromkeys(held.places(target, "target"), "target")
    found, held = features_of(held, outputs, features, leave_out, drop, encode)
    learned = name if name == UNNAMED else f"{name}: {', '.join(held.columns[j] for j in outputs)}"
    return found, targets_of(held, [*outputs], learned)


def features_of(
    held: Frame, outputs: Mapping[int, str], features: Any, leave_out: Any, drop: bool, encode: bool
) -> tuple[Table, Frame]:
    """The features, and the whole table, both without rows that lack a value. Raises `InputError`.

    outputs: the columns that are no features, by place, with the options that name them.
    """
    left = held.places(leave_out, "leave_out") if leave_out is not None else []
    inputs = held.places(features, "features") if features is not None else None
    for option, places in (("leave_out", left), ("features", inputs or [])):
        if both := sorted({*places} & {*outputs}):
            raise InputError(option, held.columns[both[0]], f"columns other than --{outputs[both[0]]}")
    if inputs is None:
        inputs = [j for j in range(len(held.columns)) if j not in {*outputs, *left}]
    elif both := sorted({*inputs} & {*left}):
        raise InputError("leave_out", held.columns[both[0]], "columns that --features does not name")
    if not inputs:
        raise InputError("table", held.name, "a table with more columns: no feature is left")
    _refuse_columns(held, inputs, outputs, left, encode)
    said = held.said
    gone: Any = held.missing([*inputs, *outputs]).any(axis=1)
    if count := int(gone.sum()):
        if not drop:
            listed = held.counted([*inputs, *outputs])
            domain = f"a table without missing values; missing in {len(gone)} rows: {listed}"
            raise InputError("table", held.name, domain, f"--missing drop leaves {_rows(count)} out")
        said += (f"{_rows(count)} of {len(gone)} with missing values left out",)
        if gone.all():
            raise InputError("missing", "drop", "left out: all rows have missing values; leave out columns")
        held = held.without(gone)
    try:
        return _features(held, inputs, held.name + ": features" * (held.name != UNNAMED), said), held
    except Misread as misread:
        raise InputError("table", held.name, "a table of numbers", misread.hint) from None


def _rows(count: int) -> str:
    return f"{count} row{'s' * (count != 1)}"


def _refuse_columns(
    held: Frame, inputs: Sequence[int], outputs: Mapping[int, str], left: Sequence[int], encode: bool
) -> None:
    """Raise `InputError` for columns that cannot be learned from, with the options that leave them out."""
    from teacherstudent.house.frames import UNNAMED_INDEX

    def refuse(places: Sequence[int], what: str, cure: str = "") -> None:
        names = [held.columns[j] or (str(j) if j else UNNAMED_INDEX) for j in (*left, *places)]
        listed = ",".join(f'"{each}"' if "," in each else each for each in names)
        listed = f"'{listed}'" if set(listed) & set(' "()&;*$') else listed  # as a shell takes it
        domain = f"a table of numbers and categories: {what}"
        raise InputError("table", held.name, domain, f"leave it out: --leave-out {listed}{cure}")

    texts = [j for j in inputs if j in held.texts]
    dated = held.dates(inputs)
    levels = {j: len({*held.texts[j]} - {None}) for j in texts if j not in dated}
    absent = held.missing(inputs)
    empty = [j for i, j in enumerate(inputs) if absent[:, i].all()]
    many = [j for j in levels if _no_category(held, j)]
    index = [0] if 0 in inputs and not held.columns[0] else []
    odd = [
        *("its first column has no name, like an index" for _ in index),
        *(f"column {held.columns[j] or j} is empty" for j in empty),
        *(f"column {held.columns[j]} contains dates" for j in dated),
        *(f"{held.columns[j]} {_no_category(held, j)}" for j in many),
    ]
    if odd:
        refuse(sorted({*index, *empty, *dated, *many}), ", ".join(odd))
    if levels and not encode:
        counted = ", ".join(f"{held.columns[j]} ({count} levels)" for j, count in levels.items())
        hold = "contains" if len(levels) == 1 else "contain"
        refuse([*levels], f"{counted} {hold} text", ", or use --encode one-hot: a column for each level")
    for j in held.dates(outputs):
        raise InputError(outputs[j], held.columns[j], "a column of numbers or classes, but it contains dates")
    for j in outputs:
        if j in held.texts and (why := _no_category(held, j)):
            first = in_short(next(each for each in held.texts[j] if each is not None)[:20])
            domain = f"a column of numbers or classes, but it {why}"
            raise InputError(outputs[j], held.columns[j], domain, f'the first is "{first}"')
    if [*outputs.values()].count("target") > 1 and (wrong := [j for j in outputs if j in held.texts]):
        domain = "a column of numbers if there are several targets, but it contains text"
        raise InputError("target", held.columns[wrong[0]], domain)


def _no_category(held: Frame, place: int) -> str:
    """Why the texts of a column are no categories: they are too many, as of names or numbers; "" else."""
    from teacherstudent.house.frames import is_number

    present = [each for each in held.texts[place] if each is not None]
    others = [each for each in present if not is_number(each)]
    levels, rows = len({*present}), len(held.values)
    if levels <= max(2, MOST_LEVELS * rows):
        return ""
    if others and 2 * len(others) < len(present):
        text = f'{_rows(len(others))}, "{in_short(others[0][:20])}"'
        return f"contains numbers, and text in {text}: leave such cells empty"
    kind = "like names"
    if not others and not any(each.lstrip("-").isdecimal() for each in present):
        kind = "all of them numbers; pandas.to_numeric converts such text"
    return f"has {levels} different texts in {rows} rows, {kind}"


def _features(held: Frame, places: Sequence[int], name: str, said: tuple[str, ...]) -> Table:
    """The numbers of these columns; of a text one column of 0 and 1 for each level."""
    import numpy as np

    if not any(j in held.texts for j in places):
        return as_table(
            held.values[:, places], name, columns=tuple(held.columns[j] for j in places), said=said
        )
    levels = {j: sorted({*held.texts[j]}) for j in places if j in held.texts}
    demand_room((len(held.values), len(places) + sum(map(len, levels.values()))))
    parts, names = [], []
    for j in places:
        if j in levels:
            parts.append(held.texts[j][:, None] == np.array(levels[j], dtype=object))
            names += [f"{held.columns[j]}={each}" for each in levels[j]]
            said += (
                f"column {held.columns[j]} becomes {len(levels[j])} columns of 0 and 1, one for each level",
            )
        else:
            parts.append(held.values[:, [j]])
            names.append(held.columns[j])
    return as_table(np.hstack(parts).astype(float), name, columns=tuple(names), said=said)


def targets_of(held: Frame, places: Sequence[int], name: str) -> Table:
    """The numbers of these columns, or classes where it is one of texts. Raises `InputError`."""
    if places[0] in held.texts:
        return held.classes(places[0], name)
    try:
        return as_table(held.values[:, places], name, columns=tuple(held.columns[j] for j in places))
    except Misread as misread:
        raise InputError("table", held.name, "a table of numbers", misread.hint) from None
