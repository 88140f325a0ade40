"""`teacherstudent mine TABLE --target COLUMN`: what theory says of somebody's own rows, on one page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from teacherstudent.api.figure import FORMATS
from teacherstudent.api.mine import mine, named_rows
from teacherstudent.api.progress import progress
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, Target, declared_option
from teacherstudent.cli.question import Question
from teacherstudent.cli.streams import print_text
from teacherstudent.figures.declaration import Page
from teacherstudent.figures.gallery import page

HELP = """Predict how the test error on your own data changes with the number of rows and during training.
TABLE is a file of named columns (.csv, .tsv or .txt, also with .gz, or .parquet) with a row for each example;
--target names the column to learn. Alternatively, FEATURES and TARGETS are two files (also .npy, .npz) or
names of bundled sets. Draws one page, and prints whether more rows will help, when to stop, how much ridge to
use, whether a second descent follows, and how well subsets of your rows confirm all this."""


SUFFIXES = tuple(f".{each}" for each in FORMATS)


def _options(asked: Page) -> list[Option]:
    own = {each.name: declared_option(each, "Question") for each in asked.options}
    for each in asked.options:
        own[each.name].default = each.default  # of a problem's parameters settings know it, not of these
    curve = Option(
        "curve",
        "Question",
        type=Target(".csv"),
        metavar="FILE.csv",
        help="your own training curve on --n rows, with the columns time or step, test_error and, "
        "optionally, training_error",
    )
    simulate = Option(
        "simulate", "Question", is_flag=True, help="also run gradient descent step by step on the subsets"
    )
    out = Option(
        "out",
        "Output",
        type=Target(*SUFFIXES, pictures=SUFFIXES),
        default="out/mine.png",
        show_default=True,
        metavar="FILE",
        help=f"the page, FILE.{'|.'.join(FORMATS)}; its numbers go to FILE.nc",
    )
    as_json = Option(
        "json", "Output", "as_json", is_flag=True, help="print the results as JSON, a list of one object"
    )
    parameters = [declared_option(each, "Parameters") for each in asked.parameters]
    rows = [declared_option(each, "Rows") for each in (*asked.table, *asked.rows)]
    return [*own.values(), curve, simulate, *rows, *parameters, out, as_json]


class Asking(Question):
    """The question; the user may give its rows as positional arguments."""

    def answer(self, ctx: click.Context) -> Any:
        asked, rows = page(), ctx.params.pop("rows")
        known = {each.name: each for each in (*asked.rows, *asked.table)}
        replaced = known if len(rows) > 1 else ("targets", asked.table[0].name) if rows else ()
        for name in replaced:  # what is typed goes before a file of settings
            if ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP:
                ctx.params[name] = None
        for name, value in named_rows(asked, rows, {name: ctx.params[name] for name in known}).items():
            ctx.params[name] = None if value is None else known[name].check(value)
        return super().answer(ctx)


def _answer(*, out: Path, as_json: bool, **options: Any) -> None:
    given = {name: value for name, value in options.items() if value is not None}
    rows: tuple[Any, ...] = tuple(given.get(each.name) for each in (page().table[0], *page().rows))
    said = ", ".join(each.name for each in rows if hasattr(each, "digest"))
    with progress(said), told_on_interruption("no page was drawn"):
        answer = mine(out=out, **given)
    with told_on_interruption(PRINTED):
        if as_json:
            print_text(json.dumps([page().function("facts")(answer)], indent=2, allow_nan=False))
        else:
            paragraphs = page().function("sentences")(answer)
            print_text("\n\n".join("\n".join(lines) for lines in paragraphs))


def _completed(typed: Sequence[str]) -> list[str]:
    """The typed table with a target, or rows of scikit-learn with the typed options."""
    if typed and not typed[0].startswith("-"):
        return ["mine", *typed, "--target", "COLUMN"]
    return ["mine", "wine", "wine", *typed]


def _command() -> Question:
    asked = page()
    return Asking(
        asked.kind(),
        complete=_completed,
        name="mine",
        arguments=[click.Argument(["rows"], nargs=-1, metavar="TABLE | FEATURES TARGETS")],
        options=_options(asked),
        own=(*asked.table, *asked.options),
        choices=lambda _: (),
        callback=_answer,
        help=HELP,
        short_help="Predict test error on your own data, and compare.",
    )


COMMAND = _command()
