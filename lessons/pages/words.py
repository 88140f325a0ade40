"""Markdown of notebooks as HTML, formulas as MathML."""

from __future__ import annotations

from functools import cache
from inspect import cleandoc

from markdown import Markdown  # type: ignore[import-untyped]

from teacherstudent.lessons.pages.formulas import Formulas


@cache
def _converter() -> Markdown:
    return Markdown(extensions=["fenced_code", "tables", "md_in_html", "sane_lists", Formulas()])


def html(markdown: str) -> str:
    """A text as HTML. Raises `ValueError` for a formula that cannot be set."""
    return _converter().reset().convert(cleandoc(markdown))


def inline(markdown: str) -> str:
    """One paragraph as HTML without its element."""
    return html(markdown).removeprefix("<p>").removesuffix("</p>")
