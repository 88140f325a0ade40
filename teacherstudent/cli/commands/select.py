"""`teacherstudent select PROBLEM`: the method and settings that validation recommends."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from teacherstudent.api.select import methods_of, options_of, rows_of, select, selections
from teacherstudent.api.sweep import STORE, WORKERS
from teacherstudent.api.writing import SUFFIXES
from teacherstudent.cli.commands.sweep import left
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.groups import Group
from teacherstudent.cli.interruption import told_on_interruption
from teacherstudent.cli.log_output import notes_to_stderr
from teacherstudent.cli.options import Declared, Target
from teacherstudent.cli.streams import print_text
from teacherstudent.cli.tables import show
from teacherstudent.house import catalogue

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.parameters import Parameter
    from teacherstudent.house.selections import Selection

HELP = """Choose a training method and its settings on your own frozen features, by the accuracy on the worst
group of the validation rows. Every method is trained at the same randomly drawn settings, with several seeds.
Prints the chosen settings of each method, by the worst group and by the average, with test accuracies and
their standard errors over seeds, and the recommended method."""


EXAMPLE = "stripes"
"""A set that comes with the package."""


def _option(each: Parameter, **more: Any) -> click.Option:
    facts = [each.symbol, each.unit and f"unit {each.unit}", each.domain.describe()]
    facts.append(each.default_text if more else each.default_text and f"default {each.default_text}")
    return click.Option(
        [f"--{each.option}", each.name],
        type=Declared(each),
        metavar="VALUE",
        help=f"{each.meaning} [{'; '.join(filter(None, facts))}]",
        **more,
    )


def _command(problem: str) -> click.Command:
    asked = selections()[problem]
    options = map(_option, (*rows_of(asked), methods_of(asked), *options_of(asked)))
    out = click.Option(
        ["--out"],
        type=Target(*SUFFIXES, store=STORE),
        metavar="FILE",
        help=f"write the table to FILE.nc or FILE.csv, and partial results to FILE{STORE} for --resume",
    )
    resume = click.Option(["--resume"], is_flag=True, help="continue from the partial results of FILE")
    return Command(
        problem,
        complete=lambda typed: ["select", problem, *typed, "--features", EXAMPLE],
        params=[*options, out, resume, _option(WORKERS)],
        callback=partial(_answer, problem),
        help=HELP,
        short_help=catalogue.find_problem(problem).title,
    )


def _answer(problem: str, *, out: Path | None, resume: bool, **options: Any) -> None:
    given = {name: value for name, value in options.items() if value is not None}
    with notes_to_stderr(), told_on_interruption(partial(left, out)):
        table = select(problem, out=out, resume=resume, **given)
    asked = selections()[problem]
    drawn = [each.parameter.name for each in asked.searched]
    criteria, over = list(asked.criteria), asked.over
    columns = ["chosen by", over, *drawn, asked.longest.name, "validation", *asked.told]
    picked = [table.sel({"criterion": by, over: each}) for by in criteria for each in table[over].values]
    show([name.replace("_", " ") for name in columns], [_row(asked, at) for at in picked])
    if best := table.attrs["recommended"]:
        at = table.sel({over: best, "criterion": criteria[0]})
        print_text(
            f"recommended: {best} at {', '.join(f'{name} {float(at[name]):g}' for name in drawn)}: "
            f"{asked.told[0].replace('_', ' ')} {_with_error(at, asked.told[0])} over "
            f"{table.attrs['n_seeds']} seeds"
        )


def _row(asked: Selection, at: xr.Dataset) -> list[str]:
    return [
        str(at["criterion"].item()),
        str(at[asked.over].item()),
        *(f"{float(at[each.parameter.name]):g}" for each in asked.searched),
        f"{float(at['epoch']):g}",
        f"{float(at['validation']):.3f}",
        *(_with_error(at, name) for name in asked.told),
    ]


def _with_error(at: xr.Dataset, name: str) -> str:
    return f"{float(at[name]):.3f} ± {float(at[f'{name}_stderr']):.3f}"


class _Select(Group):
    def example(self) -> str:
        return f"for example: teacherstudent select {next(iter(self.names()))} --features {EXAMPLE}"


COMMAND = _Select(
    "PROBLEM",
    lambda: selections(),
    _command,
    name="select",
    help=HELP,
    short_help="Choose a method and its settings on your own features.",
)
