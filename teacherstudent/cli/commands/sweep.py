"""`teacherstudent sweep PROBLEM`: the observables over grids of parameters and over time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.sweep import AT_ONCE, STORE, WORKERS, sweep, tabular
from teacherstudent.api.writing import STORES, SUFFIXES, csv_pieces
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, Target, declared_option, question_options, refusal
from teacherstudent.cli.plotting import Plotting, plot_options, prints_numbers
from teacherstudent.cli.question import Question, per_problem, routes
from teacherstudent.cli.streams import print_text, print_to_stderr
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import TIMES

STORED = "finished points are in {store}; the same command with --resume continues from them"
EARLY = "no point was finished; the same command starts again"
LOST = "nothing was written; with --out FILE, finished points are stored and --resume continues from them"


def _command(problem: Problem) -> click.Command:
    names = ", ".join(observable.name for observable in problem.observables)
    return Sweep(
        problem,
        options=[*question_options(problem, grids=True), *_machinery(), *plot_options(problem, of=True)],
        choices=routes,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Computes {names} over grids of parameters and over time. "
        "Points without a certain answer are NaN, with the reason; a warning counts them.",
    )


class Sweep(Question):
    """A question that requires a grid."""

    def lacks(self, ctx: click.Context) -> list[str]:
        swept = [name for name in self.asking if isinstance(ctx.params.get(name), Span | list)]
        grid = "given as LO:HI:N[:log|lin] or a list, for at least one parameter"
        lacking = not {*swept} - {TIMES.name} and not ctx.params.get("points") and not ctx.default_map
        return [*super().lacks(ctx), *([refusal("a grid (missing)", grid)] if lacking else [])]


def _machinery() -> list[Option]:
    points = Option(
        "points",
        "Question",
        type=Target(".csv"),
        metavar="FILE.csv",
        help="read the points from a file instead of grids: a header with parameters, then a row for each "
        "point",
    )
    out = Option(
        "out",
        "Output",
        type=Target(*SUFFIXES, *STORES, dash=True, store=STORE),
        default="-",
        metavar="FILE",
        help=f"FILE.nc, FILE.csv or FILE.zarr (extra cluster); partial results stay in FILE{STORE}, so that "
        "--resume can add points or seeds; - prints CSV (default)",
    )
    resume = Option(
        "resume",
        "Output",
        is_flag=True,
        help="continue from the partial results of FILE: compute missing points, other points or more seeds",
    )
    scheduler = Option(
        "scheduler",
        "Machines",
        metavar="ADDRESS",
        help="address of a running Dask scheduler whose workers compute the points (extra cluster)",
    )
    return [
        points,
        out,
        resume,
        declared_option(WORKERS, "Machines"),
        scheduler,
        declared_option(AT_ONCE, "Machines"),
    ]


def _answer(problem: str, *, out: Path | None, resume: bool, **options: Any) -> None:
    drawing = Plotting.taken(options, catalogue.find_problem(problem))
    given = {name: value for name, value in options.items() if value is not None}
    with told_on_interruption(partial(left, out)):
        answer = sweep(problem, out=out, resume=resume, **given)
    drawing.draw(answer)
    if out is None and prints_numbers(click.get_current_context(), drawing):
        with told_on_interruption(PRINTED):
            for piece in csv_pieces(tabular(answer)):
                print_text(piece, nl=False)
    from teacherstudent.sweeps.assembly import shortfall

    if said := shortfall(answer):
        print_to_stderr(f"warning: {said}")
    drawing.present()


def left(out: Path | None) -> str:
    """The files that an interrupted sweep leaves."""
    if out is None:
        return LOST
    store = Path(f"{out}{STORE}")
    return STORED.format(store=store) if store.exists() else EARLY


COMMAND = per_problem(
    "sweep",
    _command,
    help="Compute the observables of PROBLEM over grids of its parameters, by one route or several.",
    short_help="Compute observables over grids of parameters.",
)
