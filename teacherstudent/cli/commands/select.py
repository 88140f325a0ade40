"""`teacherstudent select PROBLEM`: the method and settings that validation recommends."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from teacherstudent.api.select import AVERAGE, OPTIONS, TRAINED, WORST, features_of, methods_of, select
from teacherstudent.api.sweep import STORE, WORKERS
from teacherstudent.api.writing import SUFFIXES
from teacherstudent.cli.commands.sweep import left
from teacherstudent.cli.grammar import Command, Declared, Target
from teacherstudent.cli.groups import Group
from teacherstudent.cli.interruption import keeping
from teacherstudent.cli.tables import show

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.parameters import Parameter

HELP = """Choose a method and its settings on your own frozen features, by the accuracy of the worst group of
the validation rows: every method is trained at the same settings drawn at random, several seeds each. Prints
the chosen setting of each method, by the worst group and by the average, with test accuracies and their
standard errors over seeds; and the method that is recommended."""

COLUMNS = (
    "chosen by", "method", "learning rate", "weight decay", "batch", "epoch", "validation",
    "worst test group", "average test",
)  # fmt: skip


def _option(each: Parameter, **more: Any) -> click.Option:
    facts = [each.symbol, each.unit and f"unit {each.unit}", each.domain.describe()]
    facts.append(f"default {each.default_text}" if each.default_text else "required")
    return click.Option(
        [f"--{each.option}", each.name],
        type=Declared(each),
        metavar="VALUE",
        help=f"{each.meaning} [{'; '.join(filter(None, facts))}]",
        **more,
    )


def _command(problem: str) -> click.Command:
    own = features_of(problem)
    options = [_option(own, required=True), *map(_option, (methods_of(problem), *OPTIONS))]
    out = click.Option(
        ["--out"],
        type=Target(*SUFFIXES),
        metavar="FILE",
        help=f"write the table, FILE.nc or FILE.csv, partial results in FILE{STORE}",
    )
    resume = click.Option(["--resume"], is_flag=True, help="continue from the partial results of FILE")
    return Command(
        problem,
        params=[*options, out, resume, _option(WORKERS)],
        callback=partial(_answer, problem),
        help=HELP,
        short_help="Choose among the seven methods for the worst group.",
    )


def _answer(problem: str, *, out: Path | None, resume: bool, **options: Any) -> None:
    given = {name: value for name, value in options.items() if value is not None}
    with keeping(partial(left, out)):
        table = select(problem, out=out, resume=resume, **given)
    show(COLUMNS, [_row(table, by, method) for by in (WORST, AVERAGE) for method in table["method"].values])
    if best := table.attrs["recommended"]:
        at = table.sel({"method": best, "criterion": WORST})
        click.echo(
            f"recommended: {best} at learning rate {float(at['learning_rate']):g}, weight decay "
            f"{float(at['weight_decay']):g}, batch {int(at['batch_size'])}: worst test group "
            f"{_with_error(at, 'worst_group_accuracy')} over {table.attrs['n_seeds']} seeds"
        )


def _row(table: xr.Dataset, by: str, method: str) -> tuple[str, ...]:
    at = table.sel({"method": method, "criterion": by})
    return (
        by,
        method,
        f"{float(at['learning_rate']):g}",
        f"{float(at['weight_decay']):g}",
        str(int(at["batch_size"])),
        f"{float(at['epoch']):g}",
        f"{float(at['validation']):.3f}",
        _with_error(at, "worst_group_accuracy"),
        _with_error(at, "average_accuracy"),
    )


def _with_error(at: xr.Dataset, name: str) -> str:
    return f"{float(at[name]):.3f} ± {float(at[f'{name}_stderr']):.3f}"


COMMAND = Group(
    "PROBLEM",
    lambda: TRAINED,
    _command,
    name="select",
    help=HELP,
    short_help="Choose a method and its settings on your own features.",
)
