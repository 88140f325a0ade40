"""Pieces of Markdown: tables, links, and texts that are not Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SPECIAL = re.compile(r"([\\`*_{}\[\]#])")
ENTITIES = {"<": "&lt;", ">": "&gt;", "|": "&#124;", "$": "&#36;"}


def plain(text: str) -> str:
    """A text in which nothing is Markdown."""
    escaped = SPECIAL.sub(r"\\\1", " ".join(text.replace("&", "&amp;").split()))
    return "".join(ENTITIES.get(letter, letter) for letter in escaped)


def code(text: str) -> str:
    """A text as code, in a table too."""
    return f"`{text}`".replace("|", "&#124;") if text else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows under their column names; cells are Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def heading(level: int, text: str, anchor: str) -> str:
    """A heading with an anchor of its own."""
    return f"{'#' * level} {text} {{#{anchor}}}\n"


def breaks(cells: Iterable[str]) -> str:
    """Several texts in one cell, one on each line."""
    return "<br>".join(cells)
