"""`teacherstudent solve PROBLEM`: where an answer reaches a level, over a parameter or over time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from teacherstudent.api.progress import progress
from teacherstudent.api.solve import ACCURACY, solve, tabular
from teacherstudent.api.solve import as_json as written_as_json
from teacherstudent.api.writing import as_csv
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, Word, declared_option, question_options
from teacherstudent.cli.plotting import Plotting, plot_options
from teacherstudent.cli.question import Question, Section, described, per_problem, routes
from teacherstudent.cli.streams import print_text
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Count, Problem


def _command(problem: Problem) -> click.Command:
    counts = {each.name: each for each in catalogue.counts() if each.problem == problem.id}
    names = ", ".join(observable.name for observable in problem.observables)
    return Question(
        problem,
        options=[*_asking(counts), *question_options(problem, searching=True), _json(), *plot_options()],
        choices=partial(_sections, list(counts.values())),
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Finds every value of a parameter, or every time, at which "
        f"an expression in {names} reaches a level. Prints CSV with a row for each root: its value, a "
        "bracket of two evaluated points, the relative half width of the bracket, the expression on both "
        "sides, and how the level is reached. Notes on standard error say how densely the range was searched "
        "and what else was found.",
    )


def _asking(counts: dict[str, Count]) -> Iterator[Option]:
    yield Option(
        "for",
        "Question",
        "for_",
        metavar="NAME",
        help="the unknown: a parameter, an option or time, as NAME or NAME=LO:HI[:log|lin]; not needed if a "
        "parameter is given as LO:HI",
    )
    yield Option(
        "where",
        "Question",
        multiple=True,
        required=True,
        metavar="TEXT",
        help="the equation, EXPRESSION = EXPRESSION, of observables NAME[:[DYNAMICS/]ROUTE][@TIME|@end], "
        "parameters, numbers, + - * / ( ), and min(NAME) and max(NAME) over all times"
        f"{', descents, slope' if counts else ''}; several equations are solved separately",
    )
    yield declared_option(ACCURACY, "Question")
    if counts:
        yield Option(
            "curve",
            "Question",
            type=Word(lambda _: counts),
            metavar="NAME",
            help="the curve of descents and slope; listed below",
        )


def _json() -> Option:
    return Option(
        "json",
        "Output",
        "as_json",
        is_flag=True,
        help="print a JSON list with an object for each root, near miss and interval without values",
    )


def _sections(counts: list[Count], problem: Problem) -> Iterator[Section]:
    if counts:
        yield "Curves", [(count.name, described(count.meaning, count.approximate)) for count in counts]
    yield from routes(problem)


def _answer(problem: str, *, as_json: bool, **options: Any) -> None:
    drawing = Plotting.taken(options)
    given = {name: value for name, value in options.items() if value not in (None, ())}
    with progress(f"solve {problem}"):
        found = solve(problem, **given)
    drawing.draw(found)
    with told_on_interruption(PRINTED):
        print_text(written_as_json(found) if as_json else as_csv(tabular(found)).rstrip("\n"))
    drawing.present()


COMMAND = per_problem(
    "solve",
    _command,
    help="Find every value of a parameter, or every time, at which an answer of PROBLEM reaches a level.",
    short_help="Find the values at which an answer reaches a level.",
)
