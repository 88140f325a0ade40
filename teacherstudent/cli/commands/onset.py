"""`teacherstudent onset PROBLEM`: where a count that theory gives changes with a parameter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from teacherstudent.api.onset import ACCURACY, onset
from teacherstudent.api.progress import progress
from teacherstudent.cli.options import Option, Word, declared_option, parameter_options
from teacherstudent.cli.plotting import Plotting, plot_options
from teacherstudent.cli.question import Question, Section, described, per_problem
from teacherstudent.cli.streams import print_text, print_to_stderr
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Count, Problem
from teacherstudent.house.ranges import OrInterval

COLUMNS = ("parameter", "value", "accuracy", "below", "above")


def _command(problem: Problem) -> click.Command:
    counts = _counts(problem)
    first = next(iter(counts.values()))
    curve = Option(
        "curve",
        "Question",
        type=Word(lambda _: counts),
        default=first.name,
        show_default=True,
        metavar="NAME",
        help="the curve to count on; listed below",
    )
    as_json = Option(
        "json", "Output", "as_json", is_flag=True, help="print a JSON list of one object, with every field"
    )
    return Question(
        problem,
        options=[
            curve,
            declared_option(ACCURACY, "Question"),
            *parameter_options(problem, OrInterval),
            as_json,
            *plot_options(),
        ],
        choices=_curves,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Finds where the number of {first.counted} changes with a "
        "parameter; give that parameter as LO:HI, the interval to search. Prints CSV: the parameter, its "
        "value at the change, the relative accuracy of the value, and the numbers just below and above the "
        "value.",
    )


def _counts(problem: Problem) -> dict[str, Count]:
    return catalogue.of_problem(problem.id, catalogue.counts())


def _curves(problem: Problem) -> Iterator[Section]:
    counts = _counts(problem).values()
    yield "Curves", [(count.name, described(count.meaning, count.approximate)) for count in counts]


def _answer(problem: str, *, as_json: bool, **options: Any) -> None:
    drawing = Plotting.taken(options)
    given = {name: value for name, value in options.items() if value is not None}
    with progress(f"onset of {problem}"):
        boundary = onset(problem, **given)
    drawing.draw(boundary)
    found = asdict(boundary)
    wanted = given.get("accuracy", ACCURACY.default)
    if found["accuracy"] > wanted:
        print_to_stderr(
            f"warning: --accuracy {wanted:g}: {found['accuracy']:.2g} is the best possible, because the "
            f"problem changes with {found['parameter']} in steps; larger sizes have smaller steps"
        )
    if as_json:
        print_text(json.dumps([{"id": found["parameter"], **found}], indent=2))
    else:
        print_text(",".join(COLUMNS))
        print_text(",".join(str(found[column]) for column in COLUMNS))
    drawing.present()


COMMAND = per_problem(
    "onset",
    _command,
    among=lambda: dict.fromkeys(count.problem for count in catalogue.counts()),
    help="Find the value of a parameter of PROBLEM at which double descent starts or another count changes.",
    short_help="Find where double descent starts.",
)
