"""`teacherstudent list`: the problems, routes, figures, checks and known misprints."""

from __future__ import annotations

import json

import click

from teacherstudent.api.listing import KINDS, listing
from teacherstudent.cli.grammar import Command, Word
from teacherstudent.cli.process import put
from teacherstudent.cli.tables import show

COLUMNS = {
    "problems": ("id", "title", "source"),
    "routes": ("id", "sampled", "meaning", "approximate"),
    "figures": ("id", "title", "paper", "ref"),
    "checks": ("id", "title", "paper", "ref"),
    "errata": ("id", "paper", "ref", "printed", "corrected"),
}
HEADINGS = {"errata": "errata: known misprints; without a paper, remarks on formulas in use"}


@click.command("list", cls=Command, short_help="List problems, routes, figures, checks and known misprints.")
@click.argument("kind", required=False, type=Word(lambda _: KINDS))
@click.option("--json", "as_json", is_flag=True, help="print a JSON list of objects, with every field")
def COMMAND(kind: str | None, as_json: bool) -> None:
    """List all problems, routes, figures, checks or errata (known misprints); without KIND, all five."""
    entries = listing(kind)
    if as_json:
        put(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    for name in KINDS if kind is None else [kind]:
        rows = [[entry[column] for column in COLUMNS[name]] for entry in entries if entry["kind"] == name]
        if kind is None:
            click.secho(f"{HEADINGS.get(name, name)} ({len(rows)})", bold=True)
        show(COLUMNS[name], rows)
        if kind is None:
            put("")
