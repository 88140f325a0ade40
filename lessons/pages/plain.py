"""Pictures as plain data, as the scripts of pages hold them (`scripts/page/charts.js`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from teacherstudent.lessons.kit.axes import Axis
from teacherstudent.lessons.kit.charts import Panel
from teacherstudent.lessons.kit.marks import LOOKS, Band, Line, Look, Mark, Now, Points
from teacherstudent.lessons.kit.pictures import Picture

DIGITS = 6
"""Of what is drawn beforehand: finer than any screen."""


def picture(made: Picture) -> dict[str, Any]:
    """A picture with all its panels."""
    return {"panels": [panel(each) for each in made.panels], "alt": made.alt, "caption": made.caption}


def panel(made: Panel) -> dict[str, Any]:
    """A panel with all its marks."""
    axes = {"x": axis(made.x), "y": axis(made.y)}
    return axes | {"height": made.height, "marks": [mark(each) for each in made.marks]}


def axis(made: Axis) -> dict[str, Any]:
    """An axis."""
    return {"label": made.label, "scale": made.scale, "low": number(made.low), "high": number(made.high)}


def mark(made: Mark) -> dict[str, Any]:
    """A mark, its look by its place among `LOOKS`, or spelled out."""
    if isinstance(made, Band):
        return {"kind": "band", "low": number(made.low), "high": number(made.high)}
    if isinstance(made, Now):
        at = {"x": number(made.x), "y": number(made.y), "line": made.line}
        return {"kind": "now", "look": look(made.look)} | at
    kind = "line" if isinstance(made, Line) else "points"
    plain = {"kind": kind, "x": numbers(made.x), "y": numbers(made.y), "look": look(made.look)}
    plain |= {"label": made.label}
    if isinstance(made, Line):
        return plain | {"dashed": made.dashed, "width": made.width}
    assert isinstance(made, Points)
    return plain | {"error": numbers(made.error), "x_error": numbers(made.x_error)}


def look(made: Look | None) -> int | dict[str, str] | None:
    """A look."""
    if made is None:
        return None
    return LOOKS.index(made) if made in LOOKS else {"colour": made.colour, "marker": made.marker}


def numbers(values: Any) -> list[float | None] | None:
    """Values of one row; what is not finite is None."""
    if values is None:
        return None
    return [
        number(each) for each in np.broadcast_to(np.asarray(values, dtype=float), np.shape(values)).ravel()
    ]


def number(value: Any) -> float | None:
    """A finite number, or None."""
    if value is None:
        return None
    plain = float(value)
    return plain if math.isfinite(plain) else None


def short(plain: Any) -> Any:
    """The same with `DIGITS` digits."""
    if isinstance(plain, dict):
        return {name: short(each) for name, each in plain.items()}
    if isinstance(plain, list):
        return [short(each) for each in plain]
    return float(f"{plain:.{DIGITS}g}") if isinstance(plain, float) else plain
