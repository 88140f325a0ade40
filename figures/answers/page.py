"""The page around the panels: a title and legends above them, what was asked in small type below.

Texts are measured before the page is laid out, so that nothing overlaps and nothing is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Canvas
from teacherstudent.figures.kit import legends, style, words

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

TITLE = 1.25
"""Size of the title, in sizes of the other type."""

SLACK = 0.4
"""Lines by which a legend is higher than its lines of text."""

MARGIN = 0.12
"""Inches that stay free at each edge."""


def laid(
    canvas: Canvas,
    title: str,
    families: Sequence[Sequence[legends.Entry]],
    notes: Sequence[Sequence[str]],
    height: float,
) -> SubFigure:
    """Lay out a page on an empty canvas; returns the part for the panels, of that height on paper.

    families: a legend each, one below the other. notes: paragraphs of phrases.
    """
    width, size = style.width(), style.text()
    inner = width - 2 * MARGIN
    heading = words.wrapped([title], TITLE * size, inner)
    blocks = [legends.fitted(entries, inner) for entries in families if entries]
    lines = [line for phrases in notes for line in words.wrapped(phrases, size, inner)]
    above = MARGIN + words.tall(len(heading), TITLE * size)
    for _, _, rows in blocks:
        above += words.tall(rows + SLACK, size) + MARGIN
    below = MARGIN + words.tall(len(lines), size)
    style.size(canvas, height)
    middle_height = canvas.get_figheight()
    canvas.set_figheight(above + middle_height + below)
    parts: Any = canvas.subfigures(3, 1, height_ratios=[above, middle_height, below], hspace=0)
    top, middle, bottom = parts
    _write(top, heading, TITLE * size, 1 - MARGIN / above, above, "black")
    reached = MARGIN + words.tall(len(heading), TITLE * size)
    for entries, columns, rows in blocks:
        place = {"bbox_to_anchor": (0.5, 1 - reached / above), "borderaxespad": 0.0}
        spaces = {"borderpad": 0.2, "labelspacing": words.LEADING - 1, "columnspacing": words.COLUMN_GAP}
        legends.draw(top, entries, columns, "upper center", **place, **spaces)
        reached += words.tall(rows + SLACK, size) + MARGIN
    _write(bottom, lines, size, 1.0, below, "0.25")
    return middle


def _write(place: SubFigure, lines: Sequence[str], size: float, top: float, tall: float, colour: str) -> None:
    """Lines of text from an upper edge on, as a fraction of a part that is `tall` inches high."""
    for i, line in enumerate(lines):
        under = top - words.tall(i, size) / tall
        left = MARGIN / style.width()
        place.text(left, under, line, fontsize=size, va="top", ha="left", color=colour)
