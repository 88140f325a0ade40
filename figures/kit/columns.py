"""Columns of curves as data: each panel's lines and markers, and below them what was drawn minus theory.

A figure says which numbers each curve is, and how axes are named and scaled; `draw` draws theory as solid
lines, approximations dashed, simulations as markers with standard errors, and their residuals beneath.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Numbers
from teacherstudent.figures.kit import residuals, style
from teacherstudent.house.grids import Span

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpecBase

LIMIT = "sim. − limit\n[std. errors]"
THEORY = "sim. − theory\n[std. errors]"
"""Labels of residual panels: what is subtracted."""

FEWEST = -1
"""Degrees of freedom: those of the curve of a panel with the fewest draws."""

DIGITS = Span(1, 10, 2)
"""Ticks at digits of powers of ten over all that is seen."""


@dataclass(frozen=True)
class Trace:
    """One curve: where it is given, its theory, an approximation of it, and what was drawn of it.

    y: the observable, where it is not that of its panel. residual: the same of its residual; rest: the
    residuals themselves. judged: whether these are shown. panel: in which of the residual panels, in all
    unless given. line: how its theory is drawn, by matplotlib's names, unless as usual.
    """

    look: style.Look
    theory: xr.Dataset | None = None
    drawn: xr.Dataset | None = None
    rough: xr.Dataset | None = None
    y: str = ""
    residual: str = ""
    rest: xr.DataArray | None = None
    judged: bool = True
    panel: int | None = None
    line: Mapping[str, Any] = field(default_factory=dict)

    def left(self, variable: str, y: str) -> xr.DataArray | None:
        """Its residuals in a panel that shows this variable of what was drawn, of the observable y."""
        if self.rest is not None or self.drawn is None:
            return self.rest
        return self.drawn[(self.residual or variable).format(y=self.y or y)]


def traces(
    numbers: Numbers, looks: Mapping[Any, style.Look], theory: str = "", drawn: str = "", rough: str = ""
) -> list[Trace]:
    """A curve for each member of a family; its groups of numbers by name, where {} stands for the member.

    A member without such a group has no such line, or markers.
    """

    def of(name: str, member: Any) -> xr.Dataset | None:
        return numbers.get(name.format(f"{member:g}" if isinstance(member, float) else member))

    return [Trace(look, of(theory, at), of(drawn, at), of(rough, at)) for at, look in looks.items()]


@dataclass(frozen=True)
class Column:
    """A panel of curves of `y` over `x`, and the residual panels below it, each with its label and variable.

    residuals: variables by label, in which {y} stands for the observable. xname, yname: names of the axes
    where the attributes' are too long; a name that ends in a unit in brackets is the whole label. ticks: by
    axis the values, or a span for digits of powers of ten (`DIGITS`: of what is seen). log: the logarithmic
    axes, as "xy"; xlim, ylim: ends, or a span with them. degrees: of freedom of its standard errors, None
    where these are known; those of the fewest draws unless given. bounded: the least residual, where these
    are in units of a bound (`residuals.bounded`). powers: numbers of logarithmic axes are powers of ten only.
    """

    x: str
    y: str
    traces: Sequence[Trace]
    title: str = ""
    residuals: Mapping[str, str] = field(default_factory=lambda: {LIMIT: "{y}_minus_asymptotic"})
    xname: str | None = None
    yname: str | None = None
    ticks: Mapping[str, Sequence[float] | Span] = field(default_factory=dict)
    log: str = ""
    xlim: Span | tuple[float, float] | None = None
    ylim: Span | tuple[float, float] | None = None
    degrees: int | None = FEWEST
    bounded: float | None = None
    powers: bool = False

    def draw(self, axes: Sequence[Axes], labelled: bool = True) -> None:
        """Draw it on these axes, top to bottom; `labelled`: it has a vertical label of its own."""
        curves(axes[0], self.traces, self.x, self.y)
        below(axes[1:], self)
        axes[0].set(title=self.title, **{f"{letter}scale": "log" for letter in self.log})
        for letter in self.log if self.powers else "":
            style.powers(getattr(axes[0], f"{letter}axis"))
        for name, ends in (("xlim", self.xlim), ("ylim", self.ylim)):
            if ends:
                axes[0].set(**{name: (ends.low, ends.high) if isinstance(ends, Span) else ends})
        for name, ticks in self.ticks.items():
            axis = getattr(axes[-1 if name == "x" else 0], f"{name}axis")
            if isinstance(ticks, Span):
                ends = axis.get_view_interval() if ticks is DIGITS else (ticks.low, ticks.high)
                style.digits(axis, *ends)
            else:
                style.ticks(axis, ticks)
        some = self._some()
        if labelled:
            y = next(each.y for each in self.traces) or self.y
            axes[0].set_ylabel(_label(some[y], self.yname))
        axes[-1].set_xlabel(_label(some[self.x], self.xname))

    def _some(self) -> xr.Dataset:
        """Numbers that have both axes."""
        found = (each for trace in self.traces for each in (trace.theory, trace.drawn, trace.rough))
        return next(each for each in found if each is not None)


def curves(axes: Axes, shown: Iterable[Trace], x: str, y: str) -> None:
    """Lines and markers of these curves, an approximation lowest; what has no standard error has no bars."""
    for each in shown:
        name = each.y or y
        if each.rough is not None:
            style.approximation(axes, each.rough, x, name, each.look)
        if each.theory is not None:
            style.theory(axes, each.theory, x, name, each.look, **each.line)
        if each.drawn is not None and f"{name}_stderr" in each.drawn:
            style.simulation(axes, each.drawn, x, name, each.look)
        elif each.drawn is not None:
            axes.plot(each.drawn[x], each.drawn[name], **style.marked(each.look))


def below(panels: Sequence[Axes], column: Column) -> None:
    """The residuals of a column's curves, panel by panel."""
    for place, (panel, variable) in enumerate(zip(panels, column.residuals.values(), strict=True)):
        judged = [each for each in column.traces if each.judged and each.panel in (None, place)]
        drawn = [each.drawn for each in judged if each.drawn is not None]
        rests = ((each.look, each.left(variable, column.y)) for each in judged)
        shown = {look: values for look, values in rests if values is not None}
        if column.bounded is not None:
            residuals.bounded(panel, shown, column.bounded)
            continue
        degrees = column.degrees
        if degrees == FEWEST:
            degrees = min(int(each.attrs["n_seeds"]) for each in drawn) - 1
        residuals.draw(panel, shown, degrees)


def _label(values: xr.DataArray, name: str | None) -> str:
    return name if name and name.endswith("]") else style.axis_label(values, name)


def draw(
    canvas: Canvas, columns: Sequence[Column], shared: bool = False, across: int = 2
) -> list[list[Axes]]:
    """Columns on an empty canvas, this many abreast, more on a wide sheet; returns the axes of each.

    shared: they share their vertical axes, and the first of each row its labels.
    """
    count = len(columns[0].residuals)
    across = min(style.abreast(across), len(columns))
    rows = -(-len(columns) // across)
    style.size(canvas, rows * residuals.tall(count))
    grid = canvas.add_gridspec(rows * (1 + count), across, height_ratios=rows * residuals.heights(count))
    return draw_on(canvas, grid, columns, shared)


def draw_on(
    canvas: Canvas, grid: GridSpecBase, columns: Sequence[Column], shared: bool = False, first: int = 0
) -> list[list[Axes]]:
    """The same on a grid, from its column `first` on, row by row."""
    found: list[list[Axes]] = []
    for place, column in enumerate(columns, first):
        row, at = divmod(place, grid.ncols)
        beside = found[0] if shared and found else None
        panels = list(column.residuals)
        axes = residuals.stack(canvas, grid, at, panels, beside, row * (1 + len(panels)), labelled=not at)
        column.draw(axes, labelled=not (beside and at))
        found.append(axes)
    return found
