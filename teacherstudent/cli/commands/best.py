"""`teacherstudent best PROBLEM`: where an observable is best, over one to three parameters."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from teacherstudent.api.best import FORM, best, tabular
from teacherstudent.api.best import as_json as written_as_json
from teacherstudent.api.writing import as_csv
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, question_options
from teacherstudent.cli.plotting import Plotting, plot_options
from teacherstudent.cli.question import Question, per_problem, routes
from teacherstudent.cli.streams import print_text
from teacherstudent.house.declarations import Problem


def _command(problem: Problem) -> click.Command:
    names = ", ".join(observable.name for observable in problem.observables)
    return Question(
        problem,
        options=[*_asking(), *question_options(problem, searching=True), *_output()],
        choices=routes,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Finds where an expression in {names} is least within a "
        "box of one to three parameters. Prints CSV with a row for each minimum, the best first: the "
        "parameters with their accuracy, the value, and the end of the box that the minimum touches, if "
        "any. A warning on "
        "standard error says if the best point is no minimum.",
    )


def _asking() -> list[Option]:
    return [
        Option(
            "over",
            "Question",
            multiple=True,
            required=True,
            metavar="RANGE",
            help=f"the box to search: {FORM}; PARAM is a parameter, an option or time",
        ),
        Option(
            "of",
            "Question",
            required=True,
            metavar="TEXT",
            help="the expression to minimise: observables NAME[:[DYNAMICS/]ROUTE][@TIME|@end], numbers and "
            "+ - * / ( ); an observable without @ is taken at the searched time",
        ),
        Option(
            "subject_to",
            "Question",
            metavar="TEXT",
            help='an equality between the searched parameters, such as "width*time = 1e6"; a range, as in '
            '"width*time = 1e4:1e8:9", gives the best point for each value and the local slopes',
        ),
        Option(
            "largest",
            "Question",
            is_flag=True,
            default=None,
            help="find where the expression is largest instead",
        ),
    ]


def _output() -> list[Option]:
    said = "print a JSON list with an object for each minimum"
    return [Option("json", "Output", "as_json", is_flag=True, help=said), *plot_options()]


def _answer(problem: str, *, as_json: bool, **options: Any) -> None:
    of = options.pop("of")
    drawing = Plotting.taken(options)
    found = best(problem, of=of, **{name: each for name, each in options.items() if each not in (None, ())})
    drawing.draw(found)
    with told_on_interruption(PRINTED):
        print_text(written_as_json(found) if as_json else as_csv(tabular(found)).rstrip("\n"))
    drawing.present()


COMMAND = per_problem(
    "best",
    _command,
    help="Find where an observable of PROBLEM is least, over one to three parameters, with or without a "
    "budget.",
    short_help="Find the values at which an observable is least.",
)
