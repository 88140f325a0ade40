"""`teacherstudent judge`: whether somebody's own draws agree with her own theory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.figure import FORMATS
from teacherstudent.api.judge import EXPONENT, LEVEL, SIZE, judge
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Declared, Target, wrong_value
from teacherstudent.cli.streams import print_text, print_to_stderr
from teacherstudent.house.domains import Several
from teacherstudent.house.errors import InputError

SIZES = replace(SIZE, domain=Several(SIZE.domain))


class Source(Target):
    """A file to read."""

    def files(self, path: Path) -> list[Path]:
        """None is written."""
        return []


class Named(Source):
    """A name and a file to read, NAME=FILE."""

    def describe(self, _: click.Context | None) -> str:
        return "NAME=FILE, a name and a file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name, equals, path = str(value).partition("=")
        if not (name.strip() and equals and path):
            raise wrong_value("--wrong", value, self.describe(ctx))
        return name.strip(), super().convert(path, param, ctx)


def _complete(typed: Sequence[str]) -> list[str]:
    return ["judge", "draws.csv", "--theory", "theory.csv"]


@click.command(
    "judge", cls=Command, complete=_complete, short_help="Judge your own draws against your own theory."
)
@click.argument("draws", type=Source(), nargs=-1, required=True)
@click.option(
    "--theory", type=Source(), required=True, metavar="FILE", help="CSV with the columns point and value"
)
@click.option(
    "--effect",
    metavar="X",
    help="the effect that the draws must resolve: a number in the unit of the values, the NAME of a wrong "
    "theory, or the FILE of another theory (default: the size of the values)",
)
@click.option(
    "--wrong",
    type=Named(),
    multiple=True,
    metavar="NAME=FILE",
    help="a deliberately wrong theory that the draws must reject; may be given several times",
)
@click.option(
    "--sizes",
    type=Declared(SIZES),
    metavar="LIST",
    help="sizes of the systems in the files DRAWS, three or more; the theory is then their large-size limit",
)
@click.option("--exponent", type=Declared(EXPONENT), metavar="X", help=EXPONENT.meaning)
@click.option(
    "--level",
    type=Declared(LEVEL),
    default=LEVEL.default,
    show_default=True,
    metavar="X",
    help=LEVEL.meaning,
)
@click.option("--out", type=Target(".html"), metavar="FILE.html", help="write a report of one page")
@click.option(
    "--plot",
    type=Target(*(f".{each}" for each in FORMATS)),
    metavar="FILE",
    help=f"draw theory, means and residuals: FILE.{'|.'.join(FORMATS)}",
)
@click.option("--json", "as_json", is_flag=True, help="print a JSON list of one object, with every field")
def COMMAND(
    draws: tuple[Path, ...],
    wrong: tuple[tuple[str, Path], ...],
    effect: str | None,
    sizes: tuple[float, ...] | None,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
    **more: Any,
) -> int:
    """Judge your own draws, in the CSV file DRAWS, against your own theory.

    DRAWS has a header `seed,0.1,0.2,...` with the points and one row for each seed, or the columns seed,
    point and value. The verdict is `agrees`; `disagrees`; `cannot tell` if an error above half of the effect
    would pass, with the number of draws that would suffice; or `blunt` if a wrong theory passes as well.
    Residuals are in standard errors; the allowed size depends on the numbers of points and draws and on the
    skewness of the draws. The exit status is 1 for `disagrees` and `blunt`.
    """
    names = [name for name, _ in wrong]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise InputError("wrong", f"{repeated[0]} (twice)", "given with a different name each time")
    try:
        with progress("judge"):
            found = judge(
                [str(each) for each in draws] if sizes or len(draws) > 1 else str(draws[0]),
                more.pop("theory"),
                effect=_effect(effect, names),
                wrong=dict(wrong),
                sizes=sizes,
                **more,
            )
    except InputError as error:
        option = "DRAWS" if error.option == "draws" else error.option
        raise InputError(option, error.value, error.domain, error.hint) from None
    for option, path in (("out", out), ("plot", plot)):
        if path:
            from teacherstudent.api.judged.page import save

            save(found, path, option)
    print_text(json.dumps([{"id": str(draws[0]), **found.record()}], indent=2) if as_json else found)
    if as_json and not found.agrees:
        print_to_stderr(f"{found.verdict}: {found.reason}")
    return 1 if found.verdict in ("disagrees", "blunt") else 0


def _effect(text: str | None, names: list[str]) -> Any:
    """A number, the name of a wrong theory, or a file."""
    if text is not None and text not in names:
        with suppress(ValueError):
            return float(text)
    return text
