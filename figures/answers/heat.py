"""A number over a plane of two swept parameters, as shades: one panel for each route."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.answers.aspect import DESCENTS, Aspect, recorded, taken
from teacherstudent.figures.answers.families import Panel, panels
from teacherstudent.figures.answers.roles import roles_of
from teacherstudent.figures.declaration import Canvas
from teacherstudent.figures.kit import legends

HEIGHT = 2.9
"""Inches of a panel."""

UNKNOWN = "0.8"
"""Where there is no number."""

FLOOR = 1e-12
"""Share of the largest value below which logarithmic shades do not go: what is smaller is nothing."""

MOST_COUNTS = 9
"""Whole numbers that have a shade each."""


def draw(canvas: Canvas, answer: xr.Dataset, aspect: Aspect, x: str, y: str) -> None:
    """Draw that aspect over the swept parameters `x` and `y` on an empty canvas."""
    plane = taken(answer, aspect)
    values = plane[aspect.observable]
    shown = [
        (panel, route)
        for panel in panels(plane, [aspect.observable], x, y)
        for route in (plane["route"].values.tolist() if "route" in values.dims else [None])
    ]
    columns = min(2, len(shown))
    rows = -(-len(shown) // columns)
    lost = bool(values.isnull().any())
    place = page.laid(
        canvas,
        question.title(answer),
        [[legends.area("no certain answer", UNKNOWN)] if lost else []],
        _notes(answer, plane, aspect),
        HEIGHT * rows + 0.3,
    )
    grid = place.subplots(rows, columns, squeeze=False)
    shades = _shades(values, aspect)
    for axes in grid.ravel()[len(shown) :]:
        axes.set_axis_off()
    for axes, (panel, route) in zip(grid.ravel(), shown, strict=False):
        some = values.isel(panel.chosen)
        cells = (some if route is None else some.sel(route=route)).transpose(y, x)
        across, up = scales.along(axes, plane[x]), scales.upwards(axes, plane[y])
        axes.set_facecolor(UNKNOWN)
        sides = edges(axes.get_xscale(), across), edges(axes.get_yscale(), up)
        drawn = axes.pcolormesh(*sides, cells, rasterized=True, **shades)
        axes.set(xlabel=scales.label(plane[x]), ylabel=scales.label(plane[y]))
        axes.set_title(_heading(panel, route))
    below = bool((values < drawn.norm.vmin).any())
    bar = place.colorbar(drawn, ax=list(grid.ravel()), aspect=30, extend="min" if below else "neither")
    bar.set_label(_bar_label(plane, aspect))
    if aspect.when == DESCENTS:
        _whole_ticks(bar, values)


def _heading(panel: Panel, route: str | None) -> str:
    return ", ".join(filter(None, (panel.title, route)))


def _notes(answer: xr.Dataset, plane: xr.Dataset, aspect: Aspect) -> list[list[str]]:
    """Those of the answer, with what each route is, and how the number was taken."""
    meanings = [f"{role.route.name}: {question.prose(role.route.meaning)}" for role in roles_of(answer)]
    return [[*meanings, recorded(answer)], *question.notes(plane, [aspect.observable])]


def _bar_label(plane: xr.Dataset, aspect: Aspect) -> str:
    values = plane[aspect.observable]
    if aspect.when == DESCENTS:
        return values.attrs["long_name"]
    at = ""
    if "time" in values.coords:
        clock = question.clock_of(plane)
        at = f"\nat {question.valued(clock.time, values['time'].item())}" if clock else ""
    return scales.label(values) + at


def _shades(values: xr.DataArray, aspect: Aspect) -> dict[str, Any]:
    """Colours and their range, the same on all panels."""
    from matplotlib import colormaps
    from matplotlib.colors import BoundaryNorm, LogNorm

    finite = values.values[np.isfinite(values.values)]
    if not finite.size:
        return {"cmap": "viridis", "vmin": 0, "vmax": 1}
    low, high = float(finite.min()), float(finite.max())
    if aspect.when == DESCENTS and high - low < MOST_COUNTS:
        count = max(round(high - low) + 1, 2)  # a norm needs two
        steps = BoundaryNorm(np.arange(low - 0.5, low + count), count)
        return {"cmap": colormaps["viridis"].resampled(count), "norm": steps}
    if scales.over_decades([finite]):
        return {"cmap": "viridis", "norm": LogNorm(max(low, FLOOR * high), high)}
    return {"cmap": "viridis", "vmin": low, "vmax": high}


def _whole_ticks(bar: Any, values: xr.DataArray) -> None:
    whole = np.unique(values.values[np.isfinite(values.values)])
    bar.set_ticks(whole, labels=[f"{each:g}" for each in whole])
    bar.ax.minorticks_off()


def edges(scale: str, places: np.ndarray) -> np.ndarray:
    """The edges of cells around two places or more, half-way on an axis of that scale."""
    at = np.log(places) if scale == "log" else places.astype(float)
    middle = (at[1:] + at[:-1]) / 2
    whole = np.concatenate([[2 * at[0] - middle[0]], middle, [2 * at[-1] - middle[-1]]])
    return np.exp(whole) if scale == "log" else whole
