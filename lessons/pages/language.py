"""Pages in another language: every string of a page, found in its HTML, and replaced from one catalogue.

A string is what is written between two tags that break lines, such as `<p>` and `</p>`, or in a label for
screen readers. Its pattern has a place `{0}`, `{1}` for each tag, formula, piece of code and number, so that
one entry of the catalogue serves all numbers. A translation has the same places in any order, and no markup,
so a catalogue cannot bring scripts or links into a page. `scripts/page/language.js` does the same in a page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from teacherstudent.api.catalogue import PLACE

SKIPPED = re.compile(r"(<(script|style|pre)\b.*?</\2>|<!--.*?-->)", re.DOTALL)
"""What is never translated."""
STASHED = re.compile(r"<(math|code)\b.*?</\1>", re.DOTALL)
"""What has tags inside, and is taken out of the page while its strings are found."""
STASH = re.compile(r"\ue000(\d+)\ue001")
INLINE = "a|b|br|em|i|kbd|span|strong|sub|sup|tspan"
KEPT = re.compile(
    rf"\ue000\d+\ue001|</?(?:{INLINE})\b[^>]*>|(?<![\w.])[-−]?\d+(?:\.\d+)?(?:e[-+−]?\d+)?", re.DOTALL
)
"""What a pattern has a place for."""
AROUND = re.compile(rf"((?:\s|<(?:{INLINE})\b[^>]*>)+)(.*?)((?:\s|</(?:{INLINE})>)+)", re.DOTALL)
"""Tags around a whole string, which are not part of it."""
BETWEEN = re.compile(rf"(<(?!/?(?:{INLINE})\b)[^>]*>)", re.DOTALL)
"""A tag that breaks lines."""
LABEL = re.compile(r'((?:aria-label|aria-valuetext|title|alt|placeholder)=")([^"]*)(")')
WORDS = re.compile(r"[^\W\d_]{2}")
"""A string without two letters in a row is a formula or a sign."""
Say = Callable[[str], str]
"""From the pattern of a string to its translation."""


def pattern(text: str) -> tuple[str, list[str]]:
    """A string with numbered places for what stays as it is, and what stays."""
    kept: list[str] = []

    def place(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"{{{len(kept) - 1}}}"

    made = KEPT.sub(place, text.replace("{", "&#123;").replace("}", "&#125;"))
    return " ".join(html.unescape(made).split()), kept


def translated(page: str, say: Say) -> str:
    """A page, or a part of one, with each of its strings given to `say`."""
    parts = SKIPPED.split(page)  # what is between, what is skipped, and the name of its tag, in turn
    return "".join(
        _body(each, say) if i % 3 == 0 else each if i % 3 == 1 else "" for i, each in enumerate(parts)
    )


def _body(page: str, say: Say) -> str:
    stash: list[str] = []

    def put(found: re.Match[str]) -> str:
        stash.append(found[0])
        return f"\ue000{len(stash) - 1}\ue001"

    pieces = BETWEEN.split(STASHED.sub(put, page))
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = LABEL.sub(lambda found: found[1] + _said(found[2], say) + found[3], piece)
        elif WORDS.search(KEPT.sub("", piece)):
            around = AROUND.fullmatch(f"\n{piece}\n")
            assert around
            pieces[i] = around[1][1:] + _said(around[2], say) + around[3][:-1]
    return STASH.sub(lambda found: stash[int(found[1])], "".join(pieces))


def _said(text: str, say: Say) -> str:
    asked, kept = pattern(text)
    if not WORDS.search(asked):
        return text
    given = say(asked)
    if given == asked:
        return text
    return PLACE.sub(lambda found: kept[int(found[1])], html.escape(given, quote=True))


def strings(page: str) -> list[str]:
    """The patterns of all strings of a page, each once."""
    found: dict[str, None] = {}

    def note(asked: str) -> str:
        found[asked] = None
        return asked

    translated(page, note)
    return list(found)
