"""`teacherstudent mine FEATURES TARGETS`: what theory says of somebody's own rows, on one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.figure import FORMATS
from teacherstudent.api.mine import mine
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Declared, Target
from teacherstudent.cli.interruption import PRINTED, keeping
from teacherstudent.cli.options import Option, Question, declared
from teacherstudent.cli.process import say
from teacherstudent.figures.declaration import Page
from teacherstudent.figures.gallery import page

HELP = """What will the test error on your own data do, over rows and over training? FEATURES and TARGETS are
files (.npy, .npz or .csv, a row an example) or names of bundled sets. Draws one page: spectrum, learning
curve, error over training, when to stop, how often the error descends. Prints what it means, and how far
subsets of your rows confirm it."""


class Picture(Target):
    """A file for a picture; its numbers are written beside it."""

    def files(self, path: Path) -> list[Path]:
        return [path, path.with_suffix(".nc")]


def _options(asked: Page) -> list[Option]:
    own = {each.name: declared(each, "Question") for each in asked.options}
    for each in asked.options:
        own[each.name].default = each.default  # of a problem's parameters settings know it, not of these
    curve = Option(
        "curve",
        "Question",
        type=Target(".csv"),
        metavar="FILE.csv",
        help="your own training curve on --n rows: columns time or step, test_error, perhaps training_error",
    )
    simulate = Option(
        "simulate", "Question", is_flag=True, help="run gradient descent too, step by step, on the subsets"
    )
    out = Option(
        "out",
        "Output",
        type=Picture(*(f".{each}" for each in FORMATS)),
        default="out/mine.png",
        show_default=True,
        metavar="FILE",
        help=f"the page: FILE.{'|.'.join(FORMATS)}, numbers beside it as NetCDF",
    )
    as_json = Option(
        "json", "Output", "as_json", is_flag=True, help="print facts as JSON, a list of one object"
    )
    parameters = [declared(each, "Parameters") for each in asked.parameters]
    return [*own.values(), curve, simulate, *parameters, out, as_json]


def _answer(features: Any, targets: Any, *, out: Path, as_json: bool, **options: Any) -> None:
    given = {name: value for name, value in options.items() if value is not None}
    with progress(f"{features.name}, {targets.name}"), keeping("no page was drawn"):
        answer = mine(features, targets, out=out, **given)
    with keeping(PRINTED):
        if as_json:
            click.echo(json.dumps([page().function("facts")(answer)], indent=2, allow_nan=False))
        else:
            paragraphs = page().function("sentences")(answer)
            click.echo("\n\n".join("\n".join(lines) for lines in paragraphs))
    say(f"drawn: {out}, numbers in {out.with_suffix('.nc')}")


def _command() -> Question:
    asked = page()
    return Question(
        asked.kind(),
        name="mine",
        arguments=[click.Argument([each.name], type=Declared(each)) for each in asked.rows],
        options=_options(asked),
        choices=lambda _: (),
        callback=_answer,
        help=HELP,
        short_help="Predict test error from your own data, and compare.",
    )


COMMAND = _command()
