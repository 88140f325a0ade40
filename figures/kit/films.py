"""What films share: a still picture, and time that passes over it.

A film draws its last frame with the tools of every still picture. `unveiled` then turns what has
times, point by point, into `Reveal`s, and `played` lets time pass. Nothing is interpolated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Numbers
from teacherstudent.figures.kit import style

if TYPE_CHECKING:
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D


Reveal = Callable[[float], None]
"""Called with a time, it shows what has happened by then, and hides the rest."""


def still(film: Callable[[Canvas, Numbers], Iterator[None]]) -> Callable[[Canvas, Numbers], None]:
    """The drawing of a film's last frame."""

    def draw(canvas: Canvas, numbers: Numbers) -> None:
        for _ in film(canvas, numbers):
            pass

    return draw


def played(reveals: Iterable[Reveal], times: Iterable[float]) -> Iterator[None]:
    """A frame for each time."""
    shown = list(reveals)
    for time in times:
        for reveal in shown:
            reveal(time)
        yield


def unveiled(axes: Axes, theory: np.ndarray, simulation: np.ndarray) -> list[Reveal]:
    """Every curve, marker and error bar of a panel, from its time on.

    Their number of points tells them apart: a line of theory has one for each of its times, and gets a
    full dot at its head; what is simulated has one for each of its own.
    """
    reveals = [
        reveal
        for line in list(axes.lines)
        if len(line.get_xdata()) == len(theory)
        for reveal in (_line(line, theory), _head(axes, line, theory))
    ]
    reveals += [_line(line, simulation) for line in axes.lines if len(line.get_xdata()) == len(simulation)]
    bars = [lines for lines in axes.collections if hasattr(lines, "get_segments")]
    return reveals + [
        _bars(lines, simulation) for lines in bars if len(lines.get_segments()) == len(simulation)
    ]


def _line(line: Line2D, times: np.ndarray) -> Reveal:
    x, y = line.get_data()
    line.set_animated(True)
    return lambda now: line.set_data(x[times <= now], y[times <= now])


def _head(axes: Axes, line: Line2D, times: np.ndarray) -> Reveal:
    x, y = line.get_data()
    (head,) = axes.plot([], [], ls="none", marker="o", ms=7, color=line.get_color(), zorder=4, animated=True)

    def lead(now: float) -> None:
        last = int((times <= now).sum()) - 1
        head.set_data(x[last : last + 1], y[last : last + 1])

    return lead


def _bars(bars: LineCollection, times: np.ndarray) -> Reveal:
    segments = bars.get_segments()
    bars.set_animated(True)
    return lambda now: bars.set_segments(segments[: int((times <= now).sum())])


def clock(axes: Axes, time: xr.DataArray, form: str, corner: tuple[float, float]) -> Reveal:
    """The time in that format; `corner` is its lower left, in fractions of the panel."""
    box = {"fc": "white", "ec": "none"}
    label = axes.text(*corner, "", transform=axes.transAxes, animated=True, bbox=box, zorder=5)
    name, unit = style.mathematics(time.attrs["symbol"]), style.unit(time.attrs["units"])
    return lambda now: label.set_text(f"{name} = {now:{form}} {unit}")
