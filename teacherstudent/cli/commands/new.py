"""`teacherstudent new`: a small system of one's own that runs, as files to change."""

from __future__ import annotations

from pathlib import Path

import click

from teacherstudent.api.new import KINDS, new
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Target, Word
from teacherstudent.cli.streams import print_text, print_to_stderr


@click.command("new", cls=Command, short_help="Write a system of your own that runs, to be changed.")
@click.argument("name")
@click.option(
    "--kind",
    type=Word(lambda _: KINDS),
    default="order-parameters",
    show_default=True,
    metavar="KIND",
    help="linear (every training algorithm reaches it), order-parameters (equations of a few overlaps) or "
    "fixed-point (a self-consistent equation)",
)
@click.option(
    "--out", type=Target(), metavar="FOLDER", help="the folder to write, new or empty (default: NAME)"
)
def COMMAND(name: str, kind: str, out: Path | None) -> None:
    """Write a system called NAME that runs: problem, theory, simulation, checks, figure, claims and a test.

    The folder is then named by `--system FOLDER` with any command, which runs the code in it. It is also a
    package: once installed, it is found without being named.
    """
    folder = new(name, kind=kind, out=out)
    print_text(str(folder))
    print_to_stderr(f"next: teacherstudent --system {folder} check {name}-limit")
