"""The grammar of the command line: a command, and one line for each error."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from teacherstudent.cli.options import Declared, Target, Word, Words, refusal, spelling, wrong_value
from teacherstudent.cli.outside import system_option
from teacherstudent.cli.streams import print_kept, print_written
from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.suggestions import did_you_mean, nearest_words, one_of


def typed_options(arguments: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Each typed option with its value, which may be the next word."""
    words = list(arguments)
    for word, after in zip_longest(words, words[1:]):
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            yield name, value if equals else after


VERBOSE = "print on standard error what is computed, how, how long it takes, and where warnings arise"
"""The option `--verbose`, which the process itself reads (`teacherstudent.cli.log_output`)."""


TYPED = f"{__name__}.typed"
"""Under this name the context of a command keeps the words that were typed."""


class Command(click.Command):
    """A command that prints which files it wrote, and whose error messages say what to type instead."""

    def __init__(
        self, *arguments: Any, complete: Callable[[Sequence[str]], list[str]] | None = None, **more: Any
    ) -> None:
        """`complete` gives the words of a command that runs, from those that were typed."""
        super().__init__(*arguments, **more)
        self.complete = complete
        if not any("--verbose" in each.opts for each in self.params):
            self.params.append(click.Option(["--verbose"], is_flag=True, expose_value=False, help=VERBOSE))
        if not any("--system" in each.opts for each in self.params):
            self.params.append(system_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        ctx.meta[TYPED] = tuple(args)
        self._refuse_repeated(args)
        ctx.allow_extra_args = True  # so that what is said of them is said here
        try:
            super().parse_args(ctx, list(args))
        except click.MissingParameter:
            raise click.UsageError(self._lacking(ctx, args)) from None
        except click.NoSuchOption as error:
            raise self._unknown(ctx, error.option_name, args) from None
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser does not say whose option lacks its value
            raise
        if ctx.args:
            raise self.unexpected(ctx, ctx.args, args)
        return ctx.args

    def invoke(self, ctx: click.Context) -> Any:
        targets = [(each.type, each.name) for each in self.params if isinstance(each.type, Target)]
        given = [(kind, path) for kind, name in targets if name and (path := ctx.params[name])]
        files = [file for kind, path in given for file in kind.files(path)]
        before = {path: seen for path in files if (seen := _state(path))}
        answer = self.answer(ctx)
        for path in files:
            if _state(path) not in (None, before.get(path)):
                print_written(path, replaced=path in before)
        for kind, path in given:
            if kind.store and not ctx.params.get("resume"):
                print_kept(Path(f"{path}{kind.store}"))
        return answer

    def answer(self, ctx: click.Context) -> Any:
        """What the command does and returns."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            if error.value != "(missing)" or not (said := self.for_example(ctx, ctx.meta.get(TYPED, ()))):
                raise
            raise error.hinted(said) from None

    def unexpected(self, ctx: click.Context, words: Sequence[str], args: Sequence[str]) -> click.UsageError:
        """The error for words that are neither options nor values, with a guess of what was meant."""
        first, *_ = words
        listed = f"part of an option that `{ctx.command_path} --help` lists"
        name, equals, value = first.partition("=")
        if equals and (near := nearest_words(f"--{name}", self.names(ctx))):
            return wrong_value("WORD", first, listed, f"did you mean {near[0]} {value}?")
        for each in self.params:
            if isinstance(each.type, Word) and first in (known := tuple(each.type.words(ctx))):
                if isinstance(each, click.Argument):  # which has its word already: this is one too many
                    given = " ".join((ctx.params[each.name or ""], *words))
                    every = ", or all" if "all" in known else ""
                    return wrong_value(spelling(each), given, f"one {spelling(each)}{every}")
                return wrong_value("WORD", first, listed, f"did you mean {spelling(each)} {first}?")
        option, before = next(reversed(list(typed_options(args[: args.index(first)]))), ("", ""))
        param = next((each for each in self.params if option in each.opts), None)
        return wrong_value(
            "WORD", first, listed, _several(param, f"{option} {','.join([before or '', *words])}")
        )

    def lacks(self, ctx: click.Context) -> list[str]:
        """The missing parameters, as parts of an error message."""
        return []

    def example(self, ctx: click.Context, args: Sequence[str]) -> list[str]:
        """A complete command: the typed words and the missing ones, or nothing if these are unknown."""
        return self.complete(args) if self.complete else []

    def _lacking(self, ctx: click.Context, args: Sequence[str]) -> str:
        """The refusal that names everything that must be given and is not, with a command that runs."""
        known = {*(ctx.default_map or ()), *(name for name, value in ctx.params.items() if value is not None)}
        missing = [each for each in self.params if each.required and each.name not in known]
        listed = [each for each in missing if isinstance(each.type, (Word, Declared, Target))]
        parts = [_missing(each, ctx) for each in listed]
        if others := [spelling(each) for each in missing if each not in listed]:
            parts.append(refusal(f"{', '.join(others)} (missing)", "given"))
        return "; ".join(filter(None, [*parts, *self.lacks(ctx), self.for_example(ctx, args)]))

    def for_example(self, ctx: click.Context, args: Sequence[str]) -> str:
        """The end of an error message: a command that runs, or "" if none is known."""
        words: Sequence[str] = []
        with suppress(ArithmeticError, InputError, LookupError):
            words = self.example(ctx, args)
        return f"for example: {shlex.join(['teacherstudent', *words])}" if words else ""

    def _refuse_repeated(self, arguments: Iterable[str]) -> None:
        """Raise where an option is given twice: click would silently keep the last."""
        seen: dict[str, list[str]] = {}
        for name, value in typed_options(arguments):
            seen.setdefault(name, []).append(value or "")
        for name, values in seen.items():
            param = next((each for each in self.params if name in each.opts), None)
            if len(values) > 1 and not (isinstance(param, click.Option) and param.multiple):
                listed = ",".join(values)
                raise InputError(name[2:], "(twice)", "given once", _several(param, f"{name} {listed}"))

    def names(self, ctx: click.Context) -> list[str]:
        """The allowed spellings of the options."""
        return [name for each in self.get_params(ctx) for name in each.opts if name.startswith("--")]

    def _unknown(self, ctx: click.Context, name: str, args: Sequence[str]) -> click.UsageError:
        """The error for an option that there is not; after one dash click tells only the first letter."""
        if not name.startswith("--"):
            name = next((each.partition("=")[0] for each in args if each.startswith(name)), name)
        known = self.names(ctx)
        listed = f"{ctx.command_path} --help"
        value = dict(typed_options(args)).get(name)
        near = filter(
            None, (did_you_mean(name, known, value) or self._of_word(ctx, value), self.elsewhere(name))
        )
        hint = self.another(name, args) or " ".join(near)
        return click.UsageError(refusal(in_short(name), one_of(known, listed), hint))

    def _of_word(self, ctx: click.Context, value: str | None) -> str:
        """Which option takes a value that was given to one that there is not; "" where none does."""
        for each in self.params:
            kind = each.type if isinstance(each, click.Option) else None
            if isinstance(kind, Word) and value in tuple(kind.words(ctx)):
                return f"did you mean {spelling(each)} {value}?"
        return ""

    def another(self, name: str, args: Sequence[str]) -> str:
        """What to type instead, if no option has that name; "" if nothing else is possible."""
        return ""

    def elsewhere(self, name: str) -> str:
        """The commands that have an option of that name; "" if there is none."""
        return ""


def _several(param: click.Parameter | None, retyped: str) -> str:
    """How to give several values of that option, if it takes several."""
    if param and isinstance(param.type, Words):
        return f"several values are separated by commas: {retyped}"
    if param and isinstance(param.type, Declared):
        domain = param.type.parameter.domain
        commas, sweep = "several values are separated by commas", "only `sweep` takes several values"
        for each, said in ((domain, commas), (getattr(domain, "wider", None), sweep)):
            with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                if each:
                    each.parse(retyped.partition(" ")[2])
                    return f"{said}: {retyped}"
    return ""


def _missing(param: click.Parameter, context: click.Context) -> str:
    """That this must be given, and what it may be."""
    assert isinstance(param.type, (Word, Declared, Target))
    return refusal(f"{spelling(param)} (missing)", param.type.describe(context))


def _state(path: Path) -> tuple[int, int] | None:
    """What changes when a file, or a folder that is written whole, is replaced; None where there is none."""
    with suppress(OSError, ValueError):
        found = path.stat()
        if path.suffix or path.is_file():
            return found.st_ino, found.st_mtime_ns
    return None


def one_line(error: click.ClickException | InputError | MissingExtra) -> str:
    """The error in one line, which names the option, the value and the domain."""
    context = getattr(error, "ctx", None)
    param = getattr(error, "param", None)
    if isinstance(error, click.BadOptionUsage) and context:
        param = next((each for each in context.command.params if error.option_name in each.opts), None)
    if context and param and isinstance(param.type, (Word, Declared, Target)):
        return _missing(param, context)
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    return in_one_line(message)
