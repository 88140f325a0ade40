"""Legends: declared entries, and one function that draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import style, words
from teacherstudent.figures.kit.maps import SPOT
from teacherstudent.figures.kit.residuals import BAND, BOUND

OUTSIDE = "outside"
BELOW = f"{OUTSIDE} lower center"

ASIDE = 3.0
"""Room that stays free at the sides of a legend, in sizes of text."""


@dataclass(frozen=True)
class Entry:
    """What is drawn with these properties (by matplotlib's names), and what it means."""

    label: str
    drawn: Mapping[str, Any]
    kind: Literal["line", "bars", "area"] = "line"

    def handle(self) -> Any:
        """What matplotlib makes a legend of."""
        from matplotlib.collections import LineCollection
        from matplotlib.container import ErrorbarContainer
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        if self.kind == "area":
            return Patch(**self.drawn, label=self.label)
        line = Line2D([], [], **self.drawn, label=self.label)
        if self.kind == "line":
            return line
        colour = self.drawn["color"]
        cap = Line2D([], [], color=colour, ms=2 * style.BARS["capsize"])
        bar = LineCollection([], colors=colour, linewidths=style.BARS["elinewidth"])
        return ErrorbarContainer((line, (cap,), (bar,)), has_yerr=True, label=self.label)


def curve(look: style.Look, **line: Any) -> Entry:
    """A curve by its colour and marker."""
    return Entry(look.label, {"color": look.colour, "marker": look.marker, "mfc": "white", "ms": 5, **line})


def theory(label: str, colour: str = style.ANY.colour, **line: Any) -> Entry:
    """A line, solid unless said otherwise."""
    return Entry(label, {"color": colour, **style.THEORY, **line})


def approximation(label: str, colour: str = style.ANY.colour) -> Entry:
    """A dashed line."""
    return Entry(label, {"color": colour, **style.APPROXIMATION})


def markers(label: str, look: style.Look = style.ANY, size: float = 4.5, **marker: Any) -> Entry:
    """Markers alone."""
    return Entry(label, {**style.marked(look, size), **marker})


def simulation(label: str, look: style.Look = style.ANY, size: float = 4.5, **line: Any) -> Entry:
    """Markers with bars."""
    return Entry(label, {**style.marked(look, size), **line}, "bars")


def spot(label: str, marker: str, **more: Any) -> Entry:
    """A simulated spot of a map."""
    return Entry(label, {**SPOT, "marker": marker, **more})


def draws(count: int) -> Entry:
    """Simulated means over that many draws."""
    return simulation(f"simulation: mean of {count} draws ± 1 standard error")


def area(label: str, fc: str, **patch: Any) -> Entry:
    """A shaded area."""
    return Entry(label, {"fc": fc, "ec": fc, **patch}, "area")


def band(provisos: Sequence[str] = ()) -> Entry:
    """The band of every residual panel; its probability is that of the checks.

    provisos: why runs may leave it although the theory holds in its limit, a clause each.
    """
    from teacherstudent.paper_checks.judging.agreement import FALSE_ALARM

    said = f"expected range of residuals ({100 * (1 - FALSE_ALARM):.2f} %)"
    return area(f"{said}; {', '.join(provisos)}" if provisos else said, **BAND)


def bound(label: str) -> Entry:
    """The band of a residual panel without chance, and what bounds it."""
    return area(label, **BOUND)


def fitted(entries: Iterable[Entry], room: float, most: int | None = None) -> tuple[list[Entry], int, int]:
    """The entries with labels no wider than `room` inches, in how many columns they fit, and their lines."""
    size, found = style.text(), list(entries)
    labels = [entry.label for entry in found]
    broken, columns, lines = words.shared_out(labels, size, room, most or len(found))
    fitting = [replace(entry, label=label) for entry, label in zip(found, broken, strict=True)]
    return fitting, columns, lines


def draw(
    place: Canvas | Axes,
    entries: Iterable[Entry],
    columns: int | None = None,
    loc: Any = BELOW,
    **box: Any,
) -> None:
    """A legend of these entries, below all panels unless `loc` says otherwise: nothing is hidden.

    Outside of panels it has as many columns as there is room for, up to `columns`, and makes the picture
    higher.
    """
    if str(loc).startswith(OUTSIDE):
        room = style.width() - ASIDE * style.text() / words.POINTS
        entries, columns, lines = fitted(entries, room, columns)
        if title := box.get("title"):
            box["title"] = words.broken(title, style.text(), room)
            lines += 1 + box["title"].count("\n")
        place.set_figheight(place.get_figheight() + words.tall(lines + 1, style.text()))
    handles = [entry.handle() for entry in entries]
    drawn = place.legend(handles=handles, ncols=columns or 1, loc=loc, **{"frameon": False, **box})
    drawn.get_title().set_multialignment("center")


def _drawn(canvas: Canvas) -> set[tuple[str, str]]:
    """Colour and marker of every point that is drawn; of what is scattered the colour, and "" for all."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_hex

    lines = [line for axes in canvas.axes for line in axes.get_lines() if len(line.get_xdata())]
    points = {(to_hex(line.get_color()), str(line.get_marker())) for line in lines}
    clouds = [each for axes in canvas.axes for each in axes.collections if isinstance(each, PathCollection)]
    return points | {(to_hex(each), "") for cloud in clouds for each in cloud.get_edgecolor()}


def _seen(look: style.Look, drawn: set[tuple[str, str]]) -> Entry:
    """A curve's entry, without a marker that is nowhere on the picture."""
    from matplotlib.colors import to_hex

    colour = to_hex(look.colour)
    return curve(look) if drawn & {(colour, look.marker), (colour, "")} else curve(look, marker="")


def around(
    canvas: Canvas,
    looks: Sequence[style.Look | Entry],
    entries: Iterable[Entry],
    fixed: str = "",
    notes: str = "",
) -> None:
    """Above the panels what is fixed in all of them, and each curve; below what lines, markers and band are.

    `fixed` is a line or more of text, as by `style.fixed`; `notes`, below the panels, say what is peculiar
    to them.
    """
    drawn = _drawn(canvas)
    curves = [_seen(look, drawn) if isinstance(look, style.Look) else look for look in looks]
    if curves or fixed:
        draw(canvas, curves, loc=f"{OUTSIDE} upper center", title=fixed or None)
    draw(canvas, entries, title=notes or None)
