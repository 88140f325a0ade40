"""The grammar of the command line: words, files and declared values, and one line for each error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from teacherstudent.house.declarations import Parameter
from teacherstudent.house.domains import Choice, InputError, in_short
from teacherstudent.house.files import path_of


class Word(click.ParamType):
    """One of a few words, which may depend on what was given before it."""

    name = "word"

    def __init__(self, words: Callable[[click.Context], Iterable[str]]) -> None:
        self.words = words

    def describe(self, context: click.Context) -> str:
        return Choice(tuple(self.words(context))).describe()

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        assert param, value  # click gives both to a command's own parameters
        assert ctx, value
        if value not in self.words(ctx):
            raise wrong(spelling(param), value, self.describe(ctx))
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
        assert ctx
        for word in value.split(","):
            if word not in self.words(ctx):
                assert param
                raise wrong(spelling(param), value, self.describe(ctx))
        return tuple(value.split(","))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        before, comma, begun = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{item.value}")
            for item in super().shell_complete(ctx, param, begun)
        ]


class Declared(click.ParamType):
    """A value that its declaration reads."""

    name = "value"

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def describe(self, _: click.Context) -> str:
        return self.parameter.domain.describe()

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.parameter.parse(value)


class Target(click.ParamType):
    """Where to write: a file with one of the suffixes (none: any), or a dash for standard output."""

    name = "file"

    def __init__(self, *suffixes: str, dash: bool = False) -> None:
        self.suffixes, self.dash = suffixes, dash

    def describe(self, _: click.Context | None) -> str:
        suffixed = f"a file ending in {' or '.join(self.suffixes)}" if self.suffixes else "a file"
        return suffixed + (", or -" if self.dash else "")

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Path | None:
        """The path; None for the dash."""
        assert param
        if self.dash and value == "-":
            return None
        path = path_of(value, spelling(param).removeprefix("--"))
        if not path.name or (self.suffixes and path.suffix not in self.suffixes):
            raise wrong(spelling(param), value, self.describe(ctx))
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


def _refuse_repeated(arguments: Iterable[str]) -> None:
    """Raise where an option is given twice: click would silently keep the last."""
    seen: set[str] = set()
    for name in (each.partition("=")[0] for each in arguments if each.startswith("--")):
        if name in seen:
            raise InputError(name[2:], "(twice)", "given once; several values are separated by commas")
        seen.add(name)


class Command(click.Command):
    """A command whose errors know it, so that `one_line` can name the domain of an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _refuse_repeated(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser does not say whose option lacks its value
            raise


class Group(click.Group):
    """Commands that are loaded when first used; `noun` names their place in the usage line."""

    def __init__(
        self, noun: str, names: Callable[[], Iterable[str]], load: Callable[[str], click.Command], **more: Any
    ) -> None:
        super().__init__(**more, subcommand_metavar=f"{noun} ...", no_args_is_help=False)
        self.noun, self.names, self.load = noun, names, load

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.load(cmd_name) if cmd_name in self.names() else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            self._require_command(args)
        return super().parse_args(ctx, args)

    def _require_command(self, args: list[str]) -> None:
        """Raise where the first word names no command; options come first only as `--help`."""
        name = args[0] if args else "(missing)"
        if name not in self.names() and not name.startswith("-"):
            raise wrong(self.noun, name, Choice(tuple(self.names())).describe())


def wrong(name: str, value: str, domain: str) -> click.UsageError:
    """The error for a value of an argument or option outside its domain."""
    return click.UsageError(f"{name} {in_short(value)}: must be {domain}")


def spelling(param: click.Parameter) -> str:
    """How a person writes that parameter: `--route` for an option, `ID` for an argument."""
    return param.opts[0] if isinstance(param, click.Option) else param.human_readable_name


def one_line(error: click.ClickException | InputError) -> str:
    """What was wrong, in one line that names the option, the value and the domain."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context:
        known = [option for param in context.command.get_params(context) for option in param.opts]
        return f"{in_short(error.option_name)}: must be one of {', '.join(known)}"
    param = getattr(error, "param", None)
    if isinstance(error, click.BadOptionUsage) and context:
        param = next((each for each in context.command.params if error.option_name in each.opts), None)
    if context and param and isinstance(param.type, (Word, Declared, Target)):
        return f"{spelling(param)} (missing): must be {param.type.describe(context)}"
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return in_one_line(message)


LONGEST = 4000
"""Characters of a line: enough for the name of every check."""


def in_one_line(text: str) -> str:
    """A text without line breaks and without what would move a terminal's cursor."""
    line = " ".join(text[: 2 * LONGEST].split())[:LONGEST]
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)
