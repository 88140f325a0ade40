"""`teacherstudent new`: a small working system, as files to change."""

from __future__ import annotations

from pathlib import Path

import click

from teacherstudent.api.new import KINDS, new
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Target, Word
from teacherstudent.cli.streams import print_text, print_to_stderr


@click.command(
    "new",
    cls=Command,
    complete=lambda _: ["new", "my-system"],
    short_help="Write a small system to change into your own.",
)
@click.argument("name")
@click.option(
    "--kind",
    type=Word(lambda _: KINDS),
    default="order-parameters",
    show_default=True,
    metavar="KIND",
    help="linear (a linear student with all training algorithms), order-parameters (equations for a few "
    "overlaps) or fixed-point (a self-consistent equation)",
)
@click.option(
    "--out", type=Target(), metavar="FOLDER", help="the folder to write, new or empty (default: NAME)"
)
def COMMAND(name: str, kind: str, out: Path | None) -> None:
    """Write a working system called NAME: problem, theory, simulation, checks, figure, claims and a test.

    Every command loads it by `--system FOLDER`, which runs the code there. The folder is also a package; once
    it is installed, commands load it without `--system`.
    """
    folder = new(name, kind=kind, out=out)
    print_text(str(folder))
    print_to_stderr(
        f"wrote a system into {folder}; to try it: teacherstudent --system {folder} check {name}-limit"
    )
