"""Residual panels below a panel of curves: simulation minus theory.

Each panel is known by matplotlib's label of its axes, `PANEL`. Each has a band that says how far a right
theory may lie from its simulation: `BAND` where chance says so, `BOUND` where nothing is random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas
from teacherstudent.figures.kit import style

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpecBase

PANEL = style.RESIDUALS
BAND: dict[str, Any] = {"fc": "0.9", "lw": 0}
"""The band of chance: where the theory holds, runs stay inside."""
BOUND: dict[str, Any] = {"fc": "0.96", "ec": "0.75", "hatch": "////", "lw": 0}
"""The band of a panel without chance: a bound that its legend entry explains."""
WIDE = 8.0
"""Of a wider band of chance (few draws) the panel shows this much, or residuals would lie on its axis."""


CURVES, BELOW = 2.0, 0.84
"""Inches on paper of a panel of curves and of a residual panel."""


def heights(count: int) -> list[float]:
    """Relative heights of a panel of curves and of `count` residual panels below it."""
    return [CURVES] + [BELOW] * count


def tall(count: int) -> float:
    """Inches on paper of a panel of curves and `count` residual panels, with their labels."""
    return 0.6 + CURVES + BELOW * count


def stack(
    canvas: Canvas,
    grid: GridSpecBase,
    column: int,
    labels: Sequence[str],
    beside: Sequence[Axes] | None = None,
    first: int = 0,
    labelled: bool = False,
) -> list[Axes]:
    """The axes of one column, top to bottom: a panel of curves, and a residual panel for each label.

    All share the horizontal axis; they share their vertical axes with `beside`, and so the labels, unless
    they are `labelled`. first: their first row of the grid.
    """
    axes: list[Axes] = []
    bare = bool(beside) and not labelled
    for row in range(1 + len(labels)):
        share = {"sharex": axes[0]} if axes else {}
        if beside:
            share["sharey"] = beside[row]
        axes.append(canvas.add_subplot(grid[first + row, column], **share))
        axes[-1].tick_params(which="both", labelbottom=row == len(labels), labelleft=not bare)
    for panel, label in zip(axes[1:], labels, strict=True):
        name(panel, "" if bare else label)
    return axes


def name(axes: Axes, label: str) -> None:
    """Make these axes a residual panel; the label says what is subtracted, and the unit."""
    axes.set_label(PANEL)
    axes.set_ylabel(label)


def draw(axes: Axes, shown: Mapping[style.Look, xr.DataArray], degrees: int | None = None) -> None:
    """Residuals of each curve in standard errors over their coordinate, on the band of the theory.

    The band is the two-sided quantile of `paper_checks.judging.agreement` for all points of the
    panel, with `degrees` of freedom of each standard error (None: it is known). Where the theory
    holds, no point of a run lies outside, but for the share `FALSE_ALARM` of runs.
    """
    from teacherstudent.paper_checks.judging.agreement import quantile

    band = quantile(sum(int(values.count()) for values in shown.values()), degrees)
    axes.axhspan(-band, band, **BAND)
    _points(axes, shown, min(band, WIDE))


def bounded(axes: Axes, shown: Mapping[style.Look, xr.DataArray], lowest: float = -1.0) -> None:
    """Residuals in units of a bound of their own, for what is not random: between `lowest` and 1.

    `lowest` is 0 for distances. The legend says what the bound is (`legends.bound`).
    """
    axes.axhspan(lowest, 1, **BOUND)
    _points(axes, shown, 1.0)
    if lowest == 0:
        axes.set_ylim(bottom=-0.3)


def measured(
    axes: Axes, shown: Mapping[style.Look, tuple[xr.DataArray, xr.DataArray]], bound: xr.DataArray
) -> None:
    """Residuals of an approximation, each with its standard error, in the unit of the bound of its own error.

    For what is known to be off: standard errors would only say how many draws there are. `bound` may
    change along its coordinate. The legend says what it is (`legends.bound`).
    """
    along = bound[bound.dims[0]]
    axes.fill_between(along, -bound, bound, **BOUND)
    axes.axhline(0, color="0.4", lw=0.8)
    for look, (values, error) in shown.items():
        axes.errorbar(values[values.dims[0]], values, yerr=error, **style.marked(look, 3.5), **style.BARS)
    furthest = max(float((abs(values) + error).max()) for values, error in shown.values())
    reach = 1.15 * max(furthest, float(bound.min()))  # where the bound is wide it may leave the panel
    axes.set_ylim(-reach, reach)


def _points(axes: Axes, shown: Mapping[style.Look, xr.DataArray], least: float) -> None:
    axes.axhline(0, color="0.4", lw=0.8)
    for look, values in shown.items():
        axes.plot(values[values.dims[0]], values, **style.marked(look, 3.5))
    furthest = max(least, *(float(abs(values).max()) for values in shown.values()))
    beside = 0.0 if axes.get_autoscaley_on() else axes.get_ylim()[1]  # as set by a panel that shares them
    reach = max(1.15 * furthest, beside)
    axes.set_ylim(-reach, reach)
