"""The options of a command on one problem, generated from its declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from teacherstudent.cli import settings
from teacherstudent.cli.grammar import VERBOSE, Command, Declared, Target, Word, Words
from teacherstudent.cli.groups import Group
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.domains import Domain, OrWord, Switch
from teacherstudent.house.errors import InputError
from teacherstudent.house.nearest import nearest
from teacherstudent.house.parameters import ASKING, AUTO, FIRST_SEED, SEEDS, TIMES, Parameter
from teacherstudent.house.ranges import OrGrid, Single
from teacherstudent.house.synonyms import ambiguous, meaning, on_clock, synonyms


class Option(click.Option):
    """An option that stands in a section of the help; `keyword` is what the command receives it as."""

    def __init__(self, name: str, section: str, keyword: str | None = None, **more: Any) -> None:
        super().__init__([f"--{name.replace('_', '-')}", keyword or name], **more)
        self.section = section

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        try:
            return super().process_value(ctx, value)
        except (InputError, click.UsageError) as error:
            path = ctx.meta.get(settings.SOURCE)
            if not path or ctx.get_parameter_source(str(self.name)) is not ParameterSource.DEFAULT_MAP:
                raise
            said = f"so says {path}"
            if isinstance(error, InputError):
                raise error.hinted(said) from None
            raise click.UsageError(f"{error.format_message()}; {said}") from None


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
        arguments: Sequence[click.Argument] = (),
        own: Iterable[Parameter] = (),
        **more: Any,
    ) -> None:
        """`own` are parameters that the command asks for beyond those of the problem and its routes."""
        options = [*options, *_own_options()]
        _demand_apart(problem, options)
        self.problem, self.options, self.choices = problem, options, choices
        self.parameters = [*problem.parameters, *(each for _, each in _all_options(problem))]
        asking = {*ASKING, *(each.name for each in (*self.parameters, *own))}
        self.asking = {
            str(each.name) for each in options if each.section not in MACHINERY and each.name in asking
        }
        """The values of the question: settings hold these, and a file may set no others."""
        more = {"name": problem.id, "short_help": problem.title, "epilog": self._synonyms(), **more}
        super().__init__(params=[*arguments, *options], **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            args = self._spelled(args)
            if path := settings.source(args):
                known = (self.problem, self.parameters, self.asking)
                ctx.default_map = settings.defaults(self, *known, args, path)
                ctx.meta[settings.SOURCE] = path
        rest = super().parse_args(ctx, args)
        in_order = {name: ctx.params[name] for name in ctx.default_map or () if name in ctx.params}
        ctx.params = {**in_order, **ctx.params}  # what is swept has the order of the file
        return rest

    def answer(self, ctx: click.Context) -> Any:
        ctx.params.pop("from_")
        path = ctx.params.pop("settings")
        asked = {name: value for name, value in ctx.params.items() if name in self.asking}
        assert ctx.parent
        command = str((ctx.parent if ctx.info_name == self.problem.id else ctx).info_name)
        settings.tell(command, self.problem, asked)
        from teacherstudent.cli.telling import noting

        with noting(), settings.settings_in(path, command, self.problem, asked):
            return super().answer(ctx)

    def names(self, ctx: click.Context) -> list[str]:
        return [*super().names(ctx), *(_dashed(word) for each in self.parameters for word in synonyms(each))]

    def another(self, name: str, args: Sequence[str]) -> str:
        """The symbol of a clock is asked for by times on it."""
        said = dict(settings.typed(args)).get("--dynamics")
        clock = next((each for each in self.problem.dynamics if each.name == said), None)
        timed = clock and any("--times" in each.opts for each in self.options)
        return on_clock(name[2:], clock.time, clock.name) if clock and timed else ""

    def elsewhere(self, name: str) -> str:
        owners = [
            problem.id
            for problem in catalogue.problems().values()
            if name[2:] in {each.option for each in problem.parameters}
        ]
        return f"{name} is of {', '.join(owners)}" if owners else ""

    def _spelled(self, args: list[str]) -> list[str]:
        """The arguments, with the option that each synonym means in its place."""
        known = {name for each in self.options for name in each.opts}
        dynamics = dict(settings.typed(args)).get("--dynamics")
        spelled = []
        for word in args:
            name, equals, value = word.partition("=")
            if name.startswith("--") and name not in known:
                found = [each for each in meaning(name[2:], self.parameters) if f"--{each.option}" in known]
                if len(found) > 1 and dynamics:
                    clocks = [each for each in self.problem.dynamics if each.name == dynamics]
                    own = {
                        *self.problem.parameters,
                        *(option for clock in clocks for option in clock.options),
                    }
                    found = [each for each in found if each in own] or found
                if len(found) > 1:
                    raise ambiguous(name[2:], dict(settings.typed(args))[name], found)
                word = f"--{found[0].option}{equals}{value}" if found else word
            spelled.append(word)
        return spelled

    def _synonyms(self) -> str:
        """Which other words there are, for the end of the help."""
        known = {name for each in self.options for name in each.opts}
        words = [
            f"{_dashed(word)} for --{each.option}"
            for each in dict.fromkeys(self.parameters)
            if f"--{each.option}" in known
            for word in synonyms(each)
        ]
        return f"Other words: {', '.join(words)}." if words else ""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.options:
            record = option.get_help_record(ctx)
            assert record  # no option is hidden
            sections.setdefault(option.section, []).append(record)
        for title, records in (*sections.items(), *self.choices(self.problem)):
            with formatter.section(title):
                formatter.write_dl(records)


def _dashed(word: str) -> str:
    """A word of Python's as an option."""
    return f"--{word.replace('_', '-')}"


MACHINERY = ("Output", "Machines")
"""Sections of options on which no answer depends: they write, connect or start processes."""


def _own_options() -> list[Option]:
    """The options of every question."""
    read = Target(*settings.SUFFIXES)
    return [
        Option("from", "Question", "from_", type=read, metavar="FILE", help=settings.READ),
        Option("settings", "Output", type=Target(".toml"), metavar="FILE.toml", help=settings.WRITTEN),
        Option("verbose", "Output", is_flag=True, expose_value=False, help=VERBOSE),
    ]


def _demand_apart(problem: Problem, options: Iterable[Option]) -> None:
    """Raise `ValueError` where two options share a name: click would keep one of them in silence."""
    seen = {"--help", "-h"}
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


class Problems(Group):
    """A group of commands, one for each problem, which a file of settings may name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("--") and not ctx.resilient_parsing:
            args = [*filter(None, [settings.problem_of(args, self.names())]), *args]
        return super().parse_args(ctx, args)


def per_problem(
    name: str,
    make: Callable[[Problem], click.Command],
    among: Callable[[], Iterable[str]] = lambda: catalogue.problems(),
    **more: Any,
) -> Group:
    """A group with one command for each problem."""
    return Problems(
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
    domain = OrGrid if grids else Single

    def elsewhere(context: click.Context, word: str) -> str:
        dynamics = context.params.get("dynamics")
        known = word in _route_names(problem, dynamics) or nearest(word, _route_names(problem, dynamics))
        return catalogue.elsewhere(problem, dynamics, word) if dynamics and not known else ""

    return [
        Option(
            "dynamics",
            "Question",
            required=True,
            metavar="NAME",
            type=Word(
                lambda _: [clock.name for clock in problem.dynamics],
                hint=lambda _, word: problem.linear.refused.get(word, "") if problem.linear else "",
            ),
            help="how the student is trained; see below",
        ),
        Option(
            "route",
            "Question",
            required=True,
            metavar="NAME",
            type=Words(
                lambda context: list(_route_names(problem, context.params.get("dynamics"))), hint=elsewhere
            ),
            help="how the answer is computed, or several, separated by commas; see below",
        ),
        *(declared(each, "Question") for each in (recorded(problem), SEEDS, FIRST_SEED)),
        *parameters(problem, domain),
        *(declared(each, section, domain) for section, each in _all_options(problem)),
    ]


def recorded(problem: Problem) -> Parameter:
    """The recording times, with the default of all dynamics or of each."""
    spans = list(dict.fromkeys(clock.times for clock in problem.dynamics))
    if AUTO in spans:
        meaning = f"{TIMES.meaning}; {AUTO}: from before the error changes to after it has changed"
        domain = OrWord(AUTO, TIMES.domain)
        return replace(TIMES, default=AUTO, domain=domain, meaning=meaning)
    if len(spans) == 1:
        return replace(TIMES, default=spans[0])
    each = "; ".join(f"{clock.name} {clock.times}" for clock in problem.dynamics)
    return replace(TIMES, default=None, meaning=f"{TIMES.meaning} (default: {each})")


def _all_options(problem: Problem) -> Iterator[tuple[str, Parameter]]:
    """The options of dynamics and routes, each with its section of the help."""
    yield from _dynamics_options(problem)
    yield from _route_options(problem)


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
    if isinstance(parameter.domain, Switch):
        return Option(parameter.name, section, is_flag=True, default=None, help=parameter.meaning)
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
