"""`teacherstudent onset PROBLEM`: the value of a parameter at which double descent sets in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from teacherstudent.api.onset import ACCURACY, counts_of, onset
from teacherstudent.cli.grammar import Word
from teacherstudent.cli.options import (
    Option,
    Question,
    Section,
    declared,
    described,
    parameters,
    per_problem,
)
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.ranges import OrInterval

COLUMNS = ("parameter", "value", "accuracy", "below", "above")


def _command(problem: Problem) -> click.Command:
    first = next(iter(counts_of(problem.id).values()))
    curve = Option(
        "curve",
        "Question",
        type=Word(lambda _: counts_of(problem.id)),
        default=first.name,
        show_default=True,
        metavar="NAME",
        help="the curve over time on which it is counted; see below",
    )
    as_json = Option(
        "json", "Output", "as_json", is_flag=True, help="print a list of one object, with all that is known"
    )
    return Question(
        problem,
        options=[curve, declared(ACCURACY, "Question"), *parameters(problem, OrInterval), as_json],
        choices=_curves,
        callback=partial(_answer, problem.id),
        help=f"{problem.title} ({problem.source}): where the number of {first.counted} changes with that "
        "parameter which is given as LO:HI. Prints CSV: the value, its relative accuracy, and the numbers "
        "below and above.",
    )


def _curves(problem: Problem) -> Iterator[Section]:
    rows = [(each.name, described(each.meaning, each.approximate)) for each in counts_of(problem.id).values()]
    yield "Curves", rows


def _answer(problem: str, *, as_json: bool, **asked: Any) -> None:
    given = {name: value for name, value in asked.items() if value is not None}
    found = asdict(onset(problem, **given))
    wanted = given.get("accuracy", ACCURACY.default)
    if found["accuracy"] > wanted:
        click.echo(
            f"warning: --accuracy {wanted:g}: {found['accuracy']:.2g} is reached, since the problem changes "
            f"with {found['parameter']} in steps; they are smaller where sizes are larger",
            err=True,
        )
    if as_json:
        click.echo(json.dumps([{"id": found["parameter"], **found}], indent=2))
        return
    click.echo(",".join(COLUMNS))
    click.echo(",".join(str(found[column]) for column in COLUMNS))


COMMAND = per_problem(
    "onset",
    _command,
    among=lambda: dict.fromkeys(count.problem for count in catalogue.counts()),
    help="Solve for the value of a parameter at which the risk of PROBLEM begins to descend once more.",
)
