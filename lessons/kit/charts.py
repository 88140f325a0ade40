"""Pictures as SVG, drawn faster than by matplotlib, with text as text: panels on one horizontal axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from teacherstudent.lessons.kit.axes import Axis, markup
from teacherstudent.lessons.kit.marks import GRID, GROUND, INK, MUTED, Line, Mark, Points

WIDTH, LEFT, RIGHT = 400.0, 48.0, 12.0
TITLE, BELOW, TICKED = 28.0, 10.0, 48.0
"""Room above a panel for its label and the upper half of a tick's at its very top, below one, and below the
last one for ticks and label."""
EDGE = 5.0
TALL = 120.0
"""Least height of a panel with room for all its ticks."""
STYLE = (
    "display:block;width:100%;max-width:30rem;height:auto;"
    "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
)


@dataclass(frozen=True)
class Panel:
    """Marks on two axes, drawn in their order; the whole picture is `WIDTH` wide, in units of `height`."""

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    height: float = 210.0

    def with_marks(self, *marks: Mark) -> Panel:
        """The panel with more marks, drawn over the others."""
        return replace(self, marks=(*self.marks, *marks))


def svg(panels: Sequence[Panel], alt: str) -> str:
    """The picture; panels share the horizontal axis, labelled below the last one. `alt` describes it."""
    ends = panels[0].x.ends(_values([mark for panel in panels for mark in panel.marks], "x"))
    top, drawn = 0.0, []
    for panel in panels:
        last = panel is panels[-1]
        drawn.append(f'<g transform="translate({LEFT:g},{top + TITLE:g})">{_panel(panel, ends, last)}</g>')
        top += TITLE + panel.height + (TICKED if last else BELOW)
    return (
        f'<svg class="picture" role="img" aria-label="{escape(alt)}" viewBox="0 0 {WIDTH:g} {top:g}" '
        f'style="{escape(STYLE)}" font-size="14" fill="{INK}">{"".join(drawn)}</svg>'
    )


def sample(mark: Line | Points) -> str:
    """A small picture of a mark, for a legend."""
    if isinstance(mark, Line):
        inside = mark.stroke("M0 7H26")
    else:
        inside = f'<g stroke="{mark.look.colour}" stroke-width="1.4" fill="{GROUND}">{mark.marker(13, 7)}</g>'
    return f'<svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true">{inside}</svg>'


def _values(marks: Sequence[Mark], axis: str) -> np.ndarray:
    return np.concatenate([np.empty(0), *(mark.values(axis) for mark in marks)])


def _panel(panel: Panel, x_ends: tuple[float, float], last: bool) -> str:
    """A panel with its upper left corner at 0, its label above it."""
    width, height = WIDTH - LEFT - RIGHT, panel.height
    y_ends = panel.y.ends(_values(panel.marks, "y"), room=max(0.04, EDGE / height))  # whole markers

    def across(values: ArrayLike) -> np.ndarray:
        return width * _share(panel.x, values, x_ends)

    def up(values: ArrayLike) -> np.ndarray:
        return height * (1 - _share(panel.y, values, y_ends))

    rows = [(float(up([at])[0]), label) for at, label in panel.y.ticks(*y_ends, 6 if height > TALL else 3)]
    columns = [(float(across([at])[0]), label) for at, label in panel.x.ticks(*x_ends)]
    grid = "".join(f"M0 {y:.1f}h{width:g}" for y, _ in rows)
    grid += "".join(f"M{x:.1f} 0v{height:g}" for x, _ in columns)
    texts = [_text(1 - LEFT, -15, panel.y.label, "start")]
    texts += [_text(-6, y + 4.5, label, "end") for y, label in rows]
    if last:
        texts += [_text(x, height + 18, label) for x, label in columns]
        texts.append(_text(width / 2, height + 38, panel.x.label))
    marks = "".join(mark.svg(across, up) for mark in panel.marks)
    return (
        f'<path d="{grid}" stroke="{GRID}" fill="none"/>'
        f'<path d="M0 0V{height:g}H{width:g}" stroke="{MUTED}" fill="none"/>'
        # An inner picture clips what leaves the panel, without an id that must be unique on the page;
        # it is wider than the panel by a marker, so that the first and the last are whole.
        f'<svg x="{-EDGE:g}" width="{width + 2 * EDGE:g}" height="{height:g}" overflow="hidden">'
        f'<g transform="translate({EDGE:g})">{marks}</g></svg>{"".join(texts)}'
    )


def _share(axis: Axis, values: ArrayLike, ends: tuple[float, float]) -> np.ndarray:
    """Relative position of each value along the axis, 0 at its low end and 1 at its high end."""
    return (axis.place(np.asarray(values, dtype=float)) - ends[0]) / (ends[1] - ends[0])


def _text(x: float, y: float, label: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{markup(label)}</text>'
