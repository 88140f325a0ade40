"""Axes that suit what stands along them: logarithmic where the numbers are spaced so, words in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes
from teacherstudent.figures.kit import style

if TYPE_CHECKING:
    from matplotlib.axis import Axis

SMALL = 0.01
"""Share of the largest value below which a linear axis shows nothing of a value."""

WIDE = 30.0
"""Ratio of the ends beyond which uneven places along an axis are spaced logarithmically."""

FLAT = 0.01
"""Share of the largest value: what changes less is drawn as nearly constant."""

HALF = 0.5
"""Of a count: room around the least and the largest."""


def spaced(places: np.ndarray) -> str:
    """`log`, `symlog` (from 0 on), or `linear`: how places along an axis are spaced."""
    if places.size < 2 or places[0] < 0:
        return "linear"
    positive = places[places > 0]
    steps = np.diff(places)
    even = steps.max() <= 2 * steps.min()  # whole steps are rounded
    if even or positive.size < 2 or positive[-1] < WIDE * positive[0]:
        return "linear"
    return "log" if places[0] > 0 else "symlog"


def along(axes: Axes, values: xr.DataArray) -> np.ndarray:
    """Prepare the horizontal axis for a coordinate; returns the places of its values."""
    return _prepared(axes.xaxis, axes.set_xscale, values)


def upwards(axes: Axes, values: xr.DataArray) -> np.ndarray:
    """The same for the vertical axis."""
    return _prepared(axes.yaxis, axes.set_yscale, values)


def _prepared(axis: Axis, set_scale: Callable[..., Any], values: xr.DataArray) -> np.ndarray:
    if values.dtype.kind not in "iuf":
        places = np.arange(values.size)
        axis.set_ticks(places, [str(each) for each in values.values])
        return places
    places = values.values.astype(float)
    spacing = spaced(places)
    if spacing != "linear":
        more = {"linthresh": places[places > 0][0]} if spacing == "symlog" else {}
        set_scale(spacing, **more)
        if spacing == "log" and places[-1] < style.MANY * places[0]:
            style.digits(axis, places[0], places[-1])
    return places


def over_decades(curves: Iterable[np.ndarray]) -> bool:
    """Whether positive values are so small, most of them, that only a logarithm shows them.

    Where only the ends of curves are small, a linear axis shows their bumps better.
    """
    values = np.concatenate([np.ravel(each) for each in curves])
    values = values[np.isfinite(values)]
    return bool(values.size and values.min() > 0 and np.median(values) < SMALL * values.max())


def unoffset(axes: Axes) -> None:
    """Let a linear vertical axis show numbers as they are, and a constant as one."""
    axes.ticklabel_format(axis="y", useOffset=False)
    low, high = axes.get_ylim()
    if high - low < FLAT * max(abs(low), abs(high)):
        axes.set_ylim(low - 0.1 * abs(low), high + 0.1 * abs(high))


def whole(axes: Axes) -> None:
    """Let a vertical axis show counts: ticks at whole numbers only, and room around them."""
    from matplotlib.ticker import MaxNLocator

    low, high = axes.get_ylim()
    axes.set_ylim(low - HALF, high + HALF)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def label(values: xr.DataArray) -> str:
    """What stands along an axis, with symbol and unit."""
    if values.dtype.kind not in "biuf" and values.name:
        return str(values.name).replace("_", " ")  # what it means lists its words
    if not values.attrs.get("symbol"):
        return style.heading(str(values.attrs.get("long_name", values.name)))
    return style.axis_label(values)
