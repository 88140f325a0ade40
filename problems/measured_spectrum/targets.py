"""What measured targets are: numbers to regress on, or classes, each of which becomes an output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from teacherstudent.house.errors import InputError
from teacherstudent.house.tables import Table

if TYPE_CHECKING:
    import numpy as np

MOST_CLASSES = 20
"""Labels 0, 1, ... in one column up to which they are taken for classes, unless the task is said."""

FREQUENT = 0.25
"""Rows of each of three classes or more, as a share of what each had if all had as many."""

LEAST = 2
"""Rows of a class: one to learn from and one to be tested on."""


def task_of(targets: Table, said: str | None) -> Literal["regression", "classification"]:
    """What these targets are: as it was said, or as they look. Raises `InputError` where they cannot be."""
    if said == "regression" and targets.labels:
        domain = f"classification, or left out: {targets.name} contains text, {_named(targets)}"
        raise InputError("task", said, domain)
    if said == "regression" or not (said == "classification" or _look_like_classes(targets)):
        if targets.constant.any():
            column = int(targets.constant.argmax())
            which = f"column {column}, counted from 0, is" if len(targets.constant) > 1 else "they are all"
            raise InputError("targets", str(targets), f"a table in which rows differ, but {which} constant")
        return "regression"
    _, counts = classes_of(targets)
    fewest = int(counts.argmin())
    hint = "" if said or targets.labels else "if they are not classes, give --task regression"
    if len(counts) < 2:
        raise InputError("targets", str(targets), "of two classes or more, but there is only one")
    if counts[fewest] < LEAST:
        label: object = fewest
        if len(counts) == targets.different.size:
            label = targets.labels[fewest] if targets.labels else f"{targets.different[fewest]:g}"
        domain = f"of at least {LEAST} rows in each class: class {label} has {counts[fewest]}"
        raise InputError("targets", str(targets), domain, hint or "leave out such rows, or merge classes")
    return "classification"


def classes_of(targets: Table) -> tuple[np.ndarray, np.ndarray]:
    """The class of each row, (P,), as the place of its label among all labels, and rows in each class, (C,).

    Raises `InputError` for targets that are no classes.
    """
    import numpy as np

    values = targets.values
    if values.shape[1] == 1 and targets.whole:
        classes = np.searchsorted(targets.different, values[:, 0])
        return classes, np.bincount(classes)
    if not _one_hot(targets):
        domain = "classes for --task classification: one column of whole numbers, or rows of one 1 and else 0"
        raise InputError("targets", str(targets), domain)
    return values.argmax(axis=1), values.sum(axis=0).astype(int)


def remark(targets: Table, task: str) -> str:
    """How the targets were read, and how to have them read otherwise where they may be meant so."""
    which = f"targets {targets.name}"
    if task == "classification":
        _, counts = classes_of(targets)
        other = "" if targets.labels else "; --task regression reads them as numbers"
        few, many = counts.min(), counts.max()
        spread = f"{few} rows" if few == many else f"{few} to {many} rows"
        named = f" ({_named(targets)})" if targets.labels else ""
        return f"{which} are read as {len(counts)} classes{named} of {spread} each{other}"
    if targets.values.shape[1] == 1 and targets.whole and targets.different.size <= MOST_CLASSES:
        few, many = targets.different[0], targets.different[-1]
        return (
            f"{which} are read as numbers, {few:g} to {many:g}; --task classification reads them as classes"
        )
    return f"{which} are read as numbers"


def _named(targets: Table) -> str:
    return ", ".join(targets.labels[:5]) + ", ..." * (len(targets.labels) > 5)


def _look_like_classes(targets: Table) -> bool:
    """Whether these are labels: texts, one-hot rows, 0 and 1, or few frequent ones counted from 0."""
    import numpy as np

    if targets.labels:
        return True
    if targets.values.shape[1] > 1:
        return _one_hot(targets)
    count = targets.different.size
    if not 2 <= count <= MOST_CLASSES or not np.array_equal(targets.different, np.arange(count)):
        return False
    fewest = np.bincount(targets.values[:, 0].astype(int)).min()
    return count == 2 or bool(fewest >= max(LEAST, FREQUENT * len(targets.values) / count))


def _one_hot(targets: Table) -> bool:
    values = targets.values
    return bool(((values == 0) | (values == 1)).all() and (values.sum(axis=1) == 1).all())
