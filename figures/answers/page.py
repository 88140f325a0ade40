"""The page around the panels: a title and legends above them, what was asked in small type below.

Texts are measured before the page is laid out, so that nothing overlaps and nothing is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Canvas
from teacherstudent.figures.kit import legends

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

TITLE, LEGEND, NOTE = 12.0, 9.0, 7.5
"""Sizes of type, in points."""

LEADING = 1.35
"""From line to line, in sizes of type."""

MARGIN = 0.12
"""Inches that stay free at each edge."""

HANDLE, COLUMN_GAP = 4.5, 1.5
"""Width of a legend's sample with its gaps, and of the gap between columns, in sizes of type."""

GAP = "  ·  "
"""Between phrases."""

POINTS = 72.0
"""To an inch."""


class Ruler:
    """Measures text as it will be drawn, in inches."""

    def __init__(self) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._paper = FigureCanvasAgg(Figure(dpi=POINTS))
        self._text = self._paper.figure.text(0, 0, "")

    def width(self, text: str, size: float) -> float:
        self._text.set_text(text)
        self._text.set_fontsize(size)
        return self._text.get_window_extent(self._paper.get_renderer()).width / POINTS


def wrapped(phrases: Iterable[str], size: float, width: float, ruler: Ruler, gap: str = GAP) -> list[str]:
    """Lines no wider than `width` inches; a phrase is broken only where it is wider than that itself."""
    lines: list[str] = []
    reached, between = 0.0, ruler.width(f"|{gap}|", size) - ruler.width("||", size)
    for phrase in phrases:
        own = ruler.width(phrase, size)  # mathematics is costly to measure: each phrase once
        if lines and reached + between + own <= width:
            lines[-1] += f"{gap}{phrase}"
            reached += between + own
        elif own <= width or " " not in phrase:
            lines.append(phrase)
            reached = own
        else:
            lines += wrapped(_words(phrase), size, width, ruler, " ")
            reached = ruler.width(lines[-1], size)
    return lines


def _words(phrase: str) -> list[str]:
    """Its words; what stands between dollars is one."""
    words: list[str] = []
    for word in phrase.split(" "):
        if words and words[-1].count("$") % 2:
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def laid(
    canvas: Canvas,
    title: str,
    families: Sequence[Sequence[legends.Entry]],
    notes: Sequence[Sequence[str]],
    width: float,
    height: float,
) -> SubFigure:
    """Lay out a page on an empty canvas; returns the part for the panels, of that size in inches.

    families: a legend each, one below the other. notes: paragraphs of phrases.
    """
    ruler = Ruler()
    inner = width - 2 * MARGIN
    heading = wrapped([title], TITLE, inner, ruler)
    fitted = [_fitted(entries, inner, ruler) for entries in families if entries]
    blocks = [(entries, *_columns(entries, inner, ruler)) for entries in fitted]
    lines = [line for phrases in notes for line in wrapped(phrases, NOTE, inner, ruler)]
    above = MARGIN + _tall(len(heading), TITLE) + sum(_tall(rows, LEGEND) + MARGIN for _, _, rows in blocks)
    below = MARGIN + _tall(len(lines), NOTE)
    canvas.set_size_inches(width, above + height + below)
    canvas.set_layout_engine("constrained")
    parts: Any = canvas.subfigures(3, 1, height_ratios=[above, height, below], hspace=0)
    top, middle, bottom = parts
    _write(top, heading, TITLE, 1 - MARGIN / above, MARGIN / width, above)
    reached = MARGIN + _tall(len(heading), TITLE)
    for entries, columns, rows in blocks:
        place = {"bbox_to_anchor": (0.5, 1 - reached / above), "borderaxespad": 0.0}
        spaces = {"borderpad": 0.2, "labelspacing": LEADING - 1, "columnspacing": COLUMN_GAP}
        legends.draw(top, entries, columns, "upper center", fontsize=LEGEND, **place, **spaces)
        reached += _tall(rows, LEGEND) + MARGIN
    _write(bottom, lines, NOTE, 1.0, MARGIN / width, below)
    return middle


def _tall(lines: int, size: float) -> float:
    """Inches that lines of that type take."""
    return lines * size * LEADING / POINTS


def _write(place: SubFigure, lines: Sequence[str], size: float, top: float, left: float, tall: float) -> None:
    """Lines of text from an upper left corner on, in fractions of a part that is `tall` inches high."""
    for i, line in enumerate(lines):
        under = top - _tall(i, size) / tall
        colour = "black" if size == TITLE else "0.25"
        place.text(left, under, line, fontsize=size, va="top", ha="left", color=colour)


def _fitted(entries: Sequence[legends.Entry], width: float, ruler: Ruler) -> list[legends.Entry]:
    """The entries, their labels broken where they are wider than that."""
    room = width - HANDLE * LEGEND / POINTS
    labels = ["\n".join(wrapped([entry.label], LEGEND, room, ruler)) for entry in entries]
    return [replace(entry, label=label) for entry, label in zip(entries, labels, strict=True)]


def _columns(entries: Sequence[legends.Entry], width: float, ruler: Ruler) -> tuple[int, int]:
    """The most columns in which a legend is no wider than that, and its lines of text."""
    em = LEGEND / POINTS
    lengths = [ruler.width(entry.label, LEGEND) + HANDLE * em for entry in entries]
    for columns in range(len(entries), 1, -1):
        least, more = divmod(len(entries), columns)  # as matplotlib shares them out
        counts = [least + (i < more) for i in range(columns)]
        ends = [*accumulate(counts)]
        widest = [max(lengths[end - count : end]) for count, end in zip(counts, ends, strict=True)]
        if sum(widest) + COLUMN_GAP * em * (columns - 1) <= width:
            return columns, counts[0]
    return 1, sum(1 + entry.label.count("\n") for entry in entries)
