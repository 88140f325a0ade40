"""`teacherstudent figure`: the figures of papers and further ones, with their numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from teacherstudent.api.figure import FORMATS, check_sheet, picture_files, said_of_sheets
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.interruption import told_on_interruption
from teacherstudent.cli.options import Target, Word, elsewhere
from teacherstudent.cli.streams import print_text, print_to_stderr, print_written
from teacherstudent.cli.workers import on_workers, workers_option
from teacherstudent.figures.declaration import SHEETS
from teacherstudent.house.extras import MissingExtra


def _ids() -> list[str]:
    from teacherstudent.figures.gallery import figures

    return list(figures())


@click.command(
    "figure",
    cls=Command,
    complete=lambda typed: ["figure", _ids()[0], *typed],
    short_help="Draw figures and save their numbers.",
)
@click.argument(
    "ids",
    nargs=-1,
    required=True,
    metavar="ID",
    type=Word(lambda _: [*_ids(), "all"], "teacherstudent list figures", elsewhere("figures")),
)
@click.option(
    "--out", type=Target(), default="out/figures", metavar="DIR", show_default=True, help="folder to write to"
)
@click.option(
    "--format",
    type=Word(lambda _: FORMATS),
    default="png",
    metavar="NAME",
    show_default=True,
    help=f"picture format: {', '.join(FORMATS)}",
)
@click.option("--quick", is_flag=True, help="use fewer seeds, for a first look")
@click.option(
    "--style",
    type=Word(lambda _: SHEETS),
    default="paper",
    metavar="NAME",
    show_default=True,
    help=f"what the picture is for: {said_of_sheets()}",
)
@click.option(
    "--width",
    type=float,
    metavar="INCHES",
    help="width of the picture (default: the width of the style); text keeps its size",
)
@workers_option
def COMMAND(
    ids: tuple[str, ...],
    out: Path,
    format: str,
    quick: bool,
    style: str,
    width: float | None,
    workers: int,
) -> None:
    """Compute the numbers of figure ID, of several, or of all, save them as NetCDF and draw them.

    Prints the path of each picture; the numbers are in the same folder. An animated figure is written
    twice: its last frame in the chosen format, and the film as ID.gif.
    """
    check_sheet(style, width)
    chosen = _ids() if "all" in ids else list(dict.fromkeys(ids))
    before = {path for path in out.glob("*") if path.is_file()} if out.is_dir() else set()
    with (
        told_on_interruption(f"the finished figures are in {out}"),
        progress("figure", len(chosen)) as announce,
    ):
        work = partial(picture_files, out=out, format=format, quick=quick, style=style, width=width)
        found = dict(zip(chosen, on_workers(work, chosen, workers, announce), strict=True))
    lacks = {each: paths for each, paths in found.items() if isinstance(paths, MissingExtra)}
    for each in ids:
        if each in lacks:
            raise lacks[each]
    pictures = [path for paths in found.values() if not isinstance(paths, MissingExtra) for path in paths]
    for path in pictures:
        print_text(path)
    for each in found:
        if each not in lacks:
            print_written(out / f"{each}.nc")
    for left_out, missing in lacks.items():
        print_to_stderr(f"{left_out} was not drawn: this installation lacks {missing.lack}")
    if replaced := before.intersection(pictures):
        print_to_stderr(f"note: replaced {len(replaced)} earlier pictures and their numbers")
