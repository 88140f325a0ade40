"""Marks of a picture and their looks: lines for theory, markers for simulation, bands, values of sliders.

Curves are told apart by colour, by lightness and by marker. Every colour of a curve has a
contrast of at least 3:1 on the ground, every colour of text 4.5:1 (WCAG 2 AA); the tests compute both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

INK, MUTED, GRID = "var(--chart-ink, #1f2933)", "var(--chart-muted, #52606d)", "var(--chart-grid, #d9dee4)"
BAND, GROUND = "var(--chart-band, #e4e9ee)", "var(--chart-ground, #fff)"
"""Text, secondary text, grid lines, the band of chance, and the ground. Each is a variable of CSS with its
light value; in dark mode the pages set the variables in `colours.css`."""


@dataclass(frozen=True)
class Look:
    """The look of a curve: its colour and the shape of its markers."""

    colour: str
    marker: str


LOOKS = (
    Look("var(--look-0, #0b3c6f)", "circle"),
    Look("var(--look-1, #c04a00)", "square"),
    Look("var(--look-2, #00806a)", "triangle"),
    Look("var(--look-3, #8e4585)", "diamond"),
    Look("var(--look-4, #3a86c8)", "cross"),
)
"""The looks of the curves of a picture, in the order in which they are listed."""

SIZE = 3.6
"""Half the width of a marker."""
FAR = 1e5
"""No coordinate of a picture is larger: browsers draw paths in single precision."""

CORNER, LONG, LEVEL = 0.5, 500.0, 1e-4
"""A curve has a corner where its turn has a cosine below `CORNER`, and next to chords longer than `LONG`;
a slope below `LEVEL` is none."""

SHAPES = {
    "circle": "a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
    "square": "v-{r}h{d}v{d}h-{d}z",
    "triangle": "m0 {r}l{r} -{d}l{r} {d}z",
    "diamond": "l{r} -{r}l{r} {r}l-{r} {r}z",
    "cross": "m0 -{r}l{d} {d}m0 -{d}l-{d} {d}",
}
"""Paths around a point, from `SIZE` to its left; r is `SIZE` and d twice that."""

Place = Callable[[ArrayLike], np.ndarray]
"""From values on an axis to coordinates in the panel."""


@dataclass(frozen=True)
class Line:
    """Theory: a solid line through x and y (T,), with gaps at NaN; `dashed` for an approximation."""

    x: ArrayLike
    y: ArrayLike
    look: Look
    label: str = ""
    dashed: bool = False
    width: float = 2.0

    def values(self, axis: str) -> np.ndarray:
        """All values along axis `x` or `y`."""
        return np.asarray(getattr(self, axis), dtype=float)

    def svg(self, across: Place, up: Place) -> str:
        """The line in a panel."""
        places = np.stack([np.clip(each, -FAR, FAR) for each in (across(self.x), up(self.y))])
        seen = np.isfinite(places).all(axis=0)
        ends = np.flatnonzero(np.diff(np.concatenate([[False], seen, [False]])))
        strokes = (places[:, first:last] for first, last in ends.reshape(-1, 2))
        return self.stroke("".join(map(curve, strokes)))

    def stroke(self, path: str) -> str:
        """That path in the line's look; `data-label` names it for tests of the page."""
        dashes = ' stroke-dasharray="6 4"' if self.dashed else ""
        return (
            f'<path class="theory" data-label="{escape(self.label)}" d="{path}" fill="none" '
            f'stroke="{self.look.colour}" stroke-width="{self.width:g}"{dashes}/>'
        )


@dataclass(frozen=True)
class Points:
    """Simulation: markers at x and y (T,), each with one standard error up and down (and sideways)."""

    x: ArrayLike
    y: ArrayLike
    look: Look
    label: str = ""
    error: ArrayLike | None = None
    x_error: ArrayLike | None = None

    def values(self, axis: str) -> np.ndarray:
        """All values along axis `x` or `y`, ends of error bars included."""
        values = np.asarray(getattr(self, axis), dtype=float)
        error = self.error if axis == "y" else self.x_error
        return values if error is None else np.concatenate([values - error, values + np.asarray(error)])

    def svg(self, across: Place, up: Place) -> str:
        """Markers and error bars in a panel."""
        x, y = across(self.x), up(self.y)
        seen = np.isfinite(x) & np.isfinite(y)
        bars = ""
        if self.error is not None:
            low, high = (up(np.asarray(self.y) + s * np.asarray(self.error)) for s in (-1, 1))
            ends = zip(x[seen], _shown(low[seen]), _shown(high[seen]), strict=True)
            bars += "".join(f"M{a:.1f} {b:.1f}V{c:.1f}m-3 0h6M{a - 3:.1f} {b:.1f}h6" for a, b, c in ends)
        if self.x_error is not None:
            low, high = (across(np.asarray(self.x) + s * np.asarray(self.x_error)) for s in (-1, 1))
            ends = zip(y[seen], _shown(low[seen]), _shown(high[seen]), strict=True)
            bars += "".join(f"M{b:.1f} {a:.1f}H{c:.1f}m0 -3v6M{b:.1f} {a - 3:.1f}v6" for a, b, c in ends)
        markers = "".join(self.marker(*at) for at in zip(x[seen], y[seen], strict=True))
        return (
            f'<g class="simulation" data-label="{escape(self.label)}" stroke="{self.look.colour}" '
            f'stroke-width="1.4" fill="{GROUND}"><path d="{bars}"/>{markers}</g>'
        )

    def marker(self, x: float, y: float) -> str:
        """One marker, filled as the ground so that a line below stays in sight."""
        shape = SHAPES[self.look.marker].format(r=SIZE, d=2 * SIZE)
        return f'<path d="M{x - SIZE:.1f} {np.clip(y, -FAR, FAR):.1f}{shape}"/>'


@dataclass(frozen=True)
class Band:
    """A horizontal band from `low` to `high` with a line through its middle: deviations due to chance."""

    low: float
    high: float

    def values(self, axis: str) -> np.ndarray:
        """Its two ends along `y`; along `x` it needs no room."""
        return np.array([self.low, self.high] if axis == "y" else [])

    def svg(self, across: Place, up: Place) -> str:
        """The band in a panel, wider than any."""
        high, middle, low = (
            float(np.clip(each, -FAR, FAR)) for each in up([self.high, (self.low + self.high) / 2, self.low])
        )
        return (
            f'<rect x="0" y="{high:.1f}" width="100%" height="{low - high:.1f}" fill="{BAND}"/>'
            f'<path d="M0 {middle:.1f}H{FAR:g}" stroke="{MUTED}" fill="none"/>'
        )


@dataclass(frozen=True)
class Now:
    """The value of a slider: a thin `line` at `x` and, if `y` is given, a dot. It needs no room."""

    x: float
    y: float | None = None
    look: Look | None = None
    line: bool = True

    def values(self, axis: str) -> np.ndarray:
        """None: it lies on other marks."""
        return np.empty(0)

    def svg(self, across: Place, up: Place) -> str:
        """Line and dot in a panel."""
        x = float(across([self.x])[0])
        drawn = f'<path class="now" d="M{x:.1f} {-FAR:g}V{FAR:g}" stroke="{MUTED}"/>' if self.line else ""
        if self.y is None or not np.isfinite(y := float(up([self.y])[0])):
            return drawn
        colour = self.look.colour if self.look else MUTED
        return f'{drawn}<circle class="now" cx="{x:.1f}" cy="{y:.1f}" r="{SIZE + 1:g}" fill="{colour}"/>'


def curve(places: np.ndarray) -> str:
    """The path of a smooth curve through points (2, T).

    Its segments are cubic. Tangents are those of parabolas through three points, by length along the chords.
    A coordinate that stays the same on one side of a point has no slope there.
    """
    moves = np.diff(places)
    length = np.hypot(*moves)
    chord = moves / np.where(length, length, 1.0)
    path = "M{:.2f} {:.2f}".format(*places[:, 0])
    if length.size < 2:
        return path + "".join(map("L{:.2f} {:.2f}".format, *places[:, 1:].tolist()))
    before, after = chord[:, :-1], chord[:, 1:]
    weighted = length[1:] * before + length[:-1] * after
    middle = weighted / np.maximum(length[1:] + length[:-1], np.finfo(float).tiny)
    middle[np.minimum(np.abs(before), np.abs(after)) < LEVEL] = 0
    corner = (np.sum(before * after, axis=0) < CORNER) | (np.maximum(length[1:], length[:-1]) > LONG)
    tangent = np.pad(middle, ((0, 0), (1, 1)))
    sharp = np.pad(corner, 1, constant_values=True)

    def side(here: slice, there: slice) -> np.ndarray:
        """The tangents at one end of each segment; at a corner that of a parabola, or the chord's."""
        alone = np.clip(2 * chord - tangent[:, there], np.minimum(0, 3 * chord), np.maximum(0, 3 * chord))
        alone = np.where(sharp[there], chord, alone)
        return np.where(sharp[here], alone, tangent[:, here])

    start, end = slice(None, -1), slice(1, None)
    near, far = length / 3 * side(start, end), length / 3 * side(end, start)
    points = np.concatenate([places[:, :-1] + near, places[:, 1:] - far, places[:, 1:]])
    return path + "".join(map("C{:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f}".format, *points.tolist()))


def _shown(ends: np.ndarray) -> np.ndarray:
    """Ends of error bars; one without a place (0 or less on a logarithmic axis) leaves the panel."""
    return np.clip(np.nan_to_num(ends, nan=FAR), -FAR, FAR)


Mark: TypeAlias = Line | Points | Band | Now
