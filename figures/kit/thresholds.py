"""Dotted lines at numbers where something changes, with their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from teacherstudent.figures.declaration import Axes

LOOK: dict[str, Any] = {"color": "0.4", "lw": 0.9, "ls": (0, (1, 2))}
"""The line of a threshold."""


def draw(axes: Iterable[Axes], places: Mapping[float, str], height: float = 0.02) -> None:
    """Dotted lines at thresholds, with their words at that share of the first panel's height."""
    for i, panel in enumerate(axes):
        for place, words in places.items():
            panel.axvline(place, zorder=0, **LOOK)
            if i == 0:
                panel.annotate(
                    words,
                    (place, height),
                    (3, 2 if height < 0.5 else -2),
                    xycoords=panel.get_xaxis_transform(),
                    textcoords="offset points",
                    color="0.3",
                    va="bottom" if height < 0.5 else "top",
                )
