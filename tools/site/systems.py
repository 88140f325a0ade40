"""Every system, from its declarations: parameters, clocks, routes, observables."""

from __future__ import annotations

from collections.abc import Sequence

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem
from teacherstudent.house.parameters import Parameter
from tools.site.api import function
from tools.site.markdown import code, heading, plain, table


def systems() -> str:
    """Every problem: its parameters, clocks, routes and observables."""
    return "\n".join(_system(problem) for problem in catalogue.problems().values())


def _system(problem: Problem) -> str:
    columns = ("option", "symbol", "unit", "domain", "default", "meaning")
    parts = [
        heading(2, f"{code(problem.id)}: {plain(problem.title)}", problem.id),
        f"After {plain(problem.source)}.\n",
        "**Parameters**\n",
        table(columns, map(_parameter, problem.parameters)),
        "**Dynamics**, the ways in which the student changes, each with its clock\n",
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
