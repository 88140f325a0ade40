"""Texts measured before they are drawn, and broken into lines where they are wider than their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.text import Text

LEADING = 1.35
"""From line to line, in sizes of type."""

HANDLE, COLUMN_GAP = 4.5, 1.5
"""Width of a legend's sample with its gaps, and of the gap between columns, in sizes of type."""

GAP = "  ·  "
"""Between phrases."""

POINTS = 72.0
"""To an inch."""


HINTED = 1.03
"""How much wider letters are at most where they are drawn small and fitted to dots."""


@cache
def _paper() -> tuple[Any, Text]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    paper = FigureCanvasAgg(Figure(dpi=POINTS))
    return paper.get_renderer(), paper.figure.text(0, 0, "")


@cache
def _width(text: str) -> float:
    """Width in inches at a size of 100 points, at which rounding to whole dots is small."""
    renderer, drawn = _paper()
    drawn.set_text(text)
    drawn.set_fontsize(100)
    return float(drawn.get_window_extent(renderer).width) / POINTS


def width(text: str, size: float) -> float:
    """The width of a text in inches, at a size in points."""
    return HINTED * max(map(_width, text.split("\n"))) * size / 100


def tall(lines: int, size: float) -> float:
    """Inches that lines of that type take."""
    return lines * size * LEADING / POINTS


def wrapped(phrases: Iterable[str], size: float, room: float, gap: str = GAP) -> list[str]:
    """Lines no wider than `room` inches; a phrase is broken only where it is wider than that itself."""
    lines: list[str] = []
    reached, between = 0.0, width(f"|{gap}|", size) - width("||", size)
    for phrase in phrases:
        own = width(phrase, size)  # mathematics is costly to measure: each phrase once
        if lines and reached + between + own <= room:
            lines[-1] += f"{gap}{phrase}"
            reached += between + own
        elif own <= room or len(parts := _words(phrase)) < 2:
            lines.append(phrase)
            reached = own
        else:
            lines += wrapped(parts, size, room, " ")
            reached = width(lines[-1], size)
    return lines


def broken(text: str, size: float, room: float) -> str:
    """The same text, its lines broken between words where they are wider than `room` inches."""
    return "\n".join(line for each in text.split("\n") for line in wrapped([each], size, room) or [""])


def _words(phrase: str) -> list[str]:
    """Its words; what stands between dollars is one."""
    words: list[str] = []
    for word in phrase.split(" "):
        if words and words[-1].count("$") % 2:
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def shared_out(labels: Sequence[str], size: float, room: float, most: int) -> tuple[list[str], int, int]:
    """The labels of a legend in as few lines as there is room for, in how many columns, and the lines.

    most: the most columns.
    """
    em = size / POINTS
    found = []
    for count in range(1, max(min(len(labels), most), 1) + 1):
        inner = (room - COLUMN_GAP * em * (count - 1)) / count - HANDLE * em
        fitting = [broken(label, size, inner) for label in labels] if count < MOST_BROKEN else list(labels)
        least, more = divmod(len(labels), count)  # as matplotlib shares them out
        ends = [0, *accumulate(least + (i < more) for i in range(count))]
        parts = [fitting[low:high] for low, high in pairwise(ends)]
        widest = sum(max(width(label, size) + HANDLE * em for label in part) for part in parts if part)
        if widest + COLUMN_GAP * em * (count - 1) <= room:
            lines = max(sum(1 + label.count("\n") for label in part) for part in parts)
            found.append((lines, -count, fitting))
    lines, count, fitting = min(found)
    return fitting, -count, lines


MOST_BROKEN = 4
"""With this many columns, labels are not broken."""
