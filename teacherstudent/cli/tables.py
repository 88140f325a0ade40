"""Tables on standard output: fitted to a terminal, one line for each row in a pipe."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Sequence

import click

from teacherstudent.house.control_characters import in_one_line

PIPE_WIDTH = 10_000
"""Columns of an output that is not a terminal: wide enough that no cell ever breaks."""


def show(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under their column names."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(in_one_line(str(cell))) for cell in row))  # Text: brackets are no markup
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else PIPE_WIDTH
    page = io.StringIO()  # rich would end the process itself on a broken pipe
    Console(file=page, width=width, force_terminal=terminal).print(table)
    click.echo("\n".join(line.rstrip() for line in page.getvalue().splitlines()))
