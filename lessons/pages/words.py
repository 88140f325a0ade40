"""Markdown of notebooks as HTML, LaTeX between `$` or `$$` as MathML, set when a page is built."""

from __future__ import annotations

import re
from functools import cache
from inspect import cleandoc
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markdown import Markdown  # type: ignore[import-untyped]
from markdown.extensions import Extension  # type: ignore[import-untyped]
from markdown.inlinepatterns import InlineProcessor  # type: ignore[import-untyped]
from markdown.util import AtomicString  # type: ignore[import-untyped]

BEFORE_ESCAPES = 185
"""Priority: after code, which may contain dollars, and before backslashes are interpreted."""
TAG = re.compile(r"\\tag\{([^}]*)\}")
"""The number of a displayed formula, which stands beside it."""
ROOM = re.compile(r"(\\\\)\[[\d.]+(?:ex|em|pt)\]")
"""More room between two lines of a formula: the style sheets leave it to all."""


class Formula(InlineProcessor):
    """One formula, in a line or on its own."""

    def __init__(self, pattern: str, display: str) -> None:
        super().__init__(pattern)
        self.display = display

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[ElementTree.Element, int, int]:
        element = mathml(TAG.sub("", m[1]), self.display)
        if self.display == "block":  # a formula cannot scroll by itself where it is wider than the page
            element, formula = ElementTree.Element("span", {"class": "formula", "tabindex": "0"}), element
            element.append(formula)
            if number := TAG.search(m[1]):
                ElementTree.SubElement(element, "span", {"class": "number"}).text = f"({number[1]})"
        return element, m.start(0), m.end(0)


class Formulas(Extension):
    """Both kinds of formulas, for Python-Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.inlinePatterns.register(Formula(r"\$\$(.+?)\$\$", "block"), "display formula", BEFORE_ESCAPES + 1)
        md.inlinePatterns.register(Formula(r"\$(?!\s)([^$]+?)(?<!\s)\$", "inline"), "formula", BEFORE_ESCAPES)


def mathml(latex: str, display: str) -> ElementTree.Element:
    """The `math` element of a formula, `inline` or `block`. Raises `ValueError` for an unknown command."""
    written = convert(ROOM.sub(r"\1", latex), display=display)
    element = ElementTree.fromstring(re.sub(' xmlns="[^"]*"', "", written))
    for each in element.iter():
        if each.text:
            if each.text.startswith("\\") and len(each.text) > 1:
                raise ValueError(f"{each.text} in {latex} is not a supported LaTeX command")
            each.text = AtomicString(each.text)  # no emphasis inside
    element.set("alttext", " ".join(latex.split()))
    return element


@cache
def _converter() -> Markdown:
    return Markdown(extensions=["fenced_code", "tables", "md_in_html", "sane_lists", Formulas()])


def html(markdown: str) -> str:
    """A text as HTML. Raises `ValueError` for a formula that cannot be set."""
    return _converter().reset().convert(cleandoc(markdown))


def inline(markdown: str) -> str:
    """One paragraph as HTML without its element."""
    return html(markdown).removeprefix("<p>").removesuffix("</p>")
