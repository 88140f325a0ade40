"""A map as a picture: regions with their boundaries, or values with level lines, and all that was fixed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.kit import legends, regions, style

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure as Canvas

LEGEND, SMALL = 84, 120
"""Letters of a legend's type, and of small type, on a line of the page."""


def draw(canvas: Canvas, answer: xr.Dataset) -> None:
    """The map on the canvas, with a legend of shades, lines and marks below it."""
    style.size(canvas, 7.2, 6.6)
    axes = canvas.add_subplot()
    entries = regions.regions(axes, answer) if "label" in answer else regions.values(axes, answer)
    entries += regions.lines(axes, answer) + regions.specials(axes, answer) + regions.spots(axes, answer)
    regions.frame(axes, answer)
    axes.set_title(title(answer), fontsize="medium")
    canvas.supxlabel(fill(fixed(answer), SMALL), fontsize="x-small", color="0.35")
    if entries:
        legends.draw(canvas, entries, columns(entries), "outside upper center")


def columns(entries: Sequence[legends.Entry]) -> int:
    """Columns of a legend that are no wider than the page."""
    longest = max(len(entry.label) for entry in entries)
    return max(1, min(3, len(entries), LEGEND // (longest + 6)))


def title(answer: xr.Dataset) -> str:
    """What is mapped, of what, by what."""
    attrs = answer.attrs
    by = attrs["curve"] or f"{attrs['dynamics']}, {attrs['route']}"
    shown = answer["label"] if "label" in answer else answer["value"]
    when = f" at time {attrs['time']:g}" if attrs["route"] else ""
    mark = ", approximate" if attrs["approximate"] else ""
    return f"{shown.attrs['long_name'].split(',')[0]}{when}\n{attrs['problem']} ({by}{mark})"


def fixed(answer: xr.Dataset) -> str:
    """The values of all parameters that are no axes."""
    values: dict[str, Any] = {**json.loads(answer.attrs["fixed"]), **json.loads(answer.attrs["options"])}
    return "fixed: " + ", ".join(f"{name} = {_short(value)}" for name, value in values.items())


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
