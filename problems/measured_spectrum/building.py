"""From values of parameters to an instance: what belongs together, and what contradicts what."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache, partial
from typing import Any

from teacherstudent.house import machine
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.tables import NUMBER, Table, in_bytes
from teacherstudent.problems.measured_spectrum.columns import hints
from teacherstudent.problems.measured_spectrum.instance import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.intercept import with_intercept
from teacherstudent.problems.measured_spectrum.odd_rows import notes
from teacherstudent.problems.measured_spectrum.one_table import OF_TABLE, features_and_targets
from teacherstudent.problems.measured_spectrum.sources import OrBundled
from teacherstudent.problems.measured_spectrum.targets import (
    LEAST,
    MOST_CLASSES,
    classes_of,
    remark,
    task_of,
)
from teacherstudent.problems.peak import heavy_tailed

OF_ROWS = ("task", "kernel", "width", "depth")
"""What only measured rows have."""

FEATURES_ALONE = Parameter("features", "", "", OrBundled(part=0), "features that are not columns of a table")

SPARSE = 0.2
"""A column that differs from its most frequent value in a smaller share of rows is carried by few of them."""

KERNELS, FEATURES, SQUARES = 6.2, 5.6, 4.4
"""Matrices that are held at once while rows are decomposed, as measured, with the workspace of LAPACK: of all
rows with all rows for a kernel, and else of rows and columns, and squares of the smaller of both."""


def build(**given: Any) -> MeasuredSpectrum:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    training = {name: given[name] for name in ("n", "noise", "ridge", "init")}
    training["standardise"] = bool(given["standardise"])
    given = {**given, **tables(**given)}
    if given["standardise"] and given["features"] is None:
        raise InputError("standardise", True, "left out without --features, because it scales their columns")
    if given["features"] is given["gram"] is given["targets"] is None:
        return with_intercept(MeasuredSpectrum(**training, **_law(given)), given)
    return with_intercept(MeasuredSpectrum(**training, **_rows(given)), given)


def tables(table: Any = None, features: Any = None, targets: Any = None, **given: Any) -> dict[str, Any]:
    """Features and targets, as they are given or as columns of one table. Raises `InputError`."""
    asked = {name: given.get(name) for name in OF_TABLE}
    if table is not None and targets is not None:
        raise InputError("targets", str(targets), "left out with --table: --target names the column")
    if table is not None:
        found = features_and_targets(table=table, features=features, **asked)
        return dict(zip(("features", "targets"), found, strict=True))
    for name, value in asked.items():
        if value is not None:
            raise InputError(name, value, "left out without --table, because it concerns the table's columns")
    if isinstance(features, str | tuple):
        features = FEATURES_ALONE.check(features)
    return {"features": features, "targets": targets}


def remarks(problem: MeasuredSpectrum) -> str:
    """How values were read, and whether that may be meant otherwise: numbers or classes, names, columns; and
    what is taken for granted of new rows."""
    said = [*(problem.features.said if problem.features else ()), _first_rows(problem), _constant(problem)]
    said += hints(problem.features, problem.standardise)
    if problem.features is not None and problem.targets is not None:
        said += notes(problem.features, problem.targets)
    if problem.targets is not None:
        said += [*problem.targets.said, remark(problem.targets, problem.task)]
    said.append(heavy_tailed(problem.n, problem.columns, problem.ridge, problem.intercept == "trained"))
    return "; ".join(dict.fromkeys(filter(None, (*said, _new_rows(problem)))))


def _first_rows(problem: MeasuredSpectrum) -> str:
    """That both tables, read from text, begin with what may be the names that pandas gives."""
    tables = (problem.features, problem.targets)
    if all(each is not None and each.name.lower().endswith(".csv") and _counted(each) for each in tables):
        return (
            "the first row of --features and of --targets reads 0, 1, ..., like the column names that pandas "
            "writes; it is used as an example"
        )
    return ""


def _constant(problem: MeasuredSpectrum) -> str:
    """That columns of the features are constant, where some are: a centred constant says nothing."""
    if (
        problem.features is None
        or problem.intercept == "none"
        or not (count := int(problem.features.constant.sum()))
    ):
        return ""
    whole = len(problem.features.constant)
    verb = "is constant and has no effect" if count == 1 else "are constant and have no effect"
    return f"{count} of {whole} columns of --features {problem.features.name} {verb}"


def _new_rows(problem: MeasuredSpectrum) -> str:
    """What a prediction of new rows takes for granted, and which columns it cannot see well."""
    if problem.sampling != "new-rows":
        return ""
    said = "the prediction assumes that new rows are independent draws, without groups or changes over time"
    if problem.features is None or not (few := len(sparse_columns(problem.features))):
        return said
    columns = "column of --features differs" if few == 1 else "columns of --features differ"
    advice = f"from the most frequent value in less than {SPARSE:.0%} of the rows: better leave these out"
    return f"{said}; {few} {columns} {advice}"


@lru_cache(maxsize=2)
def sparse_columns(features: Table) -> tuple[int, ...]:
    """Places of the columns that few rows carry, as `SPARSE` says."""
    import numpy as np

    values = features.values
    most = (np.unique(column, return_counts=True)[1].max() for column in values.T)
    return tuple(place for place, rows in enumerate(most) if rows > (1 - SPARSE) * len(values))


def _law(given: dict[str, Any]) -> dict[str, Any]:
    for name in OF_ROWS:
        if given[name] is not None:
            raise InputError(name, given[name], "left out without --features, because a law has no rows")
    if given["sampling"] in ("pool", "new-rows"):
        domain = "population without --features, because a law has no rows"
        raise InputError("sampling", given["sampling"], domain)
    if given["modes"]:
        return {"modes": given["modes"]}
    return {name: given[name] for name in ("capacity", "source", "size")}


def _rows(given: dict[str, Any]) -> dict[str, Any]:
    features, gram, targets = given["features"], given["gram"], given["targets"]
    if targets is None:
        raise InputError("targets", "(missing)", "given together with --features or --gram")
    if features is None and gram is None:
        raise InputError("features", "(missing)", "given together with --targets, or replaced by --gram")
    rows = len((features or gram).values)
    if len(targets.values) != rows:
        named = "features" if features else "gram"
        domain = f"of {rows} rows, as many as --{named}; they have {len(targets.values)}"
        raise InputError("targets", str(targets), domain, _mismatched(features or gram, targets))
    if features is not None:
        _demand_features(features, targets, given["task"])
    task = task_of(targets, None if given["task"] == "auto" else given["task"])
    classes = len(classes_of(targets)[1]) if task == "classification" else 0
    _demand_room(given, rows)
    n, sampling = given["n"], given["sampling"] or "pool"
    if sampling == "pool" and n >= rows:
        hint = "for more rows than there are, use --sampling new-rows --route extrapolation"
        raise InputError("n", n, f"below {rows}, the number of rows: the test uses the remaining rows", hint)
    if n < classes:
        raise InputError("n", n, f"at least {classes}, the number of classes")
    return {
        "features": features,
        "gram": gram,
        "targets": targets,
        "task": task,
        "outputs": classes or targets.values.shape[1],
        "sampling": sampling,
        **_kernel(given, rows),
    }


def _mismatched(given: Table, targets: Table) -> str:
    """A hint at which of two tables of different length has its columns as rows, or a name as a row."""
    for name, longer, other in (("targets", targets, given), ("features", given, targets)):
        if len(longer.values) == len(other.values) + 1 and _counted(longer):
            return f"the first row of the {name} looks like column names from pandas: write them without"
    (rows, columns), (examples, outputs) = given.values.shape, targets.values.shape
    if columns == examples:
        return "the features look transposed: each example must be a row"
    return "the targets look transposed: each example must be a row" if outputs == rows else ""


def _demand_features(features: Table, targets: Table, task: str | None) -> None:
    if features.constant.all():
        raise InputError(
            "features", str(features), "a table with a column that is not constant: all columns are constant"
        )
    inputs, outputs = features.values.shape[1], targets.values.shape[1]
    if task in (None, "auto") and inputs == 1 < outputs and _labels(features) and not _labels(targets):
        raise InputError(
            "features",
            str(features),
            f"features, but they look like classes, and --targets has {outputs} columns of other numbers",
            "if the two are not swapped, give --task",
        )


def _counted(table: Table) -> bool:
    """Whether the first row reads 0, 1, ..., which pandas writes above columns that have no names."""
    return table.values[0].tolist() == list(range(table.values.shape[1]))


def _labels(table: Table) -> bool:
    """Whether a table looks like classes of which each occurs again and again."""
    return table.whole and table.different.size <= min(MOST_CLASSES, len(table.values) // LEAST)


def _demand_room(given: dict[str, Any], rows: int) -> None:
    """Raise `InputError` where the rows and their decomposition do not fit into the memory."""
    columns = 0 if given["gram"] else given["features"].values.shape[1]
    if given["gram"] or (given["kernel"] or "linear") != "linear":
        name, value = ("gram", str(given["gram"])) if given["gram"] else ("kernel", given["kernel"])
        what, needed = f"a kernel of {rows} x {rows} numbers", _of_kernel
    else:
        name, value = "features", str(given["features"])
        what, needed = f"{rows} rows of {columns} columns", partial(_of_features, columns)
    room = machine.memory_for_question()
    if needed(rows) > room:
        fitting = bisect_right(range(rows), room, key=needed) - 1
        domain = (
            f"of at most {fitting} rows: {what} and its decomposition need {in_bytes(needed(rows))} of "
            f"memory, more than the {in_bytes(room)} allowed here"
        )
        raise InputError(name, value, domain)


def _of_kernel(rows: int) -> float:
    """Bytes that are held while a kernel of so many rows is decomposed."""
    return float(NUMBER) * KERNELS * rows**2


def _of_features(columns: int, rows: int) -> float:
    """Bytes that are held while so many rows are decomposed."""
    return float(NUMBER) * (FEATURES * rows * columns + SQUARES * min(rows, columns) ** 2)


def _kernel(given: dict[str, Any], rows: int) -> dict[str, Any]:
    """Which kernel, with the one parameter that it has."""
    kernel = "gram" if given["gram"] else given["kernel"] or "linear"
    own = {"rbf": ("width", "auto"), "ntk": ("depth", 1)}
    for of, (name, _) in own.items():
        if given[name] is not None and of != kernel:
            raise InputError(name, given[name], f"left out for --kernel {kernel}: only --kernel {of} uses it")
    if kernel == "linear":
        return {"kernel": kernel}
    if given["init"]:
        raise InputError("init", given["init"], f"0 for --kernel {kernel}, whose students start at 0")
    name, default = own.get(kernel, ("", None))
    return {"kernel": kernel, **({name: given[name] or default} if name else {})}
