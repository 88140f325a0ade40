"""The options of a command on one problem, generated from its declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from teacherstudent.cli.grammar import Command, Declared, Group, Word, Words
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import FIRST_SEED, SEEDS, TIMES, Parameter, Problem
from teacherstudent.house.domains import Domain
from teacherstudent.house.ranges import OrGrid


class Option(click.Option):
    """An option that stands in a section of the help; `keyword` is what the command receives it as."""

    def __init__(self, name: str, section: str, keyword: str | None = None, **more: Any) -> None:
        super().__init__([f"--{name.replace('_', '-')}", keyword or name], **more)
        self.section = section


Section = tuple[str, list[tuple[str, str]]]
"""A title and rows of two columns."""


class Question(Command):
    """A command on one problem: its help shows options by section, then the names to choose from."""

    def __init__(
        self,
        problem: Problem,
        *,
        options: list[Option],
        choices: Callable[[Problem], Iterable[Section]],
        **more: Any,
    ) -> None:
        _demand_apart(problem, options)
        super().__init__(problem.id, short_help=problem.title, params=list(options), **more)
        self.problem, self.options, self.choices = problem, options, choices

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.options:
            record = option.get_help_record(ctx)
            assert record  # no option is hidden
            sections.setdefault(option.section, []).append(record)
        for title, records in (*sections.items(), *self.choices(self.problem)):
            with formatter.section(title):
                formatter.write_dl(records)


def _demand_apart(problem: Problem, options: Iterable[Option]) -> None:
    """Raise `ValueError` where two options share a name: click would keep one of them in silence."""
    seen = {"--help"}
    for option in options:
        names = {*option.opts, *option.secondary_opts, option.name or ""}
        if shared := seen & names:
            raise ValueError(f"{problem.id}: two options are called {', '.join(sorted(shared))}")
        seen |= names


def routes(problem: Problem) -> Iterator[Section]:
    """The name and meaning of every route, by dynamics."""
    for clock in problem.dynamics:
        title = f"Routes with --dynamics {clock.name}, time {clock.time.symbol} ({clock.time.meaning})"
        yield (
            title,
            [
                (route.name, described(route.meaning, route.approximate))
                for route in catalogue.routes()
                if (route.problem, route.dynamics) == (problem.id, clock.name)
            ],
        )


def described(meaning: str, approximate: str) -> str:
    """A meaning, with its caveat where there is one."""
    return meaning + (f" (approximate: {approximate})" if approximate else "")


def per_problem(
    name: str,
    make: Callable[[Problem], click.Command],
    among: Callable[[], Iterable[str]] = lambda: catalogue.problems(),
    **more: Any,
) -> Group:
    """A group with one command for each problem."""
    return Group(
        "PROBLEM",
        among,
        lambda problem: make(catalogue.find_problem(problem)),
        name=name,
        **more,
    )


def question(problem: Problem, *, grids: bool = False) -> list[Option]:
    """Every option of a question to that problem, without those of the output.

    grids: values may be grids.
    """
    domain = OrGrid if grids else None
    return [
        Option(
            "dynamics",
            "Question",
            required=True,
            metavar="NAME",
            type=Word(lambda _: [clock.name for clock in problem.dynamics]),
            help="how the student is trained; see below",
        ),
        Option(
            "route",
            "Question",
            required=True,
            metavar="NAME",
            type=Words(lambda context: list(_route_names(problem, context.params.get("dynamics")))),
            help="how the answer is computed, or several, separated by commas; see below",
        ),
        *(declared(each, "Question") for each in (TIMES, SEEDS, FIRST_SEED)),
        *parameters(problem, domain),
        *(declared(each, section, domain) for section, each in _dynamics_options(problem)),
        *(declared(each, section, domain) for section, each in _route_options(problem)),
    ]


def parameters(problem: Problem, wider: Callable[[Domain], Domain] | None) -> list[Option]:
    """The options of the problem's own parameters; `wider` lets them take more than a value."""
    return [declared(each, "Parameters", wider) for each in problem.parameters]


def _dynamics_options(problem: Problem) -> Iterator[tuple[str, Parameter]]:
    """The options of each dynamics, once each, under a section that names the dynamics they are for."""
    for option in dict.fromkeys(option for clock in problem.dynamics for option in clock.options):
        owners = [clock.name for clock in problem.dynamics if option in clock.options]
        everywhere = len(owners) == len(problem.dynamics)
        yield "Question" if everywhere else f"Options of --dynamics {', '.join(owners)}", option


def _route_options(problem: Problem) -> Iterator[tuple[str, Parameter]]:
    """The options of each route, once each, under a section that names the routes they are for."""
    own = [route for route in catalogue.routes() if route.problem == problem.id]
    for option in dict.fromkeys(option for route in own for option in route.options):
        owners = [
            f"--dynamics {route.dynamics} --route {route.name}" for route in own if option in route.options
        ]
        yield f"Options of {', '.join(owners)}", option


def declared(parameter: Parameter, section: str, wider: Callable[[Domain], Domain] | None = None) -> Option:
    """The option of a parameter, in that section of the help."""
    parameter = replace(parameter, domain=wider(parameter.domain)) if wider else parameter
    facts = [
        parameter.symbol,
        parameter.unit and f"unit {parameter.unit}",
        parameter.domain.describe(),
        parameter.default_text and f"default {parameter.default_text}",
    ]
    return Option(
        parameter.name,
        section,
        type=Declared(parameter),
        metavar="VALUE",
        help=f"{parameter.meaning} [{'; '.join(filter(None, facts))}]",
    )


def _route_names(problem: Problem, dynamics: str | None) -> Iterator[str]:
    """The routes of that problem, once each; under one dynamics where it is known."""
    routes = [route for route in catalogue.routes() if route.problem == problem.id]
    return iter(dict.fromkeys(route.name for route in routes if dynamics in (None, route.dynamics)))
