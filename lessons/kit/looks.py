"""Colours and markers of the lessons' pictures.

Curves are told apart by colour, by lightness and by marker. Every colour of a curve has a
contrast of at least 3:1 on white, every colour of text 4.5:1 (WCAG 2 AA); the tests compute both.
"""

from __future__ import annotations

from dataclasses import dataclass

INK, MUTED, GRID, BAND = "#1f2933", "#52606d", "#d9dee4", "#e4e9ee"
"""Text, secondary text, grid lines, and the band of chance."""


@dataclass(frozen=True)
class Look:
    """The look of a curve: its colour and the shape of its markers."""

    colour: str
    marker: str


LOOKS = (
    Look("#0b3c6f", "circle"),
    Look("#c04a00", "square"),
    Look("#00806a", "triangle"),
    Look("#8e4585", "diamond"),
    Look("#3a86c8", "cross"),
)
"""The looks of the curves of a picture, in the order in which they are listed."""
