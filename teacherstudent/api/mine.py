"""What theory says of somebody's own rows, on one page: what `teacherstudent mine` and a notebook call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.plot import gathered, picture_file, saved
from teacherstudent.figures.declaration import Page
from teacherstudent.figures.gallery import page
from teacherstudent.house import catalogue
from teacherstudent.house.domains import check_flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.provenance import note, provenance, recorded, values_as_json
from teacherstudent.house.settings import settings_as_toml
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import by_name

if TYPE_CHECKING:
    import xarray as xr


@recorded
def mine(
    *rows: Any,
    curve: str | Path | None = None,
    estimator: Any = None,
    simulate: bool = False,
    out: str | Path | None = None,
    **values: Any,
) -> xr.Dataset:
    """Predict test error over rows and over training from your own data, and compare with its subsets.

    Texts, a few frequent labels 0, 1, ... and one-hot rows are read as classes, with one output for each
    class (`task` overrides this). If other targets have several columns, each column is one output.
    The option `intercept` says how features and targets are centred; `standardise` also divides each feature
    by its standard deviation.

    Args:
        *rows: Features and targets: arrays with one row for each example, or files (.npy, .npz, .csv, ...).
            Or one table of named columns, a frame or a file, whose column `target` is learned from all
            others, or from the columns `features`, without those of `leave_out`.
        curve: Your own training curve for the first of the sizes `n`: a CSV file with the columns `time` or
            `step`, `test_error` and maybe `training_error`.
        estimator: `Ridge` or `LinearRegression` of scikit-learn, or a `Pipeline` of `StandardScaler` and one
            of these: the error of the estimator over n is predicted too.
        simulate: Whether gradient descent is also run step by step, and the estimator fitted, on the same
            subsets.
        out: Picture to write (.png, .pdf or .svg), with its numbers as .nc.
        **values: Parameters of the problem (`kernel`, `task`, `noise`, `ridge`, `missing="drop"`,
            `encode="one-hot"`, ...) and

            - `n`: size of the training set to examine, or several sizes (default: 90 %, 45 %, ... of the
              rows);
            - `times`: flow times of the summed loss 1/2 sum |y - yhat|^2 (default: from the spectrum);
            - `learning_rate`: that of your gradient descent; then `times` are its steps. `loss` is its loss:
              `sum`; `mean` over rows of half the squares; or `mse`, the mean over rows and outputs of the
              squares, as PyTorch's MSELoss;
            - `seeds`: number of random subsets for each size, trained exactly (default 10; more if there are
              few rows), numbered from `seed` on.

    Returns:
        Dataset with the spectrum over `mode`; the learning curve and the best stopping time over `n`; the
            predicted error during training over `size` and `time`; and over `mark` the prediction corrected
            by leverages (`corrected`) and the `measured` means, each with its `_stderr`. Errors are mean
            squares, summed over outputs, without a factor 1/2. `teacherstudent.plot` draws it.

    Raises:
        InputError: For data that cannot be read or used, in one line that says what to change.

    Examples:
        >>> import teacherstudent as ts
        >>> answer = ts.mine("wine", "wine", n=[80], seeds=4, standardise=True)
        >>> answer.sizes["size"], bool((answer.measured > 0).all())
        (2, True)
    """
    asked = page()
    kind = catalogue.find_problem(asked.problem)
    declared = (*asked.rows, *asked.table, *asked.parameters, *asked.options)
    known = {each.name: each for each in declared}
    values = named_rows(asked, rows, values)
    given = {name: value for name, value in by_name(declared, values).items() if value is not None}
    for name, value in given.items():
        if name not in known:
            listed = ", ".join(f"--{each.option}" for each in declared)
            raise InputError(name, value, f"one of {listed}", did_you_mean(name, known, value))
    settled: dict[str, Any] = {each.name: each.default for each in declared if each.default is not None}
    settled |= {name: known[name].check(value) for name, value in given.items()}
    held = {each.name: settled.pop(each.name, None) for each in (*asked.rows, *asked.table)}
    settled |= asked.function("read")(**held)
    for each in asked.rows:
        if settled[each.name] is None:
            raise InputError(each.name, "(missing)", "given, or one table with --target in place of both")
    settled |= {"simulate": check_flag("simulate", simulate)}
    settled["curve"] = None if curve is None else path_of(curve, "curve")
    settled |= {} if estimator is None else {"estimator": estimator}

    question = run_interruptibly(lambda: asked.function("settle")(**settled))

    def compute() -> xr.Dataset:
        answer: xr.Dataset = run_interruptibly(lambda: asked.function("compute")(question))
        routes = [route for route in catalogue.routes() if route.problem == kind.id]
        entries = [each.entry for each in routes if simulate or each.witness != "sims"]
        note(kind.id, answer.attrs["remarks"])
        asked_again = {**settled, **held}
        asked_again |= {each.name: given.get(each.name, each.default) for each in asked.options}
        found = {**provenance(kind, entries), "settings": _settings(asked, asked_again)}
        if held[asked.table[0].name] is not None:
            found["one_table"] = values_as_json(
                {name: value for name, value in held.items() if value is not None}
            )
        return answer.assign_attrs(found)

    picture = picture_file(out, "out")
    if picture is None:
        return compute()
    answers: list[xr.Dataset] = []

    def kept() -> dict[str, xr.Dataset]:
        answers.append(compute())
        return gathered(answers[0])

    saved(picture, "out", kept)
    return answers[0]


def named_rows(page: Page, rows: Sequence[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, including the rows that were given without a name: features and targets, or one table.

    A single array or file without a name is the table, unless the table or the targets have been named.
    Raises `InputError`.
    """
    features, targets, table = (each.name for each in (*page.rows, page.table[0]))
    named = values.get(targets) is not None or values.get(table) is not None
    names = (features, targets) if len(rows) > 1 else (features if named else table,)
    if len(rows) > len(names):
        raise InputError(targets, f"({len(rows)} tables)", "features and targets, or one table of both")
    if len(rows) > 1 and isinstance(rows[1], str):
        _demand_targets(page, *rows)
    for name, _ in zip(names, rows, strict=False):
        if values.get(name) is not None:
            raise InputError(name, values[name], "given once")
    return {**values, **dict(zip(names, rows, strict=False))}


def _demand_targets(page: Page, features: Any, targets: str) -> None:
    """Raise `InputError` where targets name no file; where they name a column of the features, it says so."""
    try:
        page.rows[1].check(targets)
    except InputError as error:
        with suppress(InputError):
            page.table[0].check(features).places(targets, page.rows[1].name)
            error = error.hinted(f"it is a column of {features}: did you mean --target {targets}?")
        raise error from None


def _settings(page: Page, asked: Mapping[str, Any]) -> str:
    """The settings that ask for this page again; "" where the rows were given as numbers."""
    given = {name: value for name, value in asked.items() if value is not None and value is not False}
    try:
        return settings_as_toml("mine", page.kind(), given)
    except TypeError:
        return ""
