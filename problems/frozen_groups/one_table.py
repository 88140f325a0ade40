"""From one table of everything to rows in groups: classes, attributes, and what each row is for."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import InputError
from teacherstudent.house.tables import as_table
from teacherstudent.problems.frozen_groups.sources import MOST_GROUPS, PARTS, Rows, rows
from teacherstudent.problems.measured_spectrum.one_table import Names, features_of, targets_of

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.house.frames import Frame

SEED, EACH = 0, 5  # of the draw; of five rows one is a validation row and one a test row
DRAWN = (
    f"in each group {1 - 2 / EACH:.0%} of the rows are for training, {1 / EACH:.0%} for validation and "
    f"{1 / EACH:.0%} for test, drawn at random with seed {SEED}; --split names a column with another split"
)
WORDS = {"train": 0, "training": 0, "val": 1, "validation": 1, "test": 2, "0": 0, "1": 1, "2": 2}


@lru_cache(maxsize=2)  # many questions are about one table
def rows_of(
    name: str, held: Frame, features: Any, leave_out: Any, missing: Any, encode: Any, **learned: Names | None
) -> Rows:
    """The rows in the table of that name; learned: target, attribute and split. Raises `InputError`."""
    import numpy as np

    if isinstance(features, Rows):
        raise InputError("features", str(features), "names of columns with --table")
    outputs: dict[int, str] = {}
    for option, names in learned.items():  # split comes last, and may be None
        places = held.places(names or "(missing)", option) if names or option != "split" else []
        if len(places) > 1 or {*places} & {*outputs}:
            raise InputError(option, names, "a single column that no other option names")
        outputs |= dict.fromkeys(places, option)
    inputs, held = features_of(held, outputs, features, leave_out, missing == "drop", encode == "one-hot")
    columns = [held.columns[j] for j in outputs]
    (classes, y), (attributes, a) = (_levels(held, j, outputs[j]) for j in [*outputs][:2])
    if len(classes) < 2:
        raise InputError("target", columns[0], "a column of two or more classes")
    pairs, groups = np.unique(np.stack([y, a], axis=1), axis=0, return_inverse=True)
    if len(pairs) > MOST_GROUPS:
        raise InputError("attribute", columns[1], f"a column that gives at most {MOST_GROUPS} groups")
    named = tuple((classes[i], attributes[j]) for i, j in pairs)
    parts = np.array(_split(held, *places)) if places else _drawn(groups)
    counts = np.array([np.bincount(groups[parts == part], minlength=len(pairs)) for part in range(3)])
    for part, group in np.argwhere(counts == 0)[:1]:
        where = f"{columns[0]} {named[group][0]} and {columns[1]} {named[group][1]}"
        word = ("training", "validation", "test")[part]
        domain = f"one with rows of every group in every part: there is no {word} row with {where}"
        raise InputError("split" if places else "table", columns[2] if places else name, domain)
    tables = {}
    for place, part in enumerate(PARTS):
        for kind, values in (("x", inputs.values), ("y", y), ("a", a)):
            tables[f"{kind}_{part}"] = as_table(values[parts == place])
    read = f"{columns[0]} is read as {len(classes)} classes, {columns[1]} as {len(attributes)} attributes"
    said = (*inputs.said, read, *(() if places else (DRAWN,)))
    return replace(rows(tables, name), labels=classes, groups=named, said=said)


def _levels(held: Frame, place: int, option: str) -> tuple[tuple[int | str, ...], np.ndarray]:
    """The different values of a column, in order, and the place of each row's among them, (rows,)."""
    found = targets_of(held, [place], held.name)
    if not found.whole:
        raise InputError(option, held.columns[place], "a column of text or of whole numbers")
    levels = found.different
    return found.labels or tuple(map(int, levels)), levels.searchsorted(found.values[:, 0])


def _drawn(groups: np.ndarray) -> np.ndarray:
    """The part of each row, (rows,), drawn at random within each group."""
    import numpy as np

    generator = np.random.default_rng(SEED)
    parts = np.zeros(len(groups), dtype=int)
    for group in range(groups.max() + 1):
        members = generator.permutation(np.flatnonzero(groups == group))
        count = max(1, round(len(members) / EACH))
        parts[members[:count]], parts[members[count : 2 * count]] = 1, 2
    return parts


def _split(held: Frame, place: int) -> list[int]:
    """The part of each row that a column says."""
    values = held.texts[place] if place in held.texts else [f"{each:g}" for each in held.values[:, place]]
    words = [each.lower() for each in values]
    if strange := next((each for each in words if each not in WORDS), ""):
        raise InputError("split", held.columns[place], f"train, val, test or 0, 1, 2, not {strange[:20]}")
    return [WORDS[each] for each in words]
