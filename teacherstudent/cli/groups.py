"""Groups of commands: each is loaded when it is first used, and a wrong name is answered by the nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import Any

import click

from teacherstudent.cli.options import wrong_value
from teacherstudent.house.suggestions import did_you_mean, one_of
from teacherstudent.house.topics import what_answers


class Group(click.Group):
    """Commands that are loaded when first used; `noun` names their place in the usage line."""

    def __init__(
        self,
        noun: str,
        names: Callable[[], Iterable[str]],
        load: Callable[[str], click.Command],
        hint: Callable[[str, Sequence[str]], str] = lambda name, rest: "",
        sections: Mapping[str, Sequence[str]] | None = None,
        **more: Any,
    ) -> None:
        """`hint` says what to type instead of a wrong name and the words behind it, where it knows that.

        sections: names under a title each, in the order of help; others are listed last.
        """
        super().__init__(**more, subcommand_metavar=f"{noun} ...", no_args_is_help=False)
        self.noun, self.names, self.load, self.hint = noun, names, load, hint
        self.sections = sections or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.load(cmd_name) if cmd_name in self.names() else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        named = {name for names in self.sections.values() for name in names}
        rest = [name for name in self.names() if name not in named]
        width = max(map(len, self.names()))
        for title, names in {**self.sections, "Commands" if not named else "More": rest}.items():
            if names:
                briefs = (self.load(name).get_short_help_str(formatter.width - 6 - width) for name in names)
                with formatter.section(title):
                    formatter.write_dl([*zip((name.ljust(width) for name in names), briefs, strict=True)])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            self._require_command(ctx, args)
        return super().parse_args(ctx, args)

    def example(self) -> str:
        """What to type if a word is missing; "" if that is unknown."""
        return ""

    def _require_command(self, ctx: click.Context, args: list[str]) -> None:
        """Raise where the first word names no command; before it stand options of the group, flags all."""
        own = [option for each in self.get_params(ctx) for option in each.opts]
        words = [*dropwhile(own.__contains__, args)]
        name, *rest = words or ["(missing)"]
        names = tuple(self.names())
        if name in names or {*args[: len(args) - len(words)]} - {"--verbose"}:
            return
        if name.startswith("-"):
            raise wrong_value(self.noun, "(missing)", one_of(names), "options follow it")
        hint = (
            what_answers(name)
            or (self.hint(name, rest) if words else self.example())
            or did_you_mean(name, [*names, *own])
        )
        raise wrong_value(self.noun, name, one_of(names), hint)
