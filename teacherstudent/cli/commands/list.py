"""`teacherstudent list`: the problems, routes, figures, checks and known misprints."""

from __future__ import annotations

import json
from typing import Any

import click

from teacherstudent.api.listing import KINDS, listing
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Word
from teacherstudent.cli.streams import print_text
from teacherstudent.cli.tables import show
from teacherstudent.house.errors import InputError
from teacherstudent.house.topics import what_answers

COLUMNS = {
    "problems": ("id", "title", "source"),
    "routes": ("id", "sampled", "meaning", "approximate"),
    "figures": ("id", "title", "paper", "ref"),
    "checks": ("id", "title", "paper", "ref", "last run", "share"),
    "errata": ("id", "paper", "ref", "printed", "corrected"),
}
STATES = ("disagrees", "misses-errors", "weak", "agrees", "not-run", "stale")
HEADINGS = {"errata": "errata: known misprints; entries without a paper are remarks on common formulas"}


@click.command("list", cls=Command, short_help="List problems, routes, figures, checks and known misprints.")
@click.argument("kind", required=False, type=Word(lambda _: KINDS, hint=lambda _, word: what_answers(word)))
@click.option(
    "--state",
    type=Word(lambda _: STATES),
    help="list only checks with this state in the last recorded run, or stale ones",
)
@click.option("--json", "as_json", is_flag=True, help="print a JSON list of objects, with every field")
def COMMAND(kind: str | None, state: str | None, as_json: bool) -> None:
    """List all problems, routes, figures, checks or errata (known misprints); without KIND, all five.

    For checks, the list shows state and share of the last recorded run; `check` does not change that record.
    An outcome is stale if the code of the check has changed since.
    """
    if state and kind != "checks":
        raise InputError("state", state, "given with the KIND checks, because only checks have states")
    entries = [each for each in listing(kind) if not state or _is(each, state)]
    if as_json:
        print_text(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    for name in KINDS if kind is None else [kind]:
        rows = [
            [_cell(entry, column) for column in COLUMNS[name]] for entry in entries if entry["kind"] == name
        ]
        if kind is None:
            click.secho(f"{HEADINGS.get(name, name)} ({len(rows)})", bold=True)
        show(COLUMNS[name], rows)
        if kind is None:
            print_text("")


def _is(check: dict[str, Any], state: str) -> bool:
    return check["stale"] if state == "stale" else bool(check["state"] == state.replace("-", " "))


def _cell(entry: dict[str, Any], column: str) -> Any:
    if column == "last run":
        return f"{entry['state']}, stale" if entry["stale"] else entry["state"]
    if column == "share":
        return "" if entry["share"] is None else f"{entry['share']:g}"
    return entry[column]
