"""Docstrings, plain text with code in backticks, as Markdown that reads the same.

`a * b * c`, `counts[split][group]` and `<name>` would otherwise be emphasis, a link and a tag.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

CODE = re.compile(r"(``.+?``|`[^`]+`)")
SPECIAL = re.compile(r"([*_\[\]])")
KEPT = re.compile(r" {4}|>>> |\.\.\. |```")
"""Beginnings of lines of code: indented blocks and examples."""


def as_markdown(text: str) -> str:
    """A docstring's text in which nothing outside of code is Markdown, but for lists."""
    lines, fenced, example = [], False, False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        example = line.startswith(">>> ") or (example and bool(line.strip()))
        lines.append(line if fenced or example or KEPT.match(line) else _plain(line))
    return "\n".join(lines)


def _plain(line: str) -> str:
    parts = CODE.split(line)  # every second part is code
    return "".join(part if i % 2 else _escaped(part) for i, part in enumerate(parts))


def _escaped(text: str) -> str:
    text = SPECIAL.sub(r"\\\1", text.replace("&", "&amp;"))
    return text.replace("<", "&lt;").replace("$", "&#36;")


class Plain(griffe.Extension):
    """Applies `as_markdown` to every docstring that griffe finds."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called once for each object."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
