"""`teacherstudent turns PROBLEM`: every minimum and maximum of the risk over training."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from teacherstudent.api.progress import progress
from teacherstudent.api.turns import turns
from teacherstudent.api.writing import as_csv
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, Word, parameter_options
from teacherstudent.cli.plotting import Plotting, plot_options
from teacherstudent.cli.question import Question, Section, described, per_problem
from teacherstudent.cli.streams import print_text
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem, Turns


def _command(problem: Problem) -> click.Command:
    curves = _curves(problem)
    first = next(iter(curves.values()))
    curve = Option(
        "curve",
        "Question",
        type=Word(lambda _: curves),
        default=first.name,
        show_default=True,
        metavar="NAME",
        help="the curve whose turns are found; listed below",
    )
    return Question(
        problem,
        options=[curve, *parameter_options(problem, None), *plot_options()],
        choices=_sections,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Finds every minimum and maximum of the {first.quantity} "
        "over training, however brief. Prints CSV with a row for each minimum and maximum, in the order of "
        "time; there are no rows if the curve only falls or only rises.",
    )


def _curves(problem: Problem) -> dict[str, Turns]:
    return catalogue.of_problem(problem.id, catalogue.turns())


def _sections(problem: Problem) -> Iterator[Section]:
    curves = _curves(problem).values()
    yield (
        "Curves",
        [(each.name, described(f"{each.quantity} over {_over(each)}", each.approximate)) for each in curves],
    )


def _over(turns: Turns) -> str:
    return f"--{turns.over}, which may be negative" if turns.over else turns.dynamics


def _answer(problem: str, **options: Any) -> None:
    drawing = Plotting.taken(options)
    with progress(f"turns of {problem}"):
        found = turns(problem, **{name: value for name, value in options.items() if value is not None})
    drawing.draw(found)
    with told_on_interruption(PRINTED):
        print_text(as_csv(found), nl=False)
    drawing.present()


COMMAND = per_problem(
    "turns",
    _command,
    among=lambda: dict.fromkeys(each.problem for each in catalogue.turns()),
    help="Find every minimum and maximum of the risk of PROBLEM over training.",
    short_help="Find the minima and maxima of the risk over training.",
)
