"""`teacherstudent map PROBLEM`: regions and values over a plane of two parameters, with traced boundaries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.map import PICTURES, SPOTS, map, tabular
from teacherstudent.api.progress import progress
from teacherstudent.api.writing import SUFFIXES, as_csv
from teacherstudent.cli.interruption import PRINTED, told_on_interruption
from teacherstudent.cli.options import Option, Target, Word, declared_option, parameter_options
from teacherstudent.cli.plotting import Plotting, plot_options, prints_numbers, sheet_of
from teacherstudent.cli.question import Question, Section, described, per_problem, routes
from teacherstudent.cli.streams import print_text
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.parameters import FIRST_SEED, SEEDS, Parameter


def _command(problem: Problem) -> click.Command:
    return Question(
        problem,
        options=[
            *_asked(problem),
            *(declared_option(each, "Question") for each in (SPOTS, SEEDS, FIRST_SEED)),
            *parameter_options(problem, None),
            *(declared_option(each, "Options of OBSERVABLE") for each in _options(problem)),
            _out(),
            *plot_options(),
        ],
        choices=_choices,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}). Maps a plane of two parameters: regions with their "
        "boundaries, or a number with its level lines.",
    )


def _asked(problem: Problem) -> list[Option]:
    axis = "PARAM=LO:HI[:log|lin] (default: log if LO > 0); PARAM may be time"
    options = [
        Option("x", "Question", required=True, metavar="AXIS", help=f"the horizontal axis: {axis}"),
        Option(
            "y", "Question", required=True, metavar="AXIS", help="the vertical axis, in the same form as --x"
        ),
        Option("of", "Question", required=True, metavar="WHAT", help=_of(problem)),
    ]
    if any(each.problem == problem.id and each.route for each in catalogue.turns()):
        said = "count descents[@TIME] over this parameter: PARAM=LO:HI[:N][:log|lin], with at least N values"
        options.append(Option("along", "Question", metavar="RANGE", help=f"{said} (default: over training)"))
    if curves := list(_curves(problem)):
        words = Word(lambda _: curves)
        said = "whose turns are counted; listed below (default: the first)"
        options.append(Option("curve", "Question", type=words, metavar="NAME", help=f"the curve {said}"))
    clocks = Word(lambda _: [clock.name for clock in problem.dynamics])
    of_observable = "for OBSERVABLE; listed below (default: the first)"
    options += [
        Option(
            "dynamics",
            "Question",
            type=clocks,
            metavar="NAME",
            help=f"how the student is trained, {of_observable}",
        ),
        Option(
            "route",
            "Question",
            type=Word(lambda _: _routes(problem)),
            metavar="NAME",
            help=f"how the answer is computed, {of_observable}",
        ),
    ]
    return options


def _of(problem: Problem) -> str:
    counts = [each.counted for each in catalogue.counts() if each.problem == problem.id]
    words = [f"descents: number of {counts[0]}"] if counts else []
    if any(each.problem == problem.id for each in catalogue.turns()):
        words[0] += " (if an axis is time: number of descents that have begun by then)"
        words.append("stopping: the best time to stop; gain: reduction of the risk by stopping then")
    named = ", ".join(observable.name for observable in problem.observables)
    return "; ".join([*words, f"OBSERVABLE[@TIME] (default: time 1e4), one of {named}"])


def _out() -> Option:
    return Option(
        "out",
        "Output",
        type=Target(*SUFFIXES, *PICTURES, dash=True, pictures=PICTURES),
        default="-",
        metavar="FILE",
        help="FILE.png, .pdf or .svg for a picture, with its numbers in FILE.nc; FILE.nc or FILE.csv for "
        "numbers only; - prints CSV (default)",
    )


def _curves(problem: Problem) -> Iterator[str]:
    announced: list[Any] = [*catalogue.counts(), *catalogue.turns()]
    return iter(dict.fromkeys(each.name for each in announced if each.problem == problem.id))


def _routes(problem: Problem) -> list[str]:
    own = [each for each in catalogue.routes() if each.problem == problem.id and not each.sampled]
    return list(dict.fromkeys(each.name for each in own))


def _options(problem: Problem) -> Iterator[Parameter]:
    """Those of the dynamics, and of the routes that draw nothing, once each."""
    own = [each for each in catalogue.routes() if each.problem == problem.id and not each.sampled]
    names = {each.dynamics for each in own}
    options = [option for clock in problem.dynamics if clock.name in names for option in clock.options]
    return iter(dict.fromkeys([*options, *(option for route in own for option in route.options)]))


def _choices(problem: Problem) -> Iterator[Section]:
    counts = [each for each in catalogue.counts() if each.problem == problem.id]
    if counts:
        yield "Curves", [(each.name, described(each.meaning, each.approximate)) for each in counts]
    yield from routes(problem)


def _answer(problem: str, *, out: Path | None, **options: Any) -> None:
    plot = options.pop("plot")
    drawing = Plotting(plot, **sheet_of(options, plot))
    drawing.settle()
    given = {name: value for name, value in options.items() if value is not None}
    with progress(f"map of {problem}"):
        answer = map(problem, out=out, **given)
    drawing.draw(answer)
    if out is None and prints_numbers(click.get_current_context(), drawing):
        with told_on_interruption(PRINTED):
            print_text(as_csv(tabular(answer)), nl=False)
    drawing.present()


COMMAND = per_problem(
    "map",
    _command,
    help="Map a plane of two parameters of PROBLEM: regions with their boundaries, or a number.",
    short_help="Map a plane of two parameters, with boundaries.",
)
