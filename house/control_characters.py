"""Text that somebody else wrote, as it may be shown: what would steer a terminal is seen and does nothing."""

from __future__ import annotations

LONGEST = 4000
"""Characters of a line: enough for the name of every check."""


def escape_control_characters(text: str) -> str:
    """A text whose control characters, escapes and marks of direction are escaped; lines and tabs stay.

    Bytes of a file name that are no text stay too, so that a printed path is the path.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in "\n\t" or "\udc80" <= each <= "\udcff" else _escaped(each)
        for each in text
    )


def in_one_line(text: str) -> str:
    """A text without line breaks and without what would steer a terminal."""
    line = " ".join(text[: 2 * LONGEST].split())[:LONGEST]
    return "".join(each if each.isprintable() else _escaped(each) for each in line)


def _escaped(character: str) -> str:
    return ascii(character)[1:-1]
