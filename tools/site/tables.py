"""Tables of the site from what is declared: systems, lessons, and how far formulas for rows are off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from teacherstudent.api.lesson import lessons
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem
from teacherstudent.house.parameters import Parameter
from teacherstudent.lessons.pages.course import question
from teacherstudent.theory.measured_spectrum.evidence import FEW, FEW_ROWS, TEST, Errors, Measured
from tools.site.api import function
from tools.site.markdown import code, heading, plain, table

COLUMNS = ("spread", "`asymptotic`", "`leverage`", "`per-row`", "comparisons")


def errors_table() -> str:
    """Errors of the test error by spread: of half of what was compared, of nine in ten, and the largest."""
    return table(COLUMNS, [*_rows(TEST), *_rows(FEW_ROWS, f"fewer than {FEW} rows: ")])


def _rows(declared: tuple[Measured, ...], before: str = "") -> list[tuple[str, ...]]:
    edges = (0.0, *(each.below for each in declared))
    return [
        (
            before + _between(low, high),
            *(_percent(errors) for errors in (each.asymptotic, each.leverage, each.per_row)),
            f"{each.comparisons}",
        )
        for (low, high), each in zip(pairwise(edges), declared, strict=True)
    ]


def _between(low: float, high: float) -> str:
    if math.isinf(high):
        return f"above {low:g}"
    return f"{low:g} to {high:g}" if low else f"below {high:g}"


def _percent(errors: Errors) -> str:
    return " / ".join(f"{100 * each:.2g}" for each in errors) + " %"


def lesson_table() -> str:
    """Every lesson with its title, a link to its page, its question, and the command that opens it."""
    rows = [
        (
            f'<a href="lessons/{name}.html">{escape(plain(each.title))}</a>',
            question(each.path).replace("|", "&#124;"),
            code(f"teacherstudent lesson {name}"),
        )
        for name, each in lessons().items()
    ]
    return table(("lesson", "question", "command for the notebook"), rows)


def systems() -> str:
    """Every problem: its parameters, clocks, routes and observables."""
    return "\n".join(_system(problem) for problem in catalogue.problems().values())


def _system(problem: Problem) -> str:
    columns = ("option", "symbol", "unit", "domain", "default", "meaning")
    parts = [
        heading(2, f"{code(problem.id)}: {plain(problem.title)}", problem.id),
        f"Source: {plain(problem.source)}.\n",
        "**Parameters**\n",
        table(columns, map(_parameter, problem.parameters)),
        "**Dynamics**: ways to train the student\n",
        *(_dynamics(problem, clock) for clock in problem.dynamics),
        "**Observables**\n",
        table(
            ("name", "symbol", "unit", "meaning"),
            (
                (code(each.name), plain(each.symbol), plain(each.unit), plain(each.meaning))
                for each in problem.observables
            ),
        ),
    ]
    return "\n".join(parts)


def _parameter(parameter: Parameter) -> tuple[str, ...]:
    return (
        code(f"--{parameter.option}"),
        plain(parameter.symbol),
        plain(parameter.unit),
        plain(parameter.domain.describe()),
        plain(parameter.default_text),
        plain(parameter.meaning),
    )


def _options(options: Sequence[Parameter]) -> str:
    listed = "; ".join(f"{code('--' + each.option)}: {plain(each.meaning)}" for each in options)
    return f" Options: {listed}." if options else ""


def _dynamics(problem: Problem, clock: Dynamics) -> str:
    own = [
        route for route in catalogue.routes() if (route.problem, route.dynamics) == (problem.id, clock.name)
    ]
    routes = (
        (
            function(route.entry.replace(":", "."), route.name),
            plain(route.meaning) + (" *Draws data.*" if route.sampled else "") + _options(route.options),
            plain(route.source),
            plain(route.approximate) or "exact",
        )
        for route in own
    )
    return "\n".join(
        (
            f"{code('--dynamics ' + clock.name)}: time is {plain(clock.time.symbol)}, "
            f"{plain(clock.time.meaning)} [{plain(clock.time.unit)}]." + _options(clock.options) + "\n",
            table(("route", "meaning", "source", "approximation"), routes),
        )
    )
