"""`teacherstudent curve PROBLEM`: the observables over time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.agreement import sentences
from teacherstudent.api.curve import curve_or_arrays
from teacherstudent.api.progress import progress
from teacherstudent.api.writing import SUFFIXES, as_csv, compute_and_save
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, Target, Words, all_options, question_options
from teacherstudent.cli.plotting import Plotting, plot_options, prints_numbers
from teacherstudent.cli.question import Question, per_problem, routes
from teacherstudent.cli.streams import print_text, print_to_stderr
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.files import in_a_folder
from teacherstudent.house.ranges import ends_of

TIME = "time"


def _command(problem: Problem) -> click.Command:
    out = Option(
        "out",
        "Output",
        type=Target(*SUFFIXES, dash=True),
        default="-",
        metavar="FILE",
        help="FILE.csv, FILE.nc, or - to print CSV (default)",
    )
    names = ", ".join(observable.name for observable in problem.observables)
    return Question(
        problem,
        options=[*question_options(problem), *_moving_options(problem), out, *plot_options(problem)],
        choices=routes,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Computes {names} over time. A sampled route gives means "
        "over seeds with standard errors. Several routes may be given; a line on standard error says whether "
        "they agree.",
    )


def _moving_options(problem: Problem) -> list[Option]:
    """What asks how the answer moves with its inputs and from data set to data set."""
    inputs = (*problem.parameters, *(each for _, each in all_options(problem)))
    numbers = [each.name for each in inputs if ends_of(each.domain)]
    sensitivity = Option(
        "sensitivity",
        "Question",
        type=Words(lambda _: [*dict.fromkeys(numbers), TIME]),
        metavar="NAME,...",
        help="add the derivative of each observable with respect to these parameters, options or time, with "
        "its numerical error; only for routes without random draws",
    )
    uncertain = Option(
        "uncertain",
        "Question",
        multiple=True,
        metavar="NAME=VALUE+-SD",
        help="an uncertain parameter or option with its standard deviation, SD or PERCENT%; adds the "
        "resulting standard deviation of each observable; only for routes without random draws; at most "
        "three times",
    )
    scatter = Option(
        "scatter",
        "Question",
        is_flag=True,
        default=None,
        help="add the standard deviation between data sets: estimated from draws, with its standard error, "
        "or computed by theory where a route has it",
    )
    return [sensitivity, uncertain, scatter]


def _answer(problem: str, *, out: Path | None, **options: Any) -> None:
    drawing = Plotting.taken(options, catalogue.find_problem(problem))
    given = {name: value for name, value in options.items() if value not in (None, ())}
    if out:
        in_a_folder(out, "out")
    with progress(f"{problem}, {given['dynamics']}, {','.join(given['route'])}"):
        ask = partial(curve_or_arrays, problem, **given)
        answer = compute_and_save(out, ask) if out else ask()
    drawing.draw(answer)
    for line in sentences(answer):
        print_to_stderr(line)
    if out is None and prints_numbers(click.get_current_context(), drawing):
        with told_on_interruption(PRINTED):
            print_text(as_csv(answer), nl=False)
    drawing.present()


COMMAND = per_problem(
    "curve",
    _command,
    help="Compute the observables of PROBLEM over time, by one route or several.",
    short_help="Compute observables over time, by theory or simulation.",
)
