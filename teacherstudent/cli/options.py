"""The options of a command line: types of values, an option in a section of the help, those of a question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from teacherstudent.api.progress import progress
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.domains import Domain, OrWord, Switch, check_flag
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.files import path_of
from teacherstudent.house.grids import FORM, GRAMMAR, Grid
from teacherstudent.house.parameters import AUTO, FIRST_SEED, SEEDS, TIMES, Parameter
from teacherstudent.house.ranges import OrGrid, OrRange, Single
from teacherstudent.house.suggestions import did_you_mean, nearest_words, one_of
from teacherstudent.house.tables import TableFile


def refusal(name: str, domain: str, hint: str = "") -> str:
    """One line that says what is wrong and how to correct it."""
    return "; ".join(filter(None, (f"{name}: must be {domain}", hint)))


def wrong_value(name: str, value: object, domain: str, hint: str = "") -> click.UsageError:
    """The error for a value of an argument or option outside its domain."""
    return click.UsageError(refusal(f"{name} {in_short(value)}", domain, hint))


def spelling(param: click.Parameter) -> str:
    """How a user writes that parameter: `--route` for an option, `ID` for an argument."""
    return param.opts[0] if isinstance(param, click.Option) else param.human_readable_name


TAKES = {"problems": "curve", "figures": "figure", "checks": "check"}
"""The command that one would try on what is listed."""


def what_takes(word: str, kinds: Iterable[str] = TAKES) -> str:
    """The command that takes this id; "" if there is none."""
    from teacherstudent.api.listing import listing

    for kind in kinds:
        if word in {each["id"] for each in listing(kind)}:
            return f"did you mean `teacherstudent {TAKES[kind]} {word}`?"
    return ""


def elsewhere(kind: str) -> Callable[[click.Context, str], str]:
    """Suggest ids of that kind whose system or paper is this word, or whose title contains it."""

    def hint(_: click.Context, word: str) -> str:
        from teacherstudent.api.listing import about, titled

        for found, of in ((about(kind, word), f"{kind} of {word}:"), (titled(kind, word), "with this word:")):
            if found:
                more = f" and {len(found) - MOST_IDS} more" if len(found) > MOST_IDS else ""
                return f"{of} {', '.join(found[:MOST_IDS])}{more}"
        return what_takes(word, [each for each in TAKES if each != kind])

    return hint


MOST_IDS = 6
"""Ids that a refusal shows."""


class Word(click.ParamType):
    """One of a few words; the choice may depend on earlier arguments."""

    name = "word"

    def __init__(
        self,
        words: Callable[[click.Context], Iterable[str]],
        listed: str = "",
        hint: Callable[[click.Context, str], str] = lambda context, word: "",
    ) -> None:
        """`listed` is the command that lists many words; `hint` says more where none is near."""
        self.words, self.listed, self.hint = words, listed, hint

    def describe(self, context: click.Context) -> str:
        return one_of(self.words(context), self.listed)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        assert param, value  # click gives both to a command's own parameters
        assert ctx, value
        if value not in (words := tuple(self.words(ctx))):
            hints = filter(None, (did_you_mean(value, words), self.hint(ctx, str(value))))
            raise wrong_value(spelling(param), value, self.describe(ctx), "; ".join(hints))
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self.words(ctx) if word.startswith(incomplete)]


class Words(Word):
    """One of a few words, or several of them, separated by commas."""

    name = "words"

    def describe(self, context: click.Context) -> str:
        return f"{super().describe(context)}, or several, separated by commas"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, list | tuple):
            words = [words]
        return tuple(super(Words, self).convert(word, param, ctx) for word in words)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        before, comma, begun = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{item.value}")
            for item in super().shell_complete(ctx, param, begun)
        ]


class Declared(click.ParamType):
    """A value that is parsed by its declaration."""

    name = "value"

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def describe(self, _: click.Context) -> str:
        return self.parameter.domain.describe()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        # A text from the command line, anything from a file of settings.
        if not isinstance(self.parameter.domain, TableFile):
            return self.parameter.check(value)
        with progress(spelling(param) if param else self.parameter.name):
            return self.parameter.check(value)


class Target(click.ParamType):
    """The output: a file with one of the suffixes (none: any), or a dash for standard output.

    pictures: suffixes of files whose numbers are written next to them as NetCDF. store: the suffix that is
    added to a file name for the partial results.
    """

    name = "file"

    def __init__(
        self, *suffixes: str, dash: bool = False, pictures: Collection[str] = (), store: str = ""
    ) -> None:
        self.suffixes, self.dash, self.pictures, self.store = suffixes, dash, pictures, store

    def describe(self, _: click.Context | None) -> str:
        suffixed = f"a file ending in {' or '.join(self.suffixes)}" if self.suffixes else "a file"
        return suffixed + (", or -" if self.dash else "")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | None:
        """The path, or None for a dash."""
        assert param
        if self.dash and value == "-":
            return None
        path = path_of(value, spelling(param).removeprefix("--"))
        if not path.name or (self.suffixes and path.suffix not in self.suffixes):
            raise wrong_value(spelling(param), value, self.describe(ctx))
        return path

    def files(self, path: Path) -> list[Path]:
        """The files that are written for that path."""
        return [path, path.with_suffix(".nc")] if path.suffix in self.pictures else [path]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


SOURCE = f"{__name__}.source"
"""Under this name the context of a command keeps the file of its settings."""


class Option(click.Option):
    """An option in a section of the help; the command receives its value as `keyword`."""

    def __init__(self, name: str, section: str, keyword: str | None = None, **more: Any) -> None:
        super().__init__([f"--{name.replace('_', '-')}", keyword or name], **more)
        self.section = section

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        if self.multiple and isinstance(value, str):  # of a file of settings
            value = [value]
        try:
            if self.is_flag and value is not None:
                check_flag(str(self.name), value)
            return super().process_value(ctx, value)
        except (InputError, click.UsageError) as error:
            path = ctx.meta.get(SOURCE)
            if not path or ctx.get_parameter_source(str(self.name)) is not ParameterSource.DEFAULT_MAP:
                raise
            said = f"so says {path}"
            if isinstance(error, InputError):
                raise error.hinted(said) from None
            raise click.UsageError(f"{error.format_message()}; {said}") from None


def question_options(problem: Problem, *, grids: bool = False, searching: bool = False) -> list[Option]:
    """Return every option of a question to that problem, but no options of the output.

    grids: whether values may be grids. searching: whether values may also be ranges; then dynamics and route
    have defaults.
    """
    domain: Callable[[Domain], Domain] = OrRange if searching else OrGrid if grids else Single

    several = ", or several, separated by commas"

    def elsewhere(context: click.Context, word: str) -> str:
        dynamics = context.params.get("dynamics")
        known = word in _route_names(problem, dynamics) or nearest_words(
            word, _route_names(problem, dynamics)
        )
        return catalogue.other_dynamics_with_route(problem, dynamics, word) if dynamics and not known else ""

    return [
        Option(
            "dynamics",
            "Question",
            required=not searching,
            metavar="NAME",
            type=Word(
                lambda _: [clock.name for clock in problem.dynamics],
                hint=lambda _, word: problem.linear.refused.get(word, "") if problem.linear else "",
            ),
            help="how the student is trained; listed below",
        ),
        Option(
            "route",
            "Question",
            required=not searching,
            metavar="NAME",
            type=(Word if searching else Words)(
                lambda context: list(_route_names(problem, context.params.get("dynamics"))), hint=elsewhere
            ),
            help="how the answer is computed" + ("" if searching else several) + "; listed below",
        ),
        *(declared_option(each, "Question") for each in (times_parameter(problem), SEEDS, FIRST_SEED)),
        *parameter_options(problem, domain),
        *(declared_option(each, section, domain) for section, each in all_options(problem)),
    ]


def times_parameter(problem: Problem) -> Parameter:
    """The recording times, with one default for all dynamics or one for each."""
    spans = list(dict.fromkeys(clock.times for clock in problem.dynamics))
    if AUTO in spans:
        meaning = f"{TIMES.meaning}; {AUTO}: from before to after the change of the error"
        domain = OrWord(AUTO, TIMES.domain)
        return replace(TIMES, default=AUTO, domain=domain, meaning=meaning)
    if len(spans) == 1:
        return replace(TIMES, default=spans[0])
    each = "; ".join(f"{clock.name} {clock.times}" for clock in problem.dynamics)
    return replace(TIMES, default=None, meaning=f"{TIMES.meaning} (default: {each})")


def all_options(problem: Problem) -> Iterator[tuple[str, Parameter]]:
    """The options of dynamics and routes, each with its section of the help."""
    yield from _dynamics_options(problem)
    yield from _route_options(problem)


def parameter_options(problem: Problem, wider: Callable[[Domain], Domain] | None) -> list[Option]:
    """The options of the problem's own parameters; `wider` allows more than a single value."""
    return [declared_option(each, "Parameters", wider) for each in problem.parameters]


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


def grammar(options: Iterable[click.Parameter]) -> list[tuple[str, str]]:
    """Explain in the help how several values are written, if options of the command take several."""
    declared = [each.type.parameter.domain for each in options if isinstance(each.type, Declared)]
    domains = {type(getattr(each, "otherwise", each)) for each in declared}
    several = [("1,5,10", "a list; times must increase"), (FORM, GRAMMAR)]
    searched = [("LO:HI", "a range of numbers in which a value is searched")] if OrRange in domains else []
    return several + searched if domains & {Grid, OrGrid, OrRange} else []


def declared_option(
    parameter: Parameter, section: str, wider: Callable[[Domain], Domain] | None = None
) -> Option:
    """The option of a parameter, in that section of the help."""
    if isinstance(parameter.domain, Switch):
        return Option(parameter.name, section, is_flag=True, default=None, help=parameter.meaning)
    single = parameter.domain.describe()
    parameter = replace(parameter, domain=wider(parameter.domain)) if wider else parameter
    widened = wider in (OrGrid, OrRange) and parameter.domain.describe() != single
    times = parameter.name == TIMES.name
    facts = [
        parameter.symbol,
        "" if times else parameter.unit and f"unit {parameter.unit}",
        f"{single}, or several"
        if widened
        else f"{single}; see Several values"
        if times
        else parameter.domain.describe(),
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
