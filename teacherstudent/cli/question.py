"""A command on one problem: its options, generated from the declarations, and its help."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import click

from teacherstudent.cli import settings
from teacherstudent.cli.grammar import VERBOSE, Command, typed_options
from teacherstudent.cli.groups import Group
from teacherstudent.cli.options import SOURCE, Option, Target, all_options, grammar, refusal, what_takes
from teacherstudent.cli.outside import SYSTEM
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.outside import HOW
from teacherstudent.house.parameters import ASKING, REQUIRED, Parameter
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.synonyms import ambiguous_word, on_clock, parameters_meant, synonyms

Section = tuple[str, list[tuple[str, str]]]
"""A title and rows of two columns."""


MACHINERY = ("Output", "Machines")
"""Sections of options on which no answer depends: they write, connect or start processes."""


class Question(Command):
    """A command on one problem; its help shows options by section, then the names to choose from."""

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
        self.parameters = [*problem.parameters, *(each for _, each in all_options(problem))]
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
                ctx.meta[SOURCE] = path
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
        settings.log_question(command, self.problem, asked)
        from teacherstudent.cli.log_output import notes_to_stderr

        with notes_to_stderr(), settings.settings_in(path, command, self.problem, asked):
            return super().answer(ctx)

    def lacks(self, ctx: click.Context) -> list[str]:
        given = {*ctx.params, *(ctx.default_map or ())}
        replaced = {old for each in self.parameters if each.name in given for old in each.instead_of}
        required = [each for each in self.problem.parameters if each.default is REQUIRED]
        return [
            refusal(f"--{each.option} (missing)", each.domain.describe())
            for each in required
            if ctx.params.get(each.name) is None and each.name not in replaced
        ]

    def example(self, ctx: click.Context, args: Sequence[str]) -> list[str]:
        if self.complete:
            return super().example(ctx, args)
        from teacherstudent.cli.examples import completed

        given = {name: value for name, value in ctx.params.items() if value not in (None, ())}
        assert ctx.parent
        words = completed(str(ctx.parent.info_name), self.problem, args, given)
        return words if len(words) > len(args) + 2 else []

    def names(self, ctx: click.Context) -> list[str]:
        return [*super().names(ctx), *(_dashed(word) for each in self.parameters for word in synonyms(each))]

    def another(self, name: str, args: Sequence[str]) -> str:
        """If the word is the symbol of a clock, the user should give times on this clock."""
        said = dict(typed_options(args)).get("--dynamics")
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
        dynamics = dict(typed_options(args)).get("--dynamics")
        spelled = []
        for word in args:
            name, equals, value = word.partition("=")
            if name.startswith("--") and name not in known:
                found = [
                    each
                    for each in parameters_meant(name[2:], self.parameters)
                    if f"--{each.option}" in known
                ]
                if len(found) > 1 and dynamics:
                    clocks = [each for each in self.problem.dynamics if each.name == dynamics]
                    own = {
                        *self.problem.parameters,
                        *(option for clock in clocks for option in clock.options),
                    }
                    found = [each for each in found if each in own] or found
                if len(found) > 1:
                    raise ambiguous_word(name[2:], dict(typed_options(args))[name], found)
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
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)
        if said := grammar(self.options):
            with formatter.section("Several values"):
                formatter.write_dl(said)
        for title, records in self.choices(self.problem):
            with formatter.section(title):
                formatter.write_dl(records)


def _dashed(word: str) -> str:
    """A word of Python's as an option."""
    return f"--{word.replace('_', '-')}"


def _demand_apart(problem: Problem, options: Iterable[Option]) -> None:
    """Raise `ValueError` where two options share a name: click would keep one of them in silence.

    Of a system from outside an `InputError`.
    """
    seen = {"--help", "-h"}
    for option in options:
        names = {*option.opts, *option.secondary_opts, option.name or ""}
        if shared := seen & names:
            said = f"{problem.id}: two options are called {', '.join(sorted(shared))}"
            for each in catalogue.from_outside():
                if each.problem.id == problem.id:
                    raise each.refusal(said)
            raise ValueError(said)
        seen |= names


def _own_options() -> list[Option]:
    """The options of every question."""
    read = Target(*settings.SUFFIXES)
    return [
        Option("from", "Question", "from_", type=read, metavar="FILE", help=settings.READ),
        Option("system", "Question", **SYSTEM),
        Option("settings", "Output", type=Target(".toml"), metavar="FILE.toml", help=settings.WRITTEN),
        Option("verbose", "Output", is_flag=True, expose_value=False, help=VERBOSE),
    ]


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
    """A meaning, with a caveat if there is one."""
    return meaning + (f" (approximate: {approximate})" if approximate else "")


class Problems(Group):
    """A group of commands, one for each problem; a settings file may name the problem."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("--") and not ctx.resilient_parsing:
            args = [*filter(None, [settings.problem_of(args, self.names())]), *args]
        return super().parse_args(ctx, args)

    def example(self) -> str:
        from teacherstudent.cli.examples import completed

        for name in self.names():
            with suppress(LookupError):
                words = completed(str(self.name), catalogue.find_problem(name))
                return f"for example: {shlex.join(['teacherstudent', *words])}"
        return ""


def _instead(wrong: str, among: Iterable[str]) -> str:
    """What to say of a problem that is not among these."""
    if wrong in catalogue.problems():
        return f"{wrong} has no theory for this command"
    return did_you_mean(wrong, among) or what_takes(wrong, ("figures", "checks")) or HOW


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
        hint=lambda wrong, _: _instead(wrong, among()),
        name=name,
        **more,
    )
